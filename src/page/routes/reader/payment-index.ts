import {
  eventSentence,
  type Jump,
  JumpCounter,
  keepLargest,
  kindsWith,
  type LogEntry,
  movementIn,
  type OwnerOf,
  paidIn,
  rowAt,
  TradeGraph,
} from "../../../figures/index.ts";
import { paymentIn } from "../../../run/index.ts";
import { firstAtLeast } from "../../../text/index.ts";
import { decodeEvent, type JournalReader } from "../../../world/index.ts";

/** A payment between principals, or scrip that the mint gave. */
export type PaymentRow = {
  readonly seq: number;
  readonly at_ms: number;
  readonly amount: number;
  /** Null: the mint. */
  readonly from: string | null;
  readonly to: string;
  /** The reason in plain words, such as `calls sold`. */
  readonly what: string;
  /** The artifact that the scrip paid for, if the event names one. */
  readonly artifact: string | null;
  /** The event in one sentence. */
  readonly says: string;
};

/** The kinds of the events with payments. No other event is decoded. */
const PAYING: ReadonlySet<string> = new Set(
  kindsWith("flow").filter((kind) => kind !== "principal_created"),
);

/** The event, the amount, and the parties of each payment of a run, as numbers in memory. */
export class PaymentIndex {
  readonly #seqs: number[] = [];
  readonly #amounts: number[] = [];
  /** Places in `#names`. 0 is the world: the mint, proceeds, and burned scrip. */
  readonly #payers: number[] = [];
  readonly #payees: number[] = [];
  /** Who paid in the graph of payments. 0: the payment is not part of the graph. */
  readonly #buyers: number[] = [];
  readonly #names: (string | null)[] = [null];
  readonly #places = new Map<string | null, number>([[null, 0]]);

  readonly #ownerOf: OwnerOf;

  /** `ownerOf` must be as of before the event that the index gets. */
  constructor(ownerOf: OwnerOf) {
    this.#ownerOf = ownerOf;
  }

  event(entry: LogEntry): void {
    const event = PAYING.has(entry.row.kind) ? entry.event : null;
    if (event === null) return;
    const payment = paymentIn(event, this.#ownerOf);
    const paid = paidIn(event, this.#ownerOf) ?? payment;
    if (paid === null) return;
    this.#seqs.push(entry.row.seq);
    this.#amounts.push(paid.amount);
    this.#payers.push(this.#placeOf(paid.from));
    this.#payees.push(this.#placeOf(paid.to));
    this.#buyers.push(this.#placeOf(payment?.from ?? null));
  }

  /** The graph of the payments among some events, as the meter has that of the whole run. */
  trade(bounds: Bounds): TradeGraph {
    const graph = new TradeGraph();
    for (const place of this.#placesIn(bounds)) {
      const [from, to] = [this.#nameIn(this.#buyers, place), this.#nameIn(this.#payees, place)];
      if (from !== null && to !== null) graph.add({ from, to, amount: this.#amounts[place] ?? 0 });
    }
    return graph;
  }

  /** The largest changes of wealth among some events. Their times are 0. */
  jumps(bounds: Bounds): JumpCounter {
    const jumps = new JumpCounter();
    for (const place of this.#placesIn(bounds)) {
      const [from, to] = [this.#nameIn(this.#payers, place), this.#nameIn(this.#payees, place)];
      const [seq = 0, amount = 0] = [this.#seqs[place], this.#amounts[place]];
      if (amount !== 0) jumps.add({ from, to, amount }, { seq, at_ms: 0 });
    }
    return jumps;
  }

  /** The `most` largest payments among some events, in order. Of equal ones, the newer is first. */
  largest(bounds: Bounds, most: number, journal: JournalReader): readonly PaymentRow[] {
    const kept: (Jump & { readonly place: number })[] = [];
    let least = 0;
    for (const place of this.#placesIn(bounds)) {
      const amount = this.#amounts[place] ?? 0;
      if (amount < least || amount === 0 || this.#payees[place] === 0) continue;
      keepLargest(kept, { seq: this.#seqs[place] ?? 0, at_ms: 0, amount, place }, most);
      if (kept.length === most) least = Math.min(...kept.map((each) => each.amount));
    }
    return kept
      .sort((a, b) => b.amount - a.amount || b.seq - a.seq)
      .flatMap(({ place }) => this.#rowAt(place, journal) ?? []);
  }

  #nameIn(parties: readonly number[], place: number): string | null {
    return this.#names[parties[place] ?? 0] ?? null;
  }

  *#placesIn({ first, last }: Bounds): Generator<number, void> {
    const end = firstAtLeast(this.#seqs, last + 1);
    for (let place = firstAtLeast(this.#seqs, first); place < end; place += 1) yield place;
  }

  #rowAt(place: number, journal: JournalReader): PaymentRow | null {
    const seq = this.#seqs[place] ?? 0;
    const row = rowAt(journal, seq);
    const [from, to] = [this.#nameIn(this.#payers, place), this.#nameIn(this.#payees, place)];
    if (row === null || to === null) return null;
    const moved = movementIn(decodeEvent(row), seq, to, () => from);
    return {
      seq,
      at_ms: row.atMs,
      amount: this.#amounts[place] ?? 0,
      from,
      to,
      what: moved?.what ?? "",
      artifact: moved?.artifact ?? null,
      says: eventSentence(row),
    };
  }

  #placeOf(name: string | null): number {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    this.#places.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }
}

/** The numbers of the first and the last event of a part of a run. */
export type Bounds = { readonly first: number; readonly last: number };
