import { counted } from "../../../wording.ts";

const plain = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const small = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

const NONE = "–";

export const numberText = (value: number | null): string => {
  if (value === null) return NONE;
  return value !== 0 && Math.abs(value) < 1 ? small.format(value) : plain.format(value);
};

export const shortText = (value: number): string =>
  Math.abs(value) >= 10_000 ? compact.format(value) : numberText(value);

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

/** Formats ms of run time as seconds, as minutes and seconds, or as hours and minutes. */
export const timeText = (ms: number): string => {
  const seconds = ms / 1_000;
  if (seconds < 2 * MINUTE_S) return `${plain.format(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 2 * HOUR_S) return `${clockText(whole)} min`;
  return `${clockText(Math.round(whole / MINUTE_S))} h`;
};

const clockText = (count: number): string =>
  `${Math.floor(count / 60)}:${String(count % 60).padStart(2, "0")}`;

export const timeAxis = (end: number): { unit: string; text: (seconds: number) => string } => {
  if (end < 3 * MINUTE_S) return { unit: "s", text: (at) => plain.format(at) };
  if (end < 3 * HOUR_S) return { unit: "min", text: clockText };
  return { unit: "h", text: (at) => clockText(Math.round(at / MINUTE_S)) };
};

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2) ?? "";

export const fieldsOf = (value: unknown): { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};

/** Joins the words that are not empty. Example: `invoke_artifact shop run`. */
export const wordsText = (...words: readonly unknown[]): string => words.filter(Boolean).join(" ");

export const actionText = (action: unknown): string => {
  if (typeof action !== "object" || action === null) return String(action ?? "nothing");
  const [[kind = "nothing", given] = []] = Object.entries(action);
  const { artifact_id: target, method } = fieldsOf(given);
  return wordsText(kind, target, method);
};
