import {
  type Call,
  type CallFailure,
  type Decided,
  decide,
  type Evidence,
  type Id,
  type InvokeRequest,
  isNative,
  type Json,
  liveArtifact,
  physicsOf,
  QUERY_LIMIT_MAX,
  refusal,
  type WriteRequest,
  type WriteResult,
} from "../../kernel/index.ts";
import { decodeJson } from "../core/json.ts";
import type { ActionStep, Completed, Execution, ExecutionContext, Returned } from "./context.ts";
import { gatherEvidence } from "./evidence.ts";
import { inputJsonOf, programOf, refusalFor } from "./programs.ts";
import { answerSyscall } from "./syscalls.ts";
import type { GatedCommand, Meter, Transaction, UngatedCommand } from "./transaction.ts";

/** The maximum number of questions about one command: no command asks all 4 `Question` kinds. */
const QUESTIONS_MAX = 3;

/** Executes one action. An invocation keeps all its effects, or only the record of its failure. */
export class Invoker implements Execution {
  readonly tx: Transaction;
  readonly context: ExecutionContext;

  constructor(tx: Transaction, context: ExecutionContext) {
    this.tx = tx;
    this.context = context;
  }

  decide(command: UngatedCommand): Decided<Json> {
    const decision = decide(this.tx.state, command);
    this.tx.record(decision);
    return decision;
  }

  decideGated(step: ActionStep, command: GatedCommand): Decided<Json> {
    return this.#settle(step, (evidence) => decide(this.tx.state, { ...command, ...evidence }));
  }

  write(step: ActionStep, request: WriteRequest): Decided<WriteResult> {
    const { bytes: bytesSpent } = this.tx;
    const command = { kind: "write_artifact", by: step.by, request, bytesSpent } as const;
    const decision = this.#settle(step, (evidence) =>
      decide(this.tx.state, { ...command, ...evidence }),
    );
    if (decision.kind === "accepted") this.tx.bytes += decision.answer.bytes;
    return decision;
  }

  invoke(step: ActionStep, request: InvokeRequest): Returned {
    if (isNative(request.artifact_id)) return this.#callNative(step, request);
    const { by } = step;
    const mark = this.tx.mark();
    const opened = this.#settle(step, (evidence) =>
      decide(this.tx.state, { kind: "open_invocation", by, request, ...evidence }),
    );
    if (opened.kind !== "accepted") return refused(opened);
    const call = opened.answer;
    const ran = this.run(step, call);
    const done = "refusal" in ran ? ran : (this.#close(call, ran) ?? ran);
    if ("result" in done) return { ok: true, result: done.result };
    this.tx.rollback(mark);
    this.tx.record(decide(this.tx.state, { kind: "fail_invocation", by, request, failed: done }));
    return { ok: false, refusal: done.refusal };
  }

  /** Runs the program of an open call in the sandbox. Charges the gas even if the program fails. */
  run(step: ActionStep, call: Call): Completed | CallFailure {
    const { state, syscalls } = this.tx;
    const notified = new Map<Id, string | null>();
    const { artifact, self } = call;
    const caller = call.caller.actor;
    const outcome = this.context.sandbox.run(
      {
        program: programOf(artifact.code ?? ""),
        method: call.method,
        inputJson: inputJsonOf({
          args: call.args,
          self: artifact.id,
          caller,
          origin: self.origin,
          attached: call.attach,
          now: self.atMs,
        }),
        stateJson: liveArtifact(state, artifact.id)?.state ?? artifact.state,
        gasMax: step.meter.left,
        syscallsMax: physicsOf(state).sandbox.syscalls_max - syscalls,
      },
      (syscall) => answerSyscall(this, { by: self, caller, notified }, syscall),
    );
    const { gas, logs: log } = outcome;
    step.meter.use(gas);
    if (outcome.ok) {
      const told = [...notified].flatMap(([to, text]) => (text === null ? [] : [{ to, text }]));
      const ran = { state: outcome.stateJson, gas, log, notified: [...notified.keys()], told };
      return { result: outcome.resultJson, ran };
    }
    const { code, message, dataJson, timedOut } = outcome;
    if (timedOut) this.tx.killed();
    const data = dataJson === undefined ? undefined : decodeJson(dataJson);
    return { refusal: refusalFor(code, message, data), gas, log, timedOut };
  }

  /** Runs a search. Charges the gas of one more syscall for each page that the search reads. */
  search<Found>(meter: Meter, find: () => Found): Found {
    const { catalogue } = this.tx.state;
    const before = catalogue.looked;
    const found = find();
    const pages = Math.floor((catalogue.looked - before) / QUERY_LIMIT_MAX);
    meter.use(pages * physicsOf(this.tx.state).sandbox.gas_table.syscall);
    return found;
  }

  #callNative(step: ActionStep, request: InvokeRequest): Returned {
    step.meter.use(physicsOf(this.tx.state).sandbox.gas_table.syscall);
    const command = { ...request, kind: "call_native", by: step.by } as const;
    const decision = this.search(step.meter, () => this.decideGated(step, command));
    if (decision.kind !== "accepted") return refused(decision);
    return { ok: true, result: JSON.stringify(decision.answer) };
  }

  /** Closes a finished call. Returns a failure if its effects cannot be kept, otherwise null. */
  #close(call: Call, { ran }: Completed): CallFailure | null {
    const decision = decide(this.tx.state, { kind: "close_invocation", call, ran });
    this.tx.record(decision);
    if (decision.kind === "accepted") return null;
    const { gas, log } = ran;
    return { refusal: refusalOf(decision), gas, log, timedOut: false };
  }

  /** Asks the kernel for a decision. Asks again with the evidence that the kernel needs. */
  #settle<Answer>(step: ActionStep, put: (evidence: Evidence) => Decided<Answer>): Decided<Answer> {
    let evidence: Evidence = {};
    let decision = put(evidence);
    for (let asked = 0; decision.kind === "asks" && asked < QUESTIONS_MAX; asked++) {
      evidence = { ...evidence, ...gatherEvidence(this, step, decision.question) };
      decision = put(evidence);
    }
    this.tx.record(decision);
    return decision;
  }
}

const STILL_ASKING = refusal("not_authorized", "an access contract asks for another one");

type NotAccepted = Exclude<Decided<unknown>, { readonly kind: "accepted" }>;

export const refusalOf = (decision: NotAccepted) =>
  decision.kind === "refused" ? decision.refusal : STILL_ASKING;

const refused = (decision: NotAccepted): Returned => ({ ok: false, refusal: refusalOf(decision) });
