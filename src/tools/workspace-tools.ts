import { z } from "zod";
import { cutText, type Json } from "../kernel/index.ts";
import { fenced } from "../mind/index.ts";
import { answered, failed, type Tool, type ToolMoment, type ToolOutcome, tool } from "./tool.ts";
import { withPatch } from "./workspace/apply-patch.ts";
import {
  type FilesChanged,
  missing,
  withFile,
  withoutFile,
  withReplacement,
} from "./workspace/edit.ts";
import { readPath, sizeProblem } from "./workspace/files.ts";
import { fileList, fileText, type Looked, linesWith } from "./workspace/look.ts";
import { notePathAt, withNote } from "./workspace/memory-files.ts";

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

type At = (path: string, moment: ToolMoment) => ToolOutcome;

const atPath = (given: string, moment: ToolMoment, work: At): ToolOutcome => {
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
    atPath(given, moment, (at) =>
      kept(withReplacement(moment.files, { path: at, old, new: new_text }), moment),
    ),
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
  ...[LIST, READ, SEARCH, WRITE, EDIT, PATCH, DELETE, NOTE, TRY],
];
