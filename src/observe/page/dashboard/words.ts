import { numberText } from "../charts/index.ts";

export { dollarText, numberText, percentText, timeText } from "../charts/index.ts";

/** Controls but for newline and tab, and the marks that turn the direction of text. */
const ACTIVE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text that agents wrote, so that a person sees what is in it: what is active is spelled out. */
export const shown = (text: string): string =>
  text.replace(ACTIVE, (mark) => `\\u{${mark.codePointAt(0)?.toString(16) ?? ""}}`);

export const jsonText = (value: unknown): string => shown(JSON.stringify(value, null, 2) ?? "");

export const bytesText = (bytes: number): string =>
  bytes < 10_000 ? `${numberText(bytes)} B` : `${numberText(Math.round(bytes / 100) / 10)} kB`;

/** What stands in an object, by name; nothing for what is none. */
export const fieldsOf = (value: unknown): { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};

/** An action as one says it: what was done to what. */
export const actionText = (action: unknown): string => {
  if (typeof action !== "object" || action === null) return shown(String(action ?? "nothing"));
  const [[kind = "nothing", given] = []] = Object.entries(action);
  const { artifact_id: target, method } = fieldsOf(given);
  return shown([kind, target, method].filter(Boolean).join(" "));
};
