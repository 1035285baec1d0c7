import type { Event } from "../../kernel/index.ts";

/** What a program has brought so far, and what its last call cost. */
type Sold = { readonly revenue: number; readonly lastPrice: number };

/**
 * What programs are sold for: the index is Divisia's (1925), chained sale by sale: where a
 * program is sold at another price than the last time, the logarithm of the index moves by that of
 * the ratio of the two prices, weighted with the share that the program has in all that was spent
 * on programs up to and with this sale. It begins at 1, no choice of a period enters into it, and a
 * program that is new moves nothing.
 */
export class PriceIndex {
  readonly #sold = new Map<string, Sold>();
  #spent = 0;
  #logarithm = 0;

  /** The price, where the event is a sale of a program. */
  count(event: Event): number | null {
    if (event.kind !== "artifact_invoked" || event.paid_to === null || event.price === 0) {
      return null;
    }
    const { artifact_id: id, price } = event;
    const before = this.#sold.get(id);
    const revenue = (before?.revenue ?? 0) + price;
    this.#spent += price;
    this.#logarithm += (revenue / this.#spent) * Math.log(price / (before?.lastPrice ?? price));
    this.#sold.set(id, { revenue, lastPrice: price });
    return price;
  }

  get value(): number {
    return Math.exp(this.#logarithm);
  }
}
