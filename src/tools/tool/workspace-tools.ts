import { z } from "zod";
import { cutText, type Json } from "../../kernel/index.ts";
import { fenced } from "../../mind/index.ts";
import type { Ended } from "../shell/interpreter.ts";
import {
  type FilesChanged,
  missing,
  withChanges,
  withFile,
  withoutFile,
  withPatch,
  withReplacement,
} from "../workspace/edit.ts";
import { type Files, readPath, sizeProblem } from "../workspace/files.ts";
import { notePathAt, START_MS, withNote } from "../workspace/shown-files.ts";
import { answered, failed, type Tool, type ToolMoment, type ToolOutcome, tool } from "./tool.ts";

/** `data`: the text without line numbers, if `text` has them. */
type Looked =
  | { readonly ok: true; readonly text: string; readonly data?: string }
  | { readonly ok: false; readonly problem: string };

const LINES_MAX = 500;
const LINE_CHARS_MAX = 500;

/** The lines of a file with their numbers. Without numbers, all lines that were asked for. */
export const fileText = (
  files: Files,
  path: string,
  { from = 1, lines }: { readonly from?: number | undefined; readonly lines?: number | undefined },
): Looked => {
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
    .slice(0, 100)
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

/** A command of the shell. What it leaves in the workspace is kept whole, or not at all. */
export const BASH: Tool = tool({
  name: "bash",
  description:
    "Runs a bash command over your workspace, which is its current folder. It has the usual text " +
    "tools, such as grep, sed, awk, sort, find, diff and jq. It has no network. What it writes " +
    "outside of the folder is lost. read and mapfile spoil letters beyond ASCII: use awk instead.",
  input: z.strictObject({ command: z.string().max(20_000).describe("one or more lines of bash") }),
  run: async ({ command }, { view, files, bytesMax, runScript }): Promise<ToolOutcome> => {
    const ended = await runScript({ text: command, files, nowMs: START_MS + view.now });
    if (!ended.ok) return failed(`nothing was changed: ${ended.problem}`);
    const after = filesAfter(files, ended, bytesMax);
    if (typeof after === "string") {
      return failed(`nothing was changed: ${after}\n${outputOf(ended)}`);
    }
    const kind = ended.exitCode === 0 ? "answered" : "failed";
    return { kind, text: outputOf(ended), files: after };
  },
});

/** The files that a command leaves, or why a workspace cannot have them. */
const filesAfter = (files: Files, { changed, deleted }: Ended, bytesMax: number) => {
  const binary = [...changed].find(([, text]) => text === null);
  if (binary !== undefined) return `${binary[0]} is not a file of text in UTF-8`;
  const deletions = deleted.map((path) => [path, null] as const);
  return withChanges(files, [...deletions, ...changed], bytesMax);
};

/** Files may have text that other agents wrote, so the output may too. */
const outputOf = ({ exitCode, stdout, stderr }: Ended): string => {
  const out = stdout === "" ? "" : `\n${fenced(withoutLastBreak(stdout))}`;
  const errors = stderr === "" ? "" : `\nerrors:\n${fenced(withoutLastBreak(stderr))}`;
  return `exit code ${exitCode}${out}${errors}`;
};

const withoutLastBreak = (text: string): string => text.replace(/\n$/, "");

const path = z.string().describe("the path of a file in your workspace, such as drafts/adder.js");

/** Files may have text that other agents wrote. */
const shown = (looked: Looked): ToolOutcome =>
  looked.ok ? answered(fenced(looked.text), looked.data ?? looked.text) : failed(looked.problem);

/** Keeps a change if the workspace still fits on the agent's disk. */
const kept = (changed: FilesChanged, { bytesMax }: ToolMoment): ToolOutcome => {
  if (!changed.ok) return failed(changed.problem);
  const { files, text } = changed;
  const problem = sizeProblem(files, bytesMax);
  return problem === null ? { kind: "answered", text, files } : failed(problem);
};

const atPath = (
  given: string,
  moment: ToolMoment,
  work: (path: string, moment: ToolMoment) => ToolOutcome,
): ToolOutcome => {
  const read = readPath(given, moment.files);
  return read.ok ? work(read.path, moment) : failed(read.problem);
};

const LIST = tool({
  name: "list_files",
  description: "Lists the files of your workspace with their sizes.",
  input: z.strictObject({
    pattern: z.string().optional().describe("only paths like this; * stands for any characters"),
  }),
  run: ({ pattern = "" }, { files }) => shown(fileList(files, pattern)),
});

const READ = tool({
  name: "read_file",
  description: "Reads a file of your workspace, with line numbers.",
  input: z.strictObject({
    path,
    from_line: z.int().min(1).optional().describe("the first line to read"),
    lines: z.int().min(1).max(500).optional().describe("how many lines to read"),
  }),
  run: ({ path: given, from_line: from, lines }, moment) =>
    atPath(given, moment, (at, { files }) => shown(fileText(files, at, { from, lines }))),
});

const SEARCH = tool({
  name: "search_files",
  description: "Finds the lines of your files that contain a text.",
  input: z.strictObject({
    text: z.string().describe("the exact text"),
    pattern: z.string().optional().describe("only in paths like this, such as drafts/*"),
  }),
  run: ({ text, pattern = "" }, { files }) => shown(linesWith(files, text, pattern)),
});

const WRITE = tool({
  name: "write_file",
  description: "Writes a whole file of your workspace. Only you can see your workspace.",
  input: z.strictObject({ path, text: z.string() }),
  run: ({ path: given, text }, moment) =>
    atPath(given, moment, (at) => kept(withFile(moment.files, at, text), moment)),
});

const EDIT = tool({
  name: "edit_file",
  description: "Replaces a text that occurs exactly once in a file.",
  input: z.strictObject({ path, old_text: z.string(), new_text: z.string() }),
  run: ({ path: given, old_text: old, new_text }, moment) =>
    atPath(given, moment, (at) => kept(withReplacement(moment.files, at, old, new_text), moment)),
});

const PATCH = tool({
  name: "apply_patch",
  description:
    "Applies a unified diff to one or several files, all or nothing. With --- /dev/null it " +
    "creates a file, with +++ /dev/null it deletes one.",
  input: z.strictObject({ patch: z.string() }),
  run: ({ patch }, moment) => kept(withPatch(moment.files, patch), moment),
});

const DELETE = tool({
  name: "delete_file",
  description: "Deletes a file of your workspace.",
  input: z.strictObject({ path }),
  run: ({ path: given }, moment) =>
    atPath(given, moment, (at) => kept(withoutFile(moment.files, at), moment)),
});

const NOTE = tool({
  name: "note",
  description:
    "Adds a text to today's note, memory/YYYYMM/YYYYMMDD.md. You see the last three notes in " +
    "every step.",
  input: z.strictObject({ text: z.string().min(1).describe("what happened, or what you learned") }),
  run: ({ text }, moment) =>
    atPath(notePathAt(moment.view.now), moment, () =>
      kept(withNote(moment.files, moment.view.now, text), moment),
    ),
});

const VALUE_CHARS_MAX = 4_000;

const TRY = tool({
  name: "try_program",
  description:
    "Runs a draft in the sandbox of the world without any effect, and returns the result. The " +
    "draft runs alone: kernel functions that need the world are refused.",
  input: z.strictObject({
    path,
    method: z.string().optional().describe("the function to call; run by default"),
    args: z.array(z.custom<Json>()).optional().describe("the arguments, as a list"),
  }),
  run: ({ path: given, method = "run", args = [] }, moment) =>
    atPath(given, moment, (at, { files, tryProgram }) => {
      const code = files.get(at);
      if (code === undefined) return failed(missing(files, at));
      const { gas, log, ...outcome } = tryProgram({ code, method, args });
      const logged = log === "" ? "" : `\nlog: ${log}`;
      if (!outcome.ok) {
        const problem = `${outcome.problem}${logged}`;
        return failed(fenced(problem), problem);
      }
      const json = JSON.stringify(outcome.value);
      const result = cutText(json, VALUE_CHARS_MAX);
      return answered(`${gas} gas\n${fenced(`${result}${logged}`)}`, json);
    }),
});

export const WORKSPACE_TOOLS: readonly Tool<ToolOutcome>[] = [
  LIST,
  READ,
  SEARCH,
  WRITE,
  EDIT,
  PATCH,
  DELETE,
  NOTE,
  TRY,
];
