import { append, dropOldest, emptyLog, type Log, logAt, logLength } from "./log.ts";
import type { Resource } from "./physics.ts";

/**
 * Renewable resources: what a principal used in the last `windowMs`.
 * An entry made at t counts until t + windowMs, exclusive. `total` is the sum of live entries.
 */
export type Entry = { readonly at: number; readonly amount: number };
export type Window = { readonly entries: Log<Entry>; readonly total: number };
export type Usage = { readonly [R in Resource]: Window };

export const emptyWindow = (): Window => ({ entries: emptyLog(), total: 0 });

export const emptyUsage = (): Usage => ({
  actions: emptyWindow(),
  llm_calls: emptyWindow(),
  llm_tokens: emptyWindow(),
  cpu_gas: emptyWindow(),
  bytes_written: emptyWindow(),
});

export type Rate = { readonly now: number; readonly windowMs: number; readonly quota: number };

/** The window without the entries that have left it. */
export const expire = (window: Window, now: number, windowMs: number): Window => {
  let dead = 0;
  let total = window.total;
  for (;;) {
    const entry = logAt(window.entries, dead);
    if (entry === undefined || entry.at + windowMs > now) break;
    total -= entry.amount;
    dead += 1;
  }
  return dead === 0 ? window : { entries: dropOldest(window.entries, dead), total };
};

/** How much may be used at once, now. */
export const available = (window: Window, rate: Rate): number =>
  Math.max(0, rate.quota - expire(window, rate.now, rate.windowMs).total);

export const canConsume = (window: Window, amount: number, rate: Rate): boolean =>
  amount <= available(window, rate);

/** Records a use. It does not check: `decide` did. */
export const consume = (window: Window, amount: number, rate: Omit<Rate, "quota">): Window => {
  if (amount === 0) return window;
  const live = expire(window, rate.now, rate.windowMs);
  return { entries: append(live.entries, { at: rate.now, amount }), total: live.total + amount };
};

/**
 * Milliseconds until `amount` can be used, 0 when it can be now, null when it exceeds the quota
 * and waiting cannot help.
 */
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
