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

describe("the edges of a rolling window", () => {
  it("counts a use up to the last millisecond of its window and not one longer", () => {
    const window = after([1_000, 10]);
    expect(available(window, rate(1_000))).toBe(0);
    expect(available(window, rate(60_999))).toBe(0);
    expect(available(window, rate(61_000))).toBe(10);
  });

  it("lets exactly the quota be used and not one more", () => {
    const window = after([0, 4]);
    expect(canConsume(window, 6, rate(0))).toBe(true);
    expect(canConsume(window, 7, rate(0))).toBe(false);
    expect(canConsume(window, 0, rate(0))).toBe(true);
  });

  it("counts uses of one moment apart, and a use of nothing not at all", () => {
    expect(available(after([5, 3], [5, 3]), rate(5))).toBe(4);
    expect(after([5, 0])).toEqual(emptyWindow());
  });

  it("offers nothing, rather than less than nothing, after quota was given away", () => {
    expect(available(after([0, 10]), rate(0, 3))).toBe(0);
  });
});

describe("how long to wait", () => {
  it("is nothing while there is room", () => {
    expect(timeUntilAvailable(after([0, 4]), 6, rate(0))).toBe(0);
  });

  it("is until enough of the oldest uses have left", () => {
    const window = after([0, 4], [10, 3], [20, 3]);
    expect(timeUntilAvailable(window, 1, rate(30))).toBe(59_970);
    expect(timeUntilAvailable(window, 4, rate(30))).toBe(59_970);
    expect(timeUntilAvailable(window, 5, rate(30))).toBe(59_980);
    expect(timeUntilAvailable(window, 10, rate(30))).toBe(59_990);
  });

  it("is for ever where the quota itself is too small", () => {
    expect(timeUntilAvailable(emptyWindow(), 11, rate(0))).toBeNull();
    expect(timeUntilAvailable(emptyWindow(), 1, rate(0, 0))).toBeNull();
  });

  it("counts what must leave first when quota was given away after it was used", () => {
    expect(timeUntilAvailable(after([0, 6], [50, 4]), 1, rate(60, 4))).toBe(59_990);
  });
});

const use = fc.record({ wait: fc.nat(40_000), amount: fc.nat(7) });

describe("a rolling window", () => {
  it("agrees with adding up every use of the last minute", () => {
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

  it("has room after the wait that it names, and not a millisecond before", () => {
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
