import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { alarmLines } from "../../../src/observe/metrics/alarms.ts";
import { Journal, noteRun } from "../../../src/world/index.ts";
import { passingFolder } from "../../support/whole-run.ts";

/** A journal with alarms that rang: [name, from, to] in seconds; null: it rings still. */
const rung = (...rings: readonly (readonly [string, number, number | null])[]): Journal => {
  const settings = { sync: "normal", groupMs: 0 } as const;
  const created = Journal.create(join(passingFolder(), "journal.db"), settings);
  if (!created.ok) throw new Error(created.problem);
  const { journal } = created;
  onTestFinished(() => journal.close());
  const notes = rings.flatMap(([alarm, fromS, toS]) => [
    {
      atMs: fromS * 1_000,
      kind: "alarm_raised",
      body: { alarm, cause: `since ${fromS}` },
    } as const,
    ...(toS === null
      ? []
      : [{ atMs: toS * 1_000, kind: "alarm_cleared", body: { alarm, on_ms: 0 } } as const]),
  ]);
  for (const note of notes.sort((a, b) => a.atMs - b.atMs)) noteRun(journal, note);
  return journal;
};

const line = (alarm: string, times: number, [on_s, share]: readonly [number, number]) => ({
  alarm,
  times,
  on_s,
  share,
  cause: expect.any(String),
});

describe("what is said of alarms", () => {
  const journal = () =>
    rung(
      ["no_trade", 10, 20],
      ["read_only", 20, 60],
      ["no_trade", 40, 50],
      ["inflation", 90, null],
    );

  it("is how often and how long each rang in a run, until its end where it rings still", () => {
    expect(alarmLines(journal(), { fromMs: 0, toMs: 100_000 })).toEqual([
      line("no_trade", 2, [20, 0.2]),
      line("read_only", 1, [40, 0.4]),
      line("inflation", 1, [10, 0.1]),
    ]);
  });

  it("is of the time since a moment only, where it is asked for", () => {
    expect(alarmLines(journal(), { fromMs: 50_000, toMs: 100_000 })).toEqual([
      line("read_only", 1, [10, 0.2]),
      line("inflation", 1, [10, 0.2]),
    ]);
  });

  it("is a share of the time looked at, also in a run that begins late", () => {
    const late = rung(["no_trade", 550, null]);
    expect(alarmLines(late, { fromMs: 500_000, toMs: 600_000 })).toEqual([
      line("no_trade", 1, [50, 0.5]),
    ]);
  });
});
