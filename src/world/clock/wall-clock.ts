import type { Clock, RunEnd, Task, Timer } from "./clock.ts";
import { Scheduler } from "./scheduler.ts";

/** The longest wait that `setTimeout` takes; a longer sleep is waited for in parts. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** A clock that runs with real, monotonic time and shows `startMs` now. */
export const wallClock = (startMs: number): Clock => new WallClock(startMs);

/** One timer, set to the next sleeper; those due together wake in turns of the event loop. */
class WallClock implements Clock {
  readonly kind = "wall";
  readonly #scheduler: Scheduler;
  readonly #zeroMs: number;
  /** The time that is waited for, and how to give it up; null: nothing is waited for. */
  #armed: { readonly atMs: number; readonly cancel: () => void } | null = null;

  constructor(startMs: number) {
    this.#zeroMs = performance.now() - startMs;
    this.#scheduler = new Scheduler({ now: () => this.now(), pump: () => this.#arm() });
  }

  now(): number {
    return Math.floor(performance.now() - this.#zeroMs);
  }

  until(atMs: number, order: number, signal?: AbortSignal): Promise<"reached" | "cancelled"> {
    return this.#scheduler.until({ atMs, order, signal });
  }

  timer(order: number): Timer {
    return this.#scheduler.timer(order);
  }

  spawn(task: Task, order = 0): void {
    this.#scheduler.spawn(task, order);
  }

  run(): Promise<RunEnd> {
    return this.#scheduler.run().finally(() => this.#disarm());
  }

  stop(): void {
    this.#scheduler.stop();
  }

  #arm(): void {
    const atMs = this.#scheduler.nextAtMs();
    if (atMs === null && this.#scheduler.awake === 0) this.#scheduler.endQuiet();
    if (atMs === this.#armed?.atMs) return;
    this.#disarm();
    if (atMs === null) return;
    const waitMs = Math.min(atMs - this.now(), TIMER_MS_MAX);
    if (waitMs > 0) {
      const timer = setTimeout(() => this.#wakeDue(), waitMs);
      this.#armed = { atMs, cancel: () => clearTimeout(timer) };
    } else {
      const turn = setImmediate(() => this.#wakeDue());
      this.#armed = { atMs, cancel: () => clearImmediate(turn) };
    }
  }

  #disarm(): void {
    this.#armed?.cancel();
    this.#armed = null;
  }

  /** A timer may fire a little early, or for a part of a long sleep; then it is only set again. */
  #wakeDue(): void {
    this.#armed = null;
    if (!this.#scheduler.running) return;
    const atMs = this.#scheduler.nextAtMs();
    if (atMs !== null && atMs <= this.now()) this.#scheduler.wakeNext();
    this.#arm();
  }
}
