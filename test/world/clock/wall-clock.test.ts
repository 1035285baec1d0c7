import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Clock, type RunEnd, wallClock } from "../../../src/world/clock/index.ts";
import { clockContract } from "../../contract/clock.ts";

/** Runs the clock while the faked timers of the process are set forward, one by one. */
async function runFaked(clock: Clock): Promise<RunEnd> {
  let over = false;
  const run = clock.run().finally(() => {
    over = true;
  });
  run.catch(() => {});
  while (!over) await vi.advanceTimersToNextTimerAsync();
  return run;
}

describe("with faked timers", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  clockContract("wall clock", { make: wallClock, run: runFaked });

  it("shows the time that has really passed", () => {
    const clock = wallClock(1_000);
    vi.advanceTimersByTime(250);
    expect(clock.now()).toBe(1_250);
  });

  it("sleeps longer than one timer can", async () => {
    const clock = wallClock(0);
    const atMs = 3 * 2 ** 31;
    clock.spawn(async () => {
      await clock.until(atMs, 0);
    });
    expect(await runFaked(clock)).toBe("finished");
    expect(clock.now()).toBe(atMs);
  });

  it("leaves no timer behind when it stops", async () => {
    const clock = wallClock(0);
    clock.spawn(async () => {
      clock.spawn(() => clock.until(600_000, 0).then(() => {}));
      await clock.until(1, 0);
      clock.stop();
    });
    expect(await runFaked(clock)).toBe("stopped");
    expect(vi.getTimerCount()).toBe(0);
  });
});

it("runs on the timers of the process", async () => {
  const clock = wallClock(0);
  clock.spawn(async () => {
    await clock.until(2, 0);
  });
  expect(await clock.run()).toBe("finished");
  expect(clock.now()).toBeGreaterThanOrEqual(2);
});
