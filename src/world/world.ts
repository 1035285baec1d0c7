import {
  type AgentCommand,
  accept,
  checkInvariants,
  commit,
  type Decision,
  decide,
  type Event,
  encodeEvent,
  type Id,
  type InvokeRequest,
  type Json,
  type MintCommand,
  must,
  principalSubject,
  refuse,
  type State,
  type WorldCommand,
  wakeEvents,
} from "../kernel/index.ts";
import { CheckedCodes } from "./checked-codes.ts";
import { Crank } from "./crank.ts";
import type { AgentCheck, Machinery } from "./machinery.ts";
import { Meter } from "./meter.ts";
import { performAction } from "./perform.ts";
import { ProgramKeys } from "./program-key.ts";
import { NO_CHARGE, type Outcome, type Request } from "./request.ts";
import type { Sandbox } from "./sandbox/index.ts";
import { Transaction } from "./transaction.ts";
import { decodeRequest, encodeRequest } from "./wire-codec.ts";

/** What has happened, as the journal takes it. */
export type Committed = {
  readonly command: string;
  readonly fused: boolean;
  readonly events: readonly ReturnType<typeof encodeEvent>[];
};

/** Where transactions go. `append` throws when it cannot take one, and then it has not happened. */
export type Ledgerkeeper = { append(transaction: Committed): unknown };

export type WorldParts = {
  readonly state: State;
  readonly journal: Ledgerkeeper;
  readonly sandbox: Sandbox;
  readonly agentProblem: AgentCheck;
  /**
   * Called with the events of each transaction as soon as they have happened, for those in this
   * process who keep the agents' time. Whoever shows them to anybody waits for the journal.
   */
  readonly happened?: (events: readonly Event[]) => void;
  /** How many transactions pass between two looks at every invariant; 1 checks after each. */
  readonly checkEvery: number;
};

/** A call that is made for what it shows only. */
export type Trial = {
  readonly principal: Id;
  readonly at_ms: number;
  readonly request: InvokeRequest;
  /** For the whole of it, nested calls included. */
  readonly gasMax: number;
};

/** JSON text of what it returned, null when it failed; `fused` when the engine had to be killed. */
export type Tried = { readonly result: string | null; readonly fused: boolean };

/** So many artifacts, and each as many more, add `checkEvery` transactions between two looks. */
const ARTIFACTS_A_LOOK = 1_000;

/**
 * The single writer. `submit` takes a request, lets the kernel and the programs decide, and
 * commits. It is synchronous: either all of a request happens, or none of it but the record of its
 * failure.
 */
export class World {
  readonly state: State;
  readonly #journal: Ledgerkeeper;
  readonly #machinery: Machinery;
  readonly #checkEvery: number;
  readonly #happened: (events: readonly Event[]) => void;
  /** Transactions up to the next look at all invariants. */
  #untilCheck: number;

  constructor(parts: WorldParts) {
    this.state = parts.state;
    this.#journal = parts.journal;
    this.#checkEvery = parts.checkEvery;
    this.#untilCheck = parts.checkEvery;
    this.#happened = parts.happened ?? (() => {});
    this.#machinery = {
      sandbox: parts.sandbox,
      keys: new ProgramKeys(),
      checked: new CheckedCodes(),
      agentProblem: parts.agentProblem,
    };
  }

  submit(given: Request): Outcome {
    // What is decided is what the journal will say was asked, to the last bit.
    const command = encodeRequest(given);
    const request = decodeRequest(command);
    const tx = new Transaction(this.state);
    try {
      const outcome = this.#perform(tx, request);
      if (tx.events.length === 0) return outcome;
      tx.record(accept(wakeEvents(this.state, tx.events), null));
      this.#check();
      // COMMIT POINT. Every check stands above; if the journal cannot take it, it has not happened.
      this.#journal.append(committed(tx, command));
      commit(this.state);
      this.#happened(tx.events);
      return outcome;
    } finally {
      // After a commit there is nothing left to take back; after a fault all of it is.
      this.state.undo.rollback(0);
    }
  }

  /**
   * A look costs as much as the world is large: in a larger one more transactions share it. How
   * many, is settled at the look before, so that no growth can put the next one off.
   */
  #check(): void {
    this.#untilCheck -= 1;
    if (this.#untilCheck > 0) return;
    checkInvariants(this.state);
    const parts = Math.ceil(this.state.artifacts.size / ARTIFACTS_A_LOOK);
    this.#untilCheck = this.#checkEvery * parts;
  }

  /**
   * What a call would give, were it made now by this principal. It is carried out with all it calls
   * and then taken back: nothing stays, and nothing is recorded.
   */
  tryOut({ principal, at_ms, request, gasMax }: Trial): Tried {
    const tx = new Transaction(this.state);
    const crank = new Crank(tx, this.#machinery);
    try {
      const step = { by: principalSubject(principal, at_ms), meter: new Meter(gasMax) };
      const returned = crank.invoke(step, request);
      return { result: returned.ok ? returned.result : null, fused: tx.fused };
    } finally {
      this.state.undo.rollback(0);
    }
  }

  #perform(tx: Transaction, request: Request): Outcome {
    switch (request.kind) {
      case "carry_out": {
        const { principal, at_ms: atMs, backoff } = request;
        const agent = must(this.state.agents.get(principal), "an agent carries out its decision");
        const crank = new Crank(tx, this.#machinery);
        return performAction(crank, { principal, atMs, action: agent.pending, backoff });
      }
      case "take_action": {
        if (!this.state.accounts.has(request.principal)) return strangerOf(request.principal);
        const { principal, at_ms: atMs, action, backoff } = request;
        return performAction(new Crank(tx, this.#machinery), { principal, atMs, action, backoff });
      }
      case "complete_thought": {
        const { keeps = [], ...command } = request;
        const outcome = this.#decide(tx, command);
        if (!tx.events.some(({ kind }) => kind === "thought_completed")) return outcome;
        const { at_ms, agent } = command;
        for (const keep of keeps) this.#decide(tx, { kind: "remember", at_ms, agent, ...keep });
        return outcome;
      }
      default:
        return this.#decide(tx, request);
    }
  }

  #decide(tx: Transaction, command: Plain): Outcome {
    const decision = decide(this.state, command);
    tx.record(decision);
    return outcomeOf(decision);
  }
}

type Plain = WorldCommand | MintCommand | AgentCommand;

const committed = (tx: Transaction, command: string): Committed => ({
  command,
  fused: tx.fused,
  events: tx.events.map((event: Event) => encodeEvent(event)),
});

const outcomeOf = (decision: Decision<Json>): Outcome => {
  if (decision.kind === "accepted") {
    const result = JSON.stringify(decision.answer);
    return { ...NOT_REFUSED, message: "done", result };
  }
  const why = decision.kind === "refused" ? decision.refusal : null;
  return {
    success: false,
    message: why?.message ?? "a contract must be asked",
    result: null,
    error_code: why?.code ?? "not_authorized",
    retriable: why?.retriable ?? false,
    charged: NO_CHARGE,
  };
};

/** The asker is from outside the world and may have got a name wrong. */
const strangerOf = (id: Id): Outcome =>
  outcomeOf(refuse("not_found", `"${id}" is no principal of this world`));

const NOT_REFUSED = {
  success: true,
  error_code: null,
  retriable: false,
  charged: NO_CHARGE,
} as const;
