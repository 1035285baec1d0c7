/**
 * One pass over the log.
 *
 * The log of a run is its journal: events, notes of the run, and recorded model calls. A
 * `Projection` makes one thing of it, such as the figures of a report, the histories of agents, or
 * an index of a page. A pass walks the log once, in order, and gives each row to all projections of
 * the caller, which share the decoded event. `readLog` reads a stored log, `readLogInSlices` too,
 * but lets a server answer in between, and a `LogFollower` continues as a live run adds rows. So
 * the pages of a live run, its report and its export come from the same code.
 */
import { setImmediate } from "node:timers/promises";
import {
  type Event,
  type EventKind,
  type EventOf,
  emptyState,
  errorMessage,
  type State,
} from "../../kernel/index.ts";
import { CallReader, type RecordedCall } from "../../model/index.ts";
import {
  carriedBy,
  decodeEvent,
  isRunEvent,
  JournalFailure,
  type JournalReader,
  type JournalRow,
  readingProblem,
  restore,
} from "../../world/index.ts";

/** A row of the journal. Its event is decoded when the first projection asks for it. */
export class LogEntry {
  readonly row: JournalRow;
  #event: Event | null | undefined;

  constructor(row: JournalRow) {
    this.row = row;
  }

  /** Null for a note of the run. */
  get event(): Event | null {
    if (this.#event === undefined) {
      this.#event = isRunEvent(this.row.kind) ? null : decodeEvent(this.row);
    }
    return this.#event;
  }
}

/** The row of an event or a note by its number, or null. */
export const rowAt = (journal: JournalReader, seq: number): JournalRow | null => {
  const [row] = journal.events({ after: seq - 1, upTo: seq });
  return row ?? null;
};

/** A recorded model call, and the number of the last event before it. */
export type LogCall = { readonly id: number; readonly seq: number; readonly call: RecordedCall };

/** Makes one thing of a log. All methods are optional, and get the log in order. */
export type Projection = {
  /** Gets each event, and each note of the run. */
  readonly event?: (entry: LogEntry) => void;
  /** Gets each model call, without damaged records, which `sim verify` reports. */
  readonly call?: (call: LogCall) => void;
  /** Called when all rows so far are whole transactions. */
  readonly settle?: () => void;
};

/** The events to read. By default all. Of model calls, those up to event `upTo`. */
type Extent = {
  readonly after?: number;
  readonly upTo?: number | undefined;
  /** The kinds of events whose bodies are not read. No projection may decode these events. */
  readonly withoutBodies?: readonly string[];
};

const giveRow = (projections: readonly Projection[], row: JournalRow): void => {
  const entry = new LogEntry(row);
  for (const projection of projections) projection.event?.(entry);
};

/** Reads the model calls after call `after`, for the projections that take calls. */
function* callsOf(
  journal: JournalReader,
  reader: CallReader,
  filter: { readonly after?: number; readonly upTo?: number | undefined },
): Generator<{ readonly id: number; readonly logged: LogCall | null }, void> {
  for (const row of journal.modelCalls(filter)) {
    const read = reader.read(row);
    const { id, seq } = row;
    yield { id, logged: read.ok ? { id, seq, call: read.call } : null };
  }
}

const giveCall = (projections: readonly Projection[], logged: LogCall | null): void => {
  if (logged === null) return;
  for (const projection of projections) projection.call?.(logged);
};

const settle = (projections: readonly Projection[]): void => {
  for (const projection of projections) projection.settle?.();
};

const takeEvents = (projections: readonly Projection[]): boolean =>
  projections.some(({ event }) => event !== undefined);
const takeCalls = (projections: readonly Projection[]): boolean =>
  projections.some(({ call }) => call !== undefined);

const callReaderOf = (journal: JournalReader): CallReader =>
  new CallReader((id) => callRowAt(journal, id));

const callRowAt = (journal: JournalReader, id: number) => {
  const [row] = journal.modelCalls({ after: id - 1, limit: 1 });
  return row?.id === id ? row : null;
};

/** The maximum time to read rows before the server can handle other requests. */
export const SLICE_MS = 8;
/** The number of rows to read between two checks of the clock. */
const CLOCK_EVERY_ROWS = 32;

/**
 * Gives all rows to `take`, and lets the server handle other requests in between. `pause` resolves
 * when the next slice may begin.
 */
export const inSlices = async <Row>(
  rows: Iterable<Row>,
  take: (row: Row) => void,
  pause: () => Promise<void> = setImmediate,
): Promise<void> => {
  let untilMs = performance.now() + SLICE_MS;
  let taken = 0;
  for (const row of rows) {
    take(row);
    taken += 1;
    if (taken % CLOCK_EVERY_ROWS !== 0 || performance.now() < untilMs) continue;
    await pause();
    untilMs = performance.now() + SLICE_MS;
  }
};

/** Walks a log once. */
export const readLog = (
  journal: JournalReader,
  projections: readonly Projection[],
  extent: Extent = {},
): void => {
  if (takeEvents(projections)) {
    for (const row of journal.events(extent)) giveRow(projections, row);
  }
  if (takeCalls(projections)) {
    const calls = callsOf(journal, callReaderOf(journal), { upTo: extent.upTo });
    for (const { logged } of calls) giveCall(projections, logged);
  }
  settle(projections);
};

/** Walks a log once, and lets the event loop do other things in between. Reads no model calls. */
export const readLogInSlices = async (
  journal: JournalReader,
  projections: readonly Projection[],
  extent: Extent = {},
): Promise<void> => {
  await inSlices(journal.events(extent), (row) => giveRow(projections, row));
  settle(projections);
};

