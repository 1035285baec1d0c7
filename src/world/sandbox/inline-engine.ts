import { Engine, type EngineOutcome } from "./engine.ts";
import { loadEngineBinary } from "./engine-binary.ts";
import type { SandboxLimits } from "./limits.ts";
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

/**
 * Runs programs in this thread, without the cost of waking another one. The limits of work and of
 * stack are much tighter than those of a call. If a call exceeds them, or breaks the engine, `run`
 * returns null, and the call must run in `EngineThread`. All other calls have the same outcome in
 * both.
 */
export class InlineEngine {
  readonly #engine: Engine;
  readonly #misfits = new Set<string>();
  #depth = 0;
  #workLeft = 0;
  /** Whether `answer` threw an error, which is on its way through the frames of the engine. */
  #hostFailed = false;

  constructor(limits: SandboxLimits) {
    const { code } = loadEngineBinary();
    this.#engine = new Engine(code, { ...limits, stack_bytes: STACK_BYTES });
  }

  /** Returns null if the call did not fit. `answer` may have answered some of its syscalls. */
  run(call: ProgramCall, answer: AnswerSyscall): ProgramOutcome | null {
    return this.#attempt(call.program, (workMax) =>
      this.#engine.run(call, workMax, (syscall) => this.#ask(() => answer(syscall))),
    );
  }

  inspect(program: Program, gasMax: number): ProgramOutcome | null {
    return this.#attempt(program, (workMax) => this.#engine.inspect(program, gasMax, workMax));
  }

  #attempt({ key }: Program, work: (workMax: number) => EngineOutcome): ProgramOutcome | null {
    if (this.#depth === 0) this.#workLeft = WORK_MAX;
    if (this.#workLeft <= 0 || this.#misfits.has(key)) return null;
    this.#depth += 1;
    try {
      const { outcome, workLeft } = work(this.#workLeft);
      this.#workLeft = workLeft;
      const isShortOfStack = !outcome.ok && outcome.code === "stack_exhausted";
      return isShortOfStack ? this.#misfit(key) : outcome;
    } catch (error) {
      if (this.#hostFailed) throw error;
      return this.#misfit(key);
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#hostFailed = false;
    }
  }

  /** Remembers a program whose call did not fit, so that its next call does not start here. */
  #misfit(key: string): null {
    this.#workLeft = 0;
    if (this.#misfits.size >= MISFITS_MAX) this.#misfits.clear();
    this.#misfits.add(key);
    return null;
  }

  #ask<Reply>(answer: () => Reply): Reply {
    // The host needs the rest of the native stack. An overflow within the host would be a crash.
    if (this.#engine.stackBytes > STACK_BYTES_AT_SYSCALL) throw MISFIT;
    // Nested calls get half of the work that is left, so that the caller always has some.
    const workLeft = this.#engine.workLeft;
    const share = Math.floor(workLeft / 2);
    this.#workLeft = share;
    try {
      return answer();
    } catch (error) {
      this.#hostFailed = true;
      throw error;
    } finally {
      this.#engine.workLeft = workLeft - share + this.#workLeft;
    }
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
