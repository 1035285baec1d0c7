import type { ChildProcess } from "node:child_process";
import type { Command } from "commander";
import type { ExitCode } from "./exit.ts";
import type { Output } from "./output.ts";

/** What verbs get of the process: streams, signals, the environment and the exit code. */
export type Shell = {
  readonly output: Output;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  /** The paths of the Node and of the script that run this command. */
  readonly command: { readonly node: string; readonly script: string };
  /** The processes in which commands make the runs of experiments. */
  readonly runProcesses: ProcessSource;
  /** Calls `listener` with each signal and the signal count. Returns an unsubscribe function. */
  readonly onSignal: (listener: SignalListener) => () => void;
  readonly endNow: () => void;
  /** Asks a question and returns the answer. Null if the standard input is not a terminal. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /**
   * The lines of the standard input until `signal`. On a terminal, asks for each line, and the tab
   * key offers the words that `complete` returns for the line so far.
   */
  readonly lines: (
    prompt: string,
    signal: AbortSignal,
    complete?: (line: string) => readonly string[],
  ) => AsyncIterable<string>;
  /** Sets the exit code of the process. The default is 0. */
  readonly endWith: (code: ExitCode) => void;
};

/** Where processes that make runs come from, and where they go while they wait for a run. */
export type ProcessSource = {
  readonly take: () => ChildProcess;
  /** Takes a process that makes no run. */
  readonly giveBack: (process: ChildProcess) => Promise<void>;
};

type SignalListener = (signal: "SIGINT" | "SIGTERM", times: number) => void;

export type Register = (command: Command, shell: Shell) => void;

export const withExamples = (command: Command, examples: readonly string[]): Command =>
  command.addHelpText("after", `\nExamples:\n${examples.map((line) => `  $ ${line}\n`).join("")}`);
