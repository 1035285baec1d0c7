import { CommanderError } from "commander";
import type { RunFailure } from "../../run/index.ts";
import { systemMessage } from "../../text/index.ts";

export const EXIT = {
  done: 0,
  /** A check, a task or a command of a script failed, or the world refused what was asked. */
  failed: 1,
  wrongUsage: 2,
  /** The disk, the network or a port failed. */
  couldNotRun: 3,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const exitCodeOf = (signal: "SIGINT" | "SIGTERM"): ExitCode =>
  signal === "SIGINT" ? EXIT.interrupted : EXIT.terminated;

/** An expected error of a verb. `main.ts` prints `lines` without a stack trace. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly lines: readonly string[];
  readonly exitCode: ExitCode;

  constructor(lines: string | readonly string[], exitCode: ExitCode = EXIT.wrongUsage) {
    const all = typeof lines === "string" ? [lines] : lines;
    super(all.join("\n"));
    this.lines = all;
    this.exitCode = exitCode;
  }
}

type ProcessEnd = Pick<CliError, "lines" | "exitCode">;

/** Exit codes by error class name, because imports of the classes would slow `sim --help`. */
const EXPECTED: ReadonlyMap<string, ExitCode> = new Map([
  ["JournalFailure", EXIT.couldNotRun],
  ["LibraryError", EXIT.wrongUsage],
  ["FileFailure", EXIT.couldNotRun],
  ["WrongPath", EXIT.wrongUsage],
]);

/** True if `error` has a message for the user, so it is not a bug. */
export const isExpected = (error: unknown): boolean =>
  error instanceof CliError ||
  isRunFailure(error) ||
  (error instanceof Error && EXPECTED.has(error.name));

const isRunFailure = (error: unknown): error is RunFailure =>
  error instanceof Error && error.name === "RunFailure";

export const exitFor = (error: unknown): ProcessEnd => {
  // Commander has already printed the message of this error.
  if (error instanceof CommanderError) {
    return { lines: [], exitCode: error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage };
  }
  if (error instanceof CliError) return error;
  if (isRunFailure(error)) {
    const { lines, isUsersMistake } = error;
    return { lines, exitCode: isUsersMistake ? EXIT.wrongUsage : EXIT.couldNotRun };
  }
  if (!(error instanceof Error)) return bug(String(error));
  const expected = EXPECTED.get(error.name);
  if (expected !== undefined) return { lines: [error.message], exitCode: expected };
  const system = systemMessage(error, "path" in error ? String(error.path) : null);
  if (system !== null) return { lines: [system], exitCode: EXIT.couldNotRun };
  return bug(error.stack ?? error.message);
};

const bug = (text: string): ProcessEnd => ({
  lines: ["this is a bug in catallaxy, not a mistake of yours:", text],
  exitCode: EXIT.couldNotRun,
});
