import {
  asId,
  type Call,
  CHECK_METHOD,
  type Decision,
  decide,
  type Evidence,
  type Failed,
  type Id,
  type InvokeRequest,
  isNative,
  type Json,
  liveArtifact,
  NOTHING_ATTACHED,
  type Permit,
  parsePermit,
  physicsOf,
  type Question,
  type Refusal,
  type RefusalCode,
  refusal,
  type Subject,
  type TrialRun,
  type WriteRequest,
  type Written,
} from "../kernel/index.ts";
import type { Meter } from "./meter.ts";
import type { ProgramKeys } from "./program-key.ts";
import type { FailureCode, ProgramOutcome, Sandbox } from "./sandbox/index.ts";
import { answerSyscall } from "./syscall.ts";
import type { Gated, Transaction, Ungated } from "./transaction.ts";
import { decodeJson } from "./wire-codec.ts";

/** What an invocation gave: JSON text, or the reason why it gave nothing. */
export type Returned =
  | { readonly ok: true; readonly result: string }
  | { readonly ok: false; readonly refusal: Refusal };

/** Says what is wrong with text as the configuration of an agent, null when nothing is. */
export type AgentCheck = (content: string) => string | null;

export type Machinery = {
  readonly sandbox: Sandbox;
  readonly keys: ProgramKeys;
  readonly agentProblem: AgentCheck;
};

/** A step of an action: who takes it, and the gas it may use. */
export type Step = { readonly by: Subject; readonly meter: Meter };

/**
 * Turns one action into decisions of the kernel and runs of the engine. An invocation is one crank:
 * its syscalls are decided against the draft, and either all of it stays or none but the record of
 * its failure.
 */
export class Crank {
  readonly tx: Transaction;
  readonly #machinery: Machinery;

  constructor(tx: Transaction, machinery: Machinery) {
    this.tx = tx;
    this.#machinery = machinery;
  }

  /** Puts a command to the kernel that no contract has a say in. */
  plain(command: Ungated): Decision<Json> {
    const decision = decide(this.tx.state, command);
    this.tx.record(decision);
    return decision;
  }

  /** Puts a command to the kernel, asking a contract first where that is called for. */
  gated(step: Step, command: Gated): Decision<Json> {
    return this.#settle(step, (evidence) => decide(this.tx.state, { ...command, ...evidence }));
  }

