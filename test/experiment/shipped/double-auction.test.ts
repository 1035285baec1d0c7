import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import {
  efficiency,
  equilibriumPrice,
  type Market,
  marketOf,
  maximumSurplus,
  meanPrice,
  periodsOf,
  priceError,
  realisedSurplus,
  smithAlpha,
  smithAlphaIn,
  surplusShare,
  type Trade,
} from "../../../experiments/measures/double-auction.ts";
import type { MeasuredRun } from "../../../src/index.ts";

const FOLDER = join(import.meta.dirname, "../../../experiments/gode-sunder");
const yamlOf = (file: string) => parse(readFileSync(join(FOLDER, file), "utf8"));

const { mechanisms } = yamlOf("config.yaml");
const VALUES: Market["values"] = mechanisms.experimenter.settings.values;
const ENDOWMENT: Market["endowment"] = mechanisms.wheat.settings.initial;
const TRADERS = [1, 2, 3, 4, 5, 6];

const trade = (buyer: string, seller: string, price = 100): Omit<Trade, "n"> => ({
  buyer,
  seller,
  price,
  units: 1,
  at_ms: 0,
});

const market = (...trades: readonly Omit<Trade, "n">[]): Market => ({
  values: VALUES,
  endowment: ENDOWMENT,
  trades: trades.map((each, at) => ({ ...each, n: at + 1 })),
  periodMs: null,
  endMs: 0,
});

/** Each buyer `i` buys `units` units of seller `i`. */
const pairs = (units: number) =>
  TRADERS.flatMap((i) => Array.from({ length: units }, () => trade(`buyer_${i}`, `seller_${i}`)));

describe("the market of Gode and Sunder", () => {
  it("has the values 180 − 8k and the costs 20 + 8k, dealt in turn", () => {
    const dealt = Array.from({ length: 18 }, (_, k) => k);
    const buyers = dealt.map((k) => VALUES[`buyer_${(k % 6) + 1}`]?.[Math.floor(k / 6)]);
    const sellers = dealt.map((k) => VALUES[`seller_${(k % 6) + 1}`]?.[2 - Math.floor(k / 6)]);
    expect(buyers).toEqual(dealt.map((k) => 180 - 8 * k));
    expect(sellers).toEqual(dealt.map((k) => 20 + 8 * k));
  });

  it.each(["zi-c", "zi-u", "truthful"])("has the same values in the personas of %s", (arm) => {
    for (const side of ["buyer", "seller"]) {
      const { vary } = yamlOf(`${arm}/${side}/agent.yaml`);
      const lists = Object.values<{ list: readonly number[] }>(vary);
      for (const i of TRADERS) {
        const units = lists.map(({ list }) => list[i - 1]);
        const sorted = side === "buyer" ? units : units.toReversed();
        expect(sorted).toEqual(VALUES[`${side}_${i}`]);
      }
    }
  });

  it("can gain 880 scrip, at a price of 100", () => {
    expect([maximumSurplus(market()), equilibriumPrice(market())]).toEqual([880, 100]);
  });

  it("gains nothing without trade, and 432 scrip if all 18 units are sold", () => {
    expect(realisedSurplus(market())).toBe(0);
    const all = market(...pairs(3));
    expect([realisedSurplus(all), efficiency(all)]).toEqual([432, 432 / 880]);
  });

  it("gains all if only the units traded in equilibrium are sold", () => {
    // The units k = 0 to 9: two of the first four traders of each side, and one of the others.
    const second = [1, 2, 3, 4].map((i) => trade(`buyer_${i}`, `seller_${i}`));
    expect(efficiency(market(...pairs(1), ...second))).toBe(1);
  });

  it("counts a unit that is sold again once", () => {
    const resold = market(trade("buyer_6", "seller_1"), trade("buyer_1", "buyer_6"));
    expect(realisedSurplus(resold)).toBe(180 - 20);
  });
});

