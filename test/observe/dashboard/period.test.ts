import { expect, it } from "vitest";
import { fieldsOfPeriod, periodIn } from "../../../src/observe/page/dashboard/address.ts";

const SPAN = { fromMs: 0, toMs: 300_000 };

it("reads a period from typed times, and an end that is missing from the run", () => {
  expect(periodIn({ from: "2:00", to: "150s" }, SPAN)).toEqual({ fromMs: 120_000, toMs: 150_000 });
  expect(periodIn({ from: "2m" }, SPAN)).toEqual({ fromMs: 120_000, toMs: 300_000 });
  expect(periodIn({ from: "", to: " 0:30.5 " }, SPAN)).toEqual({ fromMs: 0, toMs: 30_500 });
  expect(periodIn({ from: "soon", to: "" }, SPAN)).toBe(null);
  expect(periodIn({}, SPAN)).toBe(null);
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
  expect(periodIn(fields, SPAN)).toEqual(range);
});
