import { z } from "zod";
import { fenced } from "../mind/index.ts";
import type { Ended } from "./shell/interpreter.ts";
import { failed, type Tool, type ToolOutcome, tool } from "./tool.ts";
import { withFile, withoutFile } from "./workspace/edit.ts";
import { type Files, readPath, sizeProblem } from "./workspace/files.ts";
import { START_MS } from "./workspace/memory-files.ts";

const COMMAND_CHARS_MAX = 20_000;

/** A command of the shell. What it leaves in the workspace is kept whole, or not at all. */
export const BASH: Tool = tool({
  name: "bash",
  description:
    "Runs a bash command over your workspace, which is its current folder. It has the usual text " +
    "tools, such as grep, sed, awk, sort, find, diff and jq. It has no network. What it writes " +
    "outside of the folder is lost. read and mapfile spoil letters beyond ASCII: use awk instead.",
  input: z.strictObject({
    command: z.string().max(COMMAND_CHARS_MAX).describe("one or more lines of bash"),
  }),
  run: async ({ command }, { view, files, bytesMax, runScript }): Promise<ToolOutcome> => {
    const ended = await runScript({ text: command, files, nowMs: START_MS + view.now });
    if (!ended.ok) return failed(`nothing was changed: ${ended.problem}`);
    const after = filesAfter(files, ended);
    const problem = typeof after === "string" ? after : sizeProblem(after, bytesMax);
    if (typeof after === "string" || problem !== null) {
      return failed(`nothing was changed: ${problem}\n${outputOf(ended)}`);
    }
    const kind = ended.exitCode === 0 ? "answered" : "failed";
    return { kind, text: outputOf(ended), files: after };
  },
});

/** The files that a command leaves, or why a workspace cannot have them. */
const filesAfter = (files: Files, { changed, deleted }: Ended): Files | string => {
  let after = files;
  for (const path of deleted) {
    const removed = withoutFile(after, path);
    if (!removed.ok) return removed.problem;
    after = removed.files;
  }
  for (const [path, text] of changed) {
    const read = readPath(path, after);
    if (!read.ok) return read.problem;
    if (text === null) return `${path} is not a file of text in UTF-8`;
    const written = withFile(after, read.path, text);
    if (!written.ok) return written.problem;
    after = written.files;
  }
  return after;
};

/** Files may have text that other agents wrote, so the output may too. */
const outputOf = ({ exitCode, stdout, stderr }: Ended): string => {
  const out = stdout === "" ? "" : `\n${fenced(withoutLastBreak(stdout))}`;
  const errors = stderr === "" ? "" : `\nerrors:\n${fenced(withoutLastBreak(stderr))}`;
  return `exit code ${exitCode}${out}${errors}`;
};

const withoutLastBreak = (text: string): string => text.replace(/\n$/, "");
