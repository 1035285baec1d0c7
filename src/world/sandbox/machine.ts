import assert from "node:assert/strict";
import { type CallStopped, callFailure } from "./call-ending.ts";
import type { EngineCode } from "./engine-binary.ts";
import {
  EXPORT_NAMES,
  HEAP_END_ADDRESS,
  HEAP_START,
  IMPORT_NAMES,
  PAGES_MIN,
  POLL_COUNTER_OFFSET,
} from "./engine-facts.ts";
import {
  applyProgram,
  type BootImage,
  captureBoot,
  captureProgram,
  EMPTY_IMAGE,
  type ProgramImage,
  removeProgram,
  restoreBoot,
} from "./memory-image.ts";
import { METER_EXPORT } from "./metered-binary.ts";

/** The size of a JSValue in bytes, and the JSValue tags that are read. */
const VALUE_BYTES = 8;
const TAG_INT = 0;
const TAG_UNDEFINED = 3;
const WASM_PAGE_BYTES = 65_536;
/** Memory for messages from the host. It does not count as memory of the program. */
const MESSAGE_BYTES_MAX = 24 * 1024 * 1024;

/** The language features of a context (`QTS_Intrinsic` of quickjs-emscripten). */
const INTRINSICS = {
  baseObjects: 1 << 0,
  eval: 1 << 2,
  stringNormalize: 1 << 3,
  regExp: 1 << 4,
  regExpCompiler: 1 << 5,
  json: 1 << 6,
  mapSet: 1 << 8,
  bigInt: 1 << 11,
} as const;
const ALL_INTRINSICS = Object.values(INTRINSICS).reduce((all, flag) => all | flag, 0);

/** The address of a JSValue or of bytes in the engine's memory. */
export type HeapAddress = number;

export type MachineHost = {
  /** Called if the poll counter reaches 0 or a regular expression polls. May end the call. */
  interrupted(): void;
  /** Called by the prelude's port. Returns a JSValue, or 0 for undefined. May end the call. */
  called(args: Arguments): HeapAddress;
};

export type Arguments = { readonly at: HeapAddress; readonly count: number };

/** Addresses of JSValues. `error` is 0 if there is no error. */
export type Completion = { readonly value: HeapAddress; readonly error: HeapAddress };

type MachineSize = { readonly memory_bytes: number; readonly stack_bytes: number };

type EngineFunctions = Readonly<
  Record<keyof typeof EXPORT_NAMES, (...args: readonly number[]) => number>
>;

export type BootState = {
  readonly image: BootImage;
  readonly context: HeapAddress;
  /** The function that the prelude returns. */
  readonly entry: HeapAddress;
};

type Import = WebAssembly.Memory | ((...given: HeapAddress[]) => unknown);

/** One instance of the engine. An image of its memory is enough to restore the instance. */
export class Machine {
  /** Handles the requests of the running program. Null if no program runs. */
  host: MachineHost | null = null;
  readonly #size: MachineSize;
  readonly #bytes: Uint8Array;
  readonly #buffer: Buffer;
  readonly #words: Int32Array;
  readonly #engine: EngineFunctions;
  readonly #traps: EngineCode["traps"];
  readonly #meter: WebAssembly.Global;
  readonly #stackTop: number;
  #boot: BootState = { image: EMPTY_IMAGE, context: 0, entry: 0 };
  #program: ProgramImage | null = null;
  /** Whether the memory may have changed since the last restore. */
  #touched = true;
  #dirtyEnd = HEAP_START;

