import {
  type Call,
  type Decision,
  decide,
  type Evidence,
  type Failed,
  type InvokeRequest,
  isNative,
  type Json,
  physicsOf,
  QUERY_LIMIT_MAX,
  type Refusal,
  refusal,
  type WriteRequest,
  type Written,
} from "../kernel/index.ts";
import { type Completed, runCall } from "./call-run.ts";
import { findOut } from "./inquiry.ts";
import type { Machinery, Step } from "./machinery.ts";
import type { Meter } from "./meter.ts";
import type { Gated, Transaction, Ungated } from "./transaction.ts";

/** What an invocation gave: JSON text, or the reason why it gave nothing. */
export type Returned =
  | { readonly ok: true; readonly result: string }
  | { readonly ok: false; readonly refusal: Refusal };

/** A command asks each kind of question at most once, and none asks all of them. */
const QUESTIONS_MAX = 3;

/**
 * Turns one action into decisions of the kernel and runs of the engine. An invocation is one crank:
 * its syscalls are decided against the draft, and either all of it stays or none but the record of
 * its failure.
 */
export class Crank {
  readonly tx: Transaction;
  readonly machinery: Machinery;

  constructor(tx: Transaction, machinery: Machinery) {
    this.tx = tx;
    this.machinery = machinery;
  }

  /** Puts a command to the kernel about which it asks nothing. */
  plain(command: Ungated): Decision<Json> {
    const decision = decide(this.tx.state, command);
    this.tx.record(decision);
    return decision;
  }

  /** Puts a command to the kernel and finds out what it asks. */
  gated(step: Step, command: Gated): Decision<Json> {
    return this.#settle(step, (evidence) => decide(this.tx.state, { ...command, ...evidence }));
  }

  write(step: Step, request: WriteRequest): Decision<Written> {
    const { bytes: bytesSpent } = this.tx;
    const command = { kind: "write_artifact", by: step.by, request, bytesSpent } as const;
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

  /** Looks something up, at the gas of one more syscall for each page that is looked through. */
  lookUp<Found>(meter: Meter, look: () => Found): Found {
    const { catalogue } = this.tx.state;
    const before = catalogue.looked;
    const found = look();
    const pages = Math.floor((catalogue.looked - before) / QUERY_LIMIT_MAX);
    meter.use(pages * physicsOf(this.tx.state).sandbox.gas_table.syscall);
    return found;
  }

  #native(step: Step, request: InvokeRequest): Returned {
    step.meter.use(physicsOf(this.tx.state).sandbox.gas_table.syscall);
    const command = { ...request, kind: "call_native", by: step.by } as const;
    const decision = this.lookUp(step.meter, () => this.gated(step, command));
    if (decision.kind !== "accepted") return refused(decision);
    return { ok: true, result: JSON.stringify(decision.answer) };
  }

  /** Runs an open call and closes it, or says why what it did cannot stand. */
  #complete(step: Step, call: Call): Completed | Failed {
    const done = runCall(this, step, call);
    return "refusal" in done ? done : (this.#close(call, done) ?? done);
  }

  /** Null when the call is closed; otherwise why what it did cannot stand. */
  #close(call: Call, { ran }: Completed): Failed | null {
    const decision = decide(this.tx.state, { kind: "close_invocation", call, ran });
    this.tx.record(decision);
    if (decision.kind === "accepted") return null;
    const { gas, log } = ran;
    const why = decision.kind === "refused" ? decision.refusal : STILL_ASKING;
    return { refusal: why, gas, log, fused: false };
  }

  /** Decides, finds out what the kernel asks for, decides again with the evidence, records. */
  #settle<Answer>(step: Step, put: (evidence: Evidence) => Decision<Answer>): Decision<Answer> {
    let evidence: Evidence = {};
    let decision = put(evidence);
    for (let asked = 0; decision.kind === "asks" && asked < QUESTIONS_MAX; asked++) {
      evidence = { ...evidence, ...findOut(this, step, decision.question) };
      decision = put(evidence);
    }
    this.tx.record(decision);
    return decision;
  }
}

const STILL_ASKING = refusal("not_authorized", "an access contract asks for another one");

export const refused = (decision: Exclude<Decision<unknown>, { kind: "accepted" }>): Returned => ({
  ok: false,
  refusal: decision.kind === "refused" ? decision.refusal : STILL_ASKING,
});
