import { commit, emptyState, errorMessage, evolve, type State } from "../kernel/index.ts";
import { isBookkeeping } from "./bookkeeping.ts";
import { type Journal, JournalFailure, type JournalRow, type StartState } from "./journal/index.ts";
import { readState } from "./state-codec/read-state.ts";
import { decodeEvent } from "./wire-codec.ts";

export type Restored = {
  readonly state: State;
  /** The last event that the state includes. */
  readonly seq: number;
  readonly atMs: number;
  /** The number of events applied. */
  readonly applied: number;
};

/** The last event to apply; default: all. */
type Extent = { readonly upTo?: number };

/**
 * Applies the events of a journal to its base or to an empty world. It runs no program: the effects
 * are in the events.
 * @throws JournalFailure if the journal is damaged, or starts after `upTo`.
 */
export const replay = (journal: Journal, extent: Extent = {}): Restored =>
  playOn(journal, firstPlace(journal, extent.upTo), extent);

/**
 * The state after event `upTo`, which may lie within a transaction, or after the last event. It
 * starts from the nearest undamaged snapshot, so that its cost does not grow with the run.
 * @throws JournalFailure if the journal is damaged, or starts after `upTo`.
 */
export const restore = (journal: Journal, extent: Extent = {}): Restored => {
  const { upTo } = extent;
  const place = snapshotPlace(journal, upTo) ?? firstPlace(journal, upTo);
  return playOn(journal, place, extent);
};

type Place = Omit<Restored, "applied">;

/** The newest undamaged snapshot; damaged ones are skipped. */
const snapshotPlace = (journal: Journal, upTo = Number.MAX_SAFE_INTEGER): Place | null => {
  let snapshot = journal.latestSnapshot(upTo);
  while (snapshot !== null) {
    const { seq, body } = snapshot;
    const read = readState(body);
    if (read.ok) return { state: read.state, seq, atMs: timeOf(journal, seq) };
    snapshot = journal.latestSnapshot(seq - 1);
  }
  return null;
};

const timeOf = (journal: Journal, seq: number): number => {
  const [row] = journal.events({ after: seq - 1, upTo: seq });
  return row?.atMs ?? journal.baseMark()?.atMs ?? 0;
};

/**
 * The start of a journal, with a new state that the caller owns.
 * @throws JournalFailure if the base cannot be used, or lies after `upTo`.
 */
export const firstPlace = (journal: Journal, upTo?: number): Place => {
  const base = journal.base();
  if (base === null) return { state: emptyState(), seq: 0, atMs: 0 };
  const { seq, atMs } = base;
  if (upTo !== undefined && upTo < seq) {
    const where = `look for event ${upTo} in the run that it was forked from`;
    throw new JournalFailure(`${journal.path} starts after event ${seq}; ${where}`);
  }
  return { state: stateOf(base, journal.path), seq, atMs };
};

const stateOf = (base: StartState, path: string): State => {
  const read = readState(base.state);
  if (read.ok) return read.state;
  throw new JournalFailure(`${path} starts from a state that cannot be used: ${read.problem}`);
};

/** Events per commit of the catalogue. */
const COMMIT_EACH = 64;

const playOn = (journal: Journal, from: Place, extent: Extent): Restored => {
  const { state } = from;
  let { seq, atMs } = from;
  let applied = 0;
  for (const row of journal.events({ ...extent, after: seq })) {
    const why = isBookkeeping(row.kind) ? null : playEvent(state, row);
    if (why !== null) throw damaged(row.seq, why);
    ({ seq, atMs } = row);
    applied += 1;
    if (applied % COMMIT_EACH === 0) commit(state);
  }
  commit(state);
  return { state, seq, atMs, applied };
};

const damaged = (seq: number, problem: string): JournalFailure => {
  const [why] = problem.split("\n");
  const cure = "`sim verify` checks all of it";
  return new JournalFailure(`event ${seq} of the journal is damaged: ${why}; ${cure}`);
};

/** Applies one event. A damaged row is a problem, and then the state can no longer be used. */
export const playEvent = (state: State, row: JournalRow): string | null => {
  try {
    evolve(state, decodeEvent(row));
    return null;
  } catch (error) {
    return errorMessage(error);
  }
};
