import * as kernel from "../../kernel/index.ts";
import type { Outcome, Request, SimulatedCall, SimulatedResult } from "../core/request.ts";
import {
  decodeRequest,
  encodeEvent,
  encodeRequest,
  type JournalTransaction,
} from "../journal/index.ts";
import type { Sandbox } from "../sandbox/index.ts";
import type { AgentCheck, ExecutionContext } from "./context.ts";
import { checkCode } from "./evidence.ts";
import { endedWith, executeAction } from "./execute-action.ts";
import { Invoker, refusalOf } from "./invoker.ts";
import { Meter, Transaction } from "./transaction.ts";

/** Stores transactions. If `append` throws, the transaction is rolled back. */
type JournalSink = { append(transaction: JournalTransaction): unknown };

export type WorldParts = {
  readonly state: kernel.State;
  readonly journal: JournalSink;
  readonly sandbox: Sandbox;
  readonly agentProblem: AgentCheck;
  /** Receives the events of each transaction. Do not show the events before their commit. */
  readonly happened?: (events: readonly kernel.Event[]) => void;
  /** All invariants are checked once per this many transactions. 1 means after each. */
  readonly checkEvery: number;
};

/** The interval between checks is `checkEvery` · ⌈artifacts / ARTIFACTS_PER_INTERVAL⌉. */
const ARTIFACTS_PER_INTERVAL = 1_000;

/** The only writer of a state and its journal. `submit` is atomic: all effects, or a failure. */
export class World {
  readonly state: kernel.State;
  readonly #journal: JournalSink;
  readonly #context: ExecutionContext;
  readonly #checkEvery: number;
  readonly #happened: (events: readonly kernel.Event[]) => void;
  #untilCheck: number;

  constructor(parts: WorldParts) {
    this.state = parts.state;
    this.#journal = parts.journal;
    this.#checkEvery = parts.checkEvery;
    this.#untilCheck = parts.checkEvery;
    this.#happened = parts.happened ?? (() => {});
    const { sandbox, agentProblem } = parts;
    this.#context = { sandbox, agentProblem, checked: new kernel.BoundedResults(1_000) };
  }

  submit(given: Request): Outcome {
    // Use exactly the request that the journal will record.
    const command = encodeRequest(given);
    const request = decodeRequest(command);
    const tx = new Transaction(this.state);
    try {
      const outcome = this.#execute(tx, request);
      if (tx.events.length === 0) return outcome;
      tx.record(kernel.accept(kernel.wakeEvents(this.state, tx.happened), null));
      this.#check();
      // COMMIT POINT. All checks have passed. If `append` throws, the transaction is rolled back.
      this.#journal.append(committed(tx, command));
      kernel.commit(this.state);
      this.#happened(tx.events);
      return outcome;
    } finally {
      // After a failure, undoes all changes. After a commit, there is nothing to undo.
      this.state.undo.rollback(0);
    }
  }

  /** Checks the invariants. The interval grows with the world, because a check is O(world size). */
  #check(): void {
    this.#untilCheck -= 1;
    if (this.#untilCheck > 0) return;
    kernel.checkInvariants(this.state);
    const intervals = Math.ceil(this.state.artifacts.size / ARTIFACTS_PER_INTERVAL);
    this.#untilCheck = this.#checkEvery * intervals;
  }

  /** Runs a call with its nested calls, then rolls back all effects. Records nothing. */
  simulateCall({ principal, at_ms, request, gasMax }: SimulatedCall): SimulatedResult {
    const tx = new Transaction(this.state);
    const invoker = new Invoker(tx, this.#context);
    try {
      const step = { by: kernel.principalSubject(principal, at_ms), meter: new Meter(gasMax) };
      const returned = invoker.invoke(step, request);
      return { result: returned.ok ? returned.result : null, timedOut: tx.timedOut };
    } finally {
      this.state.undo.rollback(0);
    }
  }

  /** Analyses code that the world itself installs. No account pays for the gas. */
  checkCode(code: string): kernel.CodeCheck {
    const tx = new Transaction(this.state);
    const meter = new Meter(kernel.physicsOf(this.state).sandbox.gas_max);
    return checkCode({ tx, context: this.#context }, { meter }, { code });
  }

  #execute(tx: Transaction, request: Request): Outcome {
    switch (request.kind) {
      case "execute_decision": {
        const { principal, at_ms: atMs, backs_off } = request;
        const agent = kernel.must(
          this.state.agents.get(principal),
          "an agent executes its decision",
        );
        const invoker = new Invoker(tx, this.#context);
        return executeAction(invoker, { principal, atMs, action: agent.pending, backs_off });
      }
      case "take_action": {
        const { principal, at_ms: atMs, action } = request;
        if (!this.state.accounts.has(principal)) {
          return outcomeOf(
            kernel.refuse("not_found", `"${principal}" is not a principal of this world`),
          );
        }
        return executeAction(new Invoker(tx, this.#context), { principal, atMs, action });
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

  #decide(tx: Transaction, command: kernel.RunCommand): Outcome {
    const decision = kernel.decide(this.state, command);
    tx.record(decision);
    return outcomeOf(decision);
  }
}

const committed = (tx: Transaction, command: string): JournalTransaction => ({
  command,
  timedOut: tx.timedOut,
  events: tx.events.map((event: kernel.Event) => encodeEvent(event)),
});

const outcomeOf = (decision: kernel.Decided<kernel.Json>): Outcome => {
  if (decision.kind === "accepted") {
    return endedWith({ refusal: null, message: "done", result: JSON.stringify(decision.answer) });
  }
  const refusal = refusalOf(decision);
  return endedWith({ refusal, message: refusal.message, result: null });
};
