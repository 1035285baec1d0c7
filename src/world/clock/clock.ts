/** Why a sleep ended. A sleep whose signal is already aborted is cancelled at once. */
export type WakeReason = "reached" | "poked" | "cancelled";

/** An async function run by a clock. It sleeps only with the clock, one sleep at a time. */
export type ClockTask = () => Promise<void>;

/** A sleep that other tasks can end early. Only one task at a time can use a timer. */
export type Timer = {
  /** Like `Clock.until`, but `poke` also ends it. `Infinity` sleeps until poked or cancelled. */
  until(atMs: number, signal?: AbortSignal): Promise<WakeReason>;
  /**
   * Wakes the sleeping task in the current millisecond, in order with other due tasks. If no task
   * sleeps, returns false without effect, so check your condition before you sleep.
   */
  poke(): boolean;
};

/**
 * The time of a run. Tasks wait only with this clock. `spawn` adds tasks and `run` runs them. Tasks
 * due in the same millisecond wake by `order`, smaller first, then in the order in which they began
 * to sleep.
 *
 * A `wall` clock shows real time. The time of a `virtual` clock stands still while any task is
 * awake, even if it awaits something else such as a slow model. Then it jumps to the next sleeper.
 */
export type Clock = {
  readonly kind: "wall" | "virtual";
  /** The run time in integer milliseconds. It never goes back. */
  now(): number;
  /**
   * Sleeps until `atMs`. If that time is past, lets other due tasks run first. Only a task may call
   * it, and must await it at once, because the scheduler counts the task as sleeping.
   */
  until(atMs: number, order: number, signal?: AbortSignal): Promise<WakeReason>;
  timer(order: number): Timer;
  /**
   * Resolves when all tasks that were already due have been woken. Under a wall clock, await it
   * before long work, so that other tasks and I/O get their turn. Under a virtual clock it resolves
   * at once. It does not resolve while the clock is held.
   */
  turn(): Promise<void>;
  /** Registers a task. `run` starts it in the current millisecond, by `order`. */
  spawn(task: ClockTask, order?: number): void;
  /**
   * Wakes sleeping tasks until every task has finished or sleeps until poked or cancelled. Rejects
   * with the error of the first task that throws, and wakes no task after that. Another call runs
   * tasks that were spawned or poked since.
   */
  run(): Promise<void>;
  /**
   * Stops run time and wakes no task until `release`. Awake tasks continue until they sleep. Under
   * a virtual clock the order of waking does not change. Both methods are idempotent.
   */
  hold(): void;
  release(): void;
  readonly held: boolean;
  /** Ends `run` and wakes no task. To let a task end cleanly, cancel its sleep instead. */
  stop(): void;
};
