import assert from "node:assert/strict";
import type { ToEngine, ToHost } from "./channel.ts";
import { loadEngineBinary } from "./engine-binary.ts";
import { EngineThread } from "./engine-thread.ts";
import { acquireInline, type InlineEngine, releaseInline } from "./inline-engine.ts";
import { assertSupported, type SandboxLimits } from "./limits.ts";
import {
  type AnswerSyscall,
  type FailureCode,
  fitsInMessage,
  type Inspection,
  MESSAGE_BYTES_MAX,
  type Program,
  type ProgramCall,
  type ProgramFailure,
  type ProgramOutcome,
  type SyscallReply,
} from "./program.ts";

/** The longest wait for a thread that gets too little CPU time, as a multiple of the timeout. */
const TIMEOUT_WAITS_MAX = 100;

/**
 * Runs untrusted programs. A program runs in this thread if it needs little work and stack, and
 * otherwise in a thread that can be killed. `run` blocks until the program ends.
 *
 * `answer` may call `run` again. Then the outer program is suspended until the inner program ends.
 * Equal calls with equal answers that do not time out have equal outcomes, whatever ran before.
 */
export class Sandbox {
  readonly #limits: SandboxLimits;
  readonly #inline: InlineEngine;
  #thread: EngineThread | null = null;
  /** The number of running programs, and of those that run in the thread. */
  #depth = 0;
  #threadDepth = 0;
  /** The engine time of the outermost program, and the CPU time of the thread at its start. */
  #engineMs = 0;
  #cpuFromMs: number | null = null;
  /** True from the moment the thread is killed until the outermost program has ended. */
  #killed = false;
  #closed = false;

  constructor(limits: SandboxLimits) {
    assertSupported(limits);
    this.#limits = limits;
    this.#inline = acquireInline(limits);
  }

  /** The version of the engine. Equal versions give equal outcomes. */
  get engineVersion(): string {
    return loadEngineBinary().version;
  }

