import assert from "node:assert/strict";
import { type Channel, fits, MESSAGE, PAYLOAD_BYTES } from "./channel.ts";
import { type EngineBinary, loadEngineBinary } from "./engine-binary.ts";
import type { EngineThread } from "./engine-thread.ts";
import { limitsProblem, type SandboxLimits } from "./limits.ts";
import {
  fittingReply,
  readInspection,
  readOutcome,
  readSyscall,
  sendCall,
  sendReply,
} from "./messages.ts";
import type {
  FailureCode,
  Inspection,
  Program,
  ProgramCall,
  ProgramFailure,
  ProgramOutcome,
} from "./program.ts";
import { giveBack, threadFor } from "./spare-thread.ts";
import type { Answer } from "./syscall.ts";

/** A thread that neither answers nor runs for so many fuses' time is taken to be dead. */
const FUSE_WAITS_MAX = 100;

/**
 * Runs programs that nobody trusts, in a thread that can be killed, and blocks until they end.
 *
 * `run` may be called again from inside `answer`: that program runs while the asking one is
 * suspended. Equal calls have equal outcomes, gas and logs included, whatever ran before, but for
 * those marked `fused`.
 */
export class Sandbox {
  readonly #limits: SandboxLimits;
  readonly #binary: EngineBinary;
  #thread: EngineThread;
  #depth = 0;
  #engineMs = 0;
  #closed = false;
  #lastKill: string | null = null;

  constructor(limits: SandboxLimits) {
    const problem = limitsProblem(limits);
    assert(problem === null, `sandbox limits: ${problem}`);
    this.#limits = limits;
    this.#binary = loadEngineBinary();
    this.#thread = this.#newThread();
  }

  /** Names the engine's exact build and patches: outcomes are comparable within one version. */
  get engineVersion(): string {
    return this.#binary.version;
  }

  /** Runs one method to its end. `answer` must not throw; if it does, the engine is restarted. */
  run(call: ProgramCall, answer: Answer): ProgramOutcome {
    if (this.#depth > this.#limits.depthMax) return tooDeep(this.#limits.depthMax);
    const gasMax = bounded(call.gasMax, this.#limits.gasMax);
    const syscallsMax = bounded(call.syscallsMax, this.#limits.syscallsMax);
    const { program, method, inputJson, stateJson } = call;
    if (!fits(program.key, method, inputJson, stateJson) || !fits(program.code)) return tooLarge();
    const channel = this.#converse(program, answer, (to) => {
      sendCall(to, { ...call, gasMax, syscallsMax });
    });
    return channel === null ? fusedOutcome(gasMax) : readOutcome(channel);
  }

  /** Loads a program without running a method: does it parse, does it start, what does it offer. */
  inspect(program: Program, gasMaxAsked: number): Inspection {
    const gasMax = bounded(gasMaxAsked, this.#limits.gasMax);
    // The deepest program may still write code, which is then inspected one level below it.
    if (this.#depth > this.#limits.depthMax + 1) return tooDeep(this.#limits.depthMax);
    if (!fits(program.key) || !fits(program.code)) return tooLarge();
    const channel = this.#converse(program, noAnswer, (to) => {
      to.begin(MESSAGE.inspect).number(gasMax).text(program.key).send();
    });
    return channel === null ? fusedOutcome(gasMax) : readInspection(channel);
  }

  /** Why the engine's thread was last given up, for whoever runs the world; null if never. */
  get lastKill(): string | null {
    return this.#lastKill;
  }

  /** Gives the thread up. Not needed for the process to end. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#depth > 0) await this.#thread.close();
    else await giveBack(this.#thread);
  }

  /** Sends one request and answers what comes back until it is done; null when the fuse blew. */
  #converse(program: Program, answer: Answer, send: (to: Channel) => void): Channel | null {
    const thread = this.#threadToUse();
    if (!thread.alive) return null;
    this.#depth += 1;
    let orderly = false;
    try {
      send(thread.channel);
      this.#attend(thread, program, answer);
      orderly = true;
    } finally {
      if (!orderly) this.#kill(thread, "the one who answers threw an error");
      this.#depth -= 1;
      if (this.#depth === 0 && !thread.alive) this.#thread = this.#newThread();
    }
    return thread.alive ? thread.channel : null;
  }

  /** Returns when the request is done, or the thread dead: then every suspended call ends too. */
  #attend(thread: EngineThread, program: Program, answer: Answer): void {
    const { channel } = thread;
    while (thread.alive) {
      const kind = this.#receive(thread);
      if (kind === null) this.#kill(thread, `no answer within ${this.#limits.wallFuseMs} ms`);
      else if (kind === MESSAGE.broken) this.#kill(thread, channel.textAt(0));
      else if (kind === MESSAGE.codeWanted) {
        channel.begin(MESSAGE.code).text(program.code).send();
      } else if (kind === MESSAGE.syscall) {
        const reply = fittingReply(answer(readSyscall(channel)));
        if (thread.alive) sendReply(channel, reply);
      } else return;
    }
  }

  /** Waits as long as the fuse of the outermost call allows; only engine time burns it down. */
  #receive(thread: EngineThread): number | null {
    const fuseMs = this.#limits.wallFuseMs;
    for (let waits = 0; waits < FUSE_WAITS_MAX; waits++) {
      const startedMs = performance.now();
      const kind = thread.channel.receive(Math.max(1, fuseMs - this.#engineMs));
      this.#engineMs += performance.now() - startedMs;
      if (kind !== null) return kind;
      // Time in which the thread had to wait for a processor is given back.
      this.#engineMs = thread.cpu.spentMs() ?? fuseMs;
      if (this.#engineMs >= fuseMs) return null;
    }
    return null;
  }

  #threadToUse(): EngineThread {
    assert(!this.#closed, "a closed sandbox runs nothing");
    if (this.#depth > 0) return this.#thread;
    if (!this.#thread.alive) this.#thread = this.#newThread();
    this.#thread.waitUntilReady();
    this.#thread.cpu.begin();
    this.#engineMs = 0;
    return this.#thread;
  }

  #kill(thread: EngineThread, reason: string): void {
    if (!thread.alive) return;
    this.#lastKill = reason;
    thread.kill();
  }

  #newThread(): EngineThread {
    return threadFor(this.#binary.module, this.#limits);
  }
}

const bounded = (asked: number, ceiling: number): number => {
  assert(Number.isSafeInteger(asked) && asked >= 0, "maxima are whole numbers, 0 or more");
  return Math.min(asked, ceiling);
};

const noAnswer: Answer = () => ({
  ok: false,
  code: "not_available",
  message: "a program that is only inspected has no kernel",
  gasUsed: 0,
});

const failure = (code: FailureCode, message: string): ProgramFailure => ({
  ok: false,
  code,
  message,
  gas: 0,
  syscalls: 0,
  logs: "",
  fused: false,
});

const fusedOutcome = (gasMax: number): ProgramFailure => ({
  ...failure("gas_exhausted", "the program held up or broke the engine and was stopped"),
  gas: gasMax,
  fused: true,
});

const tooDeep = (depthMax: number): ProgramFailure =>
  failure("depth_exceeded", `programs may call each other ${depthMax} levels deep`);

const tooLarge = (): ProgramFailure =>
  failure("result_too_large", `what a call carries is at most ${PAYLOAD_BYTES} bytes`);
