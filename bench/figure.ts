/** What a bench measured: one number, what it should not be worse than, and the machine's own. */
export type Figure = {
  /** Unique within its bench. */
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  /** What it should not be worse than on the machine of bench/README.md; null: only watched. */
  readonly bar: number | null;
  /** What the machine, or the bare library beneath, takes for the like, in the same process. */
  readonly limit: { readonly name: string; readonly value: number } | null;
};

export type Unit = "us" | "ms" | "s" | "1/s" | "%" | "kB" | "MB" | "x";

/** Of rates and shares more is better, of everything else less. */
export const moreIsBetter = (unit: Unit): boolean => unit === "1/s" || unit === "%";

/** How many times the limit it is, or which part of it; without a limit the figure itself. */
export const ratioOf = ({ value, limit }: Figure): number =>
  limit === null ? value : value / limit.value;

/** Whether it holds its bar; true where it has none. */
export const holds = ({ value, unit, bar }: Figure): boolean =>
  bar === null || (moreIsBetter(unit) ? value >= bar : value <= bar);
