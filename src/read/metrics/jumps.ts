import type { Event } from "../../kernel/index.ts";
import { paidIn } from "./movement.ts";

/** A change of a value, by the event that caused it. Positive: a rise. */
export type Jump = { readonly seq: number; readonly at_ms: number; readonly amount: number };

const OF_AGENT_MAX = 3;
const OF_PRICES_MAX = 5;

/** Keeps the `most` largest changes, and of equal ones the newer. */
export const keepLargest = <Each extends Jump>(kept: Each[], each: Each, most: number): void => {
  kept.push(each);
  if (kept.length <= most) return;
  kept.sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount) || b.seq - a.seq);
  kept.pop();
};

type Paid = { readonly from: string | null; readonly to: string | null; readonly amount: number };

/** Finds the largest changes of the wealth of each principal, and of the price index. */
export class JumpCounter {
  readonly #wealth = new Map<string, Jump[]>();
  readonly #prices: Jump[] = [];

  /** Call it before the other counters count the event. `ownerOf` is as of before the event. */
  count(event: Event, seq: number, ownerOf: (hold: string) => string | null): void {
    const flow = paidIn(event, ownerOf);
    if (flow !== null) this.add(flow, { seq, at_ms: event.at_ms });
  }

  /** Counts a payment of an event. A null party is the world. */
  add({ from, to, amount }: Paid, event: Pick<Jump, "seq" | "at_ms">): void {
    this.#note(from, { ...event, amount: -amount });
    this.#note(to, { ...event, amount });
  }

  countPrice(change: Jump): void {
    if (change.amount !== 0) keepLargest(this.#prices, change, OF_PRICES_MAX);
  }

  get prices(): readonly Jump[] {
    return this.#prices;
  }

  wealthOf(id: string): readonly Jump[] {
    return this.#wealth.get(id) ?? [];
  }

  #note(id: string | null, jump: Jump): void {
    if (id === null) return;
    const kept = this.#wealth.get(id) ?? [];
    keepLargest(kept, jump, OF_AGENT_MAX);
    this.#wealth.set(id, kept);
  }
}
