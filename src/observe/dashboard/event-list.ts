import { setImmediate as turn } from "node:timers/promises";
import type { Journal } from "../../world/index.ts";
import type { EventIndex, EventWish } from "./event-index.ts";
import { NumberList } from "./number-list.ts";

/** What a text has to hold, besides kind and principal; "" for anything. */
export type ListWish = EventWish & { readonly text: string };

/** So many events are looked at before others have a turn. */
const LOOKED_AT_ONCE = 4_000;

/** The numbers of all events that fit one wish, gathered once and then only added to. */
export class EventList {
  readonly #journal: Journal;
  readonly #index: EventIndex;
  readonly #wish: ListWish;
  /** The text as it may stand in a row: as it is, and as it is written within JSON. */
  readonly #texts: readonly string[];
  readonly #seqs = new NumberList();
  #lookedTo: number;
  #looking: Promise<void> | null = null;

  constructor(wish: ListWish, { journal, index }: { journal: Journal; index: EventIndex }) {
    this.#wish = wish;
    const text = wish.text.toLowerCase();
    this.#texts = [text, JSON.stringify(text).slice(1, -1)];
    this.#journal = journal;
    this.#index = index;
    this.#lookedTo = index.firstSeq - 1;
  }

  /** Brings it to the last event that the index knows. */
  async catchUp(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    await this.#looking;
  }

  /** How many fit, up to an event. */
  total(upTo: number): number {
    return this.#seqs.countUpTo(upTo);
  }

  slice(from: number, to: number): readonly number[] {
    return this.#seqs.slice(from, to);
  }

  async #look(): Promise<void> {
    while (this.#lookedTo < this.#index.lastSeq) {
      const upTo = Math.min(this.#lookedTo + LOOKED_AT_ONCE, this.#index.lastSeq);
      const after = this.#lookedTo;
      if (this.#wish.text === "") {
        for (const seq of this.#index.matching(this.#wish, { after, upTo })) this.#seqs.push(seq);
      } else this.#lookInto({ after, upTo });
      this.#lookedTo = upTo;
      await turn();
    }
  }

  #lookInto({ after, upTo }: { readonly after: number; readonly upTo: number }): void {
    const { kind, principal } = this.#wish;
    const filter = {
      ...(kind === null ? {} : { kind }),
      ...(principal === null ? {} : { principal }),
    };
    for (const row of this.#journal.events({ ...filter, after, upTo })) {
      const about = `${row.kind} ${row.principal ?? ""} ${row.body}`.toLowerCase();
      if (this.#texts.some((text) => about.includes(text))) this.#seqs.push(row.seq);
    }
  }
}
