import assert from "node:assert/strict";
import {
  type EngineFunction,
  EXPORT_NAMES,
  HEAP_END_ADDRESS,
  HEAP_START,
  IMPORT_NAMES,
  INTRINSICS,
  PAGES_MIN,
  PATCHES,
  POLL_COUNTER_OFFSET,
  TAG_INT,
  TAG_UNDEFINED,
  VALUE_BYTES,
  WASM_PAGE_BYTES,
} from "./engine-facts.ts";
import {
  applyProgram,
  captureProgram,
  captureRest,
  NOWHERE,
  type ProgramImage,
  type RestImage,
  removeProgram,
  restoreRest,
} from "./memory-image.ts";
import { failed, type Stop } from "./stop.ts";

/** An address in the engine's memory, of a JSValue or of bytes. */
export type Address = number;

export type MachineHost = {
  /** The poll counter ran out, or a regular expression has made its steps. May throw a `Stop`. */
  interrupted(): void;
  /** The prelude calls out. Returns the address of a JSValue, or 0 for undefined. May throw. */
  called(args: Arguments): Address;
};

export type Arguments = { readonly at: Address; readonly count: number };

/** What evaluating or calling gave: addresses of JSValues; `error` is 0 where there is none. */
export type Completion = { readonly value: Address; readonly error: Address };

export type MachineSize = { readonly memoryBytes: number; readonly stackBytes: number };

type EngineFunctions = Readonly<Record<EngineFunction, (...args: readonly number[]) => number>>;

/** The machine as it booted: its image, and where in it the things are that the host needs. */
export type Origin = {
  readonly image: RestImage;
  readonly context: Address;
  readonly gate: Address;
};

const ALL_INTRINSICS = Object.values(INTRINSICS).reduce((all, flag) => all | flag, 0);
const MESSAGE_SLACK_BYTES = 24 * 1024 * 1024;

/** What the engine asks its host for. */
type Import = WebAssembly.Memory | ((...given: Address[]) => unknown);

/**
 * One instance of the engine: linear memory that never grows, and the functions that work on it.
 * Nothing of its state lies outside that memory but the C stack pointer, so that restoring an image
 * makes it, byte for byte, the machine it was.
 */
export class Machine {
  readonly #host: MachineHost;
  readonly #size: MachineSize;
  readonly #bytes: Uint8Array;
  readonly #buffer: Buffer;
  readonly #words: Int32Array;
  readonly #engine: EngineFunctions;
  readonly #stackTop: number;
  #origin: Origin = { image: NOWHERE, context: 0, gate: 0 };
  /** What was last restored, and whether anything may have changed the memory since. */
  #program: ProgramImage | null = null;
  #touched = true;
  #dirtyEnd = HEAP_START;

