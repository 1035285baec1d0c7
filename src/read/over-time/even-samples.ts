import type { Period } from "../../text/index.ts";

const SAMPLES = 160;

/**
 * Takes samples at equal intervals from the start to the end of a span of run time that is over.
 * The last sample is taken at its end, when all events are counted.
 */
export class EvenSamples<Sample> {
  readonly #fromMs: number;
  readonly #stepMs: number;
  readonly #take: () => Sample;
  readonly #atMs: number[] = [];
  readonly #samples: Sample[] = [];

  /** `take` returns the values after all events that are counted so far. Times are in ms. */
  constructor({ fromMs, toMs }: Period, take: () => Sample) {
    this.#fromMs = fromMs;
    this.#stepMs = Math.max(1, (toMs - fromMs) / SAMPLES);
    this.#take = take;
  }

  /** Takes all samples due before `atMs`. Call it before an event at `atMs` is counted. */
  reach(atMs: number): void {
    for (let next = this.#next(); next < atMs && this.#atMs.length < SAMPLES; next = this.#next()) {
      this.#atMs.push(Math.round(next));
      this.#samples.push(this.#take());
    }
  }

  /** All samples, with one at `toMs`. */
  upTo(toMs: number): { readonly at_ms: readonly number[]; readonly samples: readonly Sample[] } {
    this.reach(toMs);
    return { at_ms: [...this.#atMs, toMs], samples: [...this.#samples, this.#take()] };
  }

  #next(): number {
    return this.#fromMs + this.#atMs.length * this.#stepMs;
  }
}

/**
 * Selects the samples of a chart that shows a period: those in it, and the last one at or before
 * its start, so that a period between two samples has one. `atMs` are the times of all samples.
 */
export const samplesOf = (
  { fromMs, toMs }: Period,
  atMs: readonly number[],
): (<Sample>(samples: readonly Sample[]) => Sample[]) => {
  const first = Math.max(
    0,
    atMs.findLastIndex((ms) => ms <= fromMs),
  );
  const end = atMs.findLastIndex((ms) => ms <= toMs) + 1;
  return (samples) => samples.slice(first, end);
};

/** The part of a run that a history tells: the events after `after`, up to `upTo`. */
export type Span = Period & { readonly after: number; readonly upTo: number };
