import type { Event, State } from "../../kernel/index.ts";

/** Counts the prices that agents pay to the world, and what becomes of this scrip. */
export class ProceedsCounter {
  #fromMint = 0;
  #fromCompute = 0;
  #shared = 0;
  #burned = 0;
  readonly #atStart: number;
  #undistributed: number;

  constructor(state: State) {
    this.#atStart = state.world.get("world")?.undistributed ?? 0;
    this.#undistributed = this.#atStart;
  }

  count(event: Event): void {
    switch (event.kind) {
      case "proceeds_collected":
        this.#fromMint += event.amount;
        this.#undistributed += event.amount;
        return;
      case "compute_bought":
        this.#fromCompute += event.lots * event.price;
        this.#undistributed += event.lots * event.price;
        return;
      case "proceeds_shared":
        this.#shared += event.amount;
        this.#undistributed -= event.amount;
        return;
      case "proceeds_burned":
        this.#burned += event.amount;
        this.#undistributed -= event.amount;
        return;
      default:
    }
  }

  /**
   * The flows of scrip since the start, and two stocks: what waited for a sharing at the start and
   * what waits now. `collected` + `undistributed_at_start` = `shared` + `burned` + `undistributed`.
   */
  proceeds() {
    return {
      collected: this.#fromMint + this.#fromCompute,
      collected_by: { mint: this.#fromMint, compute: this.#fromCompute },
      undistributed_at_start: this.#atStart,
      shared: this.#shared,
      burned: this.#burned,
      undistributed: this.#undistributed,
    };
  }
}
