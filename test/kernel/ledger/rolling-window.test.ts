import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logItems, type Window } from "../../../src/kernel/index.ts";
import {
  available,
  canConsume,
  consume,
  emptyWindow,
  timeUntilAvailable,
} from "../../../src/kernel/ledger/rolling-window.ts";

const WINDOW_MS = 60_000;
const rate = (now: number, quota = 10) => ({ now, windowMs: WINDOW_MS, quota });

/** A window in which each amount was used at its time. */
const after = (...uses: readonly (readonly [at: number, amount: number])[]): Window =>
  uses.reduce((window, [at, amount]) => consume(window, amount, rate(at)), emptyWindow());

describe("the limits of a rolling window", () => {
  it("count a use until the last millisecond of its window", () => {
    const window = after([1_000, 10]);
    expect(available(window, rate(1_000))).toBe(0);
    expect(available(window, rate(60_999))).toBe(0);
    expect(available(window, rate(61_000))).toBe(10);
  });

  it("allow exactly the quota", () => {
    const window = after([0, 4]);
    expect(canConsume(window, 6, rate(0))).toBe(true);
    expect(canConsume(window, 7, rate(0))).toBe(false);
    expect(canConsume(window, 0, rate(0))).toBe(true);
  });

  it("count uses at the same time separately, and no use of 0", () => {
    expect(available(after([5, 3], [5, 3]), rate(5))).toBe(4);
    expect(after([5, 0])).toEqual(emptyWindow());
  });

  it("leave 0, not less, if quota was given away after use", () => {
    expect(available(after([0, 10]), rate(0, 3))).toBe(0);
  });
});

describe("the wait for a quota", () => {
  it("is 0 while there is room", () => {
    expect(timeUntilAvailable(after([0, 4]), 6, rate(0))).toBe(0);
  });

  it("lasts until enough of the oldest uses have left the window", () => {
    const window = after([0, 4], [10, 3], [20, 3]);
    expect(timeUntilAvailable(window, 1, rate(30))).toBe(59_970);
    expect(timeUntilAvailable(window, 4, rate(30))).toBe(59_970);
    expect(timeUntilAvailable(window, 5, rate(30))).toBe(59_980);
    expect(timeUntilAvailable(window, 10, rate(30))).toBe(59_990);
  });

  it("is null if the quota is too small", () => {
    expect(timeUntilAvailable(emptyWindow(), 11, rate(0))).toBeNull();
    expect(timeUntilAvailable(emptyWindow(), 1, rate(0, 0))).toBeNull();
  });

  it("is longer if quota was given away after use", () => {
    expect(timeUntilAvailable(after([0, 6], [50, 4]), 1, rate(60, 4))).toBe(59_990);
  });
});

const use = fc.record({ wait: fc.nat(40_000), amount: fc.nat(7) });

describe("a rolling window", () => {
  it("has the quota less the uses of the last minute", () => {
    fc.assert(
      fc.property(fc.array(use, { maxLength: 200 }), fc.nat(12), (uses, quota) => {
        let window = emptyWindow();
        const all: { at: number; amount: number }[] = [];
        let now = 0;
        for (const { wait, amount } of uses) {
          now += wait;
          window = consume(window, amount, rate(now));
          all.push({ at: now, amount });
          const live = all.filter(({ at }) => now - at < WINDOW_MS);
          const used = live.reduce((sum, each) => sum + each.amount, 0);
          expect(available(window, rate(now, quota))).toBe(Math.max(0, quota - used));
          const entries = logItems(window.entries);
          expect(window.total).toBe(entries.reduce((sum, each) => sum + each.amount, 0));
        }
      }),
      { numRuns: 50 },
    );
  });

  it("has room after exactly the wait", () => {
    fc.assert(
      fc.property(
        fc.array(use, { maxLength: 20 }),
        fc.integer({ min: 1, max: 10 }),
        (uses, want) => {
          let [window, now] = [emptyWindow(), 0];
          for (const { wait, amount } of uses) {
            now += wait;
            window = consume(window, amount, rate(now));
          }
          const wait = timeUntilAvailable(window, want, rate(now)) ?? Number.NaN;
          expect(canConsume(window, want, rate(now + wait))).toBe(true);
          if (wait > 0) expect(canConsume(window, want, rate(now + wait - 1))).toBe(false);
        },
      ),
    );
  });
});
