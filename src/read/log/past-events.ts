import type { Event, EventKind, EventOf } from "../../kernel/index.ts";
import { decodeEvent, isRunEvent, type JournalReader } from "../../world/index.ts";

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
