import assert from "node:assert/strict";
import { type CallEnding, CallStopped, callFailure, PROGRAM_NAME } from "./call-ending.ts";
import { Frame, outOfGas, type RawSyscall } from "./frame.ts";
import type { SandboxLimits } from "./limits.ts";
import { GasMeter, kilobytes } from "./limits.ts";
import { type BootState, type Completion, type HeapAddress, Machine } from "./machine.ts";
import { type LoadedProgram, ProgramCache } from "./memory-image.ts";
import { PRELUDE } from "./prelude/index.ts";
import type { ProgramCall, Spent, SyscallReply } from "./program.ts";

export type EngineCall = Pick<ProgramCall, "method" | "gasMax" | "syscallsMax"> & {
  readonly key: string;
  readonly input: Uint8Array;
  readonly state: Uint8Array;
};

export type EngineOutcome = Spent & { readonly ending: CallEnding };

export type EngineInspection = {
  readonly methods: readonly string[];
  readonly failure: CallEnding | null;
  readonly gas: number;
};

/** What the engine requests from the host thread, such as code that is not in the cache. */
type EngineHost = {
  codeOf(key: string): Uint8Array;
  ask(syscall: RawSyscall): SyscallReply;
};

const CACHE_BYTES_MAX = 64 * 1024 * 1024;

type Level = { readonly machine: Machine; frame: Frame | null };

/**
 * Runs programs on a stack of machines, one for each depth of nesting. Loads and calls start from
 * images of the memory, so outcomes do not depend on earlier calls.
 */
export class Engine {
  readonly #module: WebAssembly.Module;
  readonly #limits: SandboxLimits;
  readonly #host: EngineHost;
  readonly #cache = new ProgramCache(CACHE_BYTES_MAX);
  readonly #levels: Level[] = [];
  readonly #boot: BootState;
  #depth = 0;

  constructor(module: WebAssembly.Module, limits: SandboxLimits, host: EngineHost) {
    this.#module = module;
    this.#limits = limits;
    this.#host = host;
    const first = this.#newLevel();
    this.#boot = first.machine.boot(PRELUDE);
    this.#levels.push(first);
  }

  run(call: EngineCall): EngineOutcome {
    const { gas_table } = this.#limits;
    const meter = new GasMeter(gas_table, call.gasMax);
    const { ending, frame } = this.#inFrame(meter, call.syscallsMax, (level) => {
      const inputKb = kilobytes(call.input.length + call.state.length);
      meter.addFixed(gas_table.call + gas_table.per_kb_input * inputKb);
      return enter(level, this.#load(call.key, level, meter), call);
    });
    return { ending, gas: meter.spent, syscalls: frame.syscalls, logs: frame.logs };
  }

  /** Restores the last machine, so that the next call starts faster. */
  reset(): void {
    this.#levels[this.#depth]?.machine.restore();
  }

  inspect(key: string, gasMax: number): EngineInspection {
    const meter = new GasMeter(this.#limits.gas_table, gasMax);
    let methods: readonly string[] = [];
    const { ending } = this.#inFrame(meter, 0, (level) => {
      methods = this.#load(key, level, meter).methods;
      return LOADED;
    });
    return { methods, failure: ending === LOADED ? null : ending, gas: meter.spent };
  }

  #inFrame(meter: GasMeter, syscallsMax: number, work: (level: Level) => CallEnding) {
    const level = this.#levelAt(this.#depth);
    const { machine } = level;
    const ask = (syscall: RawSyscall) => this.#host.ask(syscall);
    const frame = new Frame({ machine, meter, limits: this.#limits, syscallsMax, ask });
    level.frame = frame;
    this.#depth += 1;
    const ending = endingOf(() => work(level));
    frame.settle();
    this.#depth -= 1;
    level.frame = null;
    return { ending, frame };
  }

  /** Charges the work of the first load every time, so that warm and cold calls cost the same. */
  #load(key: string, level: Level, meter: GasMeter): LoadedProgram {
    const cached = this.#cache.get(key);
    if (cached !== null) {
      this.#chargeCode(meter, cached.codeBytes);
      meter.addWork(cached.work);
      if (meter.exhausted) throw outOfGas();
      return cached;
    }
    const code = this.#host.codeOf(key);
    this.#chargeCode(meter, code.length);
    const methods = loadCode(level, code);
    const image = level.machine.capture();
    const loaded = { codeBytes: code.length, image, methods, work: meter.work };
    this.#cache.set(key, loaded);
    return loaded;
  }

  #chargeCode(meter: GasMeter, codeBytes: number): void {
    meter.addFixed(this.#limits.gas_table.per_kb_code * kilobytes(codeBytes));
  }

  #levelAt(depth: number): Level {
    const found = this.#levels[depth];
    if (found !== undefined) return found;
    const level = this.#newLevel();
    level.machine.adopt(this.#boot);
    this.#levels.push(level);
    return level;
  }

  #newLevel(): Level {
    const machine = new Machine(this.#module, this.#limits, {
      interrupted: () => level.frame?.interrupted(),
      called: (args) => running(level).called(args),
    });
    const level: Level = { machine, frame: null };
    return level;
  }
}

