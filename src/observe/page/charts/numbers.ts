const plain = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const small = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** A number as a person reads it; a dash where there is none. */
export const numberText = (value: number | null): string => {
  if (value === null) return "–";
  return value !== 0 && Math.abs(value) < 1 ? small.format(value) : plain.format(value);
};

/** The same in little room. */
export const shortText = (value: number): string =>
  Math.abs(value) >= 10_000 ? compact.format(value) : numberText(value);

export const percentText = (share: number): string =>
  `${small.format(Math.round(share * 1_000) / 10)} %`;

export const dollarText = (micros: number): string => `${numberText(micros / 1e6)} USD`;

const MINUTE_S = 60;
const HOUR_S = 3_600;

/** Run time: seconds first, then minutes and seconds, then hours and minutes. */
export const timeText = (seconds: number): string => {
  if (seconds < 2 * MINUTE_S) return `${plain.format(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 2 * HOUR_S) return `${clockText(whole, MINUTE_S)} min`;
  return `${clockText(Math.round(whole / MINUTE_S), MINUTE_S)} h`;
};

const clockText = (count: number, base: number): string =>
  `${Math.floor(count / base)}:${String(count % base).padStart(2, "0")}`;

/** For an axis that ends at `end`: its unit, and how a place on it is written. */
export const timeAxis = (end: number): { unit: string; text: (seconds: number) => string } => {
  if (end < 3 * MINUTE_S) return { unit: "s", text: (at) => plain.format(at) };
  if (end < 3 * HOUR_S) return { unit: "min", text: (at) => clockText(at, MINUTE_S) };
  return { unit: "h", text: (at) => clockText(Math.round(at / MINUTE_S), MINUTE_S) };
};
