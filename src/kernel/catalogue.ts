import type { Artifact, Customer, Trade } from "./artifact.ts";
import type { Id } from "./ids.ts";
import { Leaderboard } from "./leaderboard.ts";
import { OrdinalSet } from "./ordinal-set.ts";

const WORD = /[a-z0-9]+/g;
const EMPTY = new OrdinalSet();

/** The words by which an artifact can be found. */
const wordsOf = (artifact: Artifact): ReadonlySet<string> => {
  const text = `${artifact.id} ${artifact.type} ${artifact.interface?.description ?? ""}`;
  return new Set(text.toLowerCase().match(WORD) ?? []);
};

/** Whether the artifact has all the words of a search. */
export const isFoundBy = (artifact: Artifact, text: string): boolean => {
  const words = wordsOf(artifact);
  return (text.toLowerCase().match(WORD) ?? []).every((word) => words.has(word));
};

/** What a search asks for; what is left out does not matter. */
export type Wanted = { readonly owner?: Id; readonly type?: string; readonly text?: string };

/**
 * Indexes over the committed artifacts, so that finding one costs the same in a large world.
 * Nothing here is state: it is built again from the rows after a restore, and every answer depends
 * only on the rows and never on how the index came about.
 */
export class Catalogue {
  readonly #ids = new Map<number, Id>();
  readonly #live = new OrdinalSet();
  readonly #byOwner = new Map<Id, OrdinalSet>();
  readonly #byType = new Map<string, OrdinalSet>();
  readonly #byWord = new Map<string, OrdinalSet>();
  readonly #customers = new Map<Id, Id[]>();
  readonly #popular = new Leaderboard();

  get size(): number {
    return this.#live.size;
  }

  countOf(wanted: Wanted): number {
    const [first = this.#live, ...others] = this.#setsOf(wanted);
    if (others.length === 0) return first.size;
    let count = 0;
    for (const _ of this.newest(wanted)) count += 1;
    return count;
  }

  noteArtifact(before: Artifact | undefined, after: Artifact | undefined): void {
    const was = before !== undefined && before.deleted === null ? before : undefined;
    const is = after !== undefined && after.deleted === null ? after : undefined;
    const ordinal = (is ?? was)?.ordinal;
    if (ordinal === undefined) return;
    if (was === undefined && is !== undefined) {
      this.#ids.set(ordinal, is.id);
      this.#live.add(ordinal);
    }
    if (was !== undefined && is === undefined) {
      this.#ids.delete(ordinal);
      this.#live.delete(ordinal);
      this.#popular.drop(was.id);
    }
    move(this.#byOwner, ordinal, { from: was?.owner, to: is?.owner });
    move(this.#byType, ordinal, { from: was?.type, to: is?.type });
    this.#reword(was, is);
  }

  noteTrade(id: Id, trade: Trade | undefined): void {
    if (trade !== undefined) this.#popular.raise(id, trade.callsByOthers);
  }

  noteCustomer(customer: Customer): void {
    const known = this.#customers.get(customer.artifact);
    if (known === undefined) this.#customers.set(customer.artifact, [customer.principal]);
    else known.push(customer.principal);
  }

  /** Ids that have all that is wanted, newest first, those created before `before`. */
  *newest(wanted: Wanted, before = Number.POSITIVE_INFINITY): Iterable<Id> {
    const sets = this.#setsOf(wanted).sort((a, b) => a.size - b.size);
    const [smallest = this.#live, ...others] = sets;
    for (const ordinal of smallest.newest(before)) {
      const id = this.#ids.get(ordinal);
      if (id !== undefined && others.every((set) => set.has(ordinal))) yield id;
    }
  }

  /** To be called after all notes of a transaction; `standings` are those of the committed rows. */
  settle(standings: () => Iterable<readonly [Id, number]>): void {
    this.#popular.settle(standings);
  }

  /** Most called by others first; of equal standing, in code-point order of ids. */
  popular(limit: number): readonly Id[] {
    return this.#popular.top(limit);
  }

  /** In code-point order. */
  customersOf(artifact: Id): readonly Id[] {
    return [...(this.#customers.get(artifact) ?? [])].sort();
  }

  #setsOf(wanted: Wanted): OrdinalSet[] {
    const { owner, type, text } = wanted;
    const words = text?.toLowerCase().match(WORD) ?? [];
    return [
      ...(owner === undefined ? [] : [this.#byOwner.get(owner) ?? EMPTY]),
      ...(type === undefined ? [] : [this.#byType.get(type) ?? EMPTY]),
      ...words.map((word) => this.#byWord.get(word) ?? EMPTY),
    ];
  }

  #reword(was: Artifact | undefined, is: Artifact | undefined): void {
    if (was?.type === is?.type && was?.interface === is?.interface) return;
    if (was !== undefined) {
      for (const word of wordsOf(was)) {
        move(this.#byWord, was.ordinal, { from: word, to: undefined });
      }
    }
    if (is === undefined) return;
    for (const word of wordsOf(is)) {
      move(this.#byWord, is.ordinal, { from: undefined, to: word });
    }
  }
}

type Move<K> = { readonly from: K | undefined; readonly to: K | undefined };

const move = <K>(index: Map<K, OrdinalSet>, ordinal: number, { from, to }: Move<K>): void => {
  if (from === to) return;
  if (from !== undefined) index.get(from)?.delete(ordinal);
  if (to === undefined) return;
  const members = index.get(to) ?? new OrdinalSet();
  members.add(ordinal);
  index.set(to, members);
};
