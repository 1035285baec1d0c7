/** So many times as long as the last commit took, a group gathers under load. */
const GATHER_PER_COMMIT = 9;
/** But for no more than so many times `groupMs`. */
const GATHER_MAX = 10;
/** So long a group gathers at the most, but under load, once somebody waits for it. */
const AWAITED_MS_MAX = 2;

/**
 * When the next group is to be committed: when it has waited `groupMs`, and later where commits
 * would otherwise take more than a tenth of the time. Times are in ms, on one clock.
 */
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

  /** Of a group that has been gathering since then, and whether somebody waits for it. */
  dueMs(sinceMs: number, isAwaited = false): number {
    const groupMs = isAwaited ? Math.min(this.#groupMs, AWAITED_MS_MAX) : this.#groupMs;
    const restedMs = this.#lastEndedMs + GATHER_PER_COMMIT * this.#lastTookMs;
    const soonestMs = sinceMs + groupMs;
    return Math.min(Math.max(soonestMs, restedMs), sinceMs + GATHER_MAX * groupMs);
  }
}
