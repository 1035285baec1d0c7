import { createHook } from "node:async_hooks";
import type { ModuleFault } from "./messages.ts";
import type { SourceTree } from "./source-tree.ts";

/** Enough frames to find the user's line below the frames of a package. */
const FRAMES_MAX = 100;

/** What the user's code did while it ran. */
type MonitoredCall<Result> = {
  readonly ended:
    | { readonly ok: true; readonly result: Result }
    | { readonly ok: false; readonly thrown: Thrown };
  /** What the code must not do, such as start a timer. The code can have caught the error. */
  readonly fault: ModuleFault | null;
  /** What prevents a run from repeating. Each function is named once. */
  readonly notes: readonly ModuleFault[];
};

/**
 * Watches what the code of a user does. Replaces functions of this thread, so make only one.
 *
 * The thread blocks between two calls, so callbacks never run. The monitor reports the line that
 * starts asynchronous work, because its result would never arrive.
 */
export class CodeMonitor {
  /** The files of the code that runs now. Null if none runs, or if the monitor itself does. */
  #tree: SourceTree | null = null;
  #fault: ModuleFault | null = null;
  #notes: ModuleFault[] = [];
  readonly #noted = new Set<string>();

  constructor() {
    Error.stackTraceLimit = FRAMES_MAX;
    createHook({ init: (_id, type) => this.#onAsync(type) }).enable();
    this.#watchChance();
    Object.assign(process, { exit: () => this.#onExit(), reallyExit: () => this.#onExit() });
  }

  /** Calls `work`, which runs code of these files. Never throws. */
  watch<Result>(tree: SourceTree, work: () => Result): MonitoredCall<Result> {
    this.#tree = tree;
    this.#fault = null;
    this.#notes = [];
    const ended = caught(work);
    this.#tree = null;
    // Functions that start asynchronous work, such as `fetch`, read the clock themselves.
    return { ended, fault: this.#fault, notes: this.#fault === null ? this.#notes : [] };
  }

  #onAsync(type: string): void {
    const what = ASYNC_WORK.get(type);
    if (what === undefined || this.#fault !== null) return;
    this.#fault = this.#here(`this line ${what}, but a module must be synchronous`);
  }

  #onExit(): never {
    const fault = this.#here("this line calls process.exit, but a module must not end the process");
    this.#fault ??= fault;
    throw new Error(fault?.message ?? "process.exit was called");
  }

  #note(name: string, cure: string): void {
    if (this.#tree === null || this.#noted.has(name)) return;
    const note = this.#here(`this line uses ${name}, so runs do not repeat; use ${cure}`);
    if (note === null) return;
    this.#noted.add(name);
    this.#notes.push(note);
  }

  /** A fault at the user's line that runs now. Null if no line of the user runs. */
  #here(message: string): ModuleFault | null {
    const tree = this.#tree;
    if (tree === null) return null;
    // Making a stack trace must not be watched.
    this.#tree = null;
    const fault = frameIn(new Error().stack ?? "", tree, message);
    this.#tree = tree;
    return fault;
  }

  #watchChance(): void {
    const replace = (holder: object, name: string, cure: string): void => {
      const key = name.slice(name.indexOf(".") + 1);
      const original: unknown = Reflect.get(holder, key);
      if (typeof original !== "function") return;
      const note = (): void => this.#note(name, cure);
      const watched = function (this: unknown, ...given: readonly unknown[]): unknown {
        note();
        return Reflect.apply(original, this, given);
      };
      Object.defineProperty(holder, key, { value: watched, configurable: true, writable: true });
    };
    replace(Math, "Math.random", DICE);
    replace(Crypto.prototype, "crypto.randomUUID", DICE);
    replace(Crypto.prototype, "crypto.getRandomValues", DICE);
    replace(Object.getPrototypeOf(performance), "performance.now", CLOCK);
    replace(Date, "Date.now", CLOCK);
    const noteDate = (): void => this.#note("the clock (Date)", CLOCK);
    globalThis.Date = new Proxy(Date, {
      construct: (target, given, made) => {
        if (given.length === 0) noteDate();
        return Reflect.construct(target, given, made);
      },
      apply: (target, self, given) => {
        noteDate();
        return Reflect.apply(target, self, given);
      },
    });
  }
}

const DICE = "the argument `random`";
const CLOCK = "`view.now`";

/** What a line does that makes a resource of this type. Other types exist for synchronous work. */
const ASYNC_WORK: ReadonlyMap<string, string> = new Map([
  ["Timeout", "starts a timer"],
  ["Immediate", "starts a timer"],
  ["PROMISE", "makes a promise"],
  ["Microtask", "schedules a callback"],
  ["TickObject", "schedules a callback"],
  ["FSREQCALLBACK", "reads or writes a file with a callback"],
]);

const caught = <Result>(work: () => Result): MonitoredCall<Result>["ended"] => {
  try {
    return { ok: true, result: work() };
  } catch (error) {
    return { ok: false, thrown: readThrown(error) };
  }
};

const FRAME = /(file:.+):(\d+):(\d+)\)?$/;

/** The first frame of a stack trace that is in a file of the user. */
export const frameIn = (stack: string, tree: SourceTree, message: string): ModuleFault | null => {
  for (const frame of stack.split("\n")) {
    const [, url = "", line, column] = FRAME.exec(frame.trimEnd()) ?? [];
    const source = tree.get(url);
    if (source === undefined) continue;
    return { file: source.name, line: Number(line), column: Number(column), message };
  }
  return null;
};

/** What the user's code threw, as plain text. Reading the thrown value itself can throw again. */
export type Thrown = {
  /** The first line of the reason. */
  readonly line: string;
  /** The message and the stack trace of an error; empty for any other value. */
  readonly message: string;
  readonly stack: string;
  /** The code of one of Node's errors, or null. */
  readonly code: string | null;
};

/** Never throws, whatever the getters and the methods of the value do. */
export const readThrown = (value: unknown): Thrown => {
  const isError = attempt(() => value instanceof Error) ?? false;
  if (!isError) {
    const text = attempt(() => String(value)) ?? "a value that cannot be shown";
    return { line: firstLine(`threw ${text}, not an error`), message: "", stack: "", code: null };
  }
  const message = textOf(value, "message") ?? "an error whose message cannot be read";
  return {
    line: firstLine(`${textOf(value, "name") ?? "Error"}: ${message}`),
    message,
    stack: textOf(value, "stack") ?? "",
    code: textOf(value, "code"),
  };
};

/** The property if it is a text, or else null. */
const textOf = (value: unknown, key: string): string | null => {
  const text = attempt((): unknown => Object(value)[key]) ?? null;
  return typeof text === "string" ? text : null;
};

const attempt = <Result>(read: () => Result): Result | null => {
  try {
    return read();
  } catch {
    return null;
  }
};

const firstLine = (text: string): string => text.split("\n")[0] ?? "";
