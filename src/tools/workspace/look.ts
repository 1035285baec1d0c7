import { cutText } from "../../kernel/index.ts";
import { missing } from "./edit.ts";
import type { Files } from "./files.ts";

/** `data`: the text without line numbers, if `text` has them. */
export type Looked =
  | { readonly ok: true; readonly text: string; readonly data?: string }
  | { readonly ok: false; readonly problem: string };

const LINES_MAX = 500;
const FOUND_MAX = 100;
const LINE_CHARS_MAX = 500;

type Range = { readonly from?: number | undefined; readonly lines?: number | undefined };

/** The lines of a file with their numbers. Without numbers, all lines that were asked for. */
export const fileText = (files: Files, path: string, { from = 1, lines }: Range): Looked => {
  const text = files.get(path);
  if (text === undefined) return { ok: false, problem: missing(files, path) };
  const all = text.split("\n");
  const count = Math.min(lines ?? LINES_MAX, LINES_MAX);
  const shown = all.slice(from - 1, from - 1 + count);
  if (shown.length === 0) {
    return { ok: false, problem: `${path} has ${all.length} lines; there is no line ${from}` };
  }
  const numbered = shown.map((line, at) => `${from + at}\t${line}`).join("\n");
  const rest = all.length - (from - 1 + shown.length);
  const data = all.slice(from - 1, lines === undefined ? undefined : from - 1 + lines).join("\n");
  return { ok: true, text: rest > 0 ? `${numbered}\n[${rest} more lines]` : numbered, data };
};

/** The files whose path matches a pattern, with their sizes. `*` stands for any characters. */
export const fileList = (files: Files, pattern: string): Looked => {
  const found = [...files].filter(([path]) => matches(path, pattern));
  if (found.length === 0)
    return { ok: true, text: files.size === 0 ? "no files" : "no such files" };
  const lines = found.map(([path, text]) => `${path} (${Buffer.byteLength(text)} bytes)`);
  return { ok: true, text: lines.toSorted().join("\n") };
};

/** The lines that contain a text, in the files whose path matches a pattern. */
export const linesWith = (files: Files, text: string, pattern: string): Looked => {
  if (text === "") return { ok: false, problem: "name a text to search for" };
  const found = [...files].flatMap(([path, content]) =>
    matches(path, pattern)
      ? content.split("\n").flatMap((line, at) => (line.includes(text) ? [[path, at, line]] : []))
      : [],
  );
  const lines = found
    .slice(0, FOUND_MAX)
    .map(
      ([path, at, line]) => `${path}:${Number(at) + 1}: ${cutText(String(line), LINE_CHARS_MAX)}`,
    );
  const rest = found.length - lines.length;
  if (lines.length === 0) return { ok: true, text: "nothing found" };
  return { ok: true, text: [...lines, ...(rest > 0 ? [`[${rest} more]`] : [])].join("\n") };
};

/** Compares without a regular expression, whose time a pattern of an agent could blow up. */
const matches = (path: string, pattern: string): boolean => {
  if (pattern === "") return true;
  const parts = pattern.split(/\*+/);
  const first = parts.shift() ?? "";
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = parts.pop();
  if (last === undefined) return path.length === at;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
};
