import * as kernel from "../../kernel/index.ts";

type Mark = { readonly undo: number; readonly happened: number; readonly bytes: number };

/** Collects and applies the events of a request. A failed step keeps only its random draws. */
export class Transaction {
  readonly state: kernel.State;
  readonly #happened: kernel.Happened[] = [];
  #prng: kernel.PrngState | null = null;
  #draws = 0;
  /** The number of bytes written, without the bytes that were rolled back. */
  bytes = 0;
  /** The syscalls of all programs so far. The next program may make the rest of `syscalls_max`. */
  syscalls = 0;
  /** True if the engine was killed. Such a transaction cannot be rerun. */
  timedOut = false;
  /** True if the engine was killed outside a trial. The action then pays its whole gas limit. */
  takesAllGas = false;

  constructor(state: kernel.State) {
    this.state = state;
  }

  get events(): readonly kernel.Event[] {
    return this.#happened.map(({ event }) => event);
  }

  get happened(): readonly kernel.Happened[] {
    return this.#happened;
  }

  record(decision: kernel.Decided<unknown>): void {
    if (decision.kind !== "accepted") return;
    for (const event of decision.events) this.#happened.push(kernel.evolve(this.state, event));
  }

  mark(): Mark {
    return { undo: this.state.undo.mark(), happened: this.#happened.length, bytes: this.bytes };
  }

  rollback(mark: Mark): void {
    this.state.undo.rollback(mark.undo);
    this.#happened.length = mark.happened;
    this.bytes = mark.bytes;
  }

  killed(): void {
    this.timedOut = true;
    this.takesAllGas = true;
  }

  random(): number {
    const [value, next] = kernel.draw(this.#prng ?? kernel.worldRow(this.state).prng);
    this.#prng = next;
    this.#draws += 1;
    return value;
  }

  /** Records how many random numbers were drawn, including draws in rolled-back steps. */
  keepDraws(by: kernel.Subject): void {
    if (this.#prng === null) return;
    const draws = this.#draws;
    this.record(kernel.decide(this.state, { kind: "record_draws", by, draws, prng: this.#prng }));
  }
}

/** Commands for which the kernel may need evidence, such as the answer of an access contract. */
export type GatedCommand = Extract<
  kernel.Command,
  { readonly kind: "read_artifact" | "call_native" | "create_principal" }
>;
export type UngatedCommand = Extract<kernel.Command, { readonly kind: "pay" | "charge" | "give" }>;

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

  /** Returns the meter of a nested call. The caller keeps a tenth of its remaining gas. */
  nested(): Meter {
    return new Meter(this.left - Math.ceil(this.left / 10));
  }
}
