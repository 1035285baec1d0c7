import assert from "node:assert/strict";
import { loadEngineBinary } from "./binary/engine-binary.ts";
import { type Channel, fitsInPayload, MESSAGE, PAYLOAD_BYTES } from "./channel.ts";
import { acquireThread, type EngineThread, releaseThread } from "./engine-thread.ts";
import { acquireInline, type InlineEngine, releaseInline } from "./inline-engine.ts";
import { assertSupported, type SandboxLimits } from "./limits.ts";
import * as messages from "./messages.ts";
import type {
  AnswerSyscall,
  FailureCode,
  Inspection,
  Program,
  ProgramCall,
  ProgramFailure,
  ProgramOutcome,
  SyscallReply,
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
  #engineMs = 0;
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
    if (!fitsInPayload(program.key, method, inputJson, stateJson) || !fitsInPayload(program.code))
      return tooLarge();
    const bounds = { ...call, gasMax, syscallsMax };
    const outcome = this.#execute(answer, {
      here: (replying) => this.#inline.run(bounds, replying),
      inThread: (resuming) =>
        this.#request(program, resuming, (to) => messages.sendCall(to, bounds)),
    });
    return outcome ?? timedOutOutcome(gasMax);
  }

  inspect(program: Program, gasMaxAsked: number): Inspection {
    const gasMax = bounded(gasMaxAsked, this.#limits.gas_max);
    // The deepest program may write code. That code is inspected one level deeper.
    if (this.#depth > this.#limits.depth_max + 1) return tooDeep(this.#limits.depth_max);
    if (!fitsInPayload(program.key) || !fitsInPayload(program.code)) return tooLarge();
    const outcome = this.#execute(noAnswer, {
      here: (replying) => this.#inline.inspect({ program, gasMax }, replying),
      inThread: (resuming) =>
        this.#request(program, resuming, (to) =>
          to.begin(MESSAGE.inspect).number(gasMax).text(program.key).send(),
        ),
    });
    if (outcome === null) return timedOutOutcome(gasMax);
    if (!outcome.ok) return outcome;
    return { ok: true, methods: JSON.parse(outcome.resultJson), gas: outcome.gas };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#depth === 0) releaseInline(this.#limits, this.#inline);
    if (this.#thread === null) return;
    if (this.#threadDepth > 0) await this.#thread.close();
    else await releaseThread(this.#thread);
  }

  /**
   * Runs a program in this thread. If it does not fit, runs it again in the other thread, which
   * gets the replies to its first syscalls from the first attempt. Null if the engine was killed.
   */
  #execute(answer: AnswerSyscall, attempts: Attempts): ProgramOutcome | null {
    assert(!this.#closed, "a closed sandbox cannot run programs");
    if (this.#depth === 0) this.#engineMs = 0;
    if (this.#killed) return null;
    const given: SyscallReply[] = [];
    this.#depth += 1;
    try {
      const outcome = attempts.here((syscall) => {
        const reply = answer(syscall);
        // The program that was killed ends all programs that called it.
        if (this.#killed) throw KILLED;
        given.push(reply);
        return reply;
      });
      return outcome ?? attempts.inThread((syscall) => given.shift() ?? answer(syscall));
    } catch (thrown) {
      if (thrown === KILLED) return null;
      throw thrown;
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#killed = false;
    }
  }

  /** Sends a request, then handles messages until the outcome. Null if the engine was killed. */
  #request(
    program: Program,
    answer: AnswerSyscall,
    send: (to: Channel) => void,
  ): ProgramOutcome | null {
    const thread = this.#readyThread();
    this.#threadDepth += 1;
    try {
      send(thread.channel);
      this.#serve(thread, program, answer);
    } catch (thrown) {
      thread.kill();
      throw thrown;
    } finally {
      this.#threadDepth -= 1;
      if (!thread.alive) this.#killed = true;
    }
    return thread.alive ? messages.readOutcome(thread.channel) : null;
  }

  /** Handles messages of the engine until the request is done or the thread is killed. */
  #serve(thread: EngineThread, program: Program, answer: AnswerSyscall): void {
    const { channel } = thread;
    while (thread.alive) {
      const kind = this.#receive(thread);
      if (kind === null || kind === MESSAGE.broken) thread.kill();
      else if (kind === MESSAGE.codeWanted) {
        channel.begin(MESSAGE.code).text(program.code).send();
      } else if (kind === MESSAGE.syscall) {
        const reply = messages.fittingReply(answer(messages.readSyscall(channel)));
        if (thread.alive) messages.sendSyscallReply(channel, reply);
      } else return;
    }
  }

  /** Waits for a message; null after the timeout. Only engine time counts toward the timeout. */
  #receive(thread: EngineThread): number | null {
    const timeoutMs = this.#limits.wall_timeout_ms;
    for (let waits = 0; waits < TIMEOUT_WAITS_MAX; waits++) {
      const startedMs = performance.now();
      const kind = thread.channel.receive(Math.max(1, timeoutMs - this.#engineMs));
      this.#engineMs += performance.now() - startedMs;
      if (kind !== null) return kind;
      // Time in which the thread waited for a processor does not count.
      this.#engineMs = thread.cpu.spentMs() ?? timeoutMs;
      if (this.#engineMs >= timeoutMs) return null;
    }
    return null;
  }

  #readyThread(): EngineThread {
    if (this.#threadDepth > 0 && this.#thread !== null) return this.#thread;
    if (this.#thread === null || !this.#thread.alive) this.#thread = acquireThread(this.#limits);
    this.#thread.waitUntilReady();
    if (this.#engineMs === 0) this.#thread.cpu.start();
    return this.#thread;
  }
}

/** The two ways to run a program. `here` returns null if the program does not fit. */
type Attempts = {
  readonly here: (answer: AnswerSyscall) => ProgramOutcome | null;
  readonly inThread: (answer: AnswerSyscall) => ProgramOutcome | null;
};

/** Thrown through the frames of programs that wait for a program that was killed. */
const KILLED = Symbol("killed");

const bounded = (asked: number, ceiling: number): number => {
  assert(Number.isSafeInteger(asked) && asked >= 0, "maximums must be whole numbers, 0 or more");
  return Math.min(asked, ceiling);
};

const noAnswer: AnswerSyscall = () => ({
  ok: false,
  code: "not_available",
  message: "code at the top level cannot use kernel; use it in a method",
  gasUsed: 0,
});

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
    `the code and input of a call may have at most ${PAYLOAD_BYTES} bytes`,
  );
