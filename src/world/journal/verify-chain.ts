import type { DatabaseSync } from "node:sqlite";
import { firstHead, whyBeginningUnsound } from "./beginning.ts";
import { eventHash } from "./chain.ts";
import { storedCommands, storedEvents } from "./event-query.ts";
import { recordedHead } from "./head.ts";
import { JournalFailure } from "./journal-failure.ts";
import type { CommandRow, JournalHead, JournalRow } from "./rows.ts";
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
        walk = new ChainWalk(storedCommands(database), firstHead(database));
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
  for (const row of storedEvents(database, upTo === null ? {} : { upTo })) {
    const detail = walk.step(row);
    if (detail !== null) return bad(walk.head.seq + 1, detail);
  }
  return upTo === null ? walk.end(recordedHead(database)) : walk.found();
}

/** Where the check stands: the last good event, and the command whose events are being read. */
class ChainWalk {
  readonly #commands: Iterator<CommandRow, void>;
  #next: CommandRow | null;
  #transactionEnd = 0;
  #transactions = 0;
  head: JournalHead;
  /** The end of the last transaction that was whole. */
  soundSeq: number;

  constructor(commands: Iterator<CommandRow, void>, first: JournalHead) {
    this.head = first;
    this.soundSeq = first.seq;
    this.#commands = commands;
    this.#next = commands.next().value ?? null;
  }

  /** Takes the next event; returns what is wrong with it, or null. */
  step(row: JournalRow): string | null {
    if (row.seq !== this.head.seq + 1) {
      return `event ${this.head.seq + 1} is missing: the next one stored is ${row.seq}`;
    }
    const opens = row.seq > this.#transactionEnd;
    const cause = opens ? this.#next : null;
    if (opens) {
      const detail = this.#whyNoCause(row.seq);
      if (detail !== null) return detail;
    }
    if (eventHash(this.head.hash, row, cause) !== row.hash) {
      const what = opens ? `event ${row.seq} or its command` : `event ${row.seq}`;
      return `${what} was changed, or the hash of the event before it: the hashes do not agree`;
    }
    if (cause !== null) this.#begin(cause);
    this.head = { seq: row.seq, hash: row.hash };
    if (row.seq === this.#transactionEnd) this.soundSeq = row.seq;
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
    if (this.#next !== null) {
      return bad(this.#next.firstSeq, `a command without events stands at ${this.#next.firstSeq}`);
    }
    return this.found();
  }

  /** What it has found to be sound, where not all was looked at. */
  found(): ChainVerdict {
    return { ok: true, head: this.head, transactions: this.#transactions };
  }

  #whyNoCause(seq: number): string | null {
    const next = this.#next;
    if (next === null || next.firstSeq > seq)
      return `the command that caused event ${seq} is missing`;
    if (next.firstSeq < seq)
      return `a command stands at event ${next.firstSeq}, inside another's events`;
    if (next.lastSeq < seq)
      return `the command of event ${seq} claims events up to ${next.lastSeq}`;
    return null;
  }

  #begin(cause: CommandRow): void {
    this.#transactionEnd = cause.lastSeq;
    this.#transactions += 1;
    this.#next = this.#commands.next().value ?? null;
  }
}
