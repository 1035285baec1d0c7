import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { FromCommand, TerminalSize, ToCommand } from "./command-thread.ts";

/** The real command. */
export const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

export type SimResult = {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
};

type Variables = Readonly<Record<string, string>>;

const folders: string[] = [];
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder to run `sim` in; it is removed when the process of the tests ends. */
export const emptyFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "catallaxy-test-"));
  folders.push(folder);
  return folder;
};

/** The environment of a machine on which no key and no colour is set. */
const environment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || /KEY|TOKEN|VITEST|_COLOR$/.test(name) ? [] : [[name, value]],
    ),
  );

/** The longest time that a command may block. */
const COMMAND_MS_MAX = 300_000;

let thread: Worker | null = null;

/** The thread that runs commands, one for all tests of this process. */
const commandThread = (): Worker => {
  if (thread !== null) return thread;
  const url = new URL("./command-thread.ts", import.meta.url);
  thread = new Worker(url, { env: environment(), execArgv: [], name: "sim" });
  thread.unref();
  thread.once("exit", () => {
    thread = null;
  });
  return thread;
};

/** The folder in which commands run now, and how many: a process has one working directory. */
const inside = { folder: "", home: "", count: 0 };

const enter = (folder: string): void => {
  if (inside.count > 0 && inside.folder !== folder) {
    throw new Error(`commands run in ${inside.folder}; use spawnSim for one in ${folder}`);
  }
  inside.count += 1;
  if (inside.count > 1) return;
  inside.home = process.cwd();
  inside.folder = folder;
  process.chdir(folder);
};

const leave = (): void => {
  inside.count -= 1;
  if (inside.count === 0) process.chdir(inside.home);
};

type Given = {
  readonly variables?: Variables;
  readonly terminal?: TerminalSize | null;
  readonly answer?: string | null;
  /** The standard input. */
  readonly lines?: readonly string[];
};

/** Hands a command to the thread; its messages arrive at the port. Each ends with `leave`. */
const command = (
  cwd: string,
  args: readonly string[],
  { variables = {}, terminal = null, answer = null, lines = [] }: Given = {},
) => {
  enter(cwd);
  const { port1, port2 } = new MessageChannel();
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const env = { ...environment(), ...variables };
  const message: ToCommand = { args, cwd, env, terminal, answer, lines, port: port2, ended };
  commandThread().postMessage(message, [port2]);
  return { port: port1, ended };
};

/**
 * Runs a command to its end and blocks until then. It runs inside this process, in a thread that
 * has the command's modules loaded; `spawnSimSync` starts the real one.
 */
export const sim = (cwd: string, ...args: readonly string[]): SimResult => simWith({}, cwd, args);

/** Runs a command to its end, with these environment variables or on a terminal. */
export const simWith = (given: Given, cwd: string, args: readonly string[]): SimResult => {
  const { port, ended } = command(cwd, args, given);
  const hasTimedOut = Atomics.wait(ended, 0, 0, COMMAND_MS_MAX) === "timed-out";
  leave();
  if (hasTimedOut) {
    throw new Error(`sim ${args.join(" ")} has not ended after ${COMMAND_MS_MAX} ms`);
  }
  const said = { out: "", err: "" };
  for (;;) {
    const received: { readonly message: FromCommand } | undefined = receiveMessageOnPort(port);
    if (received === undefined) throw new Error("the command has ended without an exit code");
    const { message } = received;
    if ("code" in message) {
      port.close();
      return { ...said, ...message };
    }
    said[message.stream] += message.text;
  }
};

/** The document that a command prints with `--json`. */
export const jsonOf = (cwd: string, ...args: readonly string[]) =>
  JSON.parse(sim(cwd, ...args, "--json").out);

/** The flags that change these settings, each `key=value`. */
export const setFlags = (...settings: readonly string[]): readonly string[] =>
  settings.flatMap((setting) => ["--set", setting]);

/** Makes a run on the virtual clock, which must end without a message. */
export const makeRun = (
  cwd: string,
  { name, seconds }: { readonly name: string; readonly seconds: number },
  ...flags: readonly string[]
): void => {
  const virtual = ["--clock", "virtual", "--duration", String(seconds), "--quiet"];
  const { code, err } = sim(cwd, "run", "--name", name, ...virtual, ...flags);
  if (code !== 0 || err !== "") throw new Error(`sim run ended with ${code}: ${err}`);
};

/** Runs the real command, in a process of its own, to its end. */
export const spawnSimSync = (cwd: string, ...args: readonly string[]): SimResult => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd,
    env: environment(),
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  return { code: status, out: stdout, err: stderr };
};

/** A command that runs next to the test. */
export type RunningSim<Signal = "SIGINT" | "SIGTERM"> = {
  readonly kill: (signal: Signal) => void;
  /** Resolves when the output so far matches. Rejects if the command ends before. */
  readonly until: (pattern: RegExp) => Promise<void>;
  /** Resolves with the whole output when the command has ended. */
  readonly ended: Promise<SimResult>;
  readonly outputSoFar: () => Omit<SimResult, "code">;
};

/** Starts a command in the thread. */
export const startSim = (cwd: string, ...args: readonly string[]): RunningSim =>
  startSimWith({}, cwd, args);

/** Starts a command in the thread, where these environment variables are set. */
export const startSimWith = (
  variables: Variables,
  cwd: string,
  args: readonly string[],
): RunningSim => {
  const { port } = command(cwd, args, { variables });
  return started({
    listen: (add, end) => {
      port.on("message", (message: FromCommand) => {
        if (!("code" in message)) return add(message.stream, message.text);
        port.close();
        leave();
        end(message.code);
      });
    },
    kill: (signal) => port.postMessage(signal),
  });
};

/** Starts the real command in a process of its own. */
export const spawnSim = (cwd: string, ...args: readonly string[]): RunningSim<NodeJS.Signals> => {
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...args], { cwd, env: environment() });
  return started({
    listen: (add, end) => {
      child.stdout?.setEncoding("utf8").on("data", (text: string) => add("out", text));
      child.stderr?.setEncoding("utf8").on("data", (text: string) => add("err", text));
      child.on("close", end);
    },
    kill: (signal) => child.kill(signal),
  });
};

type Source<Signal> = {
  readonly listen: (
    add: (stream: "out" | "err", text: string) => void,
    end: (code: number | null) => void,
  ) => void;
  readonly kill: RunningSim<Signal>["kill"];
};

const started = <Signal>({ listen, kill }: Source<Signal>): RunningSim<Signal> => {
  const said = { out: "", err: "" };
  const waiting = new Set<(isOver?: boolean) => void>();
  const ended = new Promise<SimResult>((resolve) => {
    listen(
      (stream, text) => {
        said[stream] += text;
        for (const look of waiting) look();
      },
      (code) => {
        for (const look of waiting) look(true);
        resolve({ code, ...said });
      },
    );
  });
  const until = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (isOver = false): void => {
        if (pattern.test(said.out) || pattern.test(said.err)) resolve();
        else if (isOver) reject(new Error(`the command ended without ${pattern}: ${said.err}`));
        else return;
        waiting.delete(look);
      };
      waiting.add(look);
      look();
    });
  return { kill, until, ended, outputSoFar: () => ({ ...said }) };
};