  write(step: Step, request: WriteRequest): Decision<Written> {
    const findings = {
      code: this.#inspect(step, request.code),
      agentProblem: this.#agentProblem(step, request),
    };
    const { bytes: bytesSpent } = this.tx;
    const command = { kind: "write_artifact", by: step.by, request, findings, bytesSpent } as const;
    const decision = this.#settle(step, (evidence) =>
      decide(this.tx.state, { ...command, ...evidence }),
    );
    if (decision.kind === "accepted") this.tx.bytes += decision.answer.bytes;
    return decision;
  }

  invoke(step: Step, request: InvokeRequest): Returned {
    if (isNative(request.artifact_id)) return this.#native(step, request);
    const { by } = step;
    const mark = this.tx.mark();
    const opened = this.#settle(step, (evidence) =>
      decide(this.tx.state, { kind: "open_invocation", by, request, ...evidence }),
    );
    if (opened.kind !== "accepted") return refused(opened);
    const done = this.#complete(step, opened.answer);
    if ("result" in done) return { ok: true, result: done.result };
    this.tx.rollback(mark);
    this.tx.record(decide(this.tx.state, { kind: "fail_invocation", by, request, failed: done }));
    return { ok: false, refusal: done.refusal };
  }

  random(): number {
    return this.tx.random();
  }

  #native(step: Step, request: InvokeRequest): Returned {
    step.meter.use(physicsOf(this.tx.state).sandbox.gas_table.syscall);
    const decision = this.gated(step, { ...request, kind: "call_native", by: step.by });
    if (decision.kind !== "accepted") return refused(decision);
    return { ok: true, result: JSON.stringify(decision.answer) };
  }

  /** Runs an open call and closes it, or says why what it did cannot stand. */
  #complete(step: Step, call: Call): Completed | Failed {
    const ran = this.#run(step, call);
    return "refusal" in ran ? ran : (this.#close(call, ran) ?? ran);
  }

  /** Runs the code of an open call; its gas is used whatever becomes of it. */
  #run(step: Step, call: Call): Completed | Failed {
    const { state } = this.tx;
    const { artifact, self } = call;
    const outcome = this.#machinery.sandbox.run(
      {
        program: this.#program(artifact.code ?? ""),
        method: call.method,
        inputJson: JSON.stringify({
          args: call.args,
          self: artifact.id,
          caller: call.caller.actor,
          origin: self.origin,
          attached: call.attach,
          now: self.atMs,
        }),
        stateJson: liveArtifact(state, artifact.id)?.state ?? artifact.state,
        gasMax: step.meter.left,
        syscallsMax: physicsOf(state).sandbox.syscalls_max - this.tx.syscalls,
        readOnly: self.readOnly,
      },
      (syscall) => answerSyscall(this, { by: self, caller: call.caller.actor }, syscall),
    );
    step.meter.use(outcome.gas);
    return this.#judge(outcome);
  }

  #judge(outcome: ProgramOutcome): Completed | Failed {
    const { gas, logs: log } = outcome;
    if (outcome.ok) {
      return { result: outcome.resultJson, ran: { state: outcome.stateJson, gas, log } };
    }
    if (outcome.fused) this.#killed();
    const data = outcome.dataJson === undefined ? undefined : decodeJson(outcome.dataJson);
    return {
      refusal: refusal(CODES[outcome.code], outcome.message, data),
      gas,
      log,
      fused: outcome.fused,
    };
  }

  /** Null when the call is closed; otherwise why what it did cannot stand. */
  #close(call: Call, completed: Completed): Failed | null {
    const decision = decide(this.tx.state, {
      kind: "close_invocation",
      call,
      ran: completed.ran,
    });
    this.tx.record(decision);
    if (decision.kind === "accepted") return null;
    const { gas, log } = completed.ran;
    const why = decision.kind === "refused" ? decision.refusal : STILL_ASKING;
    return { refusal: why, gas, log, fused: false };
  }

  /** Decides, finds out what the kernel asks for, decides again with the evidence, records. */
  #settle<Answer>(step: Step, put: (evidence: Evidence) => Decision<Answer>): Decision<Answer> {
    let evidence: Evidence = {};
    let decision = put(evidence);
    for (let asked = 0; decision.kind === "asks" && asked < QUESTIONS_MAX; asked++) {
      evidence = { ...evidence, ...this.#find(step, decision.question) };
      decision = put(evidence);
    }
    this.tx.record(decision);
    return decision;
  }

  #find(step: Step, question: Question): Evidence {
    switch (question.kind) {
      case "permission":
        return { permit: this.#ask(step, question) };
      case "trial":
        return { trial: this.#tryOut(step, question) };
      case "agent_check":
        return { agent_check: { problem: this.#checkAgent(step, question.content) } };
    }
  }

  /**
   * Runs a program on its own, without syscalls and without a trace. Every run is charged the same,
   * even one in which the engine had to be killed, and where there is not gas for all of them there
   * is none for any: the bill tells nothing of arguments that are nobody's to know.
   */
  #tryOut(step: Step, question: Asked<"trial">): readonly TrialRun[] {
    const { artifact, method, runs, gas_each: gasMax } = question;
    const { code = null, state: stateJson = "{}" } = liveArtifact(this.tx.state, artifact) ?? {};
    const needed = gasMax * runs.length;
    if (step.meter.left < needed) {
      return runs.map(() => ({ ok: false, message: `all tests together take ${needed} gas` }));
    }
    step.meter.use(needed);
    return runs.map((args): TrialRun => {
      // The world is held up once: what comes after that is not run.
      if (this.tx.fused) return { ok: false, message: "it was killed before" };
      const { by } = step;
      const about = { self: artifact, caller: by.actor, origin: by.origin, now: by.atMs };
      const outcome = this.#machinery.sandbox.run(
        {
          program: this.#program(code ?? ""),
          method,
          inputJson: JSON.stringify({ args, ...about, attached: NOTHING_ATTACHED }),
          stateJson,
          gasMax,
          syscallsMax: 0,
          readOnly: true,
        },
        () => ({ ok: false, code: "not_authorized", message: "it is on trial", gasUsed: 0 }),
      );
      if (outcome.ok) return { ok: true, result: decodeJson(outcome.resultJson) };
      if (outcome.fused) this.tx.fused = true;
      return { ok: false, message: outcome.message };
    });
  }

  /** Runs `check_permission` so that it can look at everything and change nothing. */
  #ask(step: Step, question: Asked<"permission">): Permit {
    const { contract, request } = question;
    const { by, meter } = step;
    const deny = (reason: string): Permit => parsePermit(contract, { allowed: false, reason });
    const artifact = liveArtifact(this.tx.state, contract);
    const physics = physicsOf(this.tx.state);
    if (artifact === undefined || artifact.code === null) return deny("the contract is gone");
    if (by.stack.includes(contract)) return deny("the contract is already being asked");
    if (by.stack.length >= physics.sandbox.invoke_depth_max + physics.access.depth_max) {
      return deny("contracts ask each other too deeply");
    }
    const mark = this.tx.mark();
    const self: Subject = {
      ...by,
      actor: contract,
      purse: null,
      stack: [...by.stack, contract],
      readOnly: true,
    };
    const call: Call = {
      artifact,
      method: CHECK_METHOD,
      args: [request],
      attach: NOTHING_ATTACHED,
      price: 0,
      paidTo: null,
      caller: by,
      self,
    };
    const answer = this.#run({ by, meter }, call);
    this.tx.rollback(mark);
    if ("refusal" in answer) return deny(`the contract failed: ${answer.refusal.message}`);
    return parsePermit(contract, decodeJson(answer.result));
  }

  #inspect(step: Step, code: string | null | undefined) {
    if (code === undefined || code === null) return null;
    const found = this.#machinery.sandbox.inspect(this.#program(code), step.meter.left);
    step.meter.use(found.gas);
    if (!found.ok && found.fused) this.#killed();
    if (!found.ok) {
      const message = `the code cannot be used: ${found.message}`;
      return { refusal: refusal(CODES[found.code], message) };
    }
    const methods = found.methods.filter((name) => METHOD_NAME.test(name));
    if (methods.length <= METHODS_MAX) return { methods };
    const message = `a program has at most ${METHODS_MAX} methods, this one ${methods.length}`;
    return { refusal: refusal("invalid_argument", message) };
  }

  #agentProblem(step: Step, request: WriteRequest): string | null {
    const artifact = liveArtifact(this.tx.state, asId(request.artifact_id));
    if (artifact?.canExecute !== true || request.content === undefined) return null;
    return this.#checkAgent(step, request.content);
  }

  #checkAgent(step: Step, content: string): string | null {
    const { per_kb_input } = physicsOf(this.tx.state).sandbox.gas_table;
    step.meter.use(per_kb_input * Math.ceil(content.length / 1024));
    return this.#machinery.agentProblem(content);
  }

  #killed(): void {
    this.tx.fused = true;
    this.tx.takesAllGas = true;
  }

  #program(code: string) {
    return { key: this.#machinery.keys.of(code), code };
  }
}

