import assert from "node:assert/strict";
import type { RunEnd, Task, Timer, Wake } from "./clock.ts";
import { type Sleeper, SleepQueue } from "./sleep-queue.ts";

/** What a clock brings to its scheduler. */
export type Drive = {
  readonly now: () => number;
  /** Called while running, whenever the next sleeper or the number of tasks awake has changed. */
  readonly pump: () => void;
};

type Berth = {
  readonly atMs: number;
  readonly order: number;
  readonly signal: AbortSignal | undefined;
};

/** What both clocks have in common: who is awake, who sleeps, and how a run ends. */
export class Scheduler {
  readonly #drive: Drive;
  readonly #queue = new SleepQueue();
  readonly #bySignal = new WeakMap<AbortSignal, Set<Sleeper>>();
  #run: PromiseWithResolvers<RunEnd> | null = null;
  #insertions = 0;
  #awake = 0;
  #asleep = 0;

  constructor(drive: Drive) {
    this.#drive = drive;
  }

  get running(): boolean {
    return this.#run !== null;
  }

  /** Tasks that are neither asleep nor finished, whatever they are waiting for. */
  get awake(): number {
    return this.#awake;
  }

  /** When the next sleeper is due; null when nobody is due at any time. */
  nextAtMs(): number | null {
    return this.#queue.peek()?.atMs ?? null;
  }

  until(berth: Berth): Promise<"reached" | "cancelled"> {
    if (berth.signal?.aborted) return Promise.resolve("cancelled");
    this.#assertTask();
    return new Promise((resolve) => {
      this.#layDown(berth, (outcome) => resolve(outcome === "cancelled" ? outcome : "reached"));
      this.#taskRests();
    });
  }

  timer(order: number): Timer {
    let sleeper: Sleeper | null = null;
    return {
      until: (atMs, signal) => {
        assert(sleeper === null, "one task at a time sleeps on a timer");
        if (signal?.aborted) return Promise.resolve("cancelled");
        this.#assertTask();
        return new Promise((resolve) => {
          sleeper = this.#layDown({ atMs, order, signal }, (outcome) => {
            sleeper = null;
            resolve(outcome);
          });
          this.#taskRests();
        });
      },
      poke: () => {
        if (sleeper === null) return false;
        this.#wakeEarly(sleeper, "poked", this.#drive.now());
        return true;
      },
    };
  }

  spawn(task: Task, order: number): void {
    const berth = { atMs: this.#drive.now(), order, signal: undefined };
    this.#layDown(berth, () => {
      void this.#perform(task);
    });
    this.#pump();
  }

  run(): Promise<RunEnd> {
    assert(this.#run === null, "the clock is running already");
    const run = Promise.withResolvers<RunEnd>();
    this.#run = run;
    this.#pump();
    return run.promise;
  }

  /** Ends the run because nothing is awake and nothing is due. */
  endQuiet(): void {
    this.#end(this.#asleep === 0 ? "finished" : "idle");
  }

  stop(): void {
    this.#end("stopped");
  }

  /** Wakes whoever is next; the woken task goes on in a microtask. */
  wakeNext(): void {
    const sleeper = this.#queue.peek();
    if (sleeper === undefined) return;
    this.#queue.remove(sleeper);
    if (sleeper.signal !== undefined) this.#bySignal.get(sleeper.signal)?.delete(sleeper);
    this.#asleep -= 1;
    this.#awake += 1;
    sleeper.wake(sleeper.outcome);
  }

  #assertTask(): void {
    assert(this.#awake > 0, "only a task may sleep: start it with clock.spawn");
  }

  /** The calling task is asleep from now on. This may wake the next sleeper, even itself. */
  #taskRests(): void {
    this.#awake -= 1;
    this.#pump();
  }

  #layDown(berth: Berth, wake: (outcome: Wake) => void): Sleeper {
    assert(!Number.isNaN(berth.atMs), "a sleep ends at some millisecond or at Infinity");
    this.#insertions += 1;
    const sleeper: Sleeper = {
      atMs: Math.max(berth.atMs, this.#drive.now()),
      order: berth.order,
      insertion: this.#insertions,
      signal: berth.signal,
      wake,
      outcome: "reached",
      slot: -1,
    };
    this.#asleep += 1;
    if (sleeper.atMs < Number.POSITIVE_INFINITY) this.#queue.add(sleeper);
    if (berth.signal !== undefined) this.#sleepersOf(berth.signal).add(sleeper);
    return sleeper;
  }

  /** All who sleep under one signal share one listener: agents are many, signals few. */
  #sleepersOf(signal: AbortSignal): Set<Sleeper> {
    const known = this.#bySignal.get(signal);
    if (known !== undefined) return known;
    const sleepers = new Set<Sleeper>();
    this.#bySignal.set(signal, sleepers);
    const cancelAll = (): void => {
      const nowMs = this.#drive.now();
      for (const sleeper of sleepers) this.#wakeEarly(sleeper, "cancelled", nowMs);
    };
    signal.addEventListener("abort", cancelAll, { once: true });
    return sleepers;
  }

  #wakeEarly(sleeper: Sleeper, outcome: "poked" | "cancelled", nowMs: number): void {
    if (outcome === "cancelled" || sleeper.atMs > nowMs) sleeper.outcome = outcome;
    if (sleeper.atMs <= nowMs) return;
    this.#queue.remove(sleeper);
    sleeper.atMs = nowMs;
    this.#queue.add(sleeper);
    this.#pump();
  }

  async #perform(task: Task): Promise<void> {
    try {
      // Not in the stack of whoever woke it: many tasks may begin one after another.
      await null;
      await task();
    } catch (error) {
      // A task that throws is a bug. It surfaces from `run`, or crashes when nobody runs the clock.
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

  #end(why: RunEnd): void {
    this.#run?.resolve(why);
    this.#run = null;
  }
}
