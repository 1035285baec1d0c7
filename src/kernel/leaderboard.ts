import type { Id } from "./ids.ts";

const KEPT = 200;
const SHOWN_MAX = 50;

type Place = { readonly id: Id; readonly score: number };

const ahead = (a: Place, b: Place): boolean =>
  a.score > b.score || (a.score === b.score && a.id < b.id);

/**
 * The ids with the highest scores, kept exact as scores rise one by one. Scores never fall; ids may
 * be dropped, and when too few are left `settle` fills the board again from all standings. More are
 * kept than are ever shown, so that this is rare.
 */
export class Leaderboard {
  readonly #places: Place[] = [];
  /** False while the board holds everybody who has a score. */
  #full = false;

  raise(id: Id, score: number): void {
    if (score <= 0) return;
    const at = this.#places.findIndex((place) => place.id === id);
    const last = this.#places.at(-1);
    const place = { id, score };
    // Whoever is behind the last may also be behind some who are not on the board.
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

  /** To be called after each round of changes, before the board is shown. */
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
