import { expect, it } from "vitest";
import { CommitPace } from "../../../src/world/journal/commit-group.ts";

it("lets a first group wait for its configured time", () => {
  expect(new CommitPace(5).dueMs(100)).toBe(105);
});

it("commits a group with waiters within two milliseconds", () => {
  expect(new CommitPace(1_000).dueMs(100, true)).toBe(102);
  expect(new CommitPace(1).dueMs(100, true)).toBe(101);
});

it("lets groups gather after a slow commit, so that commits take a tenth of the time", () => {
  const pace = new CommitPace(5);
  pace.note(100, 104);
  expect(pace.dueMs(104)).toBe(104 + 9 * 4);
});

it("waits at most ten times the configured time", () => {
  const pace = new CommitPace(5);
  pace.note(100, 1_100);
  expect(pace.dueMs(1_100)).toBe(1_150);
});

it("forgets a slow commit after a while", () => {
  const pace = new CommitPace(5);
  pace.note(100, 104);
  expect(pace.dueMs(10_000)).toBe(10_005);
});

it("commits every append at once with a group time of 0, however slow the disk", () => {
  const pace = new CommitPace(0);
  pace.note(100, 200);
  expect(pace.dueMs(200)).toBe(200);
});
