import assert from "node:assert/strict";
import { Frame, outOfGas, type RawSyscall } from "./frame.ts";
import { GasMeter, kilobytes } from "./gas-meter.ts";
import { candidatesScript, lexicalCandidates } from "./lexical-functions.ts";
import type { SandboxLimits } from "./limits.ts";
import { type Address, type Arguments, type Completion, Machine, type Origin } from "./machine.ts";
import { PRELUDE } from "./prelude/index.ts";
import { type LoadedProgram, ProgramShelf } from "./program-shelf.ts";
import { type Ending, failed, Stop } from "./stop.ts";
import type { SyscallReply } from "./syscall.ts";
import { PROGRAM_NAME } from "./thrown.ts";

/** A call as it arrived at the engine's thread: text still as UTF-8. */
export type EngineCall = {
  readonly key: string;
  readonly method: string;
  readonly input: Uint8Array;
  readonly state: Uint8Array;
  readonly gasMax: number;
  readonly syscallsMax: number;
};

export type EngineOutcome = {
  readonly ending: Ending;
  readonly gas: number;
  readonly syscalls: number;
  readonly logs: string;
};

export type EngineInspection = {
  readonly methods: readonly string[];
  readonly failure: Ending | null;
  readonly gas: number;
};

/** The thread outside: asked for code that is not on the shelf, and for the answers to syscalls. */
export type EngineHost = {
  codeOf(key: string): Uint8Array;
  ask(syscall: RawSyscall): SyscallReply;
};

const SHELF_BYTES_MAX = 64 * 1024 * 1024;

type Berth = { readonly machine: Machine; frame: Frame | null };

/**
 * Runs programs on a stack of machines, one for each depth of nesting. Every load starts from the
 * base image and every call from the program's image, so nothing that ran before can matter.
 */
export class Engine {
  readonly #module: WebAssembly.Module;
  readonly #limits: SandboxLimits;
  readonly #host: EngineHost;
  readonly #shelf = new ProgramShelf(SHELF_BYTES_MAX);
  readonly #berths: Berth[] = [];
  readonly #origin: Origin;
  #depth = 0;

  constructor(module: WebAssembly.Module, limits: SandboxLimits, host: EngineHost) {
    this.#module = module;
    this.#limits = limits;
    this.#host = host;
    const first = this.#newBerth();
    this.#origin = first.machine.boot(PRELUDE);
    this.#berths.push(first);
  }

  run(call: EngineCall): EngineOutcome {
    const meter = new GasMeter(this.#limits.gasTable, call.gasMax);
    const { gasTable } = this.#limits;
    const { ending, frame } = this.#inFrame(meter, call.syscallsMax, (berth) => {
      const inputKb = kilobytes(call.input.length + call.state.length);
      meter.addFixed(gasTable.call + gasTable.perKbInput * inputKb);
      const program = this.#load(call.key, berth, meter);
      return enter(berth, program, call);
    });
    return { ending, gas: meter.spent, syscalls: frame.syscalls, logs: frame.logs };
  }

  /**
   * Puts the machine that ran last back to where it began. What a call would do first is so done
   * while nobody waits for it, and the next call is likely to be of the same program.
   */
  rest(): void {
    this.#berths[this.#depth]?.machine.restore();
  }

  inspect(key: string, gasMax: number): EngineInspection {
    const meter = new GasMeter(this.#limits.gasTable, gasMax);
    let methods: readonly string[] = [];
    const { ending } = this.#inFrame(meter, 0, (berth) => {
      methods = this.#load(key, berth, meter).methods;
      return LOADED;
    });
    return { methods, failure: ending === LOADED ? null : ending, gas: meter.spent };
  }

  #inFrame(meter: GasMeter, syscallsMax: number, work: (berth: Berth) => Ending) {
    const berth = this.#berthAt(this.#depth);
    const { machine } = berth;
    const ask = (syscall: RawSyscall) => this.#host.ask(syscall);
    const frame = new Frame({ machine, meter, limits: this.#limits, syscallsMax, ask });
    berth.frame = frame;
    this.#depth += 1;
    const ending = endingOf(() => work(berth));
    frame.settle();
    this.#depth -= 1;
    berth.frame = null;
    return { ending, frame };
  }

  /** Warm or cold, loading costs the same: the work of the first time is charged each time. */
  #load(key: string, berth: Berth, meter: GasMeter): LoadedProgram {
    const shelved = this.#shelf.take(key);
    if (shelved !== null) {
      this.#chargeCode(meter, shelved.codeBytes);
      meter.addWork(shelved.work);
      if (meter.exhausted) throw outOfGas();
      return shelved;
    }
    const code = this.#host.codeOf(key);
    this.#chargeCode(meter, code.length);
    const methods = loadCode(berth, code);
    const image = berth.machine.capture();
    const loaded = { codeBytes: code.length, image, methods, work: meter.work };
    this.#shelf.put(key, loaded);
    return loaded;
  }

  #chargeCode(meter: GasMeter, codeBytes: number): void {
    meter.addFixed(this.#limits.gasTable.perKbCode * kilobytes(codeBytes));
  }

  #berthAt(depth: number): Berth {
    const found = this.#berths[depth];
    if (found !== undefined) return found;
    assert(depth === this.#berths.length, "machines are made in order of depth");
    const berth = this.#newBerth();
    berth.machine.adopt(this.#origin);
    this.#berths.push(berth);
    return berth;
  }

  #newBerth(): Berth {
    const { memoryBytes, stackBytes } = this.#limits;
    const host = {
      interrupted: () => berth.frame?.interrupted(),
      called: (args: Arguments) => running(berth).called(args),
    };
    const machine = new Machine(this.#module, { memoryBytes, stackBytes }, host);
    const berth: Berth = { machine, frame: null };
    return berth;
  }
}

