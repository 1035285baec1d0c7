import type { ModelFailure } from "./model.ts";

export type RestSettings = {
  /** The rest after the first failure; it doubles with every further one. */
  readonly coolDownInitialMs: number;
  readonly coolDownMaxMs: number;
};

/** How one profile is left alone after it failed. */
export class Rest {
  readonly #settings: RestSettings;
  #untilMs = Number.NEGATIVE_INFINITY;
  #sinceMs = Number.NEGATIVE_INFINITY;
  #coolDownMs = 0;
  #refusal: ModelFailure | null = null;

  constructor(settings: RestSettings) {
    this.#settings = settings;
  }

  leftMs(nowMs: number): number {
    return Math.max(0, this.#untilMs - nowMs);
  }

  /** Why waiting will not help while it rests; null where it may. */
  get refusal(): ModelFailure | null {
    return this.#refusal;
  }

  /** The key is of no use as it is. It is tried again after the longest rest. */
  refuse(failure: ModelFailure, nowMs: number): void {
    this.#refusal = failure;
    this.#untilMs = nowMs + this.#settings.coolDownMaxMs;
  }

  /** A call that had begun at `startedMs` failed. It rests as long as asked, or longer. */
  begin({
    startedMs,
    nowMs,
    askedMs,
  }: {
    startedMs: number;
    nowMs: number;
    askedMs: number;
  }): void {
    const { coolDownInitialMs, coolDownMaxMs } = this.#settings;
    // Calls that were on their way together fail together; that counts as one failure.
    if (startedMs > this.#sinceMs) {
      this.#coolDownMs = Math.min(
        coolDownMaxMs,
        this.#coolDownMs === 0 ? coolDownInitialMs : 2 * this.#coolDownMs,
      );
      this.#sinceMs = nowMs;
    }
    this.#refusal = null;
    this.#untilMs = Math.max(this.#untilMs, nowMs + Math.max(this.#coolDownMs, askedMs));
  }

  /** A call that had begun at `startedMs` went through. What happened since then still counts. */
  end(startedMs: number): void {
    if (startedMs <= this.#sinceMs) return;
    this.#coolDownMs = 0;
    this.#refusal = null;
    this.#untilMs = Number.NEGATIVE_INFINITY;
  }
}
