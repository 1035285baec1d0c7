/**
 * Why a sleeper woke: its time came; somebody poked it; its signal aborted (or had aborted
 * before, and then it did not sleep at all).
 */
export type Wake = "reached" | "poked" | "cancelled";

/**
 * Why `run` came to its end: every task has finished; every task left sleeps until it is poked
 * or cancelled; `stop` was called.
 */
export type RunEnd = "finished" | "idle" | "stopped";

/** An async function that runs under a clock; it sleeps with the clock only, once at a time. */
export type Task = () => Promise<void>;

/** A sleep that others can end early. One task sleeps on it at a time. */
export type Timer = {
  /** As `Clock.until`, but also ended by `poke`. `Infinity`: until poked or cancelled. */
  until(atMs: number, signal?: AbortSignal): Promise<Wake>;
  /**
   * Wakes the sleeper in this same millisecond, in its order among those due. Returns whether
   * somebody was asleep; a poke that finds nobody is forgotten, so look before you sleep.
   */
  poke(): boolean;
};

/**
 * The time of a run, and the only way to wait for it. Tasks start with `spawn` and are driven by
 * `run`. Sleepers of one millisecond wake by `order`, smaller first, then in the order they lay
 * down.
 *
 * `wall`: milliseconds pass by themselves. `virtual`: time stands still while any task is awake,
 * also while it awaits something else such as a slow model, and then jumps to the next sleeper.
 */
export type Clock = {
  readonly kind: "wall" | "virtual";
  /** Integer milliseconds of run time; never goes back. */
  now(): number;
  /**
   * Sleeps until `atMs` (a time past means: let the others due now go first). Only for tasks, and
   * to be awaited at once: a task that goes on beside its sleep would be counted as asleep.
   */
  until(atMs: number, order: number, signal?: AbortSignal): Promise<"reached" | "cancelled">;
  timer(order: number): Timer;
  /**
   * Resolves when whoever was due before has been woken. In real time that shares the thread: of
   * many who could go on at once each waits for this before a longer piece of work, and what comes
   * from outside is heard in between. Virtual time has its own order, and there nobody waits. While
   * the clock is held it is nobody's turn.
   */
  turn(): Promise<void>;
  /** Registers a task. It begins when `run` reaches it, in the present millisecond, by `order`. */
  spawn(task: Task, order?: number): void;
  /**
   * Wakes sleepers until the end. Rejects with the error of the first task that throws, and wakes
   * nobody after that. It may be called again after an end: more may have been spawned or poked.
   */
  run(): Promise<RunEnd>;
  /**
   * Wakes nobody until `release`, and run time stands still. Whoever is awake goes on until it
   * sleeps. An order of waking that virtual time has stays the same. Doing either twice is nothing.
   */
  hold(): void;
  release(): void;
  readonly held: boolean;
  /** Ends `run` now; sleepers are left asleep. Tasks that should end well are cancelled instead. */
  stop(): void;
};
