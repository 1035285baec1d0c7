import type { Interval } from "../result/result.ts";

const DECIMALS_MAX = 6;
const THOUSANDS = /(\d)(?=(\d{3})+(?!\d))/g;

/**
 * The number of decimals at which `size` has two digits, such as 3 for 0.012 and 0 for 28. Pass the
 * half of an interval: more digits of its mean have no meaning.
 */
const decimalsFor = (size: number): number => {
  if (!Number.isFinite(size) || size <= 0) return 2;
  return Math.min(DECIMALS_MAX, Math.max(0, 1 - Math.floor(Math.log10(size))));
};

/** The decimals of a mean, from its interval if there is one, else from its own size. */
export const decimalsOf = (mean: number, interval: Interval | null): number => {
  const half = interval === null ? 0 : (interval[1] - interval[0]) / 2;
  return half > 0 ? decimalsFor(half) : decimalsFor(Math.abs(mean) / 10);
};

/** A number with a fixed number of decimals, a minus sign (U+2212), and commas in thousands. */
export const fixedText = (value: number, decimals: number): string => {
  const digits = Math.abs(value).toFixed(decimals);
  if (Number(digits) === 0 && value !== 0) return withSign(value, Math.abs(value).toPrecision(2));
  const [whole = "", part] = digits.split(".");
  const grouped = whole.replaceAll(THOUSANDS, "$1,");
  return withSign(value, part === undefined ? grouped : `${grouped}.${part}`);
};

const withSign = (value: number, digits: string): string => (value < 0 ? `−${digits}` : digits);

/** A number with four significant digits, or all digits of a whole number. */
export const shortText = (value: number | null): string => {
  if (value === null) return "–";
  return fixedText(value, Number.isInteger(value) ? 0 : decimalsFor(Math.abs(value) / 100));
};

/** A number with two significant digits, such as a difference that can be detected. */
export const roughText = (value: number): string => fixedText(value, decimalsFor(Math.abs(value)));

const P_LEAST = 0.001;

/** `p = 0.012`, or `p < 0.001`. */
export const pText = (p: number): string => `p ${p < P_LEAST ? "< 0.001" : `= ${pNumber(p)}`}`;

/** `0.012`, or `< 0.001`. */
export const pNumber = (p: number): string =>
  p < P_LEAST ? `< ${P_LEAST}` : fixedText(p, p < 0.1 ? 3 : 2);

/** `0.50 [0.48, 0.52]`, as in papers. */
export const estimateText = (mean: number | null, interval: Interval | null): string => {
  if (mean === null) return "–";
  const decimals = decimalsOf(mean, interval);
  if (interval === null) return fixedText(mean, decimals);
  const [low, high] = interval;
  return `${fixedText(mean, decimals)} [${fixedText(low, decimals)}, ${fixedText(high, decimals)}]`;
};
