import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../src/world/index.ts";
import { clockContract, noting } from "../../contract/clock.ts";

const make = (startMs: number) => new VirtualClock(startMs);
clockContract("virtual clock", { make, run: (clock) => clock.run() });

describe("virtual clock: time", () => {
  it("jumps to exactly the time of the next sleeper, however far", async () => {
    const clock = new VirtualClock(7);
    const seen: number[] = [];
    clock.spawn(async () => {
      for (const atMs of [8, 600_000, 10 ** 12]) {
        await clock.until(atMs, 0);
        seen.push(clock.now());
      }
    });
    await clock.run();
    expect(seen).toEqual([8, 600_000, 10 ** 12]);
  });

  it("stands still while a task awaits something else", async () => {
    const { clock, seen, at } = noting(new VirtualClock(0));
    const answer = Promise.withResolvers<void>();
    clock.spawn(async () => {
      await clock.until(10, 0);
      setImmediate(answer.resolve);
      await answer.promise;
      seen.push(`thinker at ${clock.now()}`);
    });
    at(10, () => seen.push(`other at ${clock.now()}`), 1);
    await clock.run();
    expect(seen).toEqual(["thinker at 10", "other at 10"]);
  });

  it("runs one task at a time, also across other awaits", async () => {
    const clock = new VirtualClock(0);
    let awake = 0;
    let most = 0;
    for (let order = 0; order < 10; order += 1) {
      clock.spawn(async () => {
        for (let round = 1; round <= 5; round += 1) {
          awake += 1;
          most = Math.max(most, awake);
          await Promise.resolve();
          await Promise.resolve();
          awake -= 1;
          await clock.until(round, order);
        }
      }, order);
    }
    await clock.run();
    expect(most).toBe(1);
  });

  it("wakes a poked sleeper in its order among those due now", async () => {
    const { clock, seen, sleeps, at } = noting(new VirtualClock(0));
    const timer = clock.timer(2);
    sleeps(async () => `${await timer.until(99)} at ${clock.now()}`);
    const poke = (order: number) => () => {
      seen.push(`order ${order}`);
      timer.poke();
    };
    for (const order of [1, 3]) at(5, poke(order), order);
    await clock.run();
    expect(seen).toEqual(["order 1", "poked at 5", "order 3"]);
  });

  it("lets the event loop run during a long run", async () => {
    const clock = new VirtualClock(0);
    let turned = false;
    setImmediate(() => {
      turned = true;
    });
    clock.spawn(async () => {
      while (!turned) await clock.until(clock.now() + 1, 0);
    });
    await clock.run();
  });

  it("cancels sleepers when a signal aborts during the event loop", async () => {
    const { clock, sleeps } = noting(new VirtualClock(0));
    const stop = new AbortController();
    setImmediate(() => stop.abort());
    clock.spawn(async () => {
      while ((await clock.until(clock.now() + 1, 0, stop.signal)) !== "cancelled");
    });
    sleeps(() => clock.until(Number.POSITIVE_INFINITY, 1, stop.signal));
    await clock.run();
  });
});

describe("virtual clock: determinism", () => {
  type Plan = { readonly sleepsMs: number[]; readonly order: number; readonly pokes: number };
  const sleepsMs = fc.array(fc.nat(20), { maxLength: 8 });
  const plan = fc.record({ sleepsMs, order: fc.nat(3), pokes: fc.nat(7) });

  async function trace(plans: readonly Plan[]): Promise<string[]> {
    const clock = new VirtualClock(0);
    const timers = plans.map(({ order }) => clock.timer(order));
    const lines: string[] = [];
    plans.forEach(({ sleepsMs, order, pokes }, who) => {
      clock.spawn(async () => {
        for (const sleepMs of sleepsMs) {
          const wake = await timers[who]?.until(clock.now() + sleepMs);
          lines.push(`${clock.now()} ${who} ${wake}`);
          timers[pokes % plans.length]?.poke();
        }
      }, order);
    });
    await clock.run();
    return lines;
  }

  it("gives the same trace for the same tasks, and time never goes back", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 8 }), async (plans) => {
        const lines = await trace(plans);
        expect(await trace(plans)).toEqual(lines);
        const times = lines.map((line) => Number(line.split(" ")[0]));
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(lines).toHaveLength(plans.flatMap(({ sleepsMs }) => sleepsMs).length);
      }),
    );
  });
});