it("shares the gains between buyers and sellers by the price", () => {
  const dear = market(trade("buyer_1", "seller_1", 170));
  const [buyers, sellers] = [surplusShare(dear, "buyers"), surplusShare(dear, "sellers")];
  expect([880 * buyers, 880 * sellers]).toEqual([180 - 170, 170 - 20]);
  expect(buyers + sellers).toBeCloseTo(efficiency(dear), 12);
});

describe("a market with periods", () => {
  /** A buyer and a seller with one value each. A trade gains 6, and the equilibrium price is 7. */
  const repeated = (...trades: readonly (readonly [atMs: number, price: number])[]): Market => ({
    values: { ann: [10], bob: [4] },
    endowment: { bob: 3 },
    trades: trades.map(([at_ms, price], at) => {
      return { n: at + 1, at_ms, price, units: 1, buyer: "ann", seller: "bob" };
    }),
    periodMs: 1_000,
    endMs: 2_900,
  });

  it("has the same values in each, and one unit for each value", () => {
    const periods = periodsOf(repeated([0, 5], [2_100, 9]));
    expect(periods.map(({ trades }) => trades.length)).toEqual([1, 0, 1]);
    expect(periods.map(realisedSurplus)).toEqual([6, 0, 6]);
    expect(periods.map(maximumSurplus)).toEqual([6, 6, 6]);
    expect(efficiency(repeated([0, 5], [2_100, 9]))).toBeCloseTo(2 / 3, 12);
    expect(surplusShare(repeated([0, 5], [2_100, 9]), "buyers")).toBeCloseTo((5 + 1) / 18, 12);
  });

  it("has a coefficient of convergence in each", () => {
    const found = repeated([0, 5], [999, 9], [2_100, 7]);
    expect(equilibriumPrice(found)).toBe(7);
    const first = (100 * 2) / 7;
    expect([1, 2, 3, 4].map((period) => smithAlphaIn(found, period))).toEqual([
      first,
      null,
      0,
      null,
    ]);
    expect(smithAlpha(found)).toBeCloseTo((100 * Math.sqrt(8 / 3)) / 7, 12);
  });
});

it("computes the mean price and its error for each unit that is traded", () => {
  const two = market(
    { ...trade("buyer_1", "seller_1", 90), units: 3 },
    trade("buyer_2", "seller_2", 130),
  );
  expect(meanPrice(two)).toBe(100);
  expect(priceError(two)).toBeCloseTo(Math.sqrt((3 * 10 ** 2 + 30 ** 2) / 4), 12);
  expect([meanPrice(market()), priceError(market())]).toEqual([null, null]);
});

describe("a journal", () => {
  const written = (artifact_id: string, settings: object) => ({
    kind: "artifact_written",
    artifact_id,
    fields: { code: `const settings = ${JSON.stringify(settings)};\n\nfunction run() {}` },
  });
  const book = (...trades: readonly Trade[]) => ({
    kind: "artifact_state_changed",
    artifact_id: "market",
    state: JSON.stringify({ trades }),
  });
  const run = (...events: readonly object[]) =>
    ({
      events: () => events.map((event) => ({ seq: 1, at_ms: 0, event })),
    }) as unknown as MeasuredRun;
  const start = [
    written("corn", { initial: ENDOWMENT }),
    written("experimenter", { good: "corn", values: VALUES }),
  ];
  const [first, second, third] = market(...pairs(1)).trades as [Trade, Trade, Trade];

  it("gives the values, the endowment and each trade once, although the book forgets old ones", () => {
    const found = marketOf(run(...start, book(first), book(first, second), book(second, third)));
    expect(found).toEqual(market(first, second, third));
  });

  it("without a trade that happened, or without values, is an error", () => {
    expect(() => marketOf(run(...start, book(first), book(third)))).toThrow("lacks a trade");
    expect(() => marketOf(run(book(first)))).toThrow("no program `experimenter`");
    const { fields, ...event } = written("market", { good: "corn" });
    const call = { ...event, fields: { ...fields, methods: ["buy", "sell", "results"] } };
    expect(() => marketOf(run(...start, call))).toThrow("is not an order book");
  });
});
