import fc from "fast-check";
import { expect, it } from "vitest";
import { type SleepingTask, SleepQueue } from "../../../src/world/clock/sleep-queue.ts";

const sleeperAt = (atMs: number, order: number, insertion: number): SleepingTask => ({
  atMs,
  order,
  insertion,
  wake: () => {},
  signal: undefined,
  outcome: "reached",
  slot: -1,
});

it("returns sleepers sorted, with any of them removed", () => {
  const entries = fc.array(fc.tuple(fc.nat(9), fc.nat(3), fc.boolean()), { maxLength: 200 });
  fc.assert(
    fc.property(entries, (list) => {
      const queue = new SleepQueue();
      const sleepers = list.map(([atMs, order], n) => sleeperAt(atMs, order, n));
      for (const sleeper of sleepers) queue.add(sleeper);
      const kept = sleepers.filter((sleeper, n) => {
        if (list[n]?.[2]) queue.remove(sleeper);
        return !list[n]?.[2];
      });
      const out: SleepingTask[] = [];
      for (let next = queue.peek(); next !== undefined; next = queue.peek()) {
        queue.remove(next);
        out.push(next);
      }
      expect(out).toEqual(
        kept.toSorted((a, b) => a.atMs - b.atMs || a.order - b.order || a.insertion - b.insertion),
      );
    }),
  );
});
