/** The pause after a commit is at least this many times the duration of the commit. */
const PAUSE_PER_COMMIT = 9;
/** A group waits at most `WAIT_MAX * groupMs`, even if the pause after a commit lasts longer. */
const WAIT_MAX = 10;
/** The maximum of `groupMs` in ms if a caller awaits the group. */
const AWAITED_MS_MAX = 2;

/** Decides when the next group is due, so that commits take at most a tenth of the time. */
export class CommitPace {
  readonly #groupMs: number;
  #lastEndedMs = Number.NEGATIVE_INFINITY;
  #lastTookMs = 0;

  constructor(groupMs: number) {
    this.#groupMs = groupMs;
  }

  note(beganMs: number, endedMs: number): void {
    this.#lastEndedMs = endedMs;
    this.#lastTookMs = endedMs - beganMs;
  }

  /** `sinceMs` is when the group got its first row. `isAwaited`: a caller awaits the group. */
  dueMs(sinceMs: number, isAwaited = false): number {
    const groupMs = isAwaited ? Math.min(this.#groupMs, AWAITED_MS_MAX) : this.#groupMs;
    const pausedMs = this.#lastEndedMs + PAUSE_PER_COMMIT * this.#lastTookMs;
    const soonestMs = sinceMs + groupMs;
    return Math.min(Math.max(soonestMs, pausedMs), sinceMs + WAIT_MAX * groupMs);
  }
}
