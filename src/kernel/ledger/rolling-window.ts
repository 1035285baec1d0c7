import {
  append,
  dropOldest,
  emptyLog,
  type Log,
  logAt,
  logItems,
  logLength,
} from "../core/lists.ts";
import { type PerResource, perResource } from "../core/physics.ts";
import * as is from "../core/shape.ts";

/**
 * An `Entry` is one use of a resource or grant. It counts until `at + windowMs`, exclusive. A
 * `Window` is a list of entries; `total` is the sum of their amounts. `consume` removes expired
 * entries.
 */
const ENTRY = is.record({ at: is.amount, amount: is.amount });
export type Entry = is.Of<typeof ENTRY>;
export type Window = { readonly entries: Log<Counted>; readonly total: number };
export type Usage = PerResource<Window>;

/** `through` is the sum of all amounts so far. It makes sums of consecutive entries fast. */
type Counted = Entry & { readonly through: number };

export const emptyWindow = (): Window => ({ entries: emptyLog(), total: 0 });

export const emptyUsage = (): Usage => perResource(emptyWindow);

/** A window in a saved state. */
export const WRITTEN_WINDOW = is.record({ entries: is.list(ENTRY), total: is.amount });
export type WrittenWindow = is.Of<typeof WRITTEN_WINDOW>;
export const WRITTEN_USAGE = is.record(perResource(() => WRITTEN_WINDOW));

/** Returns the entries without `through`, oldest first. */
export const entriesOf = ({ entries }: Window): readonly Entry[] =>
  logItems(entries).map(({ at, amount }) => ({ at, amount }));

export const windowOf = (entries: readonly Entry[], total: number): Window => {
  let counted: Log<Counted> = emptyLog();
  for (const entry of entries) counted = added(counted, entry);
  return { entries: counted, total };
};

export type Rate = { readonly now: number; readonly windowMs: number; readonly quota: number };

export const expire = (window: Window, now: number, windowMs: number): Window => {
  const dead = deadAt(window, now, windowMs);
  if (dead === 0) return window;
  const { entries } = window;
  return { entries: dropOldest(entries, dead), total: window.total - usedBy(entries, dead) };
};

export const available = (window: Window, rate: Rate): number =>
  Math.max(0, rate.quota - liveTotal(window, rate.now, rate.windowMs));

export const liveTotal = (window: Window, now: number, windowMs: number): number =>
  window.total - usedBy(window.entries, deadAt(window, now, windowMs));

export const canConsume = (window: Window, amount: number, rate: Rate): boolean =>
  amount <= available(window, rate);

/** Returns the window with one more use. Does not check the quota. */
export const consume = (window: Window, amount: number, rate: Omit<Rate, "quota">): Window => {
  if (amount === 0) return window;
  const live = expire(window, rate.now, rate.windowMs);
  return { entries: added(live.entries, { at: rate.now, amount }), total: live.total + amount };
};

/** Returns the milliseconds until `amount` is available. Null if `amount` exceeds the quota. */
export const timeUntilAvailable = (window: Window, amount: number, rate: Rate): number | null => {
  if (amount > rate.quota) return null;
  const live = expire(window, rate.now, rate.windowMs);
  let missing = live.total + amount - rate.quota;
  for (let i = 0; missing > 0 && i < logLength(live.entries); i++) {
    const entry = logAt(live.entries, i);
    if (entry === undefined) break;
    missing -= entry.amount;
    if (missing <= 0) return entry.at + rate.windowMs - rate.now;
  }
  return 0;
};

/** Returns the number of expired entries. Uses exponential search, then binary search. */
const deadAt = ({ entries }: Window, now: number, windowMs: number): number => {
  const isDead = (index: number): boolean => (logAt(entries, index)?.at ?? now) + windowMs <= now;
  const length = logLength(entries);
  let [dead, step] = [0, 1];
  while (dead + step <= length && isDead(dead + step - 1)) {
    dead += step;
    step *= 2;
  }
  let live = Math.min(dead + step - 1, length);
  while (dead < live) {
    const middle = (dead + live) >> 1;
    if (isDead(middle)) dead = middle + 1;
    else live = middle;
  }
  return dead;
};

const usedBy = (entries: Log<Counted>, count: number): number => {
  const [oldest, last] = [logAt(entries, 0), logAt(entries, count - 1)];
  if (oldest === undefined || last === undefined) return 0;
  return last.through - oldest.through + oldest.amount;
};

const added = (entries: Log<Counted>, { at, amount }: Entry): Log<Counted> => {
  const before = logAt(entries, logLength(entries) - 1)?.through ?? 0;
  return append(entries, { at, amount, through: before + amount });
};
