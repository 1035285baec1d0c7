import { type Event, type EventOf, isReserved, type State } from "../../kernel/index.ts";

/** Programs as capital: what agents wrote that others build on. */
export type Capital = {
  /** Artifacts of agents that ever had a code. */
  readonly programs: number;
  /** Of them, those that were written since counting began, and those deleted since then. */
  readonly written: number;
  readonly deleted: number;
  /** Of them, those that somebody called who did not own them then. */
  readonly reused: number;
  readonly reuse_share: number;
  /** Calls of programs of agents that came to their end, at any depth. */
  readonly calls: number;
  readonly calls_by_others: number;
  /** Calls out of other programs of agents. */
  readonly calls_by_programs: number;
  /** The longest chain of programs of agents of which each really called the next. */
  readonly depth: number;
  readonly longest_chain: readonly string[];
};

type Call = EventOf<"artifact_invoked">;

/**
 * Follows programs and their calls. What the world itself brought along is left out, also as a link
 * of a chain. The event of a call comes after those of the calls that it made.
 */
export class CapitalBook {
  /** The owner of each program. */
  readonly #owners = new Map<string, string>();
  readonly #reused = new Set<string>();
  /** By depth: the longest chain among the calls whose caller has not ended yet. */
  #open: (readonly string[])[] = [];
  #longest: readonly string[] = [];
  #written = 0;
  #deleted = 0;
  #calls = 0;
  #callsByOthers = 0;
  #callsByPrograms = 0;

  constructor(begun: State) {
    for (const { id, code, owner } of begun.artifacts.rows()) {
      if (code !== null && !isReserved(id)) this.#owners.set(id, owner);
    }
  }

  count(event: Event): void {
    switch (event.kind) {
      case "artifact_written":
        this.#write(event);
        return;
      case "ownership_transferred":
        if (this.#owners.has(event.artifact_id)) this.#owners.set(event.artifact_id, event.to);
        return;
      case "artifact_deleted":
        if (this.#owners.has(event.artifact_id)) this.#deleted += 1;
        return;
      case "artifact_invoked":
        this.#call(event);
        return;
      case "invocation_failed":
        this.#open.length = Math.min(this.#open.length, event.depth + 1);
        if (event.depth === 0) this.#open = [];
        return;
      default:
    }
  }

  /** Whose a program is; null for what is no program of an agent. */
  ownerOf(id: string): string | null {
    return this.#owners.get(id) ?? null;
  }

  capital(): Capital {
    const programs = this.#owners.size;
    return {
      programs,
      written: this.#written,
      deleted: this.#deleted,
      reused: this.#reused.size,
      reuse_share: programs === 0 ? 0 : this.#reused.size / programs,
      calls: this.#calls,
      calls_by_others: this.#callsByOthers,
      calls_by_programs: this.#callsByPrograms,
      depth: this.#longest.length,
      longest_chain: this.#longest,
    };
  }

  #write({ artifact_id: id, owner, fields }: EventOf<"artifact_written">): void {
    if (isReserved(id) || typeof fields.code !== "string") return;
    if (!this.#owners.has(id)) this.#written += 1;
    this.#owners.set(id, owner);
  }

  #call({ artifact_id: id, depth, caller, principal }: Call): void {
    const owner = this.#owners.get(id);
    const below = this.#open[depth + 1] ?? [];
    const chain = owner === undefined ? below : [id, ...below];
    const before = this.#open[depth] ?? [];
    this.#open.length = Math.min(this.#open.length, depth + 1);
    while (this.#open.length < depth) this.#open.push([]);
    this.#open[depth] = chain.length > before.length ? chain : before;
    if (depth === 0) {
      if (chain.length > this.#longest.length) this.#longest = chain;
      this.#open = [];
    }
    if (owner === undefined) return;
    this.#calls += 1;
    if (this.#owners.has(caller)) this.#callsByPrograms += 1;
    if (principal === owner) return;
    this.#callsByOthers += 1;
    this.#reused.add(id);
  }
}
