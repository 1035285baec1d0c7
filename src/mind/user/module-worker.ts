import { writeSync } from "node:fs";
import { type MessagePort, workerData } from "node:worker_threads";
import { BlockingPort, SIDE } from "./blocking-port.ts";
import { CodeMonitor, frameIn } from "./code-monitor.ts";
import { errorText, type LoadedModule, loadModule } from "./load-module.ts";
import type {
  CallReply,
  FromModuleThread,
  ModuleFault,
  ModuleRole,
  ToModuleThread,
} from "./messages.ts";

const DEPTH_MAX = 64;

type Plain =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/**
 * Copies lists and plain objects, without the keys whose value is undefined. Refuses everything
 * else that JSON does not have, such as a `Map`. A proxy or a getter can throw.
 */
const plainCopy = (given: unknown, path = "", depth = DEPTH_MAX): Plain => {
  if (given === null || given === undefined) return { ok: true, value: given };
  if (typeof given === "number" && !Number.isFinite(given)) return notPlain(path, String(given));
  if (typeof given !== "object") {
    const isPlain = ["number", "string", "boolean"].includes(typeof given);
    return isPlain ? { ok: true, value: given } : notPlain(path, `a ${typeof given}`);
  }
  if (depth <= 0) {
    return { ok: false, problem: `it must be nested at most ${DEPTH_MAX} levels deep` };
  }
  if (Array.isArray(given)) return listCopy(given, path, depth);
  const prototype: unknown = Object.getPrototypeOf(given);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return notPlain(path, `a ${given.constructor?.name ?? "made object"}`);
  }
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(given)) {
    if (item === undefined) continue;
    const inner = plainCopy(item, path === "" ? key : `${path}.${key}`, depth - 1);
    if (!inner.ok) return inner;
    Object.defineProperty(copy, key, { value: inner.value, enumerable: true, writable: true });
  }
  return { ok: true, value: copy };
};

const listCopy = (given: readonly unknown[], path: string, depth: number): Plain => {
  const copy: unknown[] = [];
  for (const [at, item] of given.entries()) {
    const inner = plainCopy(item, `${path}[${at}]`, depth - 1);
    if (!inner.ok) return inner;
    if (inner.value === undefined) return notPlain(`${path}[${at}]`, "undefined");
    copy.push(inner.value);
  }
  return { ok: true, value: copy };
};

const notPlain = (path: string, what: string): Plain => {
  const value = path === "" ? "it" : `\`${path}\``;
  return { ok: false, problem: `${value} must be plain data, not ${what}` };
};

export type ModuleThreadStart = { readonly port: MessagePort; readonly counts: Int32Array };

const { port, counts }: ModuleThreadStart = workerData;
const host = new BlockingPort<FromModuleThread, ToModuleThread>(port, counts, SIDE.thread);

const STDERR = 2;

/** Prints at once: the host blocks while the user's code runs, so the usual way would be late. */
const print = (text: string | Uint8Array): boolean => {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; ) at += written(bytes.subarray(at));
  return true;
};

/** Writes what fits now. A closed terminal takes everything, because no one reads it. */
const written = (bytes: Uint8Array): number => {
  try {
    return writeSync(STDERR, bytes);
  } catch (error) {
    const isFull = error instanceof Error && "code" in error && error.code === "EAGAIN";
    return isFull ? 0 : bytes.length;
  }
};
for (const name of ["stdout", "stderr"] as const) process[name].write = print;
// Node warns of its own features that this thread uses.
process.removeAllListeners("warning");

const monitor = new CodeMonitor();
const modules = new Map<string, ReturnType<typeof loadModule>>();
const loaded = (path: string, role: ModuleRole): ReturnType<typeof loadModule> => {
  const key = `${role} ${path}`;
  const module = modules.get(key) ?? loadModule({ path, role }, monitor);
  modules.set(key, module);
  return module;
};

type Asked = Extract<ToModuleThread, { readonly kind: "call" }>;

const called = (module: LoadedModule, { call, numbers }: Asked): CallReply => {
  const { tree, at } = module;
  const dice = diceWith(numbers);
  const { ended, fault, notes } = monitor.watch(tree, () => {
    const returned = module.call(call, dice.random);
    return { isPromise: isPromise(returned), copy: plainCopy(returned) };
  });
  const reply = (answer: CallReply["answer"]): CallReply => {
    return { kind: "called", answer, used: dice.used(), notes };
  };
  const wrong = (found: ModuleFault): CallReply => reply({ ok: false, fault: found });
  // Says more than the fault, which is at the line that made the promise.
  if (ended.ok && ended.result.isPromise) {
    const message = `${call.function} returned a promise; it must not be async`;
    return wrong({ ...at, message });
  }
  if (fault !== null) return wrong(fault);
  if (!ended.ok) {
    const message = errorText(ended.thrown);
    return wrong(frameIn(ended.thrown.stack, tree, message) ?? { ...at, message });
  }
  const { copy } = ended.result;
  if (copy.ok) return reply({ ok: true, returned: copy.value });
  return wrong({ ...at, message: `${whatIsWrong(call.function)}: ${copy.problem}` });
};

const whatIsWrong = (name: string): string => {
  if (name === "contribute") return "it gives a wrong value";
  return `${name} returned a wrong ${name === "decide" ? "decision" : "value"}`;
};

const isPromise = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  "then" in value &&
  typeof value.then === "function";

/** The function `random`. If the numbers do not suffice, it asks the host for more. */
const diceWith = (numbers: readonly number[]) => {
  let known = numbers;
  let used = 0;
  const random = (): number => {
    if (used === known.length) {
      host.send({ kind: "more_numbers" });
      const more = host.receive();
      known = [...known, ...(more?.kind === "numbers" ? more.numbers : [])];
    }
    const number = known[used];
    if (number === undefined) throw new Error("the host must send numbers");
    used += 1;
    return number;
  };
  return { random, used: () => used };
};

const answerTo = (asked: ToModuleThread): FromModuleThread => {
  if (asked.kind === "numbers") throw new Error("no module waits for numbers");
  const module = loaded(asked.path, asked.role);
  if (asked.kind === "load") {
    if (!module.ok) return { kind: "failed", fault: module.fault };
    const { tree, at, notes } = module.module;
    const sources = [...tree.values()].map(({ path, text }) => ({ path, text }));
    return { kind: "loaded", sources, at, notes };
  }
  if (module.ok) return called(module.module, asked);
  return { kind: "called", answer: { ok: false, fault: module.fault }, used: 0, notes: [] };
};

host.send({ kind: "ready" });
for (;;) {
  const asked = host.receive();
  if (asked !== null) host.send(answerTo(asked));
}