const LOADED: CallEnding = { kind: "finished", result: new Uint8Array(), state: null };

const running = (level: Level): Frame => {
  assert(level.frame !== null, "a machine runs only inside a frame");
  return level.frame;
};

const endingOf = (work: () => CallEnding): CallEnding => {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof CallStopped) return thrown.ending;
    throw thrown;
  }
};

const loadCode = (level: Level, code: Uint8Array): readonly string[] => {
  const { machine } = level;
  const frame = running(level);
  machine.restore(null);
  frame.arm();
  describeError(level, machine.evaluate(code, PROGRAM_NAME));
  const names = lexicalCandidates(Buffer.from(code).toString("utf8"));
  const script = Buffer.from(candidatesScript(names));
  const values =
    names.length === 0
      ? machine.undefinedValue()
      : describeError(level, machine.evaluate(script, PROGRAM_NAME));
  const list = machine.newString(JSON.stringify(names));
  const adopted = describeError(level, machine.enter([values, list]));
  const methods: readonly string[] = JSON.parse(machine.textOf(adopted));
  frame.settle();
  return methods;
};

/** Returns the value. If there is an error, the prelude describes it and ends the call. */
const describeError = (level: Level, { value, error }: Completion): HeapAddress => {
  if (error === 0) return value;
  level.machine.enter([error]);
  throw callFailure("runtime_error", "the program broke the code that reports its error");
};

const enter = (level: Level, program: LoadedProgram, call: EngineCall): CallEnding => {
  if (!program.methods.includes(call.method)) return methodNotFound(program, call.method);
  const { machine } = level;
  machine.restore(program.image);
  running(level).arm();
  const texts = [call.method, call.input, call.state].map((text) => machine.newString(text));
  describeError(level, machine.enter(texts));
  const { ending } = running(level);
  if (ending === null)
    throw callFailure("runtime_error", "the program broke the code that returns its result");
  return ending;
};

const methodNotFound = (program: LoadedProgram, method: string): CallEnding => {
  const { methods } = program;
  const hint =
    methods.length === 0
      ? "it has no methods: define functions at the top level of its code"
      : `its methods are ${methods.slice(0, METHODS_NAMED_MAX).join(", ")}`;
  const isPrivate = method.startsWith("_") ? " (names that start with _ are private)" : "";
  const message = `there is no method "${method.slice(0, 100)}"${isPrivate}; ${hint}`;
  return { kind: "failed", code: "method_not_found", message };
};

const METHODS_NAMED_MAX = 40;

/**
 * Names at the top of a script that may be functions declared with `const` or `let`. No object
 * lists these, so only the engine can tell whether they are functions.
 */
const lexicalCandidates = (code: string): readonly string[] => {
  const names = new Set<string>();
  for (const [, name] of code.matchAll(LEXICAL_FUNCTION)) {
    if (name !== undefined && !RESERVED.has(name)) names.add(name);
    if (names.size === CANDIDATES_MAX) break;
  }
  return [...names];
};

const candidatesScript = (names: readonly string[]): string =>
  `[${names.map((name) => `typeof ${name}==="undefined"?0:${name}`).join(",")}]`;

const LEXICAL_FUNCTION =
  /\b(?:const|let)\s+([A-Za-z$][\w$]*)\s*=\s*(?:async\b|function\b|\(|[A-Za-z_$][\w$]*\s*=>)/g;
const CANDIDATES_MAX = 100;
const RESERVED = new Set(
  (
    "await break case catch class const continue debugger default delete do else enum export " +
    "extends false finally for function if implements import in instanceof interface let new " +
    "null package private protected public return static super switch this throw true try typeof " +
    "var void while with yield arguments eval"
  ).split(" "),
);
