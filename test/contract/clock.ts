import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/world/clock/clock.ts";

export type ClockUnderTest = {
  readonly make: (startMs: number) => Clock;
  /** Calls `run` and lets the clock's time pass. */
  readonly run: (clock: Clock) => Promise<void>;
};

/** The real function, before tests fake the timers of the process. */
const { setImmediate: realTurn } = globalThis;

const turn = (): Promise<void> => new Promise((resolve) => void realTurn(resolve));

/** A clock whose tasks note what they see. */
export const noting = (clock: Clock) => {
  const seen: unknown[] = [];
  return {
    clock,
    seen,
    /** Starts a task that notes how its sleep ends. */
    sleeps: (sleep: () => Promise<unknown>): void =>
      clock.spawn(async () => void seen.push(await sleep())),
    /** Starts a task that does this work at this time. */
    at: (atMs: number, work: () => void, order = 0): void =>
      clock.spawn(async () => {
        await clock.until(atMs, order);
        work();
      }),
  };
};

/** What every implementation of `Clock` must do. */
export function clockContract(name: string, { make, run }: ClockUnderTest): void {
  describe(`${name}: time`, () => {
    it("starts at startMs and counts in whole milliseconds", () => {
      const clock = make(5_000);
      expect(clock.now()).toBeGreaterThanOrEqual(5_000);
      expect(clock.now()).toBeLessThan(65_000);
      expect(Number.isSafeInteger(clock.now())).toBe(true);
    });

    it("never shows less than the time slept until", async () => {
      const clock = make(1_000);
      const seen: number[] = [];
      clock.spawn(async () => {
        for (const atMs of [1_002, 1_003, 1_005]) {
          expect(await clock.until(atMs, 0)).toBe("reached");
          seen.push(clock.now() - atMs);
        }
      });
      await run(clock);
      expect(seen.every((lateMs) => lateMs >= 0)).toBe(true);
      expect(seen).toHaveLength(3);
    });
  });

  describe(`${name}: order`, () => {
    it("wakes sleepers by time, then by order, then first come first served", async () => {
      const { clock, seen, at } = noting(make(0));
      at(60, () => seen.push("later"), 0);
      at(50, () => seen.push("second"), 2);
      at(50, () => seen.push("third"), 2);
      at(50, () => seen.push("first"), 1);
      await run(clock);
      expect(seen).toEqual(["first", "second", "third", "later"]);
    });

    it("starts tasks by order, and a sleep of no time lets tasks due now go first", async () => {
      const clock = make(0);
      const steps: string[] = [];
      const task = (name: string) => async (): Promise<void> => {
        steps.push(`${name} begins`);
        await clock.until(clock.now(), 9);
        steps.push(`${name} ends`);
      };
      clock.spawn(task("b"), 2);
      clock.spawn(task("a"), 1);
      await run(clock);
      expect(steps).toEqual(["a begins", "b begins", "a ends", "b ends"]);
    });

    it("starts many tasks without overflowing the stack", async () => {
      const { clock, at } = noting(make(0));
      let finished = 0;
      for (let n = 0; n < 20_000; n += 1) at(1, () => (finished += 1), n);
      await run(clock);
      expect(finished).toBe(20_000);
    });
  });

  describe(`${name}: signals`, () => {
    it("cancels a sleep when its signal aborts, and leaves others asleep", async () => {
      const { clock, seen, sleeps, at } = noting(make(0));
      const stop = new AbortController();
      sleeps(() => clock.until(1_000_000_000, 0, stop.signal));
      sleeps(() => clock.until(20, 5));
      at(2, () => stop.abort());
      await run(clock);
      expect(seen).toEqual(["cancelled", "reached"]);
    });

    it("cancels all sleepers of a signal in their order", async () => {
      const { clock, seen, sleeps, at } = noting(make(0));
      const stop = new AbortController();
      for (const order of [3, 1, 2]) {
        sleeps(() => clock.until(Number.POSITIVE_INFINITY, order, stop.signal).then(() => order));
      }
      at(1, () => stop.abort());
      await run(clock);
      expect(seen).toEqual([1, 2, 3]);
    });

    it("does not sleep if the signal has already aborted", async () => {
      const { clock, seen, sleeps } = noting(make(0));
      sleeps(() => clock.until(1_000_000_000, 0, AbortSignal.abort()));
      sleeps(() => clock.timer(0).until(1_000_000_000, AbortSignal.abort()));
      await run(clock);
      expect(seen).toEqual(["cancelled", "cancelled"]);
    });
  });

  describe(`${name}: timers`, () => {
    it("ends a sleep by a poke, and says whether a task was asleep", async () => {
      const { clock, seen, at } = noting(make(0));
      const timer = clock.timer(1);
      seen.push(timer.poke());
      clock.spawn(async () => {
        seen.push(await timer.until(Number.POSITIVE_INFINITY));
        seen.push(timer.poke());
        seen.push(await timer.until(clock.now() + 1));
      });
      at(2, () => seen.push(timer.poke()));
      await run(clock);
      expect(seen).toEqual([false, true, "poked", false, "reached"]);
    });

    it("ends if only a poke can wake the remaining tasks, and continues after one", async () => {
      const { clock, seen, sleeps } = noting(make(0));
      const timer = clock.timer(0);
      sleeps(() => timer.until(Number.POSITIVE_INFINITY));
      await run(clock);
      expect(seen).toEqual([]);
      timer.poke();
      await run(clock);
      expect(seen).toEqual(["poked"]);
    });

    it("wakes at its time without a poke", async () => {
      const { clock, seen, sleeps } = noting(make(0));
      sleeps(() => clock.timer(0).until(3));
      await run(clock);
      expect(seen).toEqual(["reached"]);
    });
  });

  describe(`${name}: holding`, () => {
    it("wakes no task and keeps its time while held, then continues in order", async () => {
      const { clock, seen, at } = noting(make(0));
      for (const name of ["first", "second", "third"]) {
        at(5, () => {
          seen.push(name);
          if (name === "first") clock.hold();
        });
      }
      at(6, () => seen.push("later"));
      const over = run(clock);
      while (!clock.held) await turn();
      const heldAtMs = clock.now();
      for (let times = 0; times < 50; times += 1) await turn();
      expect({ seen: [...seen], now: clock.now() }).toEqual({ seen: ["first"], now: heldAtMs });
      clock.release();
      await over;
      expect(seen).toEqual(["first", "second", "third", "later"]);
    });

    it("wakes cancelled tasks after the release", async () => {
      const { clock, seen, sleeps } = noting(make(0));
      const over = new AbortController();
      sleeps(() => clock.until(1_000_000_000, 0, over.signal));
      clock.hold();
      const ended = run(clock);
      over.abort();
      clock.release();
      await ended;
      expect(seen).toEqual(["cancelled"]);
    });

    it("stops while it is held", async () => {
      const { clock, seen, sleeps } = noting(make(0));
      sleeps(() => clock.until(1, 0));
      clock.hold();
      const over = run(clock);
      clock.stop();
      await over;
      expect(seen).toEqual([]);
    });
  });

  describe(`${name}: ends`, () => {
    it("finishes at once without tasks", async () => {
      await run(make(0));
    });

    it("wakes no task after it was stopped", async () => {
      const { clock, seen, at } = noting(make(0));
      at(1, () => clock.stop());
      at(2, () => seen.push("too late"));
      await run(clock);
      expect(seen).toEqual([]);
    });

    it("rejects with the error of a task, and wakes no task after that", async () => {
      const { clock, seen, at } = noting(make(0));
      at(1, () => {
        throw new Error("a bug");
      });
      at(2, () => seen.push("too late"));
      await expect(run(clock)).rejects.toThrow("a bug");
      expect(seen).toEqual([]);
    });

    it("does not end while a task awaits something outside the clock", async () => {
      const { clock, seen, sleeps } = noting(make(0));
      const answer = Promise.withResolvers<string>();
      sleeps(() => answer.promise);
      setImmediate(() => answer.resolve("slow model"));
      await run(clock);
      expect(seen).toEqual(["slow model"]);
    });

    it("refuses a sleep outside a task, and two runs at once", () => {
      const clock = make(0);
      expect(() => clock.until(1, 0)).toThrow("clock.spawn");
      clock.spawn(() => new Promise(() => {}));
      void clock.run();
      expect(() => clock.run()).toThrow("running already");
      clock.stop();
    });
  });
}
