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
  worldRow,
} from "../../kernel/index.ts";

type Mark = { readonly undo: number; readonly events: number; readonly bytes: number };

/**
 * Applies decisions at once, so that later steps see them, and rolls a failed step back to its
 * mark. A rollback does not undo the drawing of random numbers.
 */
export class Transaction {
  readonly state: State;
  readonly #events: Event[] = [];
  #prng: PrngState | null = null;
  #draws = 0;
  /** The number of bytes written. A rollback subtracts its bytes. */
  bytes = 0;
  syscalls = 0;
  /** Whether the engine was killed. Such a transaction cannot be rerun. */
  timedOut = false;
  /** Whether the action is charged all of its gas, because the engine was killed. */
  takesAllGas = false;

  constructor(state: State) {
    this.state = state;
  }

  get events(): readonly Event[] {
    return this.#events;
  }

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

  killed(): void {
    this.timedOut = true;
    this.takesAllGas = true;
  }

  random(): number {
    const [value, next] = draw(this.#prng ?? worldRow(this.state).prng);
    this.#prng = next;
    this.#draws += 1;
    return value;
  }

  /** Records the draws of random numbers, even those of rolled-back steps. */
  keepDraws(by: Subject): void {
    if (this.#prng === null) return;
    const draws = this.#draws;
    this.record(decide(this.state, { kind: "record_draws", by, draws, prng: this.#prng }));
  }
}

/** Commands that may need evidence, such as the answer of an access contract. */
export type GatedCommand = Extract<
  Command,
  { readonly kind: "read_artifact" | "call_native" | "create_principal" }
>;
export type UngatedCommand = Extract<Command, { readonly kind: "pay" | "charge" | "give" }>;

export class Meter {
  readonly limit: number;
  #used = 0;

  constructor(limit: number) {
    this.limit = Math.max(0, limit);
  }

  get used(): number {
    return this.#used;
  }

  get left(): number {
    return this.limit - this.#used;
  }

  use(gas: number): void {
    this.#used = Math.min(this.limit, this.#used + gas);
  }

  /** The meter of a nested call. The caller keeps a tenth of the remaining gas. */
  nested(): Meter {
    return new Meter(this.left - Math.ceil(this.left / 10));
  }
}
