import type { Event, State } from "../../kernel/index.ts";

/** Counts the sales of model budget by the world. */
export class ComputeCounter {
  #sales = 0;
  #offered = 0;
  #asked = 0;
  #sold = 0;
  #paid = 0;
  #micros = 0;
  #lastPrice: number | null;
  readonly #buyers = new Set<string>();

  constructor(state: State) {
    this.#lastPrice = state.world.get("world")?.compute.results.at(-1)?.price ?? null;
  }

  count(event: Event): void {
    switch (event.kind) {
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