const LOADED: Ending = { kind: "finished", result: new Uint8Array(), state: null };

const running = (berth: Berth): Frame => {
  assert(berth.frame !== null, "a machine runs only inside a frame");
  return berth.frame;
};

const endingOf = (work: () => Ending): Ending => {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof Stop) return thrown.ending;
    throw thrown;
  }
};

/** Evaluates a program in a fresh machine and lists its methods. The machine is then at rest. */
const loadCode = (berth: Berth, code: Uint8Array): readonly string[] => {
  const { machine } = berth;
  const frame = running(berth);
  machine.restore(null);
  frame.arm();
  describeError(berth, machine.evaluate(code, PROGRAM_NAME));
  const names = lexicalCandidates(Buffer.from(code).toString("utf8"));
  const script = Buffer.from(candidatesScript(names));
  const values =
    names.length === 0
      ? machine.undefinedValue()
      : describeError(berth, machine.evaluate(script, PROGRAM_NAME));
  const list = machine.newString(JSON.stringify(names));
  const adopted = describeError(berth, machine.enter([values, list]));
  const methods: readonly string[] = JSON.parse(machine.textOf(adopted));
  frame.settle();
  return methods;
};

/** The value; where there is an error instead, the prelude puts it into words and ends the call. */
const describeError = (berth: Berth, { value, error }: Completion): Address => {
  if (error === 0) return value;
  berth.machine.enter([error]);
  throw failed("runtime_error", "the program broke the means to say what went wrong");
};

const enter = (berth: Berth, program: LoadedProgram, call: EngineCall): Ending => {
  if (!program.methods.includes(call.method)) return methodNotFound(program, call.method);
  const { machine } = berth;
  machine.restore(program.image);
  running(berth).arm();
  const texts = [call.method, call.input, call.state].map((text) => machine.newString(text));
  describeError(berth, machine.enter(texts));
  const { ending } = running(berth);
  if (ending === null) throw failed("runtime_error", "the program broke the means to return");
  return ending;
};

const methodNotFound = (program: LoadedProgram, method: string): Ending => {
  const { methods } = program;
  const offer =
    methods.length === 0
      ? "it has no methods: define functions at the top level of its code"
      : `its methods are ${methods.slice(0, METHODS_NAMED_MAX).join(", ")}`;
  const secret = method.startsWith("_") ? " (names that start with _ are private)" : "";
  const message = `there is no method "${method.slice(0, 100)}"${secret}; ${offer}`;
  return { kind: "failed", code: "method_not_found", message };
};

const METHODS_NAMED_MAX = 40;
