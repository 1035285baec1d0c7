import { type Config, msOf } from "./config/index.ts";

/** Until when a run goes on. */
export type Horizon = {
  /** The configuration with the horizon that agents know of. */
  readonly config: Config;
  /** Run time at which to stop; the horizon or earlier. */
  readonly stopAtMs: number;
};

export type HowFar = {
  /** Run time at which the run begins or goes on. */
  readonly atMs: number;
  /** Seconds to the horizon, which moves only when they pass it; null: to the horizon. */
  readonly furtherS: number | null;
  /** Seconds from there after which to stop all the same, which agents know nothing of. */
  readonly stopAfterS: number | null;
};

export const horizonFrom = (config: Config, { atMs, furtherS, stopAfterS }: HowFar): Horizon => {
  const horizonMs = msOf(config.run.duration_s);
  const wantedMs = furtherS === null ? horizonMs : atMs + msOf(furtherS);
  const stopAtMs = stopAfterS === null ? wantedMs : Math.min(wantedMs, atMs + msOf(stopAfterS));
  if (wantedMs <= horizonMs) return { config, stopAtMs };
  return { config: { ...config, run: { ...config.run, duration_s: wantedMs / 1000 } }, stopAtMs };
};
