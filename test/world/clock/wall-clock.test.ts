import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Clock, wallClock } from "../../../src/world/index.ts";
import { clockContract, noting } from "../../contract/clock.ts";

/** Runs the clock and advances the faked timers one by one. */
async function runFaked(clock: Clock): Promise<void> {
  let isDone = false;
  const run = clock.run().finally(() => {
    isDone = true;
  });
  run.catch(() => {});
  while (!isDone) await vi.advanceTimersToNextTimerAsync();
  return run;
}

describe("with faked timers", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  clockContract("wall clock", { make: wallClock, run: runFaked });

  it("shows the time that has passed", () => {
    const clock = wallClock(1_000);
    vi.advanceTimersByTime(250);
    expect(clock.now()).toBe(1_250);
  });

  it("stands still after its end", () => {
    const clock = wallClock(1_000, 1_200);
    vi.advanceTimersByTime(150);
    expect(clock.now()).toBe(1_150);
    vi.advanceTimersByTime(5_000);
    expect(clock.now()).toBe(1_200);
  });

  it("sleeps longer than one timer can", async () => {
    const { clock, sleeps } = noting(wallClock(0));
    const atMs = 3 * 2 ** 31;
    sleeps(() => clock.until(atMs, 0));
    await runFaked(clock);
    expect(clock.now()).toBe(atMs);
  });

  it("leaves no timer behind when it stops", async () => {
    const clock = wallClock(0);
    clock.spawn(async () => {
      clock.spawn(() => clock.until(600_000, 0).then(() => {}));
      await clock.until(1, 0);
      clock.stop();
    });
    await runFaked(clock);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a turn of the wall clock", () => {
  it("comes after the earlier ones have done their work", async () => {
    const clock = wallClock(0);
    const done: string[] = [];
    clock.spawn(async () => {
      const turns = ["first", "second", "third"].map(async (name) => {
        await clock.turn();
        done.push(`${name} begins`);
        await null;
        done.push(`${name} ends`);
      });
      await Promise.all(turns);
    });
    await clock.run();
    expect(done.filter((each) => each.endsWith("begins"))).toEqual([
      "first begins",
      "second begins",
      "third begins",
    ]);
    expect(done.indexOf("first ends")).toBeLessThan(done.indexOf("third begins"));
  });

  it("is shared by waiting tasks and by tasks whose sleep is over", async () => {
    const { clock, seen, sleeps } = noting(wallClock(0));
    sleeps(() => clock.until(clock.now() - 1, 0).then(() => "sleeper"));
    sleeps(() => clock.turn().then(() => "waiting"));
    await clock.run();
    expect(seen.toSorted()).toEqual(["sleeper", "waiting"]);
  });

  it("lets outside events in between, even with many waiting tasks", async () => {
    let ms = 0;
    // Each look at the time takes a millisecond.
    const looks = vi.spyOn(performance, "now").mockImplementation(() => {
      ms += 1;
      return ms;
    });
    const clock = wallClock(0);
    let eventAfter = 0;
    let taken = 0;
    setImmediate(() => {
      setImmediate(() => {
        eventAfter = taken;
      });
    });
    clock.spawn(async () => {
      const many = Array.from({ length: 1_000 }, async () => {
        await clock.turn();
        taken += 1;
      });
      await Promise.all(many);
    });
    await clock.run();
    looks.mockRestore();
    expect(taken).toBe(1_000);
    expect(eventAfter).toBeGreaterThan(0);
    expect(eventAfter).toBeLessThan(taken);
  });

  it("is granted at once when the run is over", async () => {
    const clock = wallClock(0);
    const late: string[] = [];
    clock.spawn(async () => {
      void clock.turn().then(() => late.push("left waiting"));
      clock.stop();
    });
    await clock.run();
    await clock.turn();
    expect(late).toEqual(["left waiting"]);
  });
});

it("runs on the timers of the process", async () => {
  const { clock, sleeps } = noting(wallClock(0));
  sleeps(() => clock.until(2, 0));
  await clock.run();
  expect(clock.now()).toBeGreaterThanOrEqual(2);
});
