import type { Clock, ClockTask, Timer, WakeReason } from "./clock.ts";
import { Scheduler } from "./scheduler.ts";

/** The maximum delay of `setTimeout` in ms. A longer sleep uses several timers. */
const TIMER_MS_MAX = 2 ** 31 - 1;
/** The maximum time in ms for which due tasks run before the event loop gets a turn. */
const SLICE_MS = 4;

/**
 * Creates a clock of real, monotonic time that starts at `startMs`. After `endMs` it stands still: what
 * is late, such as the last words of a program, still happens before the end of the run.
 */
export const wallClock = (startMs: number, endMs = Number.POSITIVE_INFINITY): Clock =>
  new WallClock(startMs, endMs);

type Waiting = { readonly sinceMs: number; readonly resolve: () => void };

/**
 * Uses one timer for the next sleeper or caller of `turn`. Sleepers and callers wake one at a time,
 * in the order in which they are due. Each one wakes after the previous one has done its work.
 */
class WallClock implements Clock {
  readonly kind = "wall";
  readonly #scheduler: Scheduler;
  readonly #endMs: number;
  #zeroMs: number;
  #heldAtMs: number | null = null;
  #armed: { readonly atMs: number; readonly cancel: () => void } | null = null;
  /** The callers of `turn` in order. The first `#turnsTaken` have had their turn. */
  #turns: Waiting[] = [];
  #turnsTaken = 0;
  #waking = false;

  constructor(startMs: number, endMs: number) {
    this.#endMs = endMs;
    this.#zeroMs = performance.now() - startMs;
    this.#scheduler = new Scheduler({ now: () => this.now(), pump: () => this.#arm() });
  }

  now(): number {
    return this.#heldAtMs ?? Math.min(this.#endMs, Math.floor(performance.now() - this.#zeroMs));
  }

  until(atMs: number, order: number, signal?: AbortSignal): Promise<WakeReason> {
    return this.timer(order).until(atMs, signal);
  }

  timer(order: number): Timer {
    return this.#scheduler.timer(order);
  }

  turn(): Promise<void> {
    if (!this.#scheduler.running) return Promise.resolve();
    return new Promise((resolve) => {
      this.#turns.push({ sinceMs: this.now(), resolve });
      this.#arm();
    });
  }

  spawn(task: ClockTask, order = 0): void {
    this.#scheduler.spawn(task, order);
  }

  run(): Promise<void> {
    return this.#scheduler.run().finally(() => {
      this.#disarm();
      while (this.#takeTurn());
    });
  }

  stop(): void {
    this.#scheduler.end();
  }

  get held(): boolean {
    return this.#heldAtMs !== null;
  }

  hold(): void {
    this.#heldAtMs ??= this.now();
    this.#disarm();
  }

  release(): void {
    if (this.#heldAtMs === null) return;
    this.#zeroMs = performance.now() - this.#heldAtMs;
    this.#heldAtMs = null;
    if (this.#scheduler.running) this.#arm();
  }

  #arm(): void {
    if (this.#waking || this.held) return;
    const atMs = this.#nextAtMs();
    if (atMs === null && this.#scheduler.awake === 0) this.#scheduler.end();
    if (atMs === this.#armed?.atMs) return;
    this.#disarm();
    if (atMs === null) return;
    const waitMs = Math.min(atMs - this.now(), TIMER_MS_MAX);
    if (waitMs > 0) {
      const timer = setTimeout(() => void this.#wakeDue(), waitMs);
      this.#armed = { atMs, cancel: () => clearTimeout(timer) };
    } else {
      const turn = setImmediate(() => void this.#wakeDue());
      this.#armed = { atMs, cancel: () => clearImmediate(turn) };
    }
  }

  #disarm(): void {
    this.#armed?.cancel();
    this.#armed = null;
  }

  #nextAtMs(): number | null {
    const turnMs = this.#turns[this.#turnsTaken]?.sinceMs;
    const sleeperMs = this.#scheduler.nextAtMs();
    if (turnMs === undefined || sleeperMs === null) return turnMs ?? sleeperMs;
    return Math.min(turnMs, sleeperMs);
  }

  /** Wakes due tasks. If the timer fired too early, only sets the timer again. */
  async #wakeDue(): Promise<void> {
    this.#armed = null;
    this.#waking = true;
    const untilMs = performance.now() + SLICE_MS;
    while (this.#wakeOne() && performance.now() < untilMs) {
      // Lets the woken task run.
      await null;
    }
    this.#waking = false;
    if (this.#scheduler.running) this.#arm();
  }

  #wakeOne(): boolean {
    const atMs = this.#nextAtMs();
    if (!this.#scheduler.running || this.held) return false;
    if (atMs === null || atMs > this.now()) return false;
    if (this.#turns[this.#turnsTaken]?.sinceMs === atMs) return this.#takeTurn();
    this.#scheduler.wakeNext();
    return true;
  }

  #takeTurn(): boolean {
    const waiting = this.#turns[this.#turnsTaken];
    if (waiting === undefined) return false;
    this.#turnsTaken += 1;
    // Removes many at once, because each removal moves all others.
    if (2 * this.#turnsTaken >= this.#turns.length) {
      this.#turns = this.#turns.slice(this.#turnsTaken);
      this.#turnsTaken = 0;
    }
    waiting.resolve();
    return true;
  }
}