type Asked<K extends Question["kind"]> = Extract<Question, { readonly kind: K }>;

/** A command asks each kind of question at most once. */
const QUESTIONS_MAX = 3;

/** The engine's words for what went wrong, in the kernel's. */
const CODES: { readonly [Code in FailureCode]: RefusalCode } = {
  runtime_error: "runtime_error",
  syntax_error: "syntax_error",
  gas_exhausted: "gas_exhausted",
  memory_exhausted: "memory_exhausted",
  stack_exhausted: "stack_exhausted",
  syscalls_exhausted: "syscalls_exhausted",
  depth_exceeded: "depth_exceeded",
  result_too_large: "result_too_large",
  state_too_large: "result_too_large",
  rejected_by_artifact: "rejected_by_artifact",
  method_not_found: "not_found",
};

/** What an action can name and a screen can show; functions called otherwise are private. */
const METHOD_NAME = /^[A-Za-z$][\w$]{0,63}$/;
const METHODS_MAX = 64;

type Completed = {
  readonly result: string;
  readonly ran: { readonly state: string | null; readonly gas: number; readonly log: string };
};

const STILL_ASKING = refusal("not_authorized", "an access contract asks for another one");

export const refused = (decision: Exclude<Decision<unknown>, { kind: "accepted" }>): Returned => ({
  ok: false,
  refusal: decision.kind === "refused" ? decision.refusal : STILL_ASKING,
});

/** Those a program may hand things to at once: who called it, and who started it all. */
export const askersOf = (by: Subject, caller: Id): readonly Id[] => [caller, by.origin];
