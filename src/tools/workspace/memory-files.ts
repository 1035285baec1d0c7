import { type FilesChanged, withFile } from "./edit.ts";
import type { Files } from "./files.ts";

/** The file of an agent's long-term memory. */
export const MEMORY_FILE = "memory/MEMORY.md";
/** Another name of `MEMORY_FILE`, which counts if that file is missing. */
export const MEMORY_ALIAS = "MEMORY.md";

/** The date on which each run starts, in ms since 1970. A world has a run time and no calendar. */
export const START_MS = Date.UTC(2000, 0, 1);
const DATE_CHARS = "2000-01-01".length;
const NOTE = /^memory\/(\d{6})\/\1\d{2}\.md$/;

/** The simulated date at a run time, such as `2000-01-01`. A day has 86,400 s of run time. */
const dateAt = (atMs: number): string =>
  new Date(START_MS + atMs).toISOString().slice(0, DATE_CHARS);

/** The path of the note of a day, such as `memory/200001/20000101.md`. */
export const notePathAt = (atMs: number): string => {
  const digits = dateAt(atMs).replaceAll("-", "");
  return `memory/${digits.slice(0, "200001".length)}/${digits}.md`;
};

/** Adds a text to the note of the day. A new note starts with its date. */
export const withNote = (files: Files, atMs: number, text: string): FilesChanged => {
  const path = notePathAt(atMs);
  const before = files.get(path);
  const start = before ?? `# ${dateAt(atMs)}\n`;
  const changed = withFile(files, path, `${start}\n${text}`);
  return changed.ok ? { ...changed, text: `added to ${path}` } : changed;
};

/** The texts of the latest notes, newest first. */
export const latestNotes = (files: Files, count: number): readonly string[] =>
  [...files]
    .filter(([path, text]) => NOTE.test(path) && text.trim() !== "")
    .toSorted(([one], [other]) => (one < other ? 1 : -1))
    .slice(0, count)
    .map(([, text]) => text);
