import assert from "node:assert/strict";
import type { ClockTask, Timer, WakeReason } from "./clock.ts";
import { type SleepingTask, SleepQueue } from "./sleep-queue.ts";

type Drive = {
  readonly now: () => number;
  /** Called during a run whenever the next sleeper or the number of awake tasks has changed. */
  readonly pump: () => void;
};

type Sleep = Readonly<Pick<SleepingTask, "atMs" | "order" | "signal">>;

/** Keeps track of awake and sleeping tasks. Ends the run. */
export class Scheduler {
  readonly #drive: Drive;
  readonly #queue = new SleepQueue();
  readonly #bySignal = new WeakMap<AbortSignal, Set<SleepingTask>>();
  #run: PromiseWithResolvers<void> | null = null;
  #insertions = 0;
  #awake = 0;

  constructor(drive: Drive) {
    this.#drive = drive;
  }

  get running(): boolean {
    return this.#run !== null;
  }

  /** The number of tasks that neither sleep nor have ended. They may await other promises. */
  get awake(): number {
    return this.#awake;
  }

  nextAtMs(): number | null {
    return this.#queue.peek()?.atMs ?? null;
  }

  timer(order: number): Timer {
    let sleeper: SleepingTask | null = null;
    return {
      until: (atMs, signal) => {
        assert(sleeper === null, "only one task at a time may sleep on a timer");
        if (signal?.aborted) return Promise.resolve("cancelled");
        assert(this.#awake > 0, "only a task may sleep: start it with clock.spawn");
        return new Promise((resolve) => {
          sleeper = this.#addSleeper({ atMs, order, signal }, (outcome) => {
            sleeper = null;
            resolve(outcome);
          });
          // `#pump` may wake this same task and clear `sleeper`, so `sleeper` is set before.
          this.#awake -= 1;
          this.#pump();
        });
      },
      poke: () => {
        if (sleeper === null) return false;
        this.#wakeEarly(sleeper, "poked", this.#drive.now());
        return true;
      },
    };
  }

  spawn(task: ClockTask, order: number): void {
    const sleep = { atMs: this.#drive.now(), order, signal: undefined };
    this.#addSleeper(sleep, () => {
      void this.#execute(task);
    });
    this.#pump();
  }

  run(): Promise<void> {
    assert(this.#run === null, "the clock is running already");
    const run = Promise.withResolvers<void>();
    this.#run = run;
    this.#pump();
    return run.promise;
  }

  /** Ends the run. Sleeping tasks are not woken. */
  end(): void {
    this.#run?.resolve();
    this.#run = null;
  }

  wakeNext(): void {
    const sleeper = this.#queue.peek();
    if (sleeper === undefined) return;
    this.#queue.remove(sleeper);
    if (sleeper.signal !== undefined) this.#bySignal.get(sleeper.signal)?.delete(sleeper);
    this.#awake += 1;
    sleeper.wake(sleeper.outcome);
  }

  #addSleeper(sleep: Sleep, wake: (outcome: WakeReason) => void): SleepingTask {
    assert(!Number.isNaN(sleep.atMs), "a sleep must end at a number of milliseconds or Infinity");
    this.#insertions += 1;
    const sleeper: SleepingTask = {
      atMs: Math.max(sleep.atMs, this.#drive.now()),
      order: sleep.order,
      insertion: this.#insertions,
      signal: sleep.signal,
      wake,
      outcome: "reached",
      slot: -1,
    };
    if (sleeper.atMs < Number.POSITIVE_INFINITY) this.#queue.add(sleeper);
    if (sleep.signal !== undefined) this.#sleepersOf(sleep.signal).add(sleeper);
    return sleeper;
  }

  /** Returns the sleepers with this signal. Each signal has one listener for all its sleepers. */
  #sleepersOf(signal: AbortSignal): Set<SleepingTask> {
    const known = this.#bySignal.get(signal);
    if (known !== undefined) return known;
    const sleepers = new Set<SleepingTask>();
    this.#bySignal.set(signal, sleepers);
    const cancelAll = (): void => {
      const nowMs = this.#drive.now();
      for (const sleeper of sleepers) this.#wakeEarly(sleeper, "cancelled", nowMs);
    };
    signal.addEventListener("abort", cancelAll, { once: true });
    return sleepers;
  }

  #wakeEarly(sleeper: SleepingTask, outcome: "poked" | "cancelled", nowMs: number): void {
    if (outcome === "cancelled" || sleeper.atMs > nowMs) sleeper.outcome = outcome;
    if (sleeper.atMs <= nowMs) return;
    this.#queue.remove(sleeper);
    sleeper.atMs = nowMs;
    this.#queue.add(sleeper);
    this.#pump();
  }

  async #execute(task: ClockTask): Promise<void> {
    try {
      // Empties the call stack, because many tasks that start in turn would overflow the stack.
      await null;
      await task();
    } catch (error) {
      // A bug in a task rejects `run`. Outside a run, the error crashes the process.
      if (this.#run === null) throw error;
      this.#run.reject(error);
      this.#run = null;
    }
    this.#awake -= 1;
    this.#pump();
  }

  #pump(): void {
    if (this.#run !== null) this.#drive.pump();
  }
}
