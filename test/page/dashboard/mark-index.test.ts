import { expect, it } from "vitest";
import { LogEntry } from "../../../src/figures/index.ts";
import { MARK_SLOTS, MarkIndex } from "../../../src/page/routes/reader/mark-index.ts";
import { type JournalRow, parseTimeMs } from "../../../src/world/index.ts";

const row = ([seq, atMs]: readonly [seq: number, atMs: number], kind: string, body: object) => ({
  ...{ seq, atMs, kind, principal: "ada", hash: "" },
  body: JSON.stringify(body),
});

const mark = (index: MarkIndex, row: JournalRow) => index.event(new LogEntry(row));

const freeze = (seq: number, atMs: number) =>
  row([seq, atMs], "agent_frozen", { lacks: "llm_budget", needs: 2, has: 1 });

const message = (from: string, reset: string | null = null) => ({
  ...{ number: 1, from, to: "boole", text: "hi", reply_to: null, forwards: null, path: [] },
  ...{ thread: 1, scrip: 0, reset },
});

it("marks what people look for, and only messages of people", () => {
  const index = new MarkIndex((id) => id === "guest");
  mark(index, freeze(1, 10));
  mark(index, row([2, 20], "action_completed", {}));
  mark(index, row([3, 30], "message_sent", message("operator")));
  mark(index, row([4, 40], "message_sent", message("guest")));
  mark(index, row([5, 50], "message_sent", message("ada")));
  mark(index, row([6, 60], "checkpoint_saved", {}));
  const { total, marks } = index.marks(0, 1_000);
  expect(total).toBe(4);
  expect(marks.map(({ seq, kind, text }) => [seq, kind, text])).toEqual([
    [1, "freeze", "ada froze: too little model budget"],
    [3, "message", "operator wrote to boole"],
    [4, "message", "guest wrote to boole"],
    [6, "checkpoint", "checkpoint"],
  ]);
});

it("joins marks of one kind that stand too close, however many a run has", () => {
  const index = new MarkIndex(() => false);
  for (let seq = 1; seq <= 20_000; seq += 1) mark(index, freeze(seq, seq));
  const { total, marks } = index.marks(0, 20_000);
  expect(total).toBe(20_000);
  expect(marks.length).toBeLessThanOrEqual(MARK_SLOTS + 1);
  expect(marks.reduce((sum, { count }) => sum + count, 0)).toBe(20_000);
});

it.each([
  ["2:30", 150_000],
  ["0:05.5", 5_500],
  ["1:02:30", 3_750_000],
  ["2:75", null],
  ["1:75:00", null],
])("reads the time %s", (text, ms) => {
  expect(parseTimeMs(text)).toBe(ms);
});
