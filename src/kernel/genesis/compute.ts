import type { ActionDecision } from "../action/events.ts";
import {
  computeFor,
  decideComputeBid,
  decideComputeCancel,
  decideStanding,
  saleHistory,
} from "../compute/orders.ts";
import { decideBuy } from "../compute/sale.ts";
import { SALES_KEPT_MAX, saleIn } from "../compute/supply.ts";
import { accept } from "../core/decision.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { ComputeSale, Physics } from "../core/physics.ts";
import type { SearchTables } from "../search/query.ts";
import {
  AMOUNT_SCHEMA,
  countArg,
  EXAMPLES_AT_MS,
  type NativeArtifact,
  type NativeCall,
  named,
  takes,
} from "./native.ts";

const sellsBy =
  (...sales: readonly ComputeSale[]) =>
  (physics: Physics): boolean =>
    sales.includes(saleIn(physics));

const status = (state: SearchTables, { by }: NativeCall): ActionDecision =>
  accept([], computeFor(state, by.actor));

const standing = (state: SearchTables, { by, args }: NativeCall): ActionDecision => {
  const [lots, limit] = args;
  const limit_price = typeof limit === "number" ? limit : null;
  return decideStanding(state, by, { lots: countArg(lots), limit_price });
};

const COUNT_SCHEMA: JsonObject = { type: "integer", minimum: 0 };

/** The sales of the examples: none has a buyer until the next one, at which alice bids. */
export const exampleSale = ({ compute }: Physics) => {
  const { supply_micros, lot_micros, period_ms, minimum_price } = compute;
  const before = Math.floor(EXAMPLES_AT_MS / period_ms);
  const offered = Math.floor(supply_micros / lot_micros);
  const lots = Math.min(2, offered);
  return { before, offered, lots, limit_price: minimum_price + 5, atMs: (before + 1) * period_ms };
};

/** The standing order of the examples. Its limit is enough for both kinds of sale. */
const shownOrder = ({ compute }: Physics) => ({
  lots: 4,
  limit_price: Math.max(compute.minimum_price, compute.posted_price) + 1,
});

const shownStatus = (physics: Physics): Json => {
  const { lot_micros, period_ms, minimum_price, posted_price, standing: none } = physics.compute;
  const { offered, lots, limit_price, atMs } = exampleSale(physics);
  const sale = saleIn(physics);
  const bids = sale === "auction";
  const isPosted = sale === "posted";
  const unpaid = bids ? minimum_price : 0;
  return {
    sale,
    price: isPosted ? posted_price : unpaid,
    next_sale_at_ms: sale === "none" ? null : atMs,
    lots: offered,
    // Sales up to now had no buyers.
    lots_left: isPosted ? offered - lots : null,
    lot_micros,
    period_ms,
    minimum_price,
    bid: bids ? { lots, limit_price } : null,
    standing: bids || isPosted ? shownOrder(physics) : { ...none },
  };
};

/** The newest sales of the examples, newest first. Only the last one has a buyer. */
const shownSales = (physics: Physics): readonly Json[] => {
  const { period_ms, minimum_price: price } = physics.compute;
  const { before, offered, lots } = exampleSale(physics);
  return Array.from({ length: Math.min(before + 1, SALES_KEPT_MAX) }, (_, back) => {
    const sale = before - back;
    const bought = back === 0 ? lots : 0;
    return { sale, price, offered, asked: bought, sold: bought, at_ms: (sale + 1) * period_ms };
  });
};

/** The methods depend on how the world sells: a world without auctions has no `bid`. */
export const COMPUTE: NativeArtifact = {
  id: "genesis_compute",
  description: "The world sells model budget, which pays for thoughts, in lots and for scrip.",
  methods: named({
    status: {
      description:
        "How and when the world sells, the price of a lot (of the last auction, or posted), and " +
        "your own orders.",
      input_schema: takes({}),
      examples: (physics) => [{ args: [], result: shownStatus(physics) }],
      decide: status,
    },
    bid: {
      description:
        "Bids for lots at the next sale, up to a price per lot. The scrip is held until then; " +
        "what you do not pay comes back. A new bid replaces your earlier one.",
      input_schema: takes({ lots: AMOUNT_SCHEMA, limit_price: AMOUNT_SCHEMA }),
      examples: (physics) => {
        const { lots, limit_price, atMs: sale_at_ms } = exampleSale(physics);
        const result = { lots, limit_price, held: lots * limit_price, sale_at_ms };
        return [{ args: [lots, limit_price], result }];
      },
      writes: true,
      offered: sellsBy("auction"),
      spends: ([lots, limit]) => countArg(lots) * countArg(limit),
      decide: (state, { by, args: [lots, limit], fees }) =>
        decideComputeBid(state, by, countArg(lots), countArg(limit), fees),
    },
    cancel: {
      description: "Cancels your bid and returns its scrip.",
      input_schema: takes({}),
      examples: (physics) => {
        const { lots, limit_price } = exampleSale(physics);
        return [{ args: [], result: { refunded: lots * limit_price } }];
      },
      writes: true,
      offered: sellsBy("auction"),
      decide: (state, { by }) => decideComputeCancel(state, by),
    },
    standing: {
      description:
        "Sets your standing order: at each sale without a bid of yours, the world buys until you " +
        "have model budget for this many lots. Without limit_price it pays up to all your scrip; " +
        "with 0 it buys nothing. While you are frozen it buys your next thought, and bids all " +
        "your scrip for it if limit_price is below the last price.",
      input_schema: takes({ lots: COUNT_SCHEMA, limit_price: COUNT_SCHEMA }, ["lots"]),
      examples: (physics) => {
        const { lots, limit_price } = shownOrder(physics);
        return [
          { args: [lots, limit_price], result: { lots, limit_price } },
          { args: [lots], result: { lots, limit_price: null } },
        ];
      },
      writes: true,
      offered: sellsBy("auction", "posted"),
      spends: ([lots, limit]) =>
        typeof limit === "number" ? countArg(lots) * limit : Number.POSITIVE_INFINITY,
      decide: standing,
    },
    buy: {
      description: "Buys lots of this period at the posted price, at once.",
      input_schema: takes({ lots: AMOUNT_SCHEMA }),
      examples: (physics) => {
        const { posted_price: price, lot_micros } = physics.compute;
        const { lots } = exampleSale(physics);
        const result = { lots, price, paid: lots * price, micros: lots * lot_micros };
        return [{ args: [lots], result }];
      },
      writes: true,
      offered: sellsBy("posted"),
      spends: ([lots], { compute }) => countArg(lots) * compute.posted_price,
      decide: (state, { by, args, fees }) => decideBuy(state, by, countArg(args[0]), fees),
    },
    history: {
      description: "The newest sales: the price, and the lots offered, asked for and sold.",
      input_schema: takes({ limit: { type: "integer", minimum: 1, maximum: SALES_KEPT_MAX } }, []),
      examples: (physics) => {
        const sales = shownSales(physics);
        return [
          { args: [1], result: sales.slice(0, 1) },
          { args: [], result: sales },
        ];
      },
      offered: sellsBy("auction"),
      decide: (state, { args }) =>
        accept([], saleHistory(state, countArg(args[0]) || SALES_KEPT_MAX)),
    },
  }),
};
