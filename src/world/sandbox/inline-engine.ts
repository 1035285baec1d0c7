import { loadEngineBinary } from "./binary/engine-binary.ts";
import { failureOf } from "./call-ending.ts";
import { Engine, type EngineOutcome } from "./engine.ts";
import type { SandboxLimits } from "./limits.ts";
import { fittingReply } from "./messages.ts";
import type { AnswerSyscall, Program, ProgramCall, ProgramOutcome } from "./program.ts";

/**
 * The work of an outermost call and its nested calls in this thread (see `meteredBinary`). This
 * much takes about 20 ms. A call of a shipped program takes a hundredth of it.
 */
const WORK_MAX = 4_000_000;
/**
 * The engine stack of one program in this thread. V8 gives the main thread about 1 MB of native
 * stack, and a byte of engine stack can take 48 bytes of it (`NATIVE_STACK_FACTOR`).
 */
const STACK_BYTES = 12 * 1024;
/** The engine stack that all programs may use when the host answers a syscall. */
const STACK_BYTES_AT_SYSCALL = 8 * 1024;
/** How many programs to remember that did not fit. */
const MISFITS_MAX = 1_000;

/** Thrown through all engine frames if a program needs more than this thread gives it. */
const MISFIT = Symbol("misfit");

type Inspected = { readonly program: Program; readonly gasMax: number };

type Running = { readonly program: Program; readonly answer: AnswerSyscall };

/**
 * Runs programs in this thread, without the cost of waking another one. The limits of work and of
 * stack are much tighter than those of a call. If a call exceeds them, or breaks the engine, `run`
 * returns null, and the call must run in `EngineThread`. All other calls have the same outcome in
 * both.
 */
export class InlineEngine {
  readonly #engine: Engine;
  readonly #misfits = new Set<string>();
  #running: Running[] = [];
  #workLeft = 0;
  /** An error of `answer`, which is on its way through the frames of the engine. */
  #thrown: { readonly error: unknown } | null = null;

  constructor(limits: SandboxLimits) {
    this.#engine = new Engine(
      loadEngineBinary().code,
      { ...limits, stack_bytes: STACK_BYTES },
      {
        codeOf: () => Buffer.from(this.#innermost.program.code),
        ask: ({ name, args, gasLeft }) => this.#ask({ name, argsJson: utf8(args), gasLeft }),
      },
    );
  }

  /** Returns null if the call did not fit. `answer` may have answered some of its syscalls. */
  run(call: ProgramCall, answer: AnswerSyscall): ProgramOutcome | null {
    const { program, method, gasMax, syscallsMax } = call;
    return this.#attempt({ program, answer }, (workMax) =>
      this.#engine.run({
        key: program.key,
        method,
        input: Buffer.from(call.inputJson),
        state: Buffer.from(call.stateJson),
        gasMax,
        syscallsMax,
        workMax,
      }),
    );
  }

  inspect({ program, gasMax }: Inspected, answer: AnswerSyscall): ProgramOutcome | null {
    return this.#attempt({ program, answer }, (workMax) =>
      this.#engine.inspect({ key: program.key, gasMax, workMax }),
    );
  }

  #attempt(running: Running, work: (workMax: number) => EngineOutcome): ProgramOutcome | null {
    const { key } = running.program;
    if (this.#running.length === 0) this.#workLeft = WORK_MAX;
    if (this.#workLeft <= 0 || this.#misfits.has(key)) return null;
    this.#running.push(running);
    try {
      const outcome = work(this.#workLeft);
      this.#workLeft = outcome.workLeft;
      const { ending } = outcome;
      const isShortOfStack = ending.kind === "failed" && ending.code === "stack_exhausted";
      return isShortOfStack ? this.#misfit(key) : outcomeOf(outcome);
    } catch (error) {
      if (this.#thrown !== null) throw error;
      return this.#misfit(key);
    } finally {
      this.#running.pop();
      if (this.#running.length === 0) this.#thrown = null;
    }
  }

  /** Remembers a program whose call did not fit, so that its next call does not start here. */
  #misfit(key: string): null {
    this.#workLeft = 0;
    if (this.#misfits.size >= MISFITS_MAX) this.#misfits.clear();
    this.#misfits.add(key);
    return null;
  }

  #ask(syscall: Parameters<AnswerSyscall>[0]): ReturnType<AnswerSyscall> {
    // The host needs the rest of the native stack. An overflow within the host would be a crash.
    if (this.#engine.stackBytes > STACK_BYTES_AT_SYSCALL) throw MISFIT;
    const { answer } = this.#innermost;
    // Nested calls get half of the work that is left, so that the caller always has some.
    const workLeft = this.#engine.workLeft;
    const share = Math.floor(workLeft / 2);
    this.#workLeft = share;
    try {
      return fittingReply(answer(syscall));
    } catch (error) {
      this.#thrown = { error };
      throw error;
    } finally {
      this.#engine.workLeft = workLeft - share + this.#workLeft;
    }
  }

  get #innermost(): Running {
    const running = this.#running.at(-1);
    if (running === undefined) throw MISFIT;
    return running;
  }
}

/** An engine to reuse for the next sandbox with equal limits. A new one would take 20 ms. */
let spare: { readonly limits: string; readonly engine: InlineEngine } | null = null;

export const acquireInline = (limits: SandboxLimits): InlineEngine => {
  const kept = spare;
  spare = null;
  return kept?.limits === JSON.stringify(limits) ? kept.engine : new InlineEngine(limits);
};

export const releaseInline = (limits: SandboxLimits, engine: InlineEngine): void => {
  spare = { limits: JSON.stringify(limits), engine };
};

const outcomeOf = ({ ending, gas, logs }: EngineOutcome): ProgramOutcome => {
  if (ending.kind === "finished") {
    const { result, state } = ending;
    return { ok: true, resultJson: utf8(result), stateJson: state && utf8(state), gas, logs };
  }
  return failureOf(ending, { gas, logs });
};

const utf8 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
