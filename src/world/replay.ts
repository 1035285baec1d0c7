import {
  commit,
  decodeEvent,
  emptyState,
  evolve,
  messageOf,
  readState,
  type State,
} from "../kernel/index.ts";
import { isBookkeeping } from "./bookkeeping.ts";
import { type Beginning, type Journal, JournalFailure, type JournalRow } from "./journal/index.ts";
import { sha256 } from "./sha256.ts";

export type Replayed = { readonly state: State; readonly events: number; readonly lastSeq: number };

export type ReplayOptions = {
  /** The last event to apply; all of them where it is left out. */
  readonly upTo?: number;
  /** Called after each event, with the state as it then is. */
  readonly onEvent?: (seq: number, state: State) => void;
};

/**
 * Applies the events of a journal to an empty world, or to the state that the journal goes on from.
 * No code of agents runs: what it did is in the events.
 * @throws JournalFailure when the journal is damaged, or begins after `upTo`.
 */
export const replay = (journal: Journal, options: ReplayOptions = {}): Replayed => {
  const { state, seq, applied } = playOn(journal, firstPlace(journal, options.upTo), options);
  return { state, events: applied, lastSeq: seq };
};

export type Restored = {
  readonly state: State;
  /** The last event that the state includes. */
  readonly seq: number;
  /** Its run time; 0 where there is none. */
  readonly atMs: number;
  /** How many events had to be applied. */
  readonly applied: number;
};

/**
 * The state after event `upTo`, or after the last one. It starts from the nearest sound snapshot or
 * from what the journal goes on from, so that it takes no longer the longer the run has been. It
 * stops where it is told, also within a transaction: ask `transactionEnd` first.
 * @throws JournalFailure when the journal is damaged, or begins after `upTo`.
 */
export const restore = (journal: Journal, options: Pick<ReplayOptions, "upTo"> = {}): Restored => {
  const { upTo } = options;
  const place = snapshotPlace(journal, upTo) ?? firstPlace(journal, upTo);
  return playOn(journal, place, options);
};

/** A state, the last event in it, and the run time of that. */
type Place = Omit<Restored, "applied">;

/** The newest snapshot that is what it says; the events say the same as one that is not. */
const snapshotPlace = (journal: Journal, upTo = Number.MAX_SAFE_INTEGER): Place | null => {
  let snapshot = journal.latestSnapshot(upTo);
  while (snapshot !== null) {
    const { seq, body } = snapshot;
    const read = sha256(body) === snapshot.stateHash ? readState(body) : null;
    if (read?.ok) return { state: read.state, seq, atMs: timeOf(journal, seq) };
    snapshot = journal.latestSnapshot(seq - 1);
  }
  return null;
};

const timeOf = (journal: Journal, seq: number): number => {
  const [row] = journal.events({ after: seq - 1, upTo: seq });
  return row?.atMs ?? journal.baseMark()?.atMs ?? 0;
};

/**
 * Where a journal begins, with a state of the caller's own.
 * @throws JournalFailure when that cannot be used, or lies after `upTo`.
 */
export const firstPlace = (journal: Journal, upTo?: number): Place => {
  const base = journal.base();
  if (base === null) return { state: emptyState(), seq: 0, atMs: 0 };
  const { seq, atMs } = base;
  if (upTo !== undefined && upTo < seq) {
    const where = `look at event ${upTo} in the run that it comes from`;
    throw new JournalFailure(`${journal.path} goes on from event ${seq}; ${where}`);
  }
  return { state: stateOf(base, journal.path), seq, atMs };
};

/** @throws JournalFailure when this program cannot read it. */
const stateOf = (base: Beginning, path: string): State => {
  const read = readState(base.state);
  if (read.ok) return read.state;
  throw new JournalFailure(`${path} goes on from a state that cannot be used: ${read.problem}`);
};

/** What is looked up by the catalogue is settled so often, where nobody looks in between. */
const COMMIT_EACH = 64;

const playOn = (journal: Journal, from: Place, { upTo, onEvent }: ReplayOptions): Restored => {
  const { state } = from;
  let { seq, atMs } = from;
  let applied = 0;
  let open = 0;
  for (const row of journal.events({ after: seq, ...(upTo === undefined ? {} : { upTo }) })) {
    const why = isBookkeeping(row.kind) ? null : playEvent(state, row);
    if (why !== null) throw damaged(row.seq, why);
    ({ seq, atMs } = row);
    applied += 1;
    open += 1;
    if (onEvent === undefined && open < COMMIT_EACH) continue;
    commit(state);
    open = 0;
    onEvent?.(seq, state);
  }
  commit(state);
  return { state, seq, atMs, applied };
};

const damaged = (seq: number, trouble: string): JournalFailure => {
  const [why] = trouble.split("\n");
  const cure = "`sim verify` looks at the whole of it";
  return new JournalFailure(`event ${seq} of the journal is damaged: ${why}; ${cure}`);
};

/**
 * Applies one event, and returns why it cannot be, or null. What our own code wrote can be; a row
 * that cannot was damaged or changed since, and what it leaves of the state is of no use.
 */
export const playEvent = (state: State, row: JournalRow): string | null => {
  try {
    evolve(state, decodeEvent(row));
    return null;
  } catch (error) {
    return messageOf(error);
  }
};
