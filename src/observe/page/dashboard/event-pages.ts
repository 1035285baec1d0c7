import { ask } from "./ask.ts";

/** One event as the server sends it. */
export type EventRow = {
  readonly seq: number;
  readonly at_ms: number;
  readonly kind: string;
  readonly principal: string | null;
  readonly body: unknown;
};

type Sent = {
  readonly total: number;
  readonly events: readonly EventRow[];
};

const PAGE_ROWS = 100;
/** So many pages are kept, whatever is scrolled through. */
const PAGES_MAX = 12;

/**
 * A list of events of any length, of which only what is looked at is fetched and only the newest of
 * that is kept.
 */
export class EventPages {
  readonly #base: string;
  readonly #query: string;
  readonly #changed: () => void;
  readonly #pages = new Map<number, readonly EventRow[]>();
  readonly #asked = new Set<number>();
  #total = 0;
  #problem: string | null = null;
  #isAsked = false;

  /** `base` is the path of the list; `changed` is called when something has come. */
  constructor(base: string, query: string, changed: () => void) {
    this.#base = base;
    this.#query = query;
    this.#changed = changed;
  }

  get total(): number {
    return this.#total;
  }

  get problem(): string | null {
    return this.#problem;
  }

  /** Whether the first answer is there. */
  get isKnown(): boolean {
    return this.#isAsked;
  }

  /** The event at a place; undefined until it has come. */
  at(place: number): EventRow | undefined {
    return this.#pages.get(Math.floor(place / PAGE_ROWS))?.[place % PAGE_ROWS];
  }

  /** Sees to it that these places come; those at the end again where the list has grown. */
  want(from: number, to: number): void {
    const last = Math.floor(Math.max(0, to - 1) / PAGE_ROWS);
    for (let page = Math.floor(from / PAGE_ROWS); page <= last; page += 1) {
      const known = this.#pages.get(page);
      const expected = Math.min(PAGE_ROWS, this.#total - page * PAGE_ROWS);
      if (known === undefined || known.length < expected) void this.#fetch(page);
      else this.#keep(page, known);
    }
  }

  /** Asks how long the list is now, with the page at its end. */
  async grow(): Promise<void> {
    await this.#fetch(Math.floor(Math.max(0, this.#total - 1) / PAGE_ROWS));
  }

  async #fetch(page: number): Promise<void> {
    if (this.#asked.has(page)) return;
    this.#asked.add(page);
    const place = `offset=${page * PAGE_ROWS}&limit=${PAGE_ROWS}`;
    const { value, problem } = await ask<Sent>(`${this.#base}?${place}${this.#query}`);
    this.#asked.delete(page);
    this.#problem = problem;
    this.#isAsked = true;
    if (value !== null) {
      this.#total = value.total;
      this.#keep(page, value.events);
    }
    this.#changed();
  }

  #keep(page: number, rows: readonly EventRow[]): void {
    this.#pages.delete(page);
    this.#pages.set(page, rows);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > PAGES_MAX && oldest !== undefined) this.#pages.delete(oldest);
  }
}
