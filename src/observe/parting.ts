import type { Event } from "../kernel/index.ts";
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
  /** How often each was given other physics since then: what was changed, not what came of it. */
  readonly amended: readonly [number, number];
  /**
   * By how much the numbers of the second run are greater there, because more notes about the run
   * stand among its events: it was stopped and resumed. 0 where that cannot be said.
   */
  readonly shift: number;
};

/**
 * Finds the first event in which two runs behave otherwise. Notes about the run are no events of
 * the world, and that somebody has amended its physics is no behaviour: both are passed over.
 * Numbers and hashes shift with them: only time, kind, principal and text are compared.
 */
export const partingOf = (a: Journal, b: Journal): Parting => {
  const since = commonSeq(a, b);
  const related = since !== null;
  const amended = [amendments(a, since ?? 0), amendments(b, since ?? 0)] as const;
  const told = a.format === b.format ? bodyOf : withoutMind;
  const [left, right] = [behaviour(a, since ?? 0), behaviour(b, since ?? 0)];
  for (let alike = 0; ; alike += 1) {
    const [x, y] = [left.next().value ?? null, right.next().value ?? null];
    if (x === null && y === null) return { related, alike, events: null, amended, shift: 0 };
    if (x === null || y === null || !isSame(x, y, told)) {
      const events = [x === null ? null : seen(x), y === null ? null : seen(y)] as const;
      const shift = related && x !== null && y !== null ? y.seq - x.seq : 0;
      return { related, alike, events, amended, shift };
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

const AMENDED: Event["kind"] = "physics_amended";

const amendments = (journal: Journal, after: number): number =>
  [...journal.events({ after, kind: AMENDED })].length;

function* behaviour(journal: Journal, after: number): Generator<JournalRow, void> {
  for (const row of journal.events({ after })) {
    if (!isBookkeeping(row.kind) && row.kind !== AMENDED) yield row;
  }
}

type Told = (row: JournalRow) => string;

const bodyOf: Told = ({ body }) => body;

/** Each format of a journal tells in its own way how a mind has changed; deeds show it later. */
const withoutMind: Told = ({ kind, body }) => {
  if (kind !== "thought_completed" && kind !== "thought_failed") return body;
  return JSON.stringify({ ...JSON.parse(body), mind: null });
};

const isSame = (a: JournalRow, b: JournalRow, told: Told): boolean =>
  a.atMs === b.atMs && a.kind === b.kind && a.principal === b.principal && told(a) === told(b);

const seen = ({ seq, atMs, kind, principal }: JournalRow): SeenEvent => ({
  seq,
  at_ms: atMs,
  kind,
  principal,
});
