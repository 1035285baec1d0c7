/** Between two commits lies at least this many times what the first of them took… */
const GATHER_PER_COMMIT = 9;
/** …unless a group would then gather for more than this many times its wait. */
const GATHER_MAX = 10;
/** The wait of a group for which somebody waits is `groupMs`, and no more than this. */
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
