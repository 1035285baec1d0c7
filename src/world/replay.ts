import { commit, decodeEvent, emptyState, evolve, type State } from "../kernel/index.ts";
import { isBookkeeping } from "./bookkeeping.ts";
import { type Journal, JournalFailure, type JournalRow } from "./journal/index.ts";

export type Replayed = { readonly state: State; readonly events: number; readonly lastSeq: number };

export type ReplayOptions = {
  /** The last event to apply; all of them where it is left out. */
  readonly upTo?: number;
  /** Called after each event, with the state as it then is. */
  readonly onEvent?: (seq: number, state: State) => void;
};

/**
 * Applies the events of a journal to an empty world. No code of agents runs: what it did is in the
 * events.
 */
export const replay = (journal: Journal, options: ReplayOptions = {}): Replayed => {
  const { upTo, onEvent } = options;
  const state = emptyState();
  let events = 0;
  let lastSeq = 0;
  for (const row of journal.events(upTo === undefined ? {} : { upTo })) {
    events += 1;
    lastSeq = row.seq;
    if (!isBookkeeping(row.kind)) apply(state, row);
    onEvent?.(row.seq, state);
  }
  return { state, events, lastSeq };
};

/** What our own code wrote can be applied; a row that cannot be was damaged or changed since. */
const apply = (state: State, row: JournalRow): void => {
  try {
    evolve(state, decodeEvent(row));
    commit(state);
  } catch (error) {
    const [why] = (error instanceof Error ? error.message : String(error)).split("\n");
    const cure = "`sim verify` looks at the whole of it";
    throw new JournalFailure(`event ${row.seq} of the journal is damaged: ${why}; ${cure}`);
  }
};
