import { afterAll } from "vitest";
import type { Files } from "../../../src/tools/kinds.ts";
import type { AgentShell, ScriptOutcome } from "../../../src/tools/shell/agent-shell.ts";

export const FILES: Files = new Map([
  ["fruit.txt", "pear 3\napple 5\nfig 1\napple 2\n"],
  ["notes/plan.md", "# Plan\nsell figs\nbuy pears\n"],
  ["data.json", '{"name":"ada","sold":[3,4,5]}'],
]);

const NOW_MS = 200_000;

/** Runs scripts in one shell, which is closed after the tests of the file. */
export const scriptsIn = (shell: AgentShell) => {
  afterAll(() => shell.close());
  const run = (text: string, files: Files = FILES): Promise<ScriptOutcome> =>
    shell.forThought()({ text, files, nowMs: NOW_MS });
  /** What a script prints, with its errors and its exit code if that is not 0. */
  const printed = async (text: string): Promise<string> => {
    const ended = await run(text);
    if (!ended.ok) return ended.problem;
    const { exitCode, stdout, stderr } = ended;
    return `${stdout}${stderr}${exitCode === 0 ? "" : `exit ${exitCode}`}`;
  };
  return { run, printed };
};
