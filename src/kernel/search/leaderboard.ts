import type { Id } from "../primitives/ids.ts";

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
