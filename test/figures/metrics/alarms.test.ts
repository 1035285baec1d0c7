import { expect, it } from "vitest";
import { AlarmCounter } from "../../../src/figures/metrics/alarms.ts";
import { rowsOf } from "../../support/run-events.ts";

/** A sheet of alarm periods: [name, from, to] in seconds; null: still on. */
const sheetOf = (...periods: readonly (readonly [string, number, number | null])[]) => {
  const notes = periods.flatMap(([alarm, fromS, toS]) => [
    { note: "alarm_raised", at_ms: fromS * 1_000, body: { alarm, cause: `since ${fromS}` } },
    ...(toS === null ? [] : [{ note: "alarm_cleared", at_ms: toS * 1_000, body: { alarm } }]),
  ]);
  const sheet = new AlarmCounter();
  for (const row of rowsOf(notes.sort((a, b) => a.at_ms - b.at_ms))) sheet.count(row);
  return sheet;
};

const FOUR = [
  ["no_trade", 10, 20],
  ["read_only", 20, 60],
  ["no_trade", 40, 50],
  ["inflation", 90, null],
] as const;

it.each([
  ["a run", FOUR, [0, 100], ["no_trade 2 20 0.2", "read_only 1 40 0.4", "inflation 1 10 0.1"]],
  ["the end of a run", FOUR, [50, 100], ["read_only 1 10 0.2", "inflation 1 10 0.2"]],
  ["a run that starts late", [["no_trade", 550, null]], [500, 600], ["no_trade 1 50 0.5"]],
] as const)("adds up the alarms of %s: times, s and share", (_, periods, [from, to], lines) => {
  const found = sheetOf(...periods).lines({ fromMs: from * 1_000, toMs: to * 1_000 });
  const told = found.map(({ alarm, times, on_s, share }) => `${alarm} ${times} ${on_s} ${share}`);
  expect(told).toEqual(lines);
});

it("keeps the latest cause", () => {
  const [line] = sheetOf(...FOUR).lines({ fromMs: 0, toMs: 100_000 });
  expect(line?.cause).toBe("since 40");
});
