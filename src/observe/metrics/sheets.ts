import type { State } from "../../kernel/index.ts";
import { Balances } from "./balances.ts";
import { CapitalBook } from "./capital.ts";
import { IncomeSheet } from "./income.ts";
import { Roster } from "./roster.ts";
import { PriceIndex, ServiceBook } from "./services.ts";
import { TallySheet } from "./tally.ts";
import { TradeGraph } from "./trade-network.ts";

/** All event counters of a `RunMeter`. `state` is the state before the first event. */
export const newSheets = (state: State, atMs: number) => ({
  tally: new TallySheet(),
  incomes: new IncomeSheet(),
  prices: new PriceIndex(),
  services: new ServiceBook(),
  capital: new CapitalBook(state),
  roster: new Roster(state, atMs),
  graph: new TradeGraph(),
  /** Counts last, because the other counters need the owner of a hold before the event. */
  books: new Balances(state),
});

export type Sheets = ReturnType<typeof newSheets>;