/** Follows the log of a run that may still be written. Lets the event loop do other things. */
export class LogFollower {
  readonly #journal: JournalReader;
  readonly #projections: readonly Projection[];
  readonly #skipped: { readonly upTo: number; readonly kinds: readonly string[] };
  readonly #calls: CallReader;
  #lastSeq: number;
  #lastCall = 0;
  #following: Promise<void> | null = null;
  /** Why a projection could not take a row. No later row is read. */
  #failure: JournalFailure | null = null;

  /** Starts after event `after`. Up to event `skipped.upTo`, does not read bodies of these kinds. */
  constructor(
    journal: JournalReader,
    projections: readonly Projection[],
    after: number,
    skipped: { readonly upTo: number; readonly kinds: readonly string[] } = { upTo: 0, kinds: [] },
  ) {
    this.#journal = journal;
    this.#projections = projections;
    this.#lastSeq = after;
    this.#skipped = skipped;
    this.#calls = callReaderOf(journal);
  }

  /** Reads what was committed since the last call. */
  catchUp(): Promise<void> {
    this.#following ??= this.#follow().finally(() => {
      this.#following = null;
    });
    return this.#following;
  }

  /** A model call by its number. Null if it does not exist or is damaged. */
  async callAt(id: number): Promise<LogCall | null> {
    await this.catchUp();
    const row = callRowAt(this.#journal, id);
    const read = row === null ? null : this.#calls.read(row);
    return row !== null && read?.ok === true ? { id, seq: row.seq, call: read.call } : null;
  }

  async #follow(): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    if (takeEvents(this.#projections)) {
      await inSlices(this.#rows(), (row) => {
        this.#lastSeq = row.seq;
        this.#give(() => giveRow(this.#projections, row));
      });
    }
    if (takeCalls(this.#projections)) {
      const calls = callsOf(this.#journal, this.#calls, { after: this.#lastCall });
      await inSlices(calls, ({ id, logged }) => {
        this.#lastCall = id;
        this.#give(() => giveCall(this.#projections, logged));
      });
    }
    this.#give(() => settle(this.#projections));
  }

  *#rows(): Generator<JournalRow, void> {
    const { upTo, kinds } = this.#skipped;
    if (this.#lastSeq < upTo) {
      yield* this.#journal.events({ withoutBodies: kinds, after: this.#lastSeq, upTo });
    }
    yield* this.#journal.events({ after: this.#lastSeq });
  }

  #give(work: () => void): void {
    try {
      work();
    } catch (error) {
      const problem = readingProblem(error, [this.#journal]) ?? errorMessage(error);
      this.#failure = new JournalFailure(problem);
      throw this.#failure;
    }
  }
}

/** Flows such as `received` count after this event. Stocks such as `wealth` count all events. */
export type CountedFrom = {
  /** The parent run, or null if this run is not a fork. */
  readonly run: string | null;
  /** The number and the run time of the last event before counting starts. */
  readonly seq: number;
  readonly at_ms: number;
};

/** The event after which figures count: the last event before the fork, or 0 without a fork. */
export const countedFrom = (journal: JournalReader): CountedFrom => {
  const mark = journal.baseMark();
  if (mark === null) return { run: null, seq: 0, at_ms: 0 };
  const { ancestry } = carriedBy(mark);
  return { run: ancestry.at(-1)?.run_id ?? null, seq: mark.seq, at_ms: mark.atMs };
};

/** The state at which counting starts: the state after event `seq`. */
export const stateCountedFrom = (journal: JournalReader, { seq } = countedFrom(journal)): State =>
  seq === 0 ? emptyState() : restore(journal, { upTo: seq }).state;

export type SeqEvent<E extends Event = Event> = E & { readonly seq: number };

/** The number of events in the first step of a backward search. Each step doubles the number. */
const FIRST_STEP = 512;

/** The events after `after` and up to `upTo`, in order. Skips events about the run itself. */
export function* eventsBetween(
  journal: JournalReader,
  bounds: { readonly after: number; readonly upTo: number },
): Generator<SeqEvent, void> {
  for (const row of journal.events(bounds)) {
    if (!isRunEvent(row.kind)) yield { ...decodeEvent(row), seq: row.seq };
  }
}

export function* eventsOf<K extends EventKind>(
  journal: JournalReader,
  kind: K,
  filter: Parameters<JournalReader["events"]>[0] = {},
): Generator<SeqEvent<EventOf<K>>, void> {
  for (const row of journal.events({ kind, ...filter })) {
    const event = decodeEvent(row);
    if (isOf(event, [kind])) yield { ...event, seq: row.seq };
  }
}

type Search<K extends EventKind> = {
  readonly upTo: number;
  readonly kinds: readonly K[];
  readonly principal?: string;
  readonly fits?: (event: EventOf<K>) => boolean;
};

/** The newest matching event, or null. Searches from the end, because most matches are recent. */
export const lastEvent = <K extends EventKind>(
  journal: JournalReader,
  { upTo, kinds, principal, fits = () => true }: Search<K>,
): SeqEvent<EventOf<K>> | null => {
  const filter = { kind: kinds.length > 1 ? undefined : kinds[0], principal };
  let end = upTo;
  for (let step = FIRST_STEP; end > 0; step *= 2) {
    const after = Math.max(0, end - step);
    let found: SeqEvent<EventOf<K>> | null = null;
    for (const row of journal.events({ ...filter, after, upTo: end })) {
      if (!isAmong(row.kind, kinds)) continue;
      const event = decodeEvent(row);
      if (isOf(event, kinds) && fits(event)) found = { ...event, seq: row.seq };
    }
    if (found !== null) return found;
    end = after;
  }
  return null;
};

const isAmong = (kind: string, kinds: readonly string[]): boolean => kinds.includes(kind);

const isOf = <K extends EventKind>(event: Event, kinds: readonly K[]): event is EventOf<K> =>
  isAmong(event.kind, kinds);
