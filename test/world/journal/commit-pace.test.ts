import { expect, it } from "vitest";
import { CommitPace } from "../../../src/world/journal/commit-group.ts";

it("a first group waits as long as it is told", () => {
  expect(new CommitPace(5).dueMs(100)).toBe(105);
});

it("a group that someone waits for gathers for two milliseconds at most", () => {
  expect(new CommitPace(1_000).dueMs(100, true)).toBe(102);
  expect(new CommitPace(1).dueMs(100, true)).toBe(101);
});

it("after a slow commit groups gather, so that commits take a tenth of the time", () => {
  const pace = new CommitPace(5);
  pace.note(100, 104);
  expect(pace.dueMs(104)).toBe(104 + 9 * 4);
});

it("no one waits more than ten times as long as they are told", () => {
  const pace = new CommitPace(5);
  pace.note(100, 1_100);
  expect(pace.dueMs(1_100)).toBe(1_150);
});

it("a group that begins long after a slow commit waits no longer than others", () => {
  const pace = new CommitPace(5);
  pace.note(100, 104);
  expect(pace.dueMs(10_000)).toBe(10_005);
});

it("without company each append is a commit of its own, however slow the disk", () => {
  const pace = new CommitPace(0);
  pace.note(100, 200);
  expect(pace.dueMs(200)).toBe(200);
});
