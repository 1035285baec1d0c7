/** Returns a count with its noun, such as `1 call` or `2 calls`. `shown` is the formatted count. */
export const counted = (count: number, noun: string, shown = String(count)): string =>
  `${shown} ${noun}${count === 1 ? "" : "s"}`;

/** Returns the first `max` names, and the number of the others: `ada, boole and 3 more`. */
export const listed = (names: readonly string[], max: number): string => {
  const more = names.length - max;
  return `${names.slice(0, max).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
};

/**
 * Returns a text of at most `max` UTF-16 units. A longer text loses its end and gets the mark `…`
 * instead. The two halves of a character stay together.
 */
export const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;

/** Why the wait of a seat ended, as a part of a sentence. */
export const WOKE = {
  message: "a message has arrived",
  move: "it is your move",
  timeout: "no message has arrived",
  no_move: "you cannot move any more",
} as const;

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** Formats a whole number with marks between its thousands, such as `12,345`. */
export const whole = (count: number): string => grouped.format(count);

/** Formats ms of run time exactly, as `m:ss.mmm`. */
export const exactTimeText = (ms: number): string => {
  const seconds = Math.floor(ms / 1_000);
  const [rest, thousandths] = [seconds % 60, Math.floor(ms) % 1_000];
  const padded = `${String(rest).padStart(2, "0")}.${String(thousandths).padStart(3, "0")}`;
  return `${Math.floor(seconds / 60)}:${padded}`;
};
