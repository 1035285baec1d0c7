/** One figure of a bench, with the bar that it is held to. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: "us" | "ms" | "s" | "1/s" | "%" | "kB" | "MB" | "x";
  /** Null where there is none. */
  readonly bar: number | null;
  /** What the machine or the bare library takes for the like, measured in the same process. */
  readonly limit: { readonly name: string; readonly value: number } | null;
};
