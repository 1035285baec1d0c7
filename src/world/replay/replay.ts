import { commit, emptyState, errorMessage, evolve, type State } from "../../kernel/index.ts";
import { packedInBackground } from "../core/packed-json.ts";
import { sha256 } from "../core/sha256.ts";
import { readState, stateChunks, stateText } from "../core/state-text.ts";
import {
  decodeEvent,
  isRunEvent,
  type Journal,
  JournalFailure,
  type JournalReader,
  type JournalRow,
  type PackedSnapshot,
  type StartState,
} from "../journal/index.ts";

type Restored = {
  readonly state: State;
  /** The number of the last event that the state includes. */
  readonly seq: number;
  readonly atMs: number;
  readonly applied: number;
};

type Extent = {
  /** The last event to apply. By default all events are applied. */
  readonly upTo?: number | undefined;
  /** Called with each row and the state before its event. Must not change the state. */
  readonly before?: (row: JournalRow, state: State) => void;
};

/**
 * Applies the events of a journal to its base, or to an empty world if it has no base. Runs no
 * programs, because the events contain all effects of programs.
 * @throws JournalFailure if the journal is damaged, or if it starts after event `upTo`.
 */
export const replay = (journal: JournalReader, extent: Extent = {}): Restored =>
  playOn(journal, firstPlace(journal, extent.upTo), extent);

/**
 * Restores the state after event `upTo`, by default the last event. The event may be inside a
 * transaction. Starts from the newest undamaged snapshot, so the cost does not grow with the run.
 * @throws JournalFailure if the journal is damaged, or if it starts after event `upTo`.
 */
export const restore = (journal: JournalReader, extent: Pick<Extent, "upTo"> = {}): Restored => {
  const { upTo } = extent;
  const place = snapshotPlace(journal, upTo) ?? firstPlace(journal, upTo);
  return playOn(journal, place, extent);
};

/** A state and the event after which it holds. */
export type ReplayPoint = Omit<Restored, "applied">;

/** The newest undamaged snapshot that includes no event after `upTo`, or null. */
const snapshotPlace = (
  journal: JournalReader,
  upTo = Number.MAX_SAFE_INTEGER,
): ReplayPoint | null => {
  let snapshot = journal.latestSnapshot(upTo);
  while (snapshot !== null) {
    const { seq, body } = snapshot;
    const read = readState(body);
    if (read.ok) return { state: read.state, seq, atMs: timeOf(journal, seq) };
    snapshot = journal.latestSnapshot(seq - 1);
  }
  return null;
};

const timeOf = (journal: JournalReader, seq: number): number => {
  const [row] = journal.events({ after: seq - 1, upTo: seq });
  return row?.atMs ?? journal.baseMark()?.atMs ?? 0;
};

/** The base of a journal, or an empty world. @throws JournalFailure if the base is unusable. */
export const firstPlace = (journal: JournalReader, upTo?: number): ReplayPoint => {
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

/** The number of events after which the catalogue is updated. */
const COMMIT_EACH = 64;

/** Applies the events after `from` to the state of `from`, which changes in place. */
export const playOn = (journal: JournalReader, from: ReplayPoint, extent: Extent): Restored => {
  const { state } = from;
  const { upTo, before } = extent;
  let { seq, atMs } = from;
  let applied = 0;
  for (const row of journal.events({ upTo, after: seq })) {
    before?.(row, state);
    const why = isRunEvent(row.kind) ? null : playEvent(state, row);
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
  const cure = "run `sim verify` to check the whole journal";
  return new JournalFailure(`event ${seq} of the journal is damaged: ${why}; ${cure}`);
};

/** Applies one event. If the row is damaged, returns the problem, and the state is unusable. */
export const playEvent = (state: State, row: JournalRow): string | null => {
  try {
    evolve(state, decodeEvent(row));
    return null;
  } catch (error) {
    return errorMessage(error);
  }
};

export const stateHash = (state: State): string => sha256(stateText(state));

/** Packs the current state without blocking the world. */
export const packSnapshot = async (state: State, seq: number): Promise<PackedSnapshot> => ({
  seq,
  state: await packedInBackground(stateChunks(state)),
});

/** Saves a snapshot of the current state. Await the promise before you close the journal. */
export const saveSnapshot = async (journal: Journal, state: State): Promise<PackedSnapshot> => {
  const snapshot = await packSnapshot(state, journal.head().seq);
  // Without this wait, `journal.saveSnapshot` would wait for the disk and block the world.
  await journal.durable();
  journal.saveSnapshot(snapshot);
  await journal.durable();
  return snapshot;
};
