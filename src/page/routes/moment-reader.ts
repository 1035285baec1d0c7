import { inSlices, type LifeMoment, Lives, MomentSearch } from "../../read/index.ts";
import type { JournalReader } from "../../world/index.ts";

/**
 * The moments of a run, for the pages that ask for them. Nothing is read before the first request.
 * The vectors of the search are made at the first search, which reads the journal again.
 */
export class MomentReader {
  readonly #journal: JournalReader;
  readonly #firstSeq: number;
  #lives: Lives | null = null;
  #search: MomentSearch | null = null;
  #lastSeq: number;
  #following: Promise<void> | null = null;

  /** `firstSeq` is the last event before those of the run. */
  constructor(journal: JournalReader, firstSeq: number) {
    this.#journal = journal;
    this.#firstSeq = firstSeq;
    this.#lastSeq = firstSeq;
  }

  /** All moments up to now. */
  async lives(): Promise<Lives> {
    await this.#following;
    const lives = this.#lives ?? new Lives(this.#journal);
    this.#lives = lives;
    await this.#follow(lives);
    return lives;
  }

  /** Sorts the moments among `moments` that are similar to `words`, best first. */
  async similar(moments: readonly LifeMoment[], words: string): Promise<readonly LifeMoment[]> {
    while (this.#following !== null) await this.#following;
    if (this.#search === null) {
      const search = new MomentSearch();
      this.#search = search;
      this.#lives = new Lives(this.#journal, (moment, told) => search.add(moment, told));
      this.#lastSeq = this.#firstSeq;
    }
    await this.lives();
    return this.#search.sorted(moments, words);
  }

  #follow(lives: Lives): Promise<void> {
    this.#following ??= this.#read(lives).finally(() => {
      this.#following = null;
    });
    return this.#following;
  }

  async #read(lives: Lives): Promise<void> {
    await inSlices(this.#journal.events({ after: this.#lastSeq }), (row) => {
      this.#lastSeq = row.seq;
      lives.add(row);
    });
    lives.settle();
  }
}
