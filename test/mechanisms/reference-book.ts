/** A waiting order of the reference book. */
export type BookOrder = {
  readonly n: number;
  readonly side: "buy" | "sell";
  readonly by: string;
  readonly price: number;
  units: number;
};

type Deal = { readonly buyer: string; readonly seller: string; readonly price: number };

/**
 * A double auction that trades one unit at a time: it looks through all orders for the best price
 * of the other side, and among equal prices for the lowest number. It shares no code with the
 * mechanism.
 */
export class ReferenceBook {
  readonly waiting: BookOrder[] = [];
  #made = 0;

  /** The trades of a new order, a unit each. Null if it would trade with an own order. */
  place(order: Omit<BookOrder, "n">): readonly Deal[] | null {
    const own = this.waiting.some((each) => each.by === order.by && canTrade(order, each));
    if (own) return null;
    this.#made += 1;
    const placed = { ...order, n: this.#made };
    const deals: Deal[] = [];
    for (; placed.units > 0; placed.units -= 1) {
      const best = this.#bestFor(placed);
      if (best === undefined) break;
      const [buyer, seller] = placed.side === "buy" ? [placed, best] : [best, placed];
      deals.push({ buyer: buyer.by, seller: seller.by, price: best.price });
      best.units -= 1;
      if (best.units === 0) this.waiting.splice(this.waiting.indexOf(best), 1);
    }
    if (placed.units > 0) this.waiting.push(placed);
    return deals;
  }

  cancel(n: number): void {
    this.waiting.splice(
      this.waiting.findIndex((order) => order.n === n),
      1,
    );
  }

  get lastOrder(): number {
    return this.#made;
  }

  /** The sum of units at each price of a side, best first. */
  levels(side: BookOrder["side"]): readonly (readonly [number, number])[] {
    const prices = new Set(this.#of(side).map(({ price }) => price));
    const best = side === "buy" ? -1 : 1;
    const sorted = [...prices].sort((a, b) => best * (a - b));
    const unitsAt = (price: number): number =>
      this.#of(side)
        .filter((order) => order.price === price)
        .reduce((sum, { units }) => sum + units, 0);
    return sorted.map((price) => [price, unitsAt(price)]);
  }

  #of(side: BookOrder["side"]): readonly BookOrder[] {
    return this.waiting.filter((order) => order.side === side);
  }

  #bestFor(order: BookOrder): BookOrder | undefined {
    const found = this.waiting.filter((each) => canTrade(order, each));
    const [lead = undefined] = found;
    if (lead === undefined) return undefined;
    const prices = found.map(({ price }) => price);
    const best = order.side === "buy" ? Math.min(...prices) : Math.max(...prices);
    const level = found.filter(({ price }) => price === best);
    return level.find(({ n }) => n === Math.min(...level.map((each) => each.n)));
  }
}

const canTrade = (order: Omit<BookOrder, "n">, waiting: BookOrder): boolean => {
  if (order.side === waiting.side) return false;
  return order.side === "buy" ? waiting.price <= order.price : waiting.price >= order.price;
};
