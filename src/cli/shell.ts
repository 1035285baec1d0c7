import type { Command } from "commander";
import type { ExitCode } from "./exit.ts";
import type { Output } from "./output/output.ts";

/** What a verb can use of the process. Only main.ts touches the process itself. */
export type Shell = {
  readonly output: Output;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  /**
   * Calls `listener` at each SIGINT or SIGTERM, with how many there were. Returns the way to stop.
   */
  readonly onSignal: (listener: SignalListener) => () => void;
  readonly endNow: () => void;
  /** Sets the exit code for when the verb is done; 0 if it is never called. */
  readonly endWith: (code: ExitCode) => void;
};

type SignalListener = (signal: "SIGINT" | "SIGTERM", times: number) => void;

export type Register = (command: Command, shell: Shell) => void;

export const withExamples = (command: Command, examples: readonly string[]): Command =>
  command.addHelpText("after", `\nExamples:\n${examples.map((line) => `  $ ${line}\n`).join("")}`);