  constructor({ module, traps }: EngineCode, size: MachineSize) {
    this.#traps = traps;
    this.#size = size;
    const pages = pagesFor(size);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    this.#bytes = new Uint8Array(memory.buffer);
    this.#buffer = Buffer.from(memory.buffer);
    this.#words = new Int32Array(memory.buffer);
    const instance = new WebAssembly.Instance(module, { a: this.#imports(memory) });
    this.#engine = functionsOf(instance.exports);
    this.#meter = meterOf(instance.exports);
    this.workLeft = Number.MAX_SAFE_INTEGER;
    this.#stackTop = this.#engine.stackPointer();
  }

  /** Loads the prelude. Call this once, and pass the result to `adopt` of other machines. */
  boot(prelude: string): BootState {
    const engine = this.#engine;
    engine.initialize();
    const runtime = engine.newRuntime();
    const context = engine.newContext(runtime, ALL_INTRINSICS);
    this.#boot = { ...this.#boot, context };
    engine.setMaxStackSize(runtime, this.#size.stack_bytes);
    engine.setMemoryLimit(runtime, this.#size.memory_bytes);
    engine.enableInterrupts(runtime);
    const port = engine.newFunction(context, this.text("port"), 0, 0, 0);
    const loaded = this.evaluate(Buffer.from(prelude), "prelude");
    assert(loaded.error === 0, "the prelude must load");
    const entry = this.#invoke(loaded.value, [port]);
    assert(entry.error === 0, "the prelude must start");
    const image = captureBoot(this.#bytes, this.#heapEnd);
    this.#boot = { image, context, entry: entry.value };
    return this.#boot;
  }

  /** Makes this machine a copy of the machine that returned `boot`. */
  adopt(boot: BootState): void {
    this.#boot = boot;
    this.restore(null);
  }

  /**
   * Restores the image that `boot` made, and zeroes all used memory above the image. Then loads
   * `program`, by default the program of the last restore. If the memory is unchanged since the
   * last restore, only replaces the program.
   */
  restore(program = this.#program): void {
    const { image } = this.#boot;
    if (this.#touched) {
      this.#engine.stackRestore(this.#stackTop);
      this.#dirtyEnd = Math.max(this.#dirtyEnd, this.#heapEnd);
      restoreBoot(this.#bytes, image, this.#dirtyEnd);
    } else if (this.#program === program) return;
    else if (this.#program !== null) removeProgram(this.#bytes, image, this.#program);
    if (program !== null) applyProgram(this.#bytes, program);
    this.#program = program;
    this.#touched = false;
    this.#dirtyEnd = this.#heapEnd;
  }

  capture(): ProgramImage {
    return captureProgram(this.#bytes, this.#boot.image, this.#heapEnd);
  }

  /** The work that the engine may still do before it traps (see `meteredBinary`). */
  get workLeft(): number {
    return Number(this.#meter.value);
  }

  set workLeft(units: number) {
    this.#meter.value = BigInt(units);
  }

  /** The bytes of the C stack that the running program uses. */
  get stackBytes(): number {
    return this.#stackTop - this.#engine.stackPointer();
  }

  get pollCounter(): number {
    return this.#words[(this.#boot.context + POLL_COUNTER_OFFSET) >> 2] ?? 0;
  }

  set pollCounter(polls: number) {
    this.#touched = true;
    this.#words[(this.#boot.context + POLL_COUNTER_OFFSET) >> 2] = polls;
  }

  evaluate(code: Uint8Array, name: string): Completion {
    const engine = this.#engine;
    const source = this.text(code);
    const file = this.text(name);
    return this.#settled(
      this.#guard(() => engine.evaluate(this.#boot.context, source, code.length, file, 0, 0)),
    );
  }

  enter(args: readonly HeapAddress[]): Completion {
    return this.#guard(() => this.#invoke(this.#boot.entry, args));
  }

  newString(text: string | Uint8Array): HeapAddress {
    const at = this.text(text);
    const value = this.#guard(() => this.#engine.newString(this.#boot.context, at));
    this.#engine.free(at);
    return value;
  }

  undefinedValue(): HeapAddress {
    return this.#engine.getUndefined();
  }

  argument(args: Arguments, index: number): HeapAddress {
    assert(index < args.count, "the prelude must pass every argument");
    return args.at + index * VALUE_BYTES;
  }

  isUndefined(value: HeapAddress): boolean {
    return this.#words[(value >> 2) + 1] === TAG_UNDEFINED;
  }

  integerOf(value: HeapAddress): number {
    assert(this.#words[(value >> 2) + 1] === TAG_INT, "the prelude must pass a small integer");
    return this.#words[value >> 2] ?? 0;
  }

  numberOf(value: HeapAddress): number {
    return this.#engine.getFloat64(this.#boot.context, value);
  }

  bytesOf(value: HeapAddress): Buffer {
    const at = this.#guard(() => this.#engine.getString(this.#boot.context, value));
    if (at === 0) throw outOfMemory();
    const copy = Buffer.from(this.#buffer.subarray(at, this.#buffer.indexOf(0, at)));
    this.#engine.freeCString(this.#boot.context, at);
    return copy;
  }

  textOf(value: HeapAddress): string {
    return this.bytesOf(value).toString();
  }

  /** Copies text into the heap, followed by a NUL. */
  text(text: string | Uint8Array): HeapAddress {
    const bytes = typeof text === "string" ? Buffer.from(text) : text;
    const at = this.#allocate(bytes.length + 1);
    this.#bytes.set(bytes, at);
    this.#bytes[at + bytes.length] = 0;
    return at;
  }

  get #heapEnd(): number {
    return this.#words[HEAP_END_ADDRESS >> 2] ?? 0;
  }

  #allocate(bytes: number): HeapAddress {
    this.#touched = true;
    const at = this.#engine.malloc(bytes);
    if (at === 0) throw outOfMemory();
    return at;
  }

  #invoke(callee: HeapAddress, args: readonly HeapAddress[]): Completion {
    const engine = this.#engine;
    const list = this.#allocate(args.length * 4);
    args.forEach((value, index) => {
      this.#words[(list >> 2) + index] = value;
    });
    return this.#settled(
      engine.call(this.#boot.context, callee, engine.getUndefined(), args.length, list),
    );
  }

  #settled(value: HeapAddress): Completion {
    return { value, error: this.#engine.resolveException(this.#boot.context, value) };
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      throw exhaustionOf(thrown, this.#traps) ?? thrown;
    }
  }

  #imports(memory: WebAssembly.Memory): Readonly<Record<string, Import>> {
    const names = IMPORT_NAMES;
    const imports: Record<string, Import> = {};
    for (const name of names.refused) {
      imports[name] = () => assert(false, `the engine asked for its import "${name}"`);
    }
    imports[names.memory] = memory;
    imports[names.clock] = () => 0;
    imports[names.growMemory] = () => 0;
    imports[names.environment] = () => 0;
    imports[names.environmentSizes] = (count: HeapAddress, size: HeapAddress) => {
      this.#words[count >> 2] = 0;
      this.#words[size >> 2] = 0;
      return 0;
    };
    imports[names.interrupt] = () => {
      this.host?.interrupted();
      return 0;
    };
    // The engine passes its context, the receiver, the number of arguments and their address.
    imports[names.callHost] = (
      ...[, , count, at]: readonly [HeapAddress, HeapAddress, number, HeapAddress]
    ) => {
      assert(this.host !== null, "only a running program calls the host");
      return this.host.called({ at, count });
    };
    return imports;
  }
}

const pagesFor = (size: MachineSize): number => {
  const heapBytes = size.memory_bytes + size.memory_bytes / 2 + MESSAGE_BYTES_MAX;
  return Math.max(PAGES_MIN, Math.ceil((HEAP_START + heapBytes) / WASM_PAGE_BYTES));
};

const functionsOf = (exports: Readonly<Record<string, unknown>>): EngineFunctions => {
  const entries = Object.entries(EXPORT_NAMES).map(([name, minified]) => {
    const found = exports[minified];
    assert(typeof found === "function", `the engine must export ${name}`);
    return [name, found];
  });
  return Object.fromEntries(entries);
};

const meterOf = (exports: Readonly<Record<string, unknown>>): WebAssembly.Global => {
  const found = exports[METER_EXPORT];
  assert(found instanceof WebAssembly.Global, "the engine must export its meter");
  return found;
};

const outOfMemory = (): CallStopped =>
  callFailure("memory_exhausted", "the program used all of its memory");

const TRAP_OFFSET = /wasm-function\[\d+\]:0x([0-9a-f]+)/;

/** Finds the patch that trapped by the code offset in the stack trace. Null if none trapped. */
const exhaustionOf = (thrown: unknown, traps: EngineCode["traps"]): CallStopped | null => {
  if (!(thrown instanceof WebAssembly.RuntimeError)) return null;
  const offset = Number.parseInt(TRAP_OFFSET.exec(thrown.stack ?? "")?.[1] ?? "", 16);
  const trap = traps.get(offset);
  if (trap === "stack_exhausted") {
    return callFailure(trap, "the program called itself too deeply: the stack is full");
  }
  return trap === "memory_exhausted" ? outOfMemory() : null;
};
