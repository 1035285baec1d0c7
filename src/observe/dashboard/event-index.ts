import type { JournalRow } from "../../world/index.ts";
import { NumberList } from "./number-list.ts";

/** Which events to show; null means all. */
export type EventWish = {
  readonly kind: string | null;
  /** A name, or the beginning of some where nobody has that name. */
  readonly principal: string | null;
};

/**
 * Kind and principal of every event of a run, at eight bytes an event: so that any of them is found
 * without going through the file.
 */
export class EventIndex {
  readonly #firstSeq: number;
  readonly #numbers = new Map<string, number>();
  readonly #kinds = new NumberList();
  readonly #principals = new NumberList();
  readonly #counts = new Map<string, number>();

  /** `afterSeq`: the last event before the first that it will be told of. */
  constructor(afterSeq: number) {
    this.#firstSeq = afterSeq + 1;
  }

  /** The number of the last event that it knows. */
  get lastSeq(): number {
    return this.#firstSeq + this.#kinds.size - 1;
  }

  get firstSeq(): number {
    return this.#firstSeq;
  }

  /** How many events there are of each kind. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** To be told of each event in turn. */
  add({ kind, principal }: Pick<JournalRow, "kind" | "principal">): void {
    this.#kinds.push(this.#numberOf(kind));
    this.#principals.push(principal === null ? 0 : this.#numberOf(principal));
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  /** The events that fit, in order, after one of them and up to another. */
  *matching(
    { kind, principal }: EventWish,
    { after, upTo }: { readonly after: number; readonly upTo: number },
  ): Generator<number, void> {
    const kindNumber = kind === null ? null : (this.#numbers.get(kind) ?? -1);
    const principalNumbers = principal === null ? null : this.#numbersOf(principal);
    const last = Math.min(upTo, this.lastSeq);
    for (let seq = Math.max(after + 1, this.#firstSeq); seq <= last; seq += 1) {
      const place = seq - this.#firstSeq;
      if (kindNumber !== null && this.#kinds.at(place) !== kindNumber) continue;
      if (principalNumbers?.has(this.#principals.at(place)) === false) continue;
      yield seq;
    }
  }

  /** The newest events of a principal of some kinds, the newest first, before an event. */
  latest(principal: string, { kinds, before, limit }: LatestWish): readonly number[] {
    const who = this.#numbers.get(principal);
    const wanted = new Set(kinds.map((kind) => this.#numbers.get(kind) ?? -1));
    const found: number[] = [];
    const last = Math.min(before - 1, this.lastSeq);
    for (let seq = last; who !== undefined && seq >= this.#firstSeq; seq -= 1) {
      const place = seq - this.#firstSeq;
      if (this.#principals.at(place) !== who || !wanted.has(this.#kinds.at(place))) continue;
      found.push(seq);
      if (found.length >= limit) break;
    }
    return found;
  }

  /** Whoever is called so; where nobody is, everybody whose name begins so. */
  #numbersOf(principal: string): ReadonlySet<number> {
    const exact = this.#numbers.get(principal);
    if (exact !== undefined) return new Set([exact]);
    return new Set(
      [...this.#numbers].flatMap(([name, number]) => (name.startsWith(principal) ? [number] : [])),
    );
  }

  /** Numbers from 1 on; 0 is nobody. */
  #numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(name, number);
    return number;
  }
}

type LatestWish = {
  readonly kinds: readonly string[];
  readonly before: number;
  readonly limit: number;
};
