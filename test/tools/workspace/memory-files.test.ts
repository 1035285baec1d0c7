import { expect, it } from "vitest";
import type { Files } from "../../../src/tools/kinds.ts";
import { latestNotes, notePathAt, withNote } from "../../../src/tools/workspace/shown-files.ts";

const DAY_MS = 86_400_000;

const after = (...notes: readonly (readonly [atMs: number, text: string])[]): Files =>
  notes.reduce<Files>((files, [atMs, text]) => {
    const noted = withNote(files, atMs, text);
    if (!noted.ok) throw new Error(noted.problem);
    return noted.files;
  }, new Map());

it("a run starts on 2000-01-01, and a day has 86,400 seconds", () => {
  expect([0, DAY_MS - 1, DAY_MS, 31 * DAY_MS, 366 * DAY_MS].map(notePathAt)).toEqual([
    "memory/200001/20000101.md",
    "memory/200001/20000101.md",
    "memory/200001/20000102.md",
    "memory/200002/20000201.md",
    "memory/200101/20010101.md",
  ]);
});

it("a new note starts with its date, and later texts are added to it", () => {
  const files = after([0, "I looked."], [5_000, "I sold."], [DAY_MS, "A new day."]);
  expect(Object.fromEntries(files)).toEqual({
    "memory/200001/20000101.md": "# 2000-01-01\n\nI looked.\nI sold.",
    "memory/200001/20000102.md": "# 2000-01-02\n\nA new day.",
  });
});

it("a note that is full is not changed", () => {
  const full = after([0, "x".repeat(99_000)]);
  expect(withNote(full, 1, "y".repeat(2_000))).toMatchObject({
    ok: false,
    problem: "memory/200001/20000101.md would have 101015 characters; a file has 100000",
  });
});

it("the latest notes are newest first, without files of other names and empty ones", () => {
  const days = [0, 1, 2, 3].map((day) => [day * DAY_MS, `day ${day}`] as const);
  const files = new Map(after(...days))
    .set("memory/200001/20000105.md", " \n")
    .set("memory/200002/20000106.md", "in the wrong month")
    .set("memory/notes.md", "not a daily note");
  expect(latestNotes(files, 3)).toEqual([
    "# 2000-01-04\n\nday 3",
    "# 2000-01-03\n\nday 2",
    "# 2000-01-02\n\nday 1",
  ]);
  expect(latestNotes(new Map(), 3)).toEqual([]);
});
