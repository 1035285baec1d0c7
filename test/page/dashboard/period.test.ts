import { expect, it } from "vitest";
import {
  fieldsOfPeriod,
  periodIn,
  typedPeriod,
} from "../../../src/page/browser/dashboard/core/address.ts";

const SPAN = { fromMs: 0, toMs: 300_000 };

it("reads a period from typed times, and an end that is missing from the run", () => {
  expect(periodIn({ from: "2:00", to: "150s" }, SPAN)).toEqual({ fromMs: 120_000, toMs: 150_000 });
  expect(periodIn({ from: "2m" }, SPAN)).toEqual({ fromMs: 120_000, toMs: 300_000 });
  expect(periodIn({ from: "", to: " 0:30.5 " }, SPAN)).toEqual({ fromMs: 0, toMs: 30_500 });
  expect(periodIn({ from: "soon", to: "" }, SPAN)).toBe(null);
  expect(periodIn({}, SPAN)).toBe(null);
});

it("cuts a period to the run, and takes one without a moment of the run for none", () => {
  const fork = { fromMs: 60_000, toMs: 300_000 };
  expect(periodIn({ from: "0:30", to: "99:00" }, fork)).toEqual(fork);
  expect(periodIn({ from: "0:10", to: "0:20" }, fork)).toBe(null);
  expect(periodIn({ from: "6:00", to: "7:00" }, fork)).toBe(null);
  expect(periodIn({ from: "2:30", to: "2:00" }, fork)).toBe(null);
  expect(periodIn({ from: "2:00", to: "2:00" }, fork)).toEqual({ fromMs: 120_000, toMs: 120_000 });
});

it.each([
  [
    { fromMs: 120_000, toMs: 150_500 },
    { from: "2:00", to: "2:30.5" },
  ],
  [
    { fromMs: 0, toMs: 600_000 },
    { from: "0:00", to: "10:00" },
  ],
  [
    { fromMs: 4_000_000, toMs: 4_000_250 },
    { from: "66:40", to: "66:40.25" },
  ],
])("writes the period %j as short times that are read back", (range, fields) => {
  expect(fieldsOfPeriod(range)).toEqual(fields);
  expect(periodIn(fields, { fromMs: 0, toMs: 5_000_000 })).toEqual(range);
});

it.each([
  ["2:00-2:30", 120, 150],
  [" 2:00 – 2:30 ", 120, 150],
  ["120s-150s", 120, 150],
  ["1.5m — 150s", 90, 150],
])("reads the typed period %j", (text, fromS, toS) => {
  const period = { fromMs: fromS * 1_000, toMs: toS * 1_000 };
  expect(typedPeriod(text)).toEqual({ kind: "period", period });
});

it.each(["2:00-", "2-3m", "1-2-3", "soon-2:30", "120-150"])("refuses %j as a period", (text) => {
  const help = "write two times such as 2:00-2:30 or 120s-150s";
  const problem = `“${text}” is not a period; ${help}`;
  expect(typedPeriod(text)).toEqual({ kind: "invalid", problem });
});

it.each(["2:30", "event:500", "soon"])("takes %j for a moment", (text) => {
  expect(typedPeriod(text)).toEqual({ kind: "moment" });
});
