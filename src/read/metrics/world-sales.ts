import type { Event, State } from "../../kernel/index.ts";

/** Counts the prices that agents pay to the world, what becomes of them, and its sales of budget. */
export class WorldSales {
  readonly #undistributedAtStart: number;
  #fromMint = 0;
  #shared = 0;
  #burned = 0;
  #sales = 0;
  #offered = 0;
  #asked = 0;
  #sold = 0;
  #paid = 0;
  #micros = 0;
  #lastPrice: number | null;
  readonly #buyers = new Set<string>();

  constructor(state: State) {
    const world = state.world.get("world");
    this.#undistributedAtStart = world?.undistributed ?? 0;
    this.#lastPrice = world?.compute.results.at(-1)?.price ?? null;
  }

  count(event: Event): void {
    switch (event.kind) {
      case "proceeds_collected":
        this.#fromMint += event.amount;
        return;
      case "proceeds_shared":
        this.#shared += event.amount;
        return;
      case "proceeds_burned":
        this.#burned += event.amount;
        return;
      case "compute_sold":
        this.#sales += 1;
        this.#offered += event.offered;
        this.#asked += event.asked;
        this.#lastPrice = event.price;
        return;
      case "compute_bought":
        this.#sold += event.lots;
        this.#paid += event.lots * event.price;
        this.#micros += event.micros;
        this.#buyers.add(event.buyer);
        return;
      case "compute_granted":
        this.#micros += event.micros;
        return;
      default:
    }
  }

  /**
   * The flows of scrip since the start, and two stocks: what waited for a sharing at the start and
   * what waits now. `collected` + `undistributed_at_start` = `shared` + `burned` + `undistributed`.
   */
  proceeds() {
    const collected = this.#fromMint + this.#paid;
    return {
      collected,
      collected_by: { mint: this.#fromMint, compute: this.#paid },
      undistributed_at_start: this.#undistributedAtStart,
      shared: this.#shared,
      burned: this.#burned,
      undistributed: this.#undistributedAtStart + collected - this.#shared - this.#burned,
    };
  }

  /** The sales of model budget by the world. */
  compute() {
    return {
      sales: this.#sales,
      /** Lots that sales offered, that buyers asked for at sales, and that were sold. */
      offered: this.#offered,
      asked: this.#asked,
      sold: this.#sold,
      paid: this.#paid,
      /** Scrip per lot. Null if nothing was sold, or if there was no sale with a price. */
      mean_price: this.#sold === 0 ? null : this.#paid / this.#sold,
      last_price: this.#lastPrice,
      buyers: this.#buyers.size,
      /** The model budget that the world sold or divided, in micro-dollars. */
      issued_micros: this.#micros,
    };
  }
}
