import { dirname, relative, sep } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import { Dice, must, type PrngState } from "../../kernel/index.ts";
import { BlockingPort, newCounts, SIDE } from "./blocking-port.ts";
import type {
  CallReply,
  FromModuleThread,
  LoadReply,
  ModuleCall,
  ModuleFault,
  ModuleRole,
  ToModuleThread,
} from "./messages.ts";
import { type ModuleFile, moduleNameFor } from "./module-path.ts";
import type { ModuleThreadStart } from "./module-worker.ts";

/** A module of the user that this process has loaded. */
export type UserModule = {
  /** Calls a function. `draw` returns the next random numbers. Blocks until the answer. */
  readonly call: (
    call: ModuleCall,
    draw: (count: number) => readonly number[],
  ) => Omit<CallReply, "kind">;
  /** The name of the file, such as `mind.ts`. */
  readonly name: string;
  /** The name for a run's copy of this module. */
  readonly copyName: string;
  /** The module and the files that it imports. `main` is the path of the module. */
  readonly files: readonly ModuleFile[];
  readonly main: string;
  /** The place of `decide` or of the default export, with an empty message. */
  readonly at: ModuleFault;
  /** What prevents a run from repeating, found while loading. */
  readonly notes: readonly ModuleFault[];
};

type ModuleLoading =
  | { readonly ok: true; readonly module: UserModule }
  | { readonly ok: false; readonly fault: ModuleFault };

/** Gives access to modules. Their code runs only when one is loaded or asked. */
export type ModuleHost = {
  /** Loads a module, and the files that it imports. Blocks until then. */
  readonly load: (path: string, role?: ModuleRole) => ModuleLoading;
  /** Ends the modules. */
  readonly close: () => void;
};

type Running = {
  readonly worker: Worker;
  readonly port: BlockingPort<ToModuleThread, FromModuleThread>;
  /** The paths of the modules that the thread has loaded. */
  readonly loaded: Set<string>;
};

const NUMBERS = 16;
const START_MS_MAX = 30_000;
const HEAP_MB_MAX = 1024;

/**
 * Runs modules of the user in a thread, so that an endless loop, an exit or a global variable of
 * their code cannot disturb the run. The thread has all rights of this process. It starts when a
 * module is first loaded, and again after an endless loop.
 */
export class ModuleThread implements ModuleHost {
  readonly #limitMs: number;
  #running: Running | null = null;

  /** @param limitS how long the code of a module may run at a time, in seconds. */
  constructor(limitS: number) {
    this.#limitMs = limitS * 1000;
  }

  readonly load = (path: string, role: ModuleRole = "mind"): ModuleLoading => {
    const own = path.split(/[/\\]/).at(-1) ?? path;
    const reply = this.#ask({ kind: "load", path, role });
    if (reply?.kind === "failed") return { ok: false, fault: reply.fault };
    if (reply?.kind === "loaded")
      return { ok: true, module: this.#moduleOf({ path, own, role }, reply) };
    const here = { file: own, line: null, column: null };
    return { ok: false, fault: this.#tooSlow("the code outside its functions", here) };
  };

  readonly close = (): void => {
    void this.#running?.worker.terminate();
    this.#running?.port.close();
    this.#running = null;
  };

  #moduleOf({ path, own, role }: Loading, { sources, at, notes }: Loaded): UserModule {
    const call: UserModule["call"] = (asked, draw) => {
      const numbers = draw(NUMBERS);
      // A thread that has started again has not loaded the module yet.
      if (this.#running?.loaded.has(path) !== true) this.#ask({ kind: "load", path, role });
      const reply = this.#ask({ kind: "call", path, role, call: asked, numbers }, draw);
      if (reply?.kind === "called") return reply;
      const fault = this.#tooSlow(asked.function, at);
      return { answer: { ok: false, fault }, used: 0, notes: [] };
    };
    const paths = sources.map((source) => source.path);
    const root = commonFolder(paths);
    const nameOf = (file: string): string => relative(root, file).split(sep).join("/");
    const files = sources.map((source) => ({ path: nameOf(source.path), text: source.text }));
    const main = files[0]?.path ?? own;
    return { call, name: own, copyName: moduleNameFor(own, files), files, main, at, notes };
  }

  #tooSlow(what: string, at: Omit<ModuleFault, "message">): ModuleFault {
    const limit = `${this.#limitMs / 1000} s, the limit in timeouts.module_s`;
    return { ...at, message: `${what} did not end within ${limit}` };
  }

  /** Returns null, and ends the thread, if the thread does not answer in time. */
  #ask(message: ToModuleThread, draw?: (count: number) => readonly number[]) {
    this.#running ??= started();
    const { port, loaded } = this.#running;
    if (message.kind === "load") loaded.add(message.path);
    port.send(message);
    for (;;) {
      const reply = port.receive(this.#limitMs);
      if (reply === null) this.close();
      if (reply?.kind !== "more_numbers") return reply;
      port.send({ kind: "numbers", numbers: draw?.(NUMBERS) ?? [] });
    }
  }
}

type Loading = { readonly path: string; readonly own: string; readonly role: ModuleRole };
type Loaded = Extract<LoadReply, { readonly kind: "loaded" }>;

const started = (): Running => {
  const { port1, port2 } = new MessageChannel();
  const counts = newCounts();
  const workerData: ModuleThreadStart = { port: port2, counts };
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const worker = new Worker(new URL(`./module-worker.${extension}`, import.meta.url), {
    workerData,
    transferList: [port2],
    name: "modules",
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
  });
  // The event does not interrupt `receive`, which waits for its limit.
  worker.on("error", () => worker.terminate());
  worker.unref();
  port1.unref();
  const port = new BlockingPort<ToModuleThread, FromModuleThread>(port1, counts, SIDE.host);
  must(port.receive(START_MS_MAX), "the thread of the modules must start");
  return { worker, port, loaded: new Set() };
};

/** The folder that contains all of these files. */
const commonFolder = (paths: readonly string[]): string => {
  let folder = dirname(paths[0] ?? "");
  const isIn = (path: string): boolean =>
    path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  while (!paths.every(isIn) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
};

/** Calls a function of a module with random numbers. `dice` is their state after the call. */
export const calledWith = (
  module: UserModule,
  call: ModuleCall,
  state: PrngState,
): Omit<CallReply, "kind" | "used"> & { readonly dice: PrngState } => {
  const ahead = new Dice(state);
  const { used, ...reply } = module.call(call, (count) =>
    Array.from({ length: count }, () => ahead.next()),
  );
  const dice = new Dice(state);
  for (let drawn = 0; drawn < used; drawn += 1) dice.next();
  return { ...reply, dice: dice.state };
};
