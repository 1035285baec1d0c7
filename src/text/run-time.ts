const TIME = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;
/** `m:ss` or `h:mm:ss`. */
const CLOCK = /^(?:(\d+):)?(\d+):([0-5]\d(?:\.\d+)?)$/;
const UNITS_MS: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Parses a time such as `300s`, `1.5m`, `2h`, `2:30` or `1:02:30` into whole ms, or null. */
export const parseTimeMs = (text: string): number | null => {
  const clock = CLOCK.exec(text);
  if (clock !== null) return clockMs(clock);
  const [, amount = "", unit = ""] = TIME.exec(text) ?? [];
  const ms = Math.round(Number(amount) * (UNITS_MS[unit] ?? Number.NaN));
  return amount !== "" && Number.isSafeInteger(ms) ? ms : null;
};

const clockMs = ([, hours, minutes, seconds]: readonly (string | undefined)[]): number | null => {
  if (hours !== undefined && Number(minutes) >= 60) return null;
  const whole = (Number(hours ?? 0) * 60 + Number(minutes)) * 60_000;
  const ms = whole + Math.round(Number(seconds) * 1_000);
  return Number.isSafeInteger(ms) ? ms : null;
};

/** A part of a run, in ms of run time. */
export type Period = { readonly fromMs: number; readonly toMs: number };

/** True if a time is in a period, both ends included. Null is the whole run. */
export const isInPeriod = (period: Period | null, atMs: number): boolean =>
  period === null || (atMs >= period.fromMs && atMs <= period.toMs);
