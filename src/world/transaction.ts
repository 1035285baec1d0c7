import {
  type Command,
  type Decision,
  decide,
  draw,
  type Event,
  evolve,
  type PrngState,
  type State,
  type Subject,
  wholeOf,
} from "../kernel/index.ts";

/** A place in a transaction to go back to. */
export type Mark = { readonly undo: number; readonly events: number; readonly bytes: number };

/**
 * One transaction under way. What is decided is applied at once, so that later steps see it; a step
 * that fails is rolled back to its mark. Random numbers already drawn are never put back.
 */
export class Transaction {
  readonly state: State;
  readonly #events: Event[] = [];
  #prng: PrngState | null = null;
  #draws = 0;
  /** Bytes written so far by this action; what is rolled back does not count. */
  bytes = 0;
  /** Syscalls made so far by this action, nested calls included. */
  syscalls = 0;
  /** True when the engine had to be killed: what happened then cannot be run again. */
  fused = false;
  /** True when that is charged with all the gas of the action. */
  takesAllGas = false;

  constructor(state: State) {
    this.state = state;
  }

  get events(): readonly Event[] {
    return this.#events;
  }

  /** Applies the events of an accepted decision. */
  record(decision: Decision<unknown>): void {
    if (decision.kind !== "accepted") return;
    for (const event of decision.events) {
      evolve(this.state, event);
      this.#events.push(event);
    }
  }

  mark(): Mark {
    return { undo: this.state.undo.mark(), events: this.#events.length, bytes: this.bytes };
  }

  rollback(mark: Mark): void {
    this.state.undo.rollback(mark.undo);
    this.#events.length = mark.events;
    this.bytes = mark.bytes;
  }

  /** The engine had to be killed, for which all the gas of the action is charged. */
  killed(): void {
    this.fused = true;
    this.takesAllGas = true;
  }

  random(): number {
    const [value, next] = draw(this.#prng ?? wholeOf(this.state).prng);
    this.#prng = next;
    this.#draws += 1;
    return value;
  }

  /** Records how far the world's dice have been rolled, whatever became of the rest. */
  keepDraws(by: Subject): void {
    if (this.#prng === null) return;
    const draws = this.#draws;
    this.record(decide(this.state, { kind: "keep_draws", by, draws, prng: this.#prng }));
  }
}

/** Acts that an access contract may have a say in, and acts that concern only the actor's own. */
export type Gated = Extract<
  Command,
  { readonly kind: "read_artifact" | "call_native" | "create_principal" }
>;
export type Ungated = Extract<Command, { readonly kind: "pay" | "charge" | "give" }>;
