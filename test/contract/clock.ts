import { describe, expect, it } from "vitest";
import type { Clock, RunEnd } from "../../src/world/clock/index.ts";

export type ClockUnderTest = {
  readonly make: (startMs: number) => Clock;
  /** Calls `run` and lets the clock's time pass. */
  readonly run: (clock: Clock) => Promise<RunEnd>;
};

/** The real function, before tests fake the timers of the process. */
const { setImmediate: realTurn } = globalThis;

const turn = (): Promise<void> => new Promise((resolve) => void realTurn(resolve));

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
      expect(await run(clock)).toBe("finished");
      expect(seen.every((lateMs) => lateMs >= 0)).toBe(true);
      expect(seen).toHaveLength(3);
    });
  });

  describe(`${name}: order`, () => {
    it("wakes sleepers by time, then by order, then first come first served", async () => {
      const clock = make(0);
      const woken: string[] = [];
      const sleeper = (name: string, atMs: number, order: number): void => {
        clock.spawn(async () => {
          await clock.until(atMs, order);
          woken.push(name);
        });
      };
      sleeper("later", 60, 0);
      sleeper("second", 50, 2);
      sleeper("third", 50, 2);
      sleeper("first", 50, 1);
      await run(clock);
      expect(woken).toEqual(["first", "second", "third", "later"]);
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
      expect(steps.slice(0, 2)).toEqual(["a begins", "b begins"]);
      expect(steps.slice(2)).toEqual(["a ends", "b ends"]);
    });

    it("starts many tasks without overflowing the stack", async () => {
      const clock = make(0);
      let finished = 0;
      for (let n = 0; n < 20_000; n += 1) {
        clock.spawn(async () => {
          await clock.until(1, n);
          finished += 1;
        });
      }
      await run(clock);
      expect(finished).toBe(20_000);
    });
  });

  describe(`${name}: signals`, () => {
    it("cancels a sleep when its signal aborts, and leaves others asleep", async () => {
      const clock = make(0);
      const stop = new AbortController();
      const woken: string[] = [];
      clock.spawn(async () => {
        woken.push(await clock.until(1_000_000_000, 0, stop.signal));
      });
      clock.spawn(async () => {
        woken.push(await clock.until(20, 5));
      });
      clock.spawn(async () => {
        await clock.until(2, 0);
        stop.abort();
      });
      await run(clock);
      expect(woken).toEqual(["cancelled", "reached"]);
    });

    it("cancels all sleepers of a signal in their order", async () => {
      const clock = make(0);
      const stop = new AbortController();
      const woken: number[] = [];
      for (const order of [3, 1, 2]) {
        clock.spawn(async () => {
          await clock.until(Number.POSITIVE_INFINITY, order, stop.signal);
          woken.push(order);
        });
      }
      clock.spawn(async () => {
        await clock.until(1, 0);
        stop.abort();
      });
      expect(await run(clock)).toBe("finished");
      expect(woken).toEqual([1, 2, 3]);
    });

    it("does not sleep if the signal has already aborted", async () => {
      const clock = make(0);
      const woken: string[] = [];
      clock.spawn(async () => {
        woken.push(await clock.until(1_000_000_000, 0, AbortSignal.abort()));
        woken.push(await clock.timer(0).until(1_000_000_000, AbortSignal.abort()));
      });
      expect(await run(clock)).toBe("finished");
      expect(woken).toEqual(["cancelled", "cancelled"]);
    });
  });

  describe(`${name}: timers`, () => {
    it("ends a sleep by a poke, and says whether a task was asleep", async () => {
      const clock = make(0);
      const timer = clock.timer(1);
      const seen: unknown[] = [timer.poke()];
      clock.spawn(async () => {
        seen.push(await timer.until(Number.POSITIVE_INFINITY));
        seen.push(timer.poke());
        seen.push(await timer.until(clock.now() + 1));
      });
      clock.spawn(async () => {
        await clock.until(2, 0);
        seen.push(timer.poke());
      });
      expect(await run(clock)).toBe("finished");
      expect(seen).toEqual([false, true, "poked", false, "reached"]);
    });

    it("is idle if only a poke can wake the remaining tasks, and continues after one", async () => {
      const clock = make(0);
      const timer = clock.timer(0);
      const woken: string[] = [];
      clock.spawn(async () => {
        woken.push(await timer.until(Number.POSITIVE_INFINITY));
      });
      expect(await run(clock)).toBe("idle");
      expect(woken).toEqual([]);
      timer.poke();
      expect(await run(clock)).toBe("finished");
      expect(woken).toEqual(["poked"]);
    });

    it("wakes at its time without a poke", async () => {
      const clock = make(0);
      const woken: string[] = [];
      clock.spawn(async () => {
        woken.push(await clock.timer(0).until(3));
      });
      await run(clock);
      expect(woken).toEqual(["reached"]);
    });
  });

  describe(`${name}: holding`, () => {
    it("wakes no task and keeps its time while held, then continues in order", async () => {
      const clock = make(0);
      const woken: string[] = [];
      const sleeper = (name: string, atMs: number): void => {
        clock.spawn(async () => {
          await clock.until(atMs, 0);
          woken.push(name);
          if (name === "first") clock.hold();
        });
      };
      for (const name of ["first", "second", "third"]) sleeper(name, 5);
      sleeper("later", 6);
      const over = run(clock);
      while (!clock.held) await turn();
      const heldAtMs = clock.now();
      for (let times = 0; times < 50; times += 1) await turn();
      expect({ woken: [...woken], now: clock.now() }).toEqual({ woken: ["first"], now: heldAtMs });
      clock.release();
      expect(await over).toBe("finished");
      expect(woken).toEqual(["first", "second", "third", "later"]);
    });

    it("wakes cancelled tasks after the release", async () => {
      const clock = make(0);
      const over = new AbortController();
      const woken: string[] = [];
      clock.spawn(async () => {
        woken.push(await clock.until(1_000_000_000, 0, over.signal));
      });
      clock.hold();
      const ended = run(clock);
      over.abort();
      clock.release();
      expect(await ended).toBe("finished");
      expect(woken).toEqual(["cancelled"]);
    });

    it("stops while it is held", async () => {
      const clock = make(0);
      clock.spawn(async () => {
        await clock.until(1, 0);
      });
      clock.hold();
      const over = run(clock);
      clock.stop();
      expect(await over).toBe("stopped");
    });
  });

  describe(`${name}: ends`, () => {
    it("finishes at once without tasks", async () => {
      expect(await run(make(0))).toBe("finished");
    });

    it("wakes no task after it was stopped", async () => {
      const clock = make(0);
      const woken: string[] = [];
      clock.spawn(async () => {
        await clock.until(1, 0);
        clock.stop();
      });
      clock.spawn(async () => {
        await clock.until(2, 0);
        woken.push("too late");
      });
      expect(await run(clock)).toBe("stopped");
      expect(woken).toEqual([]);
    });

    it("rejects with the error of a task, and wakes no task after that", async () => {
      const clock = make(0);
      const woken: string[] = [];
      clock.spawn(async () => {
        await clock.until(1, 0);
        throw new Error("a bug");
      });
      clock.spawn(async () => {
        await clock.until(2, 0);
        woken.push("too late");
      });
      await expect(run(clock)).rejects.toThrow("a bug");
      expect(woken).toEqual([]);
    });

    it("does not end while a task awaits something outside the clock", async () => {
      const clock = make(0);
      const answer = Promise.withResolvers<string>();
      const seen: string[] = [];
      clock.spawn(async () => {
        seen.push(await answer.promise);
      });
      setImmediate(() => answer.resolve("slow model"));
      expect(await run(clock)).toBe("finished");
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
