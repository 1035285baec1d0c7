/**
 * Runs command lines in a thread of the test's process: the same modules as the real command,
 * loaded once. Each message brings one command; its output and exit code return through the port
 * of the message.
 */
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type MessagePort, parentPort } from "node:worker_threads";
import type { ProcessSource, Shell } from "../../src/cli/core/shell.ts";
import { newProcesses } from "../../src/cli/experiment/run-processes.ts";
import { type CommandLine, makeCommandLine } from "../../src/cli/program.ts";

/** A command to run, or a signal for one that runs. */
export type ToCommand = {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The size of the terminal that both streams go to, or null for pipes. */
  readonly terminal: TerminalSize | null;
  /** What a person answers to a question, or null without a person. */
  readonly answer: string | null;
  /** The standard input. */
  readonly lines: readonly string[];
  readonly port: MessagePort;
  /** Set to 1 when the command has ended, for a caller that blocks. */
  readonly ended: Int32Array;
};

export type TerminalSize = { readonly columns: number; readonly rows: number };

export type FromCommand =
  | { readonly stream: "out" | "err"; readonly text: string }
  | { readonly code: number };

type Running = { readonly line: CommandLine; readonly end: () => void };
type Listener = Parameters<Shell["onSignal"]>[0];

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

const running = new Set<Running>();

/** How many processes wait for the next command. */
const IDLE_MAX = 2;

const idle = new Set<ChildProcess>();

/** A process needs seconds until its first run, so commands use those of earlier commands. */
const runProcesses: ProcessSource = {
  take: () => {
    const [waiting] = idle;
    if (waiting === undefined) return started();
    idle.delete(waiting);
    return waiting;
  },
  giveBack: async (process) => {
    if (idle.size >= IDLE_MAX) return newProcesses.giveBack(process);
    idle.add(process);
  },
};

const started = (): ChildProcess => {
  const process = newProcesses.take();
  process.once("exit", () => idle.delete(process));
  return process;
};

/** What the operating system does for a process: it counts signals and keeps the exit code. */
const start = (given: ToCommand): void => {
  const { args, cwd, env, terminal, answer, lines, port, ended } = given;
  let code = 0;
  let signals = 0;
  let isOver = false;
  const listeners = new Set<Listener>();
  const say = (message: FromCommand): void => port.postMessage(message);
  const sink = (stream: "out" | "err") => ({
    write: (text: string) => {
      if (!isOver) say({ stream, text });
    },
    isTerminal: terminal !== null,
    columns: () => terminal?.columns ?? 80,
    rows: () => terminal?.rows ?? 24,
  });
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    running.delete(command);
    say({ code });
    Atomics.store(ended, 0, 1);
    Atomics.notify(ended, 0);
    port.close();
  };
  const line = makeCommandLine({
    stdout: sink("out"),
    stderr: sink("err"),
    cwd,
    env,
    pid: process.pid,
    command: { node: process.execPath, script: MAIN },
    runProcesses,
    endWith: (given) => {
      code = given;
    },
    endNow: end,
    ask:
      answer === null
        ? null
        : (question) => {
            say({ stream: "err", text: question });
            return Promise.resolve(answer);
          },
    lines: async function* () {
      yield* lines;
    },
    onSignal: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  const command: Running = { line, end };
  running.add(command);
  port.on("message", (signal: "SIGINT" | "SIGTERM") => {
    signals += 1;
    for (const listener of listeners) listener(signal, signals);
  });
  void line.run(args).then(end);
};

// No caller can catch such an error, and nothing says which command it belongs to: all of them end.
process.on("uncaughtException", (error) => {
  for (const { line, end } of running) {
    line.fail(error);
    end();
  }
});

assert(parentPort !== null, "this file is started as a thread");
parentPort.on("message", start);
