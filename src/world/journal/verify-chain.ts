import type { DatabaseSync } from "node:sqlite";
import { firstHead, whyBeginningUnsound } from "./beginning.ts";
import { eventHash } from "./chain.ts";
import { type ChainedRow, chainedEvents, strayCommand } from "./event-query.ts";
import { recordedHead } from "./head.ts";
import { JournalFailure } from "./journal-failure.ts";
import type { CommandRow, JournalHead } from "./rows.ts";
import { guarded } from "./sqlite-trouble.ts";
import { inOneView } from "./transaction.ts";

export type ChainVerdict =
  | { readonly ok: true; readonly head: JournalHead; readonly transactions: number }
  | {
      readonly ok: false;
      readonly seq: number;
      /** The end of the last transaction before it; where the journal begins, if there is none. */
      readonly soundSeq: number;
      readonly detail: string;
    };

/** A journal, and how much of it to look at: up to the end of a transaction, or all of it. */
export type ChainPart = {
  readonly database: DatabaseSync;
  readonly path: string;
  readonly upTo: number | null;
};

/**
 * Looks at what the journal begins with, recomputes every hash and lays every command against the
 * events it caused. It finds any change of an event or a command, and any row removed, put in or
 * moved. Who rewrites all hashes from the change to the end and the recorded head too is found only
 * by comparing with a head written down elsewhere.
 */
export function verifyChain(part: ChainPart): ChainVerdict {
  const { database, path } = part;
  let walk: ChainWalk | null = null;
  try {
    return guarded(path, () =>
      inOneView(database, () => {
        walk = new ChainWalk(firstHead(database));
        return walked(walk, part);
      }),
    );
  } catch (error) {
    if (!(error instanceof JournalFailure)) throw error;
    const [seq, soundSeq] = soFar(walk);
    return { ok: false, seq: seq + 1, soundSeq, detail: error.message };
  }
}

const soFar = (walk: ChainWalk | null): readonly [seq: number, soundSeq: number] =>
  walk === null ? [0, 0] : [walk.head.seq, walk.soundSeq];

function walked(walk: ChainWalk, { database, upTo }: ChainPart): ChainVerdict {
  const bad = (seq: number, detail: string): ChainVerdict => {
    return { ok: false, seq, soundSeq: walk.soundSeq, detail };
  };
  const detail = whyBeginningUnsound(database);
  if (detail !== null) return bad(walk.head.seq, detail);
  for (const row of chainedEvents(database, upTo === null ? {} : { upTo })) {
    const detail = walk.step(row);
    if (detail !== null) return bad(walk.head.seq + 1, detail);
  }
  if (upTo !== null) return walk.found();
  const stray = strayCommand(database);
  if (stray !== null) return bad(stray, `a command without events stands at ${stray}`);
  return walk.end(recordedHead(database));
}

/** Where the check stands: the last good event, and the end of the transaction that it is of. */
class ChainWalk {
  #transactionEnd = 0;
  #transactions = 0;
  head: JournalHead;
  /** The end of the last transaction that was whole. */
  soundSeq: number;

  constructor(first: JournalHead) {
    this.head = first;
    this.soundSeq = first.seq;
  }

  /** Takes the next event; returns what is wrong with it, or null. */
  step({ event, cause }: ChainedRow): string | null {
    const { seq, hash } = event;
    if (seq !== this.head.seq + 1) {
      return `event ${this.head.seq + 1} is missing: the next one stored is ${seq}`;
    }
    const misplaced = this.#whyNotCaused(seq, cause);
    if (misplaced !== null) return misplaced;
    if (eventHash(this.head.hash, event, cause) !== hash) {
      const what = cause === null ? `event ${seq}` : `event ${seq} or its command`;
      return `${what} was changed, or the hash of the event before it: the hashes do not agree`;
    }
    if (cause !== null) {
      this.#transactionEnd = cause.lastSeq;
      this.#transactions += 1;
    }
    this.head = { seq, hash };
    if (seq === this.#transactionEnd) this.soundSeq = seq;
    return null;
  }

  /** Compares where the events end with the head that the last commit recorded. */
  end(recorded: JournalHead): ChainVerdict {
    const { seq, hash } = this.head;
    const bad = (at: number, detail: string): ChainVerdict => {
      return { ok: false, seq: at, soundSeq: this.soundSeq, detail };
    };
    if (recorded.seq > seq) {
      return bad(seq + 1, `events ${seq + 1} to ${recorded.seq} are missing from the end`);
    }
    if (recorded.seq !== seq || recorded.hash !== hash) {
      return bad(seq, `the journal ends with event ${seq}, but its head names ${recorded.seq}`);
    }
    if (this.#transactionEnd > seq) {
      return bad(seq, `the last command claims events up to ${this.#transactionEnd}`);
    }
    return this.found();
  }

  /** What it has found to be sound, where not all was looked at. */
  found(): ChainVerdict {
    return { ok: true, head: this.head, transactions: this.#transactions };
  }

  #whyNotCaused(seq: number, cause: CommandRow | null): string | null {
    const opens = seq > this.#transactionEnd;
    if (opens && cause === null) return `the command that caused event ${seq} is missing`;
    if (!opens && cause !== null)
      return `a command stands at event ${seq}, inside another's events`;
    if (cause !== null && cause.lastSeq < seq) {
      return `the command of event ${seq} claims events up to ${cause.lastSeq}`;
    }
    return null;
  }
}
