import { counted } from "./wording.ts";

const plain = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const small = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

const NONE = "–";

/** Numbers from here on, and the inverses of such numbers, have an exponent. */
const EXPONENT_FROM = 1e15;

export const numberText = (value: number | null): string => {
  if (value === null) return NONE;
  const size = Math.abs(value);
  if (size >= EXPONENT_FROM || (size !== 0 && size < 1 / EXPONENT_FROM)) {
    return value
      .toExponential(2)
      .replace(/\.?0+e/, "e")
      .replace("+", "");
  }
  return size !== 0 && size < 1 ? small.format(value) : plain.format(value);
};

/** Formats a number of things. Examples: `1 event`, `2 events`. */
export const countText = (count: number, noun: string): string =>
  counted(count, noun, numberText(count));

/** Formats a number with its sign. Zero has no sign. */
export const signedText = (value: number | null): string => {
  const sign = value === null || value === 0 ? "" : value > 0 ? "+" : "−";
  return `${sign}${numberText(value === null ? null : Math.abs(value))}`;
};

export const percentText = (share: number | null): string =>
  share === null ? NONE : `${small.format(Math.round(share * 1_000) / 10)} %`;

export const dollarText = (micros: number | null): string =>
  micros === null ? NONE : `${numberText(micros / 1e6)} USD`;

export const bytesText = (bytes: number): string =>
  bytes < 10_000 ? `${numberText(bytes)} B` : `${numberText(Math.round(bytes / 100) / 10)} kB`;

const MINUTE_S = 60;
const HOUR_S = 3_600;

/** Formats a duration in ms as seconds, as minutes and seconds, or as hours and minutes. */
export const timeText = (ms: number): string => {
  const seconds = ms / 1_000;
  if (seconds < 2 * MINUTE_S) return `${plain.format(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 2 * HOUR_S) return `${sixtiethsText(whole)} min`;
  return `${sixtiethsText(Math.round(whole / MINUTE_S))} h`;
};

const sixtiethsText = (count: number): string =>
  `${Math.floor(count / 60)}:${String(count % 60).padStart(2, "0")}`;

/**
 * Formats a moment in ms of run time as `m:ss`, or as `h:mm:ss` from an hour on, with decimals of
 * seconds.
 */
export const clockText = (ms: number, decimals = 0): string => {
  const unit = 10 ** decimals;
  const count = Math.floor((ms / 1_000) * unit + 1e-6);
  const whole = Math.floor(count / unit);
  const [hours, minutes] = [Math.floor(whole / HOUR_S), Math.floor((whole % HOUR_S) / MINUTE_S)];
  const seconds = String(whole % MINUTE_S).padStart(2, "0");
  const rest = decimals === 0 ? "" : `.${String(count % unit).padStart(decimals, "0")}`;
  const start = hours === 0 ? `${minutes}` : `${hours}:${String(minutes).padStart(2, "0")}`;
  return `${start}:${seconds}${rest}`;
};

/** Formats a moment of a run, as everywhere on the page. Example: `2:30.4`. */
export const momentText = (ms: number): string => clockText(ms, 1);

/** Formats numbers that stand together, all with as many decimals. */
export const fixedText = (decimals: number): ((value: number) => string) => {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const format = new Intl.NumberFormat("en", digits);
  return (value) => format.format(value === 0 ? 0 : value);
};
