/** Why a sleep ended. A sleep with an already aborted signal is cancelled at once. */
export type WakeReason = "reached" | "poked" | "cancelled";

/** An async function that a clock runs. It may sleep only with this clock, one sleep at a time. */
export type ClockTask = () => Promise<void>;

/** A timer for a sleep that other tasks can end early. Only one task at a time can use a timer. */
export type Timer = {
  /** Like `Clock.until`, but `poke` also ends the sleep. `Infinity`: until poked or cancelled. */
  until(atMs: number, signal?: AbortSignal): Promise<WakeReason>;
  /**
   * Wakes the task that sleeps on this timer. The task wakes in the current millisecond, in order
   * with other due tasks. If no task sleeps on this timer, `poke` has no effect and returns false.
   * So a task must check before its sleep whether it still has to wait.
   */
  poke(): boolean;
};

/**
 * The clock of a run. Tasks sleep only with this clock. `spawn` adds tasks and `run` runs them.
 * Tasks due in the same millisecond wake by `order` (`ORDERS`), smallest first, then in the order in which
 * they began to sleep.
 *
 * A `wall` clock shows real time. The time of a `virtual` clock stands still while any task is
 * awake, even if the task awaits something else such as a slow model. When all tasks sleep, the
 * time jumps to the next wake-up.
 */
export type Clock = {
  readonly kind: "wall" | "virtual";
  /** The run time in integer milliseconds. It never goes back. */
  now(): number;
  /**
   * Sleeps until `atMs`. If `atMs` is past, lets other due tasks run first. Only a task may call
   * `until`. The task must await it at once, because the scheduler counts the task as sleeping.
   */
  until(atMs: number, order: number, signal?: AbortSignal): Promise<WakeReason>;
  timer(order: number): Timer;
  /**
   * Await `turn` before long work, so that other tasks and I/O can run first. On a wall clock,
   * `turn` resolves after the tasks that were due earlier have been woken. On a virtual clock,
   * `turn` resolves at once. On a held clock, `turn` waits for `release`.
   */
  turn(): Promise<void>;
  /** Adds a task. `run` starts the task in the current millisecond, sorted by `order`. */
  spawn(task: ClockTask, order?: number): void;
  /**
   * Wakes sleeping tasks. Resolves when each task has finished or sleeps until it is poked or
   * cancelled. Rejects with the error of the first task that throws, and then wakes no more tasks.
   * Another call of `run` runs tasks that were spawned or poked after the previous call.
   */
  run(): Promise<void>;
  /** Stops run time: no task wakes until `release`. Awake tasks continue. Both are idempotent. */
  hold(): void;
  release(): void;
  readonly held: boolean;
  /** Ends `run` without waking a task. To let a task end cleanly, cancel its sleep instead. */
  stop(): void;
};
