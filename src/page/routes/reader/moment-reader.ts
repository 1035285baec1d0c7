import {
  AgentHistories,
  type AgentMoment,
  LogFollower,
  type MomentListener,
  MomentSearch,
} from "../../../read/index.ts";
import type { JournalReader } from "../../../world/index.ts";

/**
 * The moments of a run, for the pages that ask for them. Nothing is read before the first request.
 * The vectors of the search are made at the first search, which reads the journal again.
 */
export class MomentReader {
  readonly #journal: JournalReader;
  readonly #after: number;
  #followed: { readonly histories: AgentHistories; readonly follower: LogFollower } | null = null;
  #search: MomentSearch | null = null;

  /** `after` is the last event before those of the run. */
  constructor(journal: JournalReader, after: number) {
    this.#journal = journal;
    this.#after = after;
  }

  /** All moments up to now. */
  async histories(): Promise<AgentHistories> {
    this.#followed ??= this.#open();
    const { histories, follower } = this.#followed;
    await follower.catchUp();
    return histories;
  }

  /** Sorts the moments among `moments` that are similar to `words`, best first. */
  async similar(moments: readonly AgentMoment[], words: string): Promise<readonly AgentMoment[]> {
    if (this.#search === null) {
      const search = new MomentSearch();
      this.#search = search;
      this.#followed = this.#open((moment, iteration) => search.add(moment, iteration));
    }
    await this.histories();
    return this.#search.sorted(moments, words);
  }

  #open(listener: MomentListener | null = null) {
    const histories = new AgentHistories(this.#journal, listener);
    return { histories, follower: new LogFollower(this.#journal, [histories], this.#after) };
  }
}
