import type { Command } from "commander";
import type { ExitCode } from "./exit-code.ts";
import type { Output } from "./output.ts";

/** What a verb gets from outside: main.ts alone meets the process. */
export type Shell = {
  readonly output: Output;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  /** Calls `listener` when somebody wants the process to stop, with how often that was. */
  readonly onSignal: (listener: SignalListener) => () => void;
  /** Ends the process at once with the code said last. */
  readonly endNow: () => void;
  /** Says what the process ends with when the verb is done; without it, 0. */
  readonly endWith: (code: ExitCode) => void;
};

type SignalListener = (signal: "SIGINT" | "SIGTERM", times: number) => void;

/** Gives a command its flags, its help and its work. */
export type Register = (command: Command, shell: Shell) => void;

/** A help text ends with what one would type. */
export const withExamples = (command: Command, examples: readonly string[]): Command =>
  command.addHelpText("after", `\nExamples:\n${examples.map((line) => `  $ ${line}\n`).join("")}`);
