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
  priceError,
  realisedSurplus,
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
});

const market = (...trades: readonly Omit<Trade, "n">[]): Market => ({
  values: VALUES,
  endowment: ENDOWMENT,
  trades: trades.map((each, at) => ({ ...each, n: at + 1 })),
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
  });
});
