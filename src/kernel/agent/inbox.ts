import { PUBLIC_EVENT, type PublicEvent } from "../core/event.ts";
import type { Id } from "../core/ids.ts";
import * as is from "../core/shape.ts";

/** A public event in an inbox. `text` is what the called program told this agent alone. */
const INBOX_EVENT = is.record({ ...PUBLIC_EVENT, text: is.optional(is.text) });
export type InboxEvent = is.Of<typeof INBOX_EVENT>;

/** Several events of one kind and target. `target` is null if they have none or several. */
const EVENT_SUM = is.record({
  kind: is.text,
  target: is.nullable(is.text),
  count: is.amount,
  /** The sum of all amounts. An event without an amount counts as 0. */
  amount: is.finite,
});
export type EventSum = is.Of<typeof EVENT_SUM>;

/**
 * What a thought has seen of the inbox. `sums` counts all events since the last thought. It may be
 * empty if `recent` still has every event that the thought has not seen.
 */
export type InboxSeen = {
  /** The number of events that the inbox had received when the thought started. */
  readonly received: number;
  readonly sums: readonly EventSum[];
};

/**
 * The events that concern an agent and that others caused. Each event since the agent's last
 * thought is either in `recent` or counted in `sums`. Earlier events stay in `recent` while there
 * is room.
 */
export const INBOX = is.record({
  agent: is.id,
  /** The number of events received so far. */
  received: is.amount,
  /** The number of events, the oldest first, that the agent's thoughts have seen. */
  seen: is.amount,
  /** The newest events, sorted from old to new. `inbox_events_max` limits their number. */
  recent: is.list(INBOX_EVENT),
  /** The unseen events that are no longer in `recent`. */
  sums: is.list(EVENT_SUM),
});
export type Inbox = is.Of<typeof INBOX>;

export const emptyInbox = (agent: Id): Inbox => ({
  agent,
  received: 0,
  seen: 0,
  recent: [],
  sums: [],
});

/** The number of received events that are older than `recent`. */
const olderThanRecent = ({ received, recent }: Inbox): number => received - recent.length;

/** Returns the events in `recent` that the agent's thoughts have not seen. */
export const unseenOf = (inbox: Inbox): readonly InboxEvent[] =>
  inbox.recent.slice(Math.max(0, inbox.seen - olderThanRecent(inbox)));

/** Adds events to sums. Above `groupsMax` groups, a new group has a kind but no target. */
export const summed = (
  sums: readonly EventSum[],
  events: readonly PublicEvent[],
  groupsMax: number,
): readonly EventSum[] => {
  const groups = [...sums];
  for (const { kind, target, amount } of events) {
    const place = (of: EventSum["target"]): number =>
      groups.findIndex((group) => group.kind === kind && group.target === of);
    const known = place(target);
    const named = known >= 0 || groups.length < groupsMax ? target : null;
    const at = known >= 0 ? known : place(named);
    const { count, amount: before } = groups[at] ?? { count: 0, amount: 0 };
    const sum = { kind, target: named, count: count + 1, amount: before + (amount ?? 0) };
    groups.splice(at < 0 ? groups.length : at, 1, sum);
  }
  return groups;
};

/** Adds an event. Above `eventsMax` events, counts the oldest unless a thought has seen it. */
export const withEvent = (inbox: Inbox, event: InboxEvent, eventsMax: number): Inbox => {
  const received = inbox.received + 1;
  const leaving = Math.max(0, inbox.recent.length + 1 - eventsMax);
  if (leaving === 0) return { ...inbox, received, recent: [...inbox.recent, event] };
  const all = [...inbox.recent, event];
  const alreadySeen = Math.max(0, inbox.seen - olderThanRecent(inbox));
  const unseen = all.slice(alreadySeen, leaving);
  const sums = unseen.length === 0 ? inbox.sums : summed(inbox.sums, unseen, eventsMax);
  return { ...inbox, received, recent: all.slice(leaving), sums };
};

/**
 * Returns what a thought that started with the inbox `shown` has seen. `now` is the inbox at the
 * end of the thought. Sums are given only if `now` has counted later events in the same sums.
 */
export const seenAfter = (shown: Inbox, now: Inbox): InboxSeen => {
  const { received } = shown;
  if (received >= olderThanRecent(now)) return { received, sums: [] };
  return { received, sums: summed(shown.sums, unseenOf(shown), Number.POSITIVE_INFINITY) };
};

/** Keeps in the sums only the events that arrived during the thought. */
export const withSeen = (inbox: Inbox, { received, sums }: InboxSeen): Inbox => {
  const isAllSeen = received >= olderThanRecent(inbox);
  return { ...inbox, seen: received, sums: isAllSeen ? [] : without(inbox.sums, sums) };
};

/** Subtracts sums, for each target first from its own group, then from the group of its kind. */
const without = (sums: readonly EventSum[], shown: readonly EventSum[]): readonly EventSum[] => {
  let left = sums;
  for (const each of shown) {
    let open = { count: each.count, amount: each.amount };
    for (const target of new Set([each.target, null])) {
      const group = left.find((sum) => sum.kind === each.kind && sum.target === target);
      if (group === undefined || open.count === 0) continue;
      const count = Math.min(open.count, group.count);
      const amount = count === open.count ? open.amount : group.amount;
      const rest = { ...group, count: group.count - count, amount: group.amount - amount };
      left = left.map((sum) => (sum === group ? rest : sum));
      open = { count: open.count - count, amount: open.amount - amount };
    }
  }
  return left.filter(({ count }) => count > 0);
};

/** Yields what is wrong with an inbox: each unseen event must be listed or counted. */
export function* inboxProblems(inbox: Inbox): Iterable<string> {
  const { agent, received, seen, recent, sums } = inbox;
  const counted = sums.reduce((sum, { count }) => sum + count, 0);
  const unlisted = Math.max(0, olderThanRecent(inbox) - seen);
  if (seen > received || recent.length > received) {
    yield `the inbox of ${agent} has ${recent.length} events and has shown ${seen} of ${received}`;
  }
  if (counted !== unlisted) {
    yield `the inbox of ${agent} counts ${counted} of ${unlisted} events that it does not list`;
  }
  if (recent.some(({ n }, at) => n <= (recent[at - 1]?.n ?? 0))) {
    yield `the events in the inbox of ${agent} are out of order`;
  }
}
