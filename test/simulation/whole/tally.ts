import type { Played } from "./whole-world.ts";

/** What has been played up to now. */
export class Tally {
  failed = 0;
  #worlds = 0;
  #repeatable = 0;
  #events = 0;
  #lives = 0;
  #audits = 0;
  readonly #ends = new Map<string, number>();
  readonly #kinds = new Map<string, number>();

  /** Returns one world in a line. */
  add({ events, lives, audits, repeatable, kinds, ends }: Played): string {
    this.#worlds += 1;
    this.#repeatable += repeatable ? 1 : 0;
    this.#events += events;
    this.#lives += lives;
    this.#audits += audits;
    for (const end of ends) count(this.#ends, end, 1);
    for (const [kind, times] of kinds) count(this.#kinds, kind, times);
    const mishaps = ends.length === 0 ? "no mishap" : ends.join(", ");
    return `${events} events, ${lives} lives, ${audits} audits, ${mishaps}`;
  }

  lines(): readonly string[] {
    if (this.#worlds === 0) return [];
    return [
      `${this.#worlds} worlds passed, ${this.failed} failed; ${this.#repeatable} next to a twin; ` +
        `${this.#lives} lives, ${this.#events} events, ${this.#audits} audits`,
      `ends: ${told(this.#ends)}`,
      `events: ${told(this.#kinds)}`,
    ];
  }
}

const count = (counts: Map<string, number>, key: string, by: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + by);
};

const told = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([key, times]) => `${key} ${times}`)
    .join(", ");
