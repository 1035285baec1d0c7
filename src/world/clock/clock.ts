/** Why a sleep ended. A sleep whose signal is already aborted is cancelled at once. */
export type WakeReason = "reached" | "poked" | "cancelled";

/** Why `run` ended. `idle` means that all remaining tasks sleep until poked or cancelled. */
export type RunEnd = "finished" | "idle" | "stopped";

/** An async function run by a clock. It sleeps only with the clock, one sleep at a time. */
export type ClockTask = () => Promise<void>;

/** A sleep that other tasks can end early. One task at a time sleeps on it. */
export type Timer = {
  /** Like `Clock.until`, but `poke` also ends it. `Infinity` sleeps until poked or cancelled. */
  until(atMs: number, signal?: AbortSignal): Promise<WakeReason>;
  /**
   * Wakes the sleeper in the current millisecond, in order with other due tasks. Returns false if
   * no task was asleep. Such a poke has no effect, so check your condition before you sleep.
   */
  poke(): boolean;
};

/**
 * The time of a run. Tasks wait only with this clock. `spawn` adds tasks and `run` runs them.
 * Sleepers due in the same millisecond wake by `order`, smaller first, then in the order in which
 * they fell asleep.
 *
 * A `wall` clock shows real time. The time of a `virtual` clock stands still while any task is
 * awake, even if it awaits something else such as a slow model, and then jumps to the next sleeper.
 */
export type Clock = {
  readonly kind: "wall" | "virtual";
  /** The run time in integer milliseconds. It never goes back. */
  now(): number;
  /**
   * Sleeps until `atMs`. If that is past, lets other due tasks go first. Only a task may call it,
   * and must await it at once, because the scheduler counts the task as asleep.
   */
  until(atMs: number, order: number, signal?: AbortSignal): Promise<WakeReason>;
  timer(order: number): Timer;
  /**
   * Resolves when all tasks that were already due have been woken. In real time, await it before
   * a long piece of work, so that other tasks and I/O get their turn. In virtual time it resolves
   * at once. It does not resolve while the clock is held.
   */
  turn(): Promise<void>;
  /** Registers a task. `run` starts it in the current millisecond, by `order`. */
  spawn(task: ClockTask, order?: number): void;
  /**
   * Wakes sleepers until the run ends. Rejects with the error of the first task that throws, and
   * wakes no task after that. Call it again after it ended if tasks were spawned or poked.
   */
  run(): Promise<RunEnd>;
  /**
   * Stops run time and wakes no task until `release`. Awake tasks continue until they sleep. In
   * virtual time the order of waking does not change. Both methods are idempotent.
   */
  hold(): void;
  release(): void;
  readonly held: boolean;
  /** Ends `run` now and leaves sleepers asleep. Cancel tasks that should end cleanly instead. */
  stop(): void;
};
