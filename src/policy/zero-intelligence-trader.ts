import { z } from "zod";
import { isObject, type LastResult } from "../kernel/index.ts";
import { call, definePolicy, type Move, type Situation, setting } from "./core/policy.ts";

const price = z.int().min(1).max(1_000_000);

const settings = z
  .strictObject({
    market: setting(z.string(), "market", "the order book in which it trades"),
    good: setting(
      z.string().nullable(),
      null,
      "the token that a seller lets the market take; null: the market trades no token",
    ),
    side: setting(z.enum(["buyer", "seller"]), "buyer", "whether it buys or sells"),
    units: setting(
      z.array(price).max(10_000),
      [],
      "what each unit is worth to a buyer or costs a seller, in scrip, in the order of trading",
    ),
    constrained: setting(
      z.boolean(),
      true,
      "true: it never trades a unit at a loss (ZI-C). false: any price (ZI-U)",
    ),
    price_max: setting(price, 200, "the highest price that it draws"),
    period_s: setting(
      z.int().min(1).nullable(),
      null,
      "after so many seconds it starts again with the first unit; null: it trades each unit once",
    ),
  })
  .describe(
    "Trades in an order book at random prices (Gode and Sunder, 1993). It replaces its order " +
      "until the order is filled.",
  );

const memory = z.object({
  period: z.int(),
  /** The number of units traded in this period. */
  traded: z.int(),
  /** The number of its order in the book. */
  order: z.number().nullable(),
  /** What its last action did, whose outcome it has not read yet. */
  sent: z.enum(["approve", "order", "cancel"]).nullable(),
  isApproved: z.boolean(),
});

type Settings = z.infer<typeof settings>;
type Memory = z.infer<typeof memory>;
type Here = Situation<Memory>;

/**
 * A trader with private values that takes a random price for each order (Gode and Sunder,
 * "Allocative Efficiency of Markets with Zero-Intelligence Traders", Journal of Political Economy,
 * 1993). The price is uniform: for a constrained buyer from 1 to the value of the unit, for a
 * constrained seller from the cost of the unit to `price_max`, and otherwise from 1 to `price_max`.
 * It looks only at its account and at the outcome of its last action.
 */
export const zeroIntelligenceTrader = definePolicy({
  settings,
  memory,
  fresh: { period: 0, traded: 0, order: null, sent: null, isApproved: false },
  decide: (given, settings) => {
    const here = { ...given, memory: inPeriod(learned(given), given, settings) };
    const { order, isApproved, traded } = here.memory;
    if (order !== null) return cancel(here, settings);
    const limit = settings.units[traded];
    if (limit === undefined) return rest(here, settings);
    if (settings.side === "buyer") return buy(here, settings, limit);
    return settings.good === null || isApproved
      ? sell(here, settings, limit)
      : approve(here, settings);
  },
});

/** The memory with the outcome of the last action. */
const learned = ({ view, memory }: Here): Memory => {
  const { last } = view.agent;
  const { sent, traded } = memory;
  if (sent === null || last === null) return { ...memory, sent: null };
  const known = { ...memory, sent: null };
  switch (sent) {
    case "approve":
      return { ...known, isApproved: last.ok };
    case "cancel":
      // The book no longer has an order that was filled.
      if (last.ok) return { ...known, order: null };
      return isGone(last) ? { ...known, order: null, traded: traded + 1 } : known;
    case "order": {
      const placed = last.ok ? fieldsOf(last) : {};
      if (placed.filled === 1) return { ...known, traded: traded + 1 };
      return { ...known, order: typeof placed.order === "number" ? placed.order : null };
    }
  }
};

const isGone = (last: LastResult): boolean =>
  last.code === "rejected_by_artifact" && fieldsOf(last).code === "not_found";

const fieldsOf = ({ result }: LastResult): { readonly [field: string]: unknown } => {
  const value: unknown = result === null ? null : JSON.parse(result);
  return isObject(value) ? value : {};
};

const inPeriod = (memory: Memory, { view }: Here, { period_s }: Settings): Memory => {
  const period = period_s === null ? 0 : Math.floor(view.now / (period_s * 1_000));
  return period === memory.period ? memory : { ...memory, period, traded: 0 };
};

const cancel = ({ memory }: Here, { market }: Settings): Move<Memory> => ({
  action: call(`${market}.cancel`, [memory.order]),
  why: "its order has not been filled",
  memory: { ...memory, sent: "cancel" },
});

const approve = ({ memory }: Here, { market, good, units }: Settings): Move<Memory> => ({
  action: call(`${good}.approve`, [market, 1_000 * units.length]),
  why: "the market may take the units that it sells",
  memory: { ...memory, sent: "approve" },
});

const buy = (here: Here, { market, constrained, price_max }: Settings, value: number) => {
  const { dice, memory, view } = here;
  const most = Math.min(constrained ? Math.min(value, price_max) : price_max, view.account.scrip);
  if (most < 1) return pause(here, "it has no scrip");
  const offer = 1 + dice.pick(most);
  const move: Move<Memory> = {
    action: call(`${market}.buy`, [offer, 1], { attach: { scrip: offer } }),
    why: `a random price up to ${most}`,
    memory: { ...memory, sent: "order" },
  };
  return move;
};

const sell = (here: Here, { market, constrained, price_max }: Settings, cost: number) => {
  const least = constrained ? Math.min(cost, price_max) : 1;
  const move: Move<Memory> = {
    action: call(`${market}.sell`, [least + here.dice.pick(price_max - least + 1), 1]),
    why: `a random price from ${least} to ${price_max}`,
    memory: { ...here.memory, sent: "order" },
  };
  return move;
};

const rest = (here: Here, { period_s, units }: Settings): Move<Memory> => {
  const { now, horizonMs } = here.view;
  const end = period_s === null ? horizonMs : (here.memory.period + 1) * period_s * 1_000;
  const why = units.length === 0 ? "its settings name no units" : "it has traded all of its units";
  return { ...pause(here, why), waitMs: Math.max(1_000, end - now) };
};

const pause = ({ memory }: Here, why: string): Move<Memory> => ({
  action: { noop: {} },
  why,
  memory,
  waitMs: 1_000,
});
