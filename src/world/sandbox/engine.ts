import assert from "node:assert/strict";
import { CallStopped, callFailure, PROGRAM_NAME } from "./call-ending.ts";
import type { EngineCode } from "./engine-binary.ts";
import { Frame, outOfGas } from "./frame.ts";
import { GasMeter, kilobytes, type SandboxLimits } from "./limits.ts";
import { type BootState, type Completion, type HeapAddress, Machine } from "./machine.ts";
import { type LoadedProgram, ProgramCache } from "./memory-image.ts";
import { PRELUDE } from "./prelude.ts";
import type { AnswerSyscall, CallEnding, Program, ProgramCall, ProgramOutcome } from "./program.ts";

/** `workLeft`: what is left of the work that the call was given (see `meteredBinary`). */
export type EngineOutcome = { readonly outcome: ProgramOutcome; readonly workLeft: number };

const CACHE_BYTES_MAX = 64 * 1024 * 1024;

/** Runs programs on one machine per depth of nested calls. A call starts from a memory image. */
export class Engine {
  readonly #code: EngineCode;
  readonly #limits: SandboxLimits;
  readonly #cache = new ProgramCache(CACHE_BYTES_MAX);
  readonly #machines: Machine[] = [];
  readonly #boot: BootState;
  #depth = 0;

  constructor(code: EngineCode, limits: SandboxLimits) {
    this.#code = code;
    this.#limits = limits;
    const first = new Machine(code, limits);
    this.#boot = first.boot(PRELUDE);
    this.#machines.push(first);
  }

  /** `workMax`: the work after which the call is abandoned with an error. */
  run(call: ProgramCall, workMax: number, ask: AnswerSyscall): EngineOutcome {
    const { gas_table } = this.#limits;
    const input = Buffer.from(call.inputJson);
    const state = Buffer.from(call.stateJson);
    return this.#inFrame(call.gasMax, call.syscallsMax, workMax, ask, (frame) => {
      const inputKb = kilobytes(input.length + state.length);
      frame.meter.addFixed(gas_table.call + gas_table.per_kb_input * inputKb);
      return enter(frame, this.#load(call.program, frame), call.method, input, state);
    });
  }

  /** Restores the machine of the last call now, so that the next call starts faster. */
  reset(): void {
    this.#machines[this.#depth]?.restore();
  }

  /** Loads a program. The result of the outcome is the list of the program's methods. */
  inspect(program: Program, gasMax: number, workMax: number): EngineOutcome {
    return this.#inFrame(gasMax, 0, workMax, noAnswer, (frame) => {
      const { methods } = this.#load(program, frame);
      return { ok: true, resultJson: JSON.stringify(methods), stateJson: null };
    });
  }

  #inFrame(
    gasMax: number,
    syscallsMax: number,
    workMax: number,
    ask: AnswerSyscall,
    work: (frame: Frame) => CallEnding,
  ): EngineOutcome {
    const limits = this.#limits;
    const machine = this.#machineAt(this.#depth);
    const meter = new GasMeter(limits.gas_table, gasMax);
    const frame = new Frame({ machine, meter, limits, syscallsMax, ask });
    machine.host = frame;
    machine.workLeft = workMax;
    this.#depth += 1;
    try {
      const ending = endingOf(() => work(frame));
      frame.settle();
      const outcome = { ...ending, gas: meter.spent, logs: frame.logs };
      return { outcome, workLeft: machine.workLeft };
    } finally {
      this.#depth -= 1;
      machine.host = null;
    }
  }

  /** The work that the innermost running program may still do (see `meteredBinary`). */
  get workLeft(): number {
    return this.#running.workLeft;
  }

  set workLeft(units: number) {
    this.#running.workLeft = units;
  }

  /** The bytes of engine stack that all running programs use. */
  get stackBytes(): number {
    let bytes = 0;
    for (const machine of this.#machines.slice(0, this.#depth)) bytes += machine.stackBytes;
    return bytes;
  }

  get #running(): Machine {
    return this.#machines[this.#depth - 1] ?? assert.fail("a program must be running");
  }

  /** Loads a program. A load from the cache costs the same gas as the first load. */
  #load(program: Program, frame: Frame): LoadedProgram {
    const { machine, meter } = frame;
    const cached = this.#cache.get(program.key);
    if (cached !== null) {
      this.#chargeCode(meter, cached.codeBytes);
      meter.addWork(cached.work);
      if (meter.exhausted) throw outOfGas();
      return cached;
    }
    const code = Buffer.from(program.code);
    this.#chargeCode(meter, code.length);
    const methods = loadCode(frame, code);
    const image = machine.capture();
    const loaded = { codeBytes: code.length, image, methods, work: meter.work };
    this.#cache.set(program.key, loaded);
    return loaded;
  }

  #chargeCode(meter: GasMeter, codeBytes: number): void {
    meter.addFixed(this.#limits.gas_table.per_kb_code * kilobytes(codeBytes));
  }

  #machineAt(depth: number): Machine {
    const found = this.#machines[depth];
    if (found !== undefined) return found;
    const machine = new Machine(this.#code, this.#limits);
    machine.adopt(this.#boot);
    this.#machines.push(machine);
    return machine;
  }
}

const endingOf = (work: () => CallEnding): CallEnding => {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof CallStopped) return thrown.ending;
    throw thrown;
  }
};

/** Code at the top level makes no syscalls, so nobody is asked. */
const noAnswer: AnswerSyscall = () => assert.fail("an inspection makes no syscalls");

const loadCode = (frame: Frame, code: Buffer): readonly string[] => {
  const { machine } = frame;
  machine.restore(null);
  frame.arm();
  completed(machine, machine.evaluate(code, PROGRAM_NAME));
  const names = lexicalCandidates(code.toString());
  const script = Buffer.from(candidatesScript(names));
  const values =
    names.length === 0
      ? machine.undefinedValue()
      : completed(machine, machine.evaluate(script, PROGRAM_NAME));
  const list = machine.newString(JSON.stringify(names));
  const adopted = completed(machine, machine.enter([values, list]));
  const methods: readonly string[] = JSON.parse(machine.textOf(adopted));
  frame.settle();
  return methods;
};

/** Returns the value. If there is an error, the prelude describes the error and ends the call. */
const completed = (machine: Machine, { value, error }: Completion): HeapAddress => {
  if (error === 0) return value;
  machine.enter([error]);
  throw callFailure("runtime_error", "the program broke the code that reports its error");
};

const enter = (
  frame: Frame,
  program: LoadedProgram,
  method: string,
  input: Buffer,
  state: Buffer,
): CallEnding => {
  if (!program.methods.includes(method)) throw methodNotFound(program, method);
  const { machine } = frame;
  machine.restore(program.image);
  frame.arm();
  completed(machine, machine.enter([method, input, state].map((text) => machine.newString(text))));
  if (frame.ending !== null) return frame.ending;
  throw callFailure("runtime_error", "the program broke the code that returns its result");
};

const methodNotFound = ({ methods }: LoadedProgram, method: string): CallStopped => {
  const hint =
    methods.length === 0
      ? "it has no methods: define functions at the top level of its code"
      : `its methods are ${methods.slice(0, METHODS_NAMED_MAX).join(", ")}`;
  const isPrivate = method.startsWith("_") ? " (names that start with _ are private)" : "";
  const message = `there is no method "${method.slice(0, 100)}"${isPrivate}; ${hint}`;
  return callFailure("method_not_found", message);
};

const METHODS_NAMED_MAX = 40;

/** The `const` and `let` names that may be functions. The prelude's `adopt` checks the values. */
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
