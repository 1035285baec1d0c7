import { decodeEvent, type Event, type EventKind, type EventOf } from "../../kernel/index.ts";
import { isBookkeeping, type Journal } from "../../world/index.ts";

export type Placed<E extends Event = Event> = E & { readonly seq: number };

/** How far back is looked at first; twice as far each time nothing is found. */
const STRETCH = 512;

/** The events of the world from `after` up to `upTo`, in order. */
export function* eventsBetween(
  journal: Journal,
  bounds: { readonly after: number; readonly upTo: number },
): Generator<Placed, void> {
  for (const row of journal.events(bounds)) {
    if (!isBookkeeping(row.kind)) yield { ...decodeEvent(row), seq: row.seq };
  }
}

type Search<K extends EventKind> = {
  /** The last event that may be it. */
  readonly upTo: number;
  /** It is of one of these kinds. */
  readonly kinds: readonly K[];
  readonly principal?: string;
  readonly fits?: (event: EventOf<K>) => boolean;
};

/**
 * The newest event of some kinds that fits, or null. It reads only as far back as it must, as what
 * is looked for mostly happened a moment before.
 */
export const lastEvent = <K extends EventKind>(
  journal: Journal,
  { upTo, kinds, principal, fits = () => true }: Search<K>,
): Placed<EventOf<K>> | null => {
  const [kind] = kinds;
  const filter = {
    ...(kind === undefined || kinds.length > 1 ? {} : { kind }),
    ...(principal === undefined ? {} : { principal }),
  };
  let end = upTo;
  for (let stretch = STRETCH; end > 0; stretch *= 2) {
    const after = Math.max(0, end - stretch);
    let found: Placed<EventOf<K>> | null = null;
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
