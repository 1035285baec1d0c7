import { expect, it } from "vitest";
import { CommitPace } from "../../../src/world/journal/commit-pace.ts";

it.each([
  ["a first group after its configured time", { dueMs: 105 }],
  ["a group with waiters within two milliseconds", { groupMs: 1_000, waits: true, dueMs: 102 }],
  ["a group with waiters no later than another", { groupMs: 1, waits: true, dueMs: 101 }],
  ["so that commits take a tenth of the time", { tookMs: 4, dueMs: 104 + 9 * 4 }],
  ["at most ten times the configured time later", { tookMs: 1_000, dueMs: 1_150 }],
  ["without delay long after a slow commit", { tookMs: 4, nowMs: 10_000, dueMs: 10_005 }],
  ["every append at once with a group time of 0", { groupMs: 0, tookMs: 100, dueMs: 200 }],
])(
  "commits %s",
  (_, { groupMs = 5, tookMs = 0, nowMs = 100 + tookMs, waits = false, dueMs }: Case) => {
    const pace = new CommitPace(groupMs);
    if (tookMs > 0) pace.note(100, 100 + tookMs);
    expect(pace.dueMs(nowMs, waits)).toBe(dueMs);
  },
);

type Case = {
  readonly groupMs?: number;
  /** How long the commit before took, which began at 100 ms. */
  readonly tookMs?: number;
  readonly nowMs?: number;
  readonly waits?: boolean;
  readonly dueMs: number;
};
