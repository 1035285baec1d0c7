import { writeSync } from "node:fs";
import { type MessagePort, workerData } from "node:worker_threads";
import { BlockingPort, SIDE } from "../blocking-port.ts";
import type {
  CallReply,
  FromModuleThread,
  ModuleFault,
  ModuleRole,
  ToModuleThread,
} from "../messages.ts";
import { CodeMonitor, frameIn } from "./code-monitor.ts";
import { errorText, type LoadedModule, loadModule } from "./load-module.ts";
import { plainCopy } from "./plain-copy.ts";

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
for (const stream of ["stdout", "stderr"])
  Reflect.set(Reflect.get(process, stream), "write", print);
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
    return isPromise(returned) ? PROMISE : plainCopy(returned);
  });
  const reply = (answer: CallReply["answer"]): CallReply => {
    return { kind: "called", answer, used: dice.used(), notes };
  };
  const wrong = (found: ModuleFault): CallReply => reply({ ok: false, fault: found });
  if (ended.ok && ended.result === PROMISE)
    return wrong({ ...at, message: isAsync(call.function) });
  if (fault !== null) return wrong(fault);
  if (!ended.ok) {
    const message = errorText(ended.thrown);
    return wrong(frameIn(ended.thrown.stack, tree, message) ?? { ...at, message });
  }
  if (!ended.result.ok)
    return wrong({ ...at, message: `${whatIsWrong(call.function)}: ${ended.result.problem}` });
  return reply({ ok: true, returned: ended.result.value });
};

const PROMISE = { ok: false, problem: "" } as const;
const isAsync = (name: string): string => `${name} returned a promise; it must not be async`;
const whatIsWrong = (name: string): string => {
  if (name === "contribute") return "it gives a wrong value";
  return `${name} returned a wrong ${name === "decide" ? "decision" : "value"}`;
};

const isPromise = (value: unknown): boolean =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, "then") === "function";

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
    used += 1;
    return known[used - 1] ?? 0;
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
