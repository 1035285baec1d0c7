import type { State } from "../../kernel/index.ts";
import { ActivityCounter } from "./activity.ts";
import { Balances } from "./balances.ts";
import { CapitalCounter } from "./capital.ts";
import { Goods } from "./goods.ts";
import { IncomeCounter } from "./income.ts";
import { PriceIndex } from "./price-index.ts";
import { Roster } from "./roster.ts";
import { ServiceCounter } from "./services.ts";
import { TradeGraph } from "./trade-network.ts";
import { WorldSales } from "./world-sales.ts";

/** All event counters of a `RunMeter`. `state` is the state before the first event. */
export const newCounters = (state: State, atMs: number) => ({
  activity: new ActivityCounter(),
  incomes: new IncomeCounter(),
  prices: new PriceIndex(),
  services: new ServiceCounter(),
  capital: new CapitalCounter(state),
  roster: new Roster(state, atMs),
  graph: new TradeGraph(),
  sales: new WorldSales(state),
  goods: new Goods(state),
  /** Must be last: other counters read the owner of a hold before `balances` changes the hold. */
  balances: new Balances(state),
});

export type EventCounters = ReturnType<typeof newCounters>;
