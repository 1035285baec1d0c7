import type { Artifact, ArtifactUsage, Customer } from "../artifact/artifact.ts";
import { type Id, isReserved } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import { Leaderboard, OrdinalSet } from "./ranking.ts";

const WORD = /[a-z0-9]+/g;

const EMPTY = new OrdinalSet();

export const wordsIn = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(WORD) ?? []);

/** Returns the searchable words of an artifact. A word can occur several times. */
const wordsOf = ({ id, type, interface: described }: Artifact): readonly string[] =>
  `${id} ${type} ${described?.description ?? ""}`.toLowerCase().match(WORD) ?? [];

/** Returns the searchable entries of metadata. Only entries with a scalar value are searchable. */
const marksOf = (metadata: JsonObject): readonly string[] => {
  const marks: string[] = [];
  for (const key of Object.keys(metadata)) {
    const value = metadata[key];
    if (typeof value !== "object" || value === null) marks.push(`${key}=${JSON.stringify(value)}`);
  }
  return marks;
};

/** True if an artifact has code and does not belong to the world itself. */
export const isProgram = ({ id, code }: Artifact): boolean => code !== null && !isReserved(id);

/** True if an artifact is a text that others pay to read. */
const isTextForSale = ({ id, code, readPrice }: Artifact): boolean =>
  code === null && readPrice > 0 && !isReserved(id);

type Wanted = {
  readonly owner?: Id;
  readonly type?: string;
  readonly text?: string;
  readonly metadata?: JsonObject;
};

/** Search indexes of the artifacts. A saved state omits them; a restore rebuilds them from rows. */
export class Catalogue {
  readonly #ids = new Map<number, Id>();
  readonly #live = new OrdinalSet();
  readonly #programs = new OrdinalSet();
  readonly #textsForSale = new OrdinalSet();
  readonly #byOwner = new Map<Id, OrdinalSet>();
  readonly #byType = new Map<string, OrdinalSet>();
  readonly #byWord = new Map<string, OrdinalSet>();
  readonly #byMark = new Map<string, OrdinalSet>();
  readonly #agents = new Map<Id, OrdinalSet>();
  readonly #customers = new Map<Id, Id[]>();
  readonly #popular = new Leaderboard();
  #looked = 0;

  /** The number of candidates and memberships tested so far. A search pays gas for its tests. */
  get looked(): number {
    return this.#looked;
  }

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
    if (is !== undefined && isProgram(is)) this.#programs.add(ordinal);
    else this.#programs.delete(ordinal);
    if (is !== undefined && isTextForSale(is)) this.#textsForSale.add(ordinal);
    else this.#textsForSale.delete(ordinal);
    move(this.#byOwner, ordinal, was?.owner, is?.owner);
    move(this.#byType, ordinal, was?.type, is?.type);
    const ownerOf = (agent: Artifact | undefined) => (agent?.canExecute ? agent.owner : undefined);
    move(this.#agents, ordinal, ownerOf(was), ownerOf(is));
    if (was?.type !== is?.type || was?.interface !== is?.interface) {
      const words = (each: Artifact | undefined) => (each === undefined ? [] : wordsOf(each));
      moveAll(this.#byWord, ordinal, words(was), words(is));
    }
    if (was?.metadata !== is?.metadata) {
      moveAll(this.#byMark, ordinal, marksOf(was?.metadata ?? {}), marksOf(is?.metadata ?? {}));
    }
  }

  noteTrade(id: Id, trade: ArtifactUsage | undefined): void {
    if (trade !== undefined) this.#popular.raise(id, trade.callsByOthers);
  }

  noteCustomer(customer: Customer): void {
    const known = this.#customers.get(customer.artifact);
    if (known === undefined) this.#customers.set(customer.artifact, [customer.principal]);
    else known.push(customer.principal);
  }

  /** Returns the matching ids with an ordinal below `before`, newest first. */
  *newest(wanted: Wanted, before = Number.POSITIVE_INFINITY): Iterable<Id> {
    const sets = this.#setsOf(wanted).sort((a, b) => a.size - b.size);
    const [smallest = this.#live, ...others] = sets;
    for (let at = smallest.countBelow(before) - 1; at >= 0; at--) {
      const ordinal = smallest.at(at) ?? 0;
      const id = this.#ids.get(ordinal);
      this.#looked += 1;
      if (id !== undefined && this.#isInAll(others, ordinal)) yield id;
    }
  }

  /** Looks at the `among` (≥ 1) newest artifacts. Returns those that are programs, newest first. */
  *newestPrograms(among: number): Iterable<Id> {
    const oldest = this.#live.at(this.#live.size - among) ?? 0;
    for (let at = this.#programs.size - 1; at >= 0; at--) {
      const ordinal = this.#programs.at(at) ?? 0;
      if (ordinal < oldest) return;
      const id = this.#ids.get(ordinal);
      if (id !== undefined) yield id;
    }
  }

  /** Returns the texts that others pay to read, newest first. */
  textsForSale(): Iterable<Id> {
    return this.#idsOf(this.#textsForSale);
  }

  #isInAll(sets: readonly OrdinalSet[], ordinal: number): boolean {
    return sets.every((set) => {
      this.#looked += 1;
      return set.has(ordinal);
    });
  }

  agentsOf(owner: Id): Iterable<Id> {
    return this.#idsOf(this.#agents.get(owner));
  }

  *#idsOf(set: OrdinalSet = EMPTY): Iterable<Id> {
    for (let at = set.size - 1; at >= 0; at--) {
      const id = this.#ids.get(set.at(at) ?? 0);
      if (id !== undefined) yield id;
    }
  }

  /** Call this method after a transaction's last change, because `standings` reads the rows. */
  settle(standings: () => Iterable<readonly [Id, number]>): void {
    this.#popular.settle(standings);
  }

  /** Returns the ids of the artifacts that others call most. Equal counts are sorted by id. */
  popular(limit: number): readonly Id[] {
    return this.#popular.top(limit);
  }

  has({ ordinal }: Artifact, wanted: Wanted): boolean {
    return this.#isInAll(this.#setsOf(wanted), ordinal);
  }

  customersOf(artifact: Id): readonly Id[] {
    return [...(this.#customers.get(artifact) ?? [])].sort();
  }

  #setsOf(wanted: Wanted): OrdinalSet[] {
    const { owner, type, text, metadata = {} } = wanted;
    const words = [...wordsIn(text ?? "")];
    return [
      ...(owner === undefined ? [] : [this.#byOwner.get(owner) ?? EMPTY]),
      ...(type === undefined ? [] : [this.#byType.get(type) ?? EMPTY]),
      ...words.map((word) => this.#byWord.get(word) ?? EMPTY),
      ...marksOf(metadata).map((mark) => this.#byMark.get(mark) ?? EMPTY),
    ];
  }
}

const moveAll = (
  index: Map<string, OrdinalSet>,
  ordinal: number,
  from: readonly string[],
  to: readonly string[],
): void => {
  for (const entry of from) move(index, ordinal, entry, undefined);
  for (const entry of to) move(index, ordinal, undefined, entry);
};

const move = <K>(
  index: Map<K, OrdinalSet>,
  ordinal: number,
  from: K | undefined,
  to: K | undefined,
): void => {
  if (from === to) return;
  const left = from === undefined ? undefined : index.get(from);
  left?.delete(ordinal);
  // Deletes an empty set to free its memory.
  if (from !== undefined && left?.size === 0) index.delete(from);
  if (to === undefined) return;
  const members = index.get(to);
  if (members === undefined) index.set(to, new OrdinalSet(ordinal));
  else members.add(ordinal);
};
