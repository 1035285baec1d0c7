import { isBookkeeping, type Journal, type JournalRow } from "../world/index.ts";

/** An event as a comparison shows it. */
export type SeenEvent = {
  readonly seq: number;
  readonly at_ms: number;
  readonly kind: string;
  readonly principal: string | null;
};

/** How far two runs are one and the same. */
export type Parting = {
  /** False where neither goes on from the other, nor both from one: then all was compared. */
  readonly related: boolean;
  /** How many events were alike since they have a past of their own. */
  readonly alike: number;
  /** The first events that differ; null for a run that ends there. Null: they do not differ. */
  readonly events: readonly [SeenEvent | null, SeenEvent | null] | null;
  /**
   * By how much the numbers of the second run are greater there, because more notes about the run
   * stand among its events: it was stopped and resumed. 0 where that cannot be said.
   */
  readonly shift: number;
};

/**
 * Finds the first event in which two runs differ. Notes about the run are no events of the world,
 * and numbers and hashes shift with them: only time, kind, principal and text are compared.
 */
export const partingOf = (a: Journal, b: Journal): Parting => {
  const since = commonSeq(a, b);
  const [left, right] = [worldEvents(a, since ?? 0), worldEvents(b, since ?? 0)];
  for (let alike = 0; ; alike += 1) {
    const [x, y] = [left.next().value ?? null, right.next().value ?? null];
    const related = since !== null;
    if (x === null && y === null) return { related, alike, events: null, shift: 0 };
    if (x === null || y === null || !isSame(x, y)) {
      const events = [x === null ? null : seen(x), y === null ? null : seen(y)] as const;
      const shift = related && x !== null && y !== null ? y.seq - x.seq : 0;
      return { related, alike, events, shift };
    }
  }
};

/**
 * The event up to which all have one past and from which on each knows what happened; null where
 * there is none.
 */
export const commonSeq = (...journals: readonly Journal[]): number | null => {
  const seq = Math.max(...journals.map((journal) => journal.baseMark()?.seq ?? 0));
  return new Set(journals.map((journal) => hashAfter(journal, seq))).size === 1 ? seq : null;
};

const hashAfter = (journal: Journal, seq: number): string | null => {
  if (seq === 0) return "";
  const base = journal.baseMark();
  if (base?.seq === seq) return base.hash;
  const [row] = journal.events({ after: seq - 1, upTo: seq });
  return row?.hash ?? null;
};

function* worldEvents(journal: Journal, after: number): Generator<JournalRow, void> {
  for (const row of journal.events({ after })) if (!isBookkeeping(row.kind)) yield row;
}

const isSame = (a: JournalRow, b: JournalRow): boolean =>
  a.atMs === b.atMs && a.kind === b.kind && a.principal === b.principal && a.body === b.body;

const seen = ({ seq, atMs, kind, principal }: JournalRow): SeenEvent => ({
  seq,
  at_ms: atMs,
  kind,
  principal,
});