  constructor(module: WebAssembly.Module, size: MachineSize, host: MachineHost) {
    this.#host = host;
    this.#size = size;
    const pages = pagesFor(size);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    this.#bytes = new Uint8Array(memory.buffer);
    this.#buffer = Buffer.from(memory.buffer);
    this.#words = new Int32Array(memory.buffer);
    const instance = new WebAssembly.Instance(module, { a: this.#imports(memory) });
    this.#engine = functionsOf(instance.exports);
    this.#stackTop = this.#engine.stackPointer();
  }

  /** Starts a runtime with the prelude in it. Done once; other machines copy the image. */
  boot(prelude: string): Origin {
    const engine = this.#engine;
    engine.initialize();
    const runtime = engine.newRuntime();
    const context = engine.newContext(runtime, ALL_INTRINSICS);
    this.#origin = { ...this.#origin, context };
    engine.setMaxStackSize(runtime, this.#size.stackBytes);
    engine.setMemoryLimit(runtime, this.#size.memoryBytes);
    engine.enableInterrupts(runtime);
    const port = engine.newFunction(context, this.text("port"), 0, 0, 0);
    const boot = this.evaluate(Buffer.from(prelude), "prelude");
    assert(boot.error === 0, "the prelude must load");
    const gate = this.#invoke(boot.value, [port]);
    assert(gate.error === 0, "the prelude must start");
    const image = captureRest(this.#bytes, this.#heapEnd);
    this.#origin = { image, context, gate: gate.value };
    return this.#origin;
  }

  /** Makes this machine a copy of the one that booted. */
  adopt(origin: Origin): void {
    this.#origin = origin;
    this.restore(null);
  }

  /**
   * Becomes the machine that booted, with this program loaded, or the one restored before. What
   * lies above is zeroed as far as anything was ever written. A machine in which nothing has run
   * since it was restored needs no more than another program in the place of the old.
   */
  restore(program = this.#program): void {
    const { image } = this.#origin;
    if (this.#touched) {
      this.#engine.stackRestore(this.#stackTop);
      this.#dirtyEnd = Math.max(this.#dirtyEnd, this.#heapEnd);
      restoreRest(this.#bytes, image, this.#dirtyEnd);
    } else if (this.#program === program) return;
    else if (this.#program !== null) removeProgram(this.#bytes, image, this.#program);
    if (program !== null) applyProgram(this.#bytes, program);
    this.#program = program;
    this.#touched = false;
    this.#dirtyEnd = this.#heapEnd;
  }

  capture(): ProgramImage {
    return captureProgram(this.#bytes, this.#origin.image, this.#heapEnd);
  }

  get pollCounter(): number {
    return this.#words[(this.#origin.context + POLL_COUNTER_OFFSET) >> 2] ?? 0;
  }

  set pollCounter(polls: number) {
    this.#touched = true;
    this.#words[(this.#origin.context + POLL_COUNTER_OFFSET) >> 2] = polls;
  }

  evaluate(code: Uint8Array, name: string): Completion {
    const engine = this.#engine;
    const source = this.text(code);
    const file = this.text(name);
    return this.#settled(
      this.#guard(() => engine.evaluate(this.#origin.context, source, code.length, file, 0, 0)),
    );
  }

  /** Calls the prelude's one function; what it does depends on the number of arguments. */
  enter(args: readonly Address[]): Completion {
    return this.#guard(() => this.#invoke(this.#origin.gate, args));
  }

  newString(text: string | Uint8Array): Address {
    const at = this.text(text);
    const value = this.#guard(() => this.#engine.newString(this.#origin.context, at));
    this.#engine.free(at);
    return value;
  }

  undefinedValue(): Address {
    return this.#engine.getUndefined();
  }

  argument(args: Arguments, index: number): Address {
    assert(index < args.count, "the prelude passes every argument");
    return args.at + index * VALUE_BYTES;
  }

  isUndefined(value: Address): boolean {
    return this.#words[(value >> 2) + 1] === TAG_UNDEFINED;
  }

  integerOf(value: Address): number {
    assert(this.#words[(value >> 2) + 1] === TAG_INT, "the prelude passes a small integer");
    return this.#words[value >> 2] ?? 0;
  }

  numberOf(value: Address): number {
    return this.#engine.getFloat64(this.#origin.context, value);
  }

  /** A copy of a string's UTF-8, up to its first NUL. */
  bytesOf(value: Address): Uint8Array {
    const at = this.#guard(() => this.#engine.getString(this.#origin.context, value));
    if (at === 0) throw outOfMemory();
    const copy = this.#bytes.slice(at, this.#buffer.indexOf(0, at));
    this.#engine.freeCString(this.#origin.context, at);
    return copy;
  }

  textOf(value: Address): string {
    return Buffer.from(this.bytesOf(value)).toString("utf8");
  }

  /** Copies text, and a NUL after it, into the heap. */
  text(text: string | Uint8Array): Address {
    const bytes = typeof text === "string" ? Buffer.from(text) : text;
    const at = this.#allocate(bytes.length + 1);
    this.#bytes.set(bytes, at);
    this.#bytes[at + bytes.length] = 0;
    return at;
  }

  get #heapEnd(): number {
    return this.#words[HEAP_END_ADDRESS >> 2] ?? 0;
  }

  #allocate(bytes: number): Address {
    this.#touched = true;
    const at = this.#engine.malloc(bytes);
    if (at === 0) throw outOfMemory();
    return at;
  }

  #invoke(callee: Address, args: readonly Address[]): Completion {
    const engine = this.#engine;
    const list = this.#allocate(args.length * 4);
    args.forEach((value, index) => {
      this.#words[(list >> 2) + index] = value;
    });
    return this.#settled(
      engine.call(this.#origin.context, callee, engine.getUndefined(), args.length, list),
    );
  }

  #settled(value: Address): Completion {
    return { value, error: this.#engine.resolveException(this.#origin.context, value) };
  }

  /** Runs engine code and turns the traps that mean exhaustion into a `Stop`. */
  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      throw exhaustionOf(thrown) ?? thrown;
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
    imports[names.environmentSizes] = (count: Address, size: Address) => {
      this.#words[count >> 2] = 0;
      this.#words[size >> 2] = 0;
      return 0;
    };
    imports[names.interrupt] = () => {
      this.#host.interrupted();
      return 0;
    };
    // The engine passes its context, the receiver, and how many arguments lie where.
    imports[names.callHost] = (...[, , count, at]: readonly [Address, Address, number, Address]) =>
      this.#host.called({ at, count });
    return imports;
  }
}

const pagesFor = (size: MachineSize): number => {
  const heapBytes = size.memoryBytes + size.memoryBytes / 2 + MESSAGE_SLACK_BYTES;
  return Math.max(PAGES_MIN, Math.ceil((HEAP_START + heapBytes) / WASM_PAGE_BYTES));
};

const functionsOf = (exports: Readonly<Record<string, unknown>>): EngineFunctions => {
  const entries = Object.entries(EXPORT_NAMES).map(([name, minified]) => {
    const found = exports[minified];
    assert(typeof found === "function", `the engine exports ${name}`);
    return [name, found];
  });
  return Object.fromEntries(entries);
};

const outOfMemory = (): Stop => failed("memory_exhausted", "the program used all of its memory");

const TRAP_OFFSET = /wasm-function\[\d+\]:0x([0-9a-f]+)/;

/** A trap at a patched place is exhaustion; V8 names the place in the first line of the stack. */
const exhaustionOf = (thrown: unknown): Stop | null => {
  if (!(thrown instanceof WebAssembly.RuntimeError)) return null;
  const offset = Number.parseInt(TRAP_OFFSET.exec(thrown.stack ?? "")?.[1] ?? "", 16);
  const trap = PATCHES.find((patch) => patch.offset === offset)?.trap;
  if (trap === "stack_exhausted") {
    return failed(trap, "the program called itself too deeply: the stack is full");
  }
  return trap === "memory_exhausted" ? outOfMemory() : null;
};