  /** Runs a program. `answer` must not throw: if it does, `run` kills the engine and rethrows. */
  run(call: ProgramCall, answer: AnswerSyscall): ProgramOutcome {
    if (this.#depth > this.#limits.depth_max) return tooDeep(this.#limits.depth_max);
    const gasMax = bounded(call.gasMax, this.#limits.gas_max);
    const syscallsMax = bounded(call.syscallsMax, this.#limits.syscalls_max);
    const { program, method, inputJson, stateJson } = call;
    if (!fitsInMessage(program.key, method, inputJson, stateJson) || !fitsInMessage(program.code))
      return tooLarge();
    const bounds = { ...call, gasMax, syscallsMax };
    const outcome = this.#execute(
      answer,
      (replying) => this.#inline.run(bounds, replying),
      (resuming) => this.#runInThread({ kind: "call", call: bounds }, resuming),
    );
    return outcome ?? timedOutOutcome(gasMax);
  }

  inspect(program: Program, gasMaxAsked: number): Inspection {
    const gasMax = bounded(gasMaxAsked, this.#limits.gas_max);
    // The deepest program may write code. That code is inspected one level deeper.
    if (this.#depth > this.#limits.depth_max + 1) return tooDeep(this.#limits.depth_max);
    if (!fitsInMessage(program.key) || !fitsInMessage(program.code)) return tooLarge();
    const outcome = this.#execute(
      () => assert.fail("an inspection makes no syscalls"),
      () => this.#inline.inspect(program, gasMax),
      (answer) => this.#runInThread({ kind: "inspect", program, gasMax }, answer),
    );
    if (outcome === null) return timedOutOutcome(gasMax);
    if (!outcome.ok) return outcome;
    return { ok: true, methods: JSON.parse(outcome.resultJson), gas: outcome.gas };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#depth === 0) releaseInline(this.#limits, this.#inline);
    await this.#thread?.close();
  }

  /**
   * Runs a program in this thread. If it does not fit (`here` returns null), runs it again in the
   * other thread, with the replies to its first syscalls from the first attempt. Null if the engine
   * was killed.
   */
  #execute(
    answer: AnswerSyscall,
    here: (answer: AnswerSyscall) => ProgramOutcome | null,
    inThread: (answer: AnswerSyscall) => ProgramOutcome | null,
  ): ProgramOutcome | null {
    assert(!this.#closed, "a closed sandbox cannot run programs");
    if (this.#depth === 0) this.#engineMs = 0;
    if (this.#killed) return null;
    const given: SyscallReply[] = [];
    this.#depth += 1;
    try {
      const outcome = here((syscall) => {
        const reply = fitting(answer(syscall));
        // The program that was killed ends all programs that called it.
        if (this.#killed) throw KILLED;
        given.push(reply);
        return reply;
      });
      return outcome ?? inThread((syscall) => given.shift() ?? fitting(answer(syscall)));
    } catch (thrown) {
      if (thrown === KILLED) return null;
      throw thrown;
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#killed = false;
    }
  }

  /** Sends a request and answers syscalls until its outcome. Null if the engine was killed. */
  #runInThread(request: ToEngine, answer: AnswerSyscall): ProgramOutcome | null {
    const thread = this.#readyThread();
    this.#threadDepth += 1;
    try {
      thread.channel.send(request);
      while (thread.alive) {
        const message = this.#receive(thread);
        if (message?.kind === "outcome") return message.outcome;
        if (message?.kind !== "syscall") thread.kill();
        else {
          const reply = answer(message.syscall);
          if (thread.alive) thread.channel.send({ kind: "reply", reply });
        }
      }
      return null;
    } catch (thrown) {
      thread.kill();
      throw thrown;
    } finally {
      this.#threadDepth -= 1;
      if (!thread.alive) this.#killed = true;
    }
  }

  /** Waits for a message; null after the timeout. Only engine time counts toward the timeout. */
  #receive(thread: EngineThread): ToHost | null {
    const timeoutMs = this.#limits.wall_timeout_ms;
    for (let waits = 0; waits < TIMEOUT_WAITS_MAX; waits++) {
      const startedMs = performance.now();
      const message = thread.channel.receive(Math.max(1, timeoutMs - this.#engineMs));
      this.#engineMs += performance.now() - startedMs;
      if (message !== null) return message;
      // Time in which the thread waited for a processor does not count.
      const cpuMs = thread.cpuMs();
      if (cpuMs === null || this.#cpuFromMs === null) return null;
      this.#engineMs = cpuMs - this.#cpuFromMs;
      if (this.#engineMs >= timeoutMs) return null;
    }
    return null;
  }

  #readyThread(): EngineThread {
    if (this.#threadDepth > 0 && this.#thread !== null) return this.#thread;
    if (this.#thread === null || !this.#thread.alive) this.#thread = new EngineThread(this.#limits);
    if (this.#engineMs === 0) this.#cpuFromMs = this.#thread.cpuMs();
    return this.#thread;
  }
}

/** Thrown through the frames of programs that wait for a program that was killed. */
const KILLED = Symbol("killed");

const bounded = (asked: number, ceiling: number): number => {
  assert(Number.isSafeInteger(asked) && asked >= 0, "maximums must be whole numbers, 0 or more");
  return Math.min(asked, ceiling);
};

/** Refuses a reply that is too large for a program. */
const fitting = (reply: SyscallReply): SyscallReply => {
  const text = reply.ok ? reply.resultJson : reply.message;
  if (fitsInMessage(text)) return reply;
  const { gasUsed, syscallsUsed = 0 } = reply;
  const message = "the answer is too large for one message";
  return { ok: false, code: "result_too_large", message, gasUsed, syscallsUsed };
};

const failure = (code: FailureCode, message: string): ProgramFailure => ({
  ok: false,
  code,
  message,
  gas: 0,
  logs: "",
  timedOut: false,
});

const timedOutOutcome = (gasMax: number): ProgramFailure => ({
  ...failure("gas_exhausted", "the program took too long or broke the engine, and was stopped"),
  gas: gasMax,
  timedOut: true,
});

const tooDeep = (depthMax: number): ProgramFailure =>
  failure("depth_exceeded", `programs may call each other ${depthMax} levels deep`);

const tooLarge = (): ProgramFailure =>
  failure(
    "result_too_large",
    `the code and input of a call may have at most ${MESSAGE_BYTES_MAX} bytes`,
  );
