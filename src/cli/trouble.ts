import { getSystemErrorMap } from "node:util";
import { CommanderError } from "commander";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { UsageProblem } from "./usage-problem.ts";

/** What to print and what to end with when a verb threw. */
export type Trouble = { readonly lines: readonly string[]; readonly exitCode: ExitCode };

/** Told by name and not by class, so that `sim --help` need not load what throws them. */
const KNOWN: ReadonlyMap<string, ExitCode> = new Map([
  ["JournalFailure", EXIT.couldNotRun],
  ["LibraryError", EXIT.wrongUsage],
]);

export const troubleOf = (error: unknown): Trouble => {
  // Commander has said it already.
  if (error instanceof CommanderError) {
    return { lines: [], exitCode: error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage };
  }
  if (error instanceof UsageProblem) return error;
  if (!(error instanceof Error)) return bug(String(error));
  const known = KNOWN.get(error.name);
  if (known !== undefined) return { lines: [error.message], exitCode: known };
  const system = systemMessage(error, "path" in error ? String(error.path) : null);
  if (system !== null) return { lines: [system], exitCode: EXIT.couldNotRun };
  return bug(error.stack ?? error.message);
};

const bug = (text: string): Trouble => ({
  lines: ["this is a bug in catallaxy, not something you did:", text],
  exitCode: EXIT.couldNotRun,
});

/**
 * What the operating system refused, in its own words, and of which path; null for an error of
 * another origin.
 */
export const systemMessage = (error: unknown, path: string | null): string | null => {
  if (!(error instanceof Error) || !("syscall" in error && "errno" in error)) return null;
  if (typeof error.errno !== "number") return null;
  const reason = getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
  return `${path === null ? "" : `${path}: `}${reason} (${String(error.syscall)})`;
};
