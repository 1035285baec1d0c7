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
    if (x === null && y === null) return { related, alike, events: null };
    if (x === null || y === null || !isSame(x, y)) {
      return { related, alike, events: [x === null ? null : seen(x), y === null ? null : seen(y)] };
    }
  }
};

/** The event up to which both have one past; null where they have none. */
const commonSeq = (a: Journal, b: Journal): number | null => {
  const [from, to] = [a.baseMark()?.seq ?? 0, b.baseMark()?.seq ?? 0];
  const seq = Math.max(from, to);
  return hashAfter(a, seq) === hashAfter(b, seq) ? seq : null;
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
