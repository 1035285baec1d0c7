import type { Clock, ClockTask, Timer, WakeReason } from "./clock.ts";
import { Scheduler } from "./scheduler.ts";

/** The maximum time in ms for which a virtual run may block the event loop. */
const LOOP_HELD_MS_MAX = 10;
/** The number of wakes between two checks of the real time. */
const WAKES_PER_LOOK = 16;

/**
 * A clock for discrete-event simulation. One task is awake at a time. When it sleeps or finishes,
 * time jumps to the next wake-up. The order of events depends only on the tasks. Real time only
 * decides when the event loop gets a turn. Such a turn wakes no task.
 */
export class VirtualClock implements Clock {
  readonly kind = "virtual";
  readonly #scheduler: Scheduler;
  #nowMs: number;
  #wakes = 0;
  #heldSinceMs = 0;
  #yielding = false;
  #held: PromiseWithResolvers<void> | null = null;

  constructor(startMs: number) {
    this.#nowMs = startMs;
    this.#scheduler = new Scheduler({ now: () => this.#nowMs, pump: () => this.#advance() });
  }

  now(): number {
    return this.#nowMs;
  }

  until(atMs: number, order: number, signal?: AbortSignal): Promise<WakeReason> {
    return this.timer(order).until(atMs, signal);
  }

  timer(order: number): Timer {
    return this.#scheduler.timer(order);
  }

  turn(): Promise<void> {
    return this.#held?.promise ?? Promise.resolve();
  }

  get held(): boolean {
    return this.#held !== null;
  }

  hold(): void {
    this.#held ??= Promise.withResolvers();
  }

  release(): void {
    const held = this.#held;
    this.#held = null;
    held?.resolve();
    if (held !== null && this.#scheduler.running) this.#advance();
  }

  spawn(task: ClockTask, order = 0): void {
    this.#scheduler.spawn(task, order);
  }

  run(): Promise<void> {
    this.#heldSinceMs = performance.now();
    return this.#scheduler.run();
  }

  stop(): void {
    this.#scheduler.end();
  }

  #advance(): void {
    if (this.#scheduler.awake > 0 || this.#yielding || this.#held !== null) return;
    const atMs = this.#scheduler.nextAtMs();
    if (atMs === null) {
      this.#scheduler.end();
    } else if (this.#loopHeldTooLong()) {
      this.#yieldLoop();
    } else {
      this.#nowMs = atMs;
      this.#scheduler.wakeNext();
    }
  }

  #loopHeldTooLong(): boolean {
    this.#wakes += 1;
    if (this.#wakes % WAKES_PER_LOOK !== 0) return false;
    return performance.now() - this.#heldSinceMs > LOOP_HELD_MS_MAX;
  }

  #yieldLoop(): void {
    this.#yielding = true;
    setImmediate(() => {
      this.#yielding = false;
      this.#heldSinceMs = performance.now();
      if (this.#scheduler.running) this.#advance();
    });
  }
}
