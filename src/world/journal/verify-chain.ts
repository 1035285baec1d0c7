import {
  type CommandRow,
  eventHash,
  GENESIS_HASH,
  type JournalHead,
  type JournalRow,
} from "./chain.ts";
import { type ChainedRow, chainedEvents } from "./event-query.ts";
import { recordedHead } from "./schema.ts";
import { checked, type JournalPart } from "./sqlite.ts";
import { firstHead, whyStartDamaged } from "./start-state.ts";

export type ChainVerdict =
  | { readonly ok: true; readonly head: JournalHead; readonly events: number }
  | {
      readonly ok: false;
      readonly seq: number;
      /** The last event of the last transaction before the damage. The base if there is none. */
      readonly soundSeq: number;
      readonly detail: string;
    };

/**
 * Checks the base, recomputes every hash, and checks that every event belongs to a command. Finds
 * any changed event or command, and any removed, inserted or moved row. An attacker who changes a
 * row can also recompute all later hashes and the recorded head. To find such a change, compare the
 * head with a copy of the head recorded elsewhere.
 */
export function verifyChain(part: JournalPart): ChainVerdict {
  const { database, upTo } = part;
  const walk = new ChainWalk();
  const bad = (seq: number, detail: string): ChainVerdict => {
    return { ok: false, seq, soundSeq: walk.soundSeq, detail };
  };
  const check = (): ChainVerdict => {
    const first = firstHead(database);
    walk.start(first);
    const damage = whyStartDamaged(database);
    if (damage !== null) return bad(walk.head.seq, damage);
    for (const row of chainedEvents(database, upTo)) {
      const detail = walk.step(row);
      if (detail !== null) return bad(walk.head.seq + 1, detail);
    }
    const { head } = walk;
    const end = upTo === null ? walk.whyNotEnd(recordedHead(database)) : null;
    const events = head.seq - first.seq;
    return end === null ? { ok: true, head, events } : bad(...end);
  };
  return checked(part, check, (why) => bad(walk.head.seq + 1, why));
}

/** A row whose hash may be unknown. Then only the next known hash shows a change. */
type WalkedRow = Pick<ChainedRow, "cause"> & {
  readonly event: Omit<JournalRow, "hash"> & { readonly hash: string | null };
  /** The hash of a row whose texts are left out, so that it cannot be computed. */
  readonly stated?: string | undefined;
};

/** Follows a hash chain, event by event. */
export class ChainWalk {
  #transactionEnd = 0;
  head: JournalHead = { seq: 0, hash: GENESIS_HASH };
  /** The last event of the last complete transaction. */
  soundSeq = 0;

  start(first: JournalHead): void {
    this.head = first;
    this.soundSeq = first.seq;
  }

  /** Returns why the event does not follow the one before it, or null. */
  step({ event, cause, stated }: WalkedRow): string | null {
    const { seq } = event;
    if (seq !== this.head.seq + 1) {
      return `event ${this.head.seq + 1} is missing: the next one stored is ${seq}`;
    }
    const misplaced = this.#whyNotCaused(seq, cause);
    if (misplaced !== null) return misplaced;
    const hash = stated ?? eventHash(this.head.hash, event, cause);
    if (event.hash !== null && event.hash !== hash) {
      const what = cause === null ? `event ${seq}` : `event ${seq} or its command`;
      return `${what} was changed, or the hash of the event before it: the hashes do not agree`;
    }
    if (cause !== null) this.#transactionEnd = cause.lastSeq;
    this.head = { seq, hash };
    if (seq === this.#transactionEnd) this.soundSeq = seq;
    return null;
  }

  /** Null if the events end with the recorded head. Otherwise an event number and the reason. */
  whyNotEnd(recorded: JournalHead): readonly [seq: number, detail: string] | null {
    const { seq, hash } = this.head;
    if (recorded.seq > seq) {
      return [seq + 1, `events ${seq + 1} to ${recorded.seq} are missing from the end`];
    }
    if (recorded.seq !== seq || recorded.hash !== hash) {
      return [seq, `the journal ends with event ${seq}, but its head names ${recorded.seq}`];
    }
    if (this.#transactionEnd > seq) {
      return [seq, `the last command claims events up to ${this.#transactionEnd}`];
    }
    return null;
  }

  #whyNotCaused(seq: number, cause: CommandRow | null): string | null {
    const opens = seq > this.#transactionEnd;
    if (cause === null) return opens ? `the command that caused event ${seq} is missing` : null;
    if (!opens) return `a command starts at event ${seq}, between the events of another command`;
    if (cause.lastSeq >= seq) return null;
    return `the command of event ${seq} claims events up to ${cause.lastSeq}`;
  }
}
