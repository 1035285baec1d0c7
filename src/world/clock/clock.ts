/** Why a sleep ended. If its signal was aborted before, it ends at once. */
export type WakeReason = "reached" | "poked" | "cancelled";

/** `idle`: all remaining tasks sleep until poked or cancelled. */
export type RunEnd = "finished" | "idle" | "stopped";

/** An async function run by a clock. It sleeps only with the clock, one sleep at a time. */
export type ClockTask = () => Promise<void>;

/** A sleep that other tasks can end early. One task at a time sleeps on it. */
export type Timer = {
  /** As `Clock.until`, but `poke` ends it too. `Infinity`: until poked or cancelled. */
  until(atMs: number, signal?: AbortSignal): Promise<WakeReason>;
  /**
   * Wakes the sleeper in the current millisecond, in its order among those due. Returns false if no
   * task was asleep; such a poke has no effect, so check your condition before you sleep.
   */
  poke(): boolean;
};

/**
 * The time of a run, and the only way to wait for it. Tasks start with `spawn` and are driven by
 * `run`. Sleepers due in the same millisecond wake by `order`, smaller first, then in the order in
 * which they fell asleep.
 *
 * `wall`: real time. `virtual`: time stands still while any task is awake, even while it awaits
 * something else such as a slow model, and then jumps to the next sleeper.
 */
export type Clock = {
  readonly kind: "wall" | "virtual";
  /** Integer milliseconds of run time; never goes back. */
  now(): number;
  /**
   * Sleeps until `atMs`; a past time lets other due tasks go first. Only for tasks, which must
   * await it at once: the scheduler counts the task as asleep.
   */
  until(atMs: number, order: number, signal?: AbortSignal): Promise<WakeReason>;
  timer(order: number): Timer;
  /**
   * Resolves when all tasks that were due before have been woken. In real time it shares the
   * thread: await it before a longer piece of work, so that other tasks and I/O get their turn. In
   * virtual time it resolves at once. While the clock is held it does not resolve.
   */
  turn(): Promise<void>;
  /** Registers a task. `run` starts it in the current millisecond, by `order`. */
  spawn(task: ClockTask, order?: number): void;
  /**
   * Wakes sleepers until the end. Rejects with the error of the first task that throws, and wakes
   * no task after that. Can be called again after it ended, if tasks were spawned or poked.
   */
  run(): Promise<RunEnd>;
  /**
   * Stops run time and wakes no task until `release`; awake tasks continue until they sleep. Does
   * not change the order of waking in virtual time. Both calls are idempotent.
   */
  hold(): void;
  release(): void;
  readonly held: boolean;
  /** Ends `run` now and leaves sleepers asleep. Cancel tasks that should end cleanly instead. */
  stop(): void;
};
