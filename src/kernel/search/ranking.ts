import type { Id } from "../core/ids.ts";

/** A sorted set of artifact ordinals. A new member is nearly always the largest. */
export class OrdinalSet {
  readonly #sorted: number[];

  /** Most sets have one member. The array literal `[only]` uses less memory than `push`. */
  constructor(only?: number) {
    this.#sorted = only === undefined ? [] : [only];
  }

  get size(): number {
    return this.#sorted.length;
  }

  add(ordinal: number): void {
    const last = this.#sorted.at(-1);
    if (last === undefined || ordinal > last) {
      this.#sorted.push(ordinal);
      return;
    }
    const at = this.#place(ordinal);
    if (this.#sorted[at] !== ordinal) this.#sorted.splice(at, 0, ordinal);
  }

  delete(ordinal: number): void {
    const at = this.#place(ordinal);
    if (this.#sorted[at] === ordinal) this.#sorted.splice(at, 1);
  }

  has(ordinal: number): boolean {
    return this.#sorted[this.#place(ordinal)] === ordinal;
  }

  /** Returns the member at a position. Position 0 has the smallest member. */
  at(place: number): number | undefined {
    return this.#sorted[place];
  }

  countBelow(ordinal: number): number {
    return ordinal === Number.POSITIVE_INFINITY ? this.size : this.#place(ordinal);
  }

  /** Returns the position of `ordinal`, or the position at which to insert it. */
  #place(ordinal: number): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] ?? 0) < ordinal) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const KEPT = 200;
const SHOWN_MAX = 50;

type Place = { readonly id: Id; readonly score: number };

const ahead = (a: Place, b: Place): boolean =>
  a.score > b.score || (a.score === b.score && a.id < b.id);

/**
 * The ids with the highest scores. Scores never fall, but ids can be dropped. If too few ids are
 * left, `settle` refills the board. The board keeps more ids than it shows, so refills are rare.
 */
export class Leaderboard {
  readonly #places: Place[] = [];
  /** True if ids with a score may be missing from the board. */
  #full = false;

  raise(id: Id, score: number): void {
    if (score <= 0) return;
    const at = this.#places.findIndex((place) => place.id === id);
    const last = this.#places.at(-1);
    const place = { id, score };
    // On a full board, a new id cannot come last: a missing id may rank before the new id.
    if (at < 0 && this.#full && (last === undefined || !ahead(place, last))) return;
    if (at >= 0) this.#places.splice(at, 1);
    const below = this.#places.findIndex((other) => ahead(place, other));
    this.#places.splice(below < 0 ? this.#places.length : below, 0, place);
    if (this.#places.length > KEPT) {
      this.#places.pop();
      this.#full = true;
    }
  }

  drop(id: Id): void {
    const at = this.#places.findIndex((place) => place.id === id);
    if (at >= 0) this.#places.splice(at, 1);
  }

  /** Call this method after each transaction, before `top`. */
  settle(standings: () => Iterable<readonly [Id, number]>): void {
    if (this.#full && this.#places.length < SHOWN_MAX) this.#refill(standings());
  }

  top(limit: number): readonly Id[] {
    return this.#places.slice(0, Math.min(limit, SHOWN_MAX)).map((place) => place.id);
  }

  #refill(standings: Iterable<readonly [Id, number]>): void {
    this.#places.length = 0;
    this.#full = false;
    const all = [...standings].map(([id, score]) => ({ id, score }));
    all.sort((a, b) => (ahead(a, b) ? -1 : 1));
    this.#places.push(...all.slice(0, KEPT));
    this.#full = all.length > KEPT;
  }
}
