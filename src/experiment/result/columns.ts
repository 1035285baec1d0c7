import type { Contrast, Interval, Summary } from "./result.ts";

/** A number or an interval of a result, as a column of all tables that have it. */
export type ResultColumn<Row> = {
  /** In files, where an interval has two columns: `_low` and `_high` follow its name. */
  readonly name: string;
  readonly title: string;
  readonly says: string;
  /** Screens and pages have no room for it. */
  readonly isInFilesOnly?: true;
} & (
  | {
      readonly format: "count" | "figure" | "difference" | "p";
      readonly value: (row: Row) => number | null;
    }
  | { readonly format: "interval"; readonly value: (row: Row) => Interval | null }
);

/** The columns of a screen or a page. */
export const shownColumns = <Row>(
  columns: readonly ResultColumn<Row>[],
): readonly ResultColumn<Row>[] => columns.filter(({ isInFilesOnly = false }) => !isInFilesOnly);

export const SUMMARY_COLUMNS: readonly ResultColumn<Summary>[] = [
  { name: "n", title: "n", says: "runs with a value", format: "count", value: ({ n }) => n },
  { name: "mean", title: "mean", says: "mean", format: "figure", value: ({ mean }) => mean },
  {
    name: "sd",
    title: "sd",
    says: "sample standard deviation",
    format: "figure",
    value: ({ sd }) => sd,
  },
  {
    name: "median",
    title: "median",
    says: "median",
    format: "figure",
    value: ({ median }) => median,
  },
  { name: "q05", title: "5 %", says: "5 % quantile", format: "figure", value: ({ q05 }) => q05 },
  { name: "q95", title: "95 %", says: "95 % quantile", format: "figure", value: ({ q95 }) => q95 },
  {
    name: "ci95",
    title: "95 % interval",
    says: "95 % interval of the mean (Student's t)",
    format: "interval",
    value: ({ ci95 }) => ci95,
  },
  {
    name: "ci95_bootstrap",
    title: "bootstrap interval",
    says: "bootstrap interval of the mean",
    format: "interval",
    value: ({ ci95_bootstrap }) => ci95_bootstrap,
    isInFilesOnly: true,
  },
];

export const CONTRAST_COLUMNS: readonly ResultColumn<Contrast>[] = [
  {
    name: "n",
    title: "n",
    says: "pairs, or values in the smaller sample",
    format: "count",
    value: ({ n }) => n,
  },
  {
    name: "mean",
    title: "mean",
    says: "mean of a minus mean of b",
    format: "difference",
    value: ({ mean }) => mean,
  },
  {
    name: "ci95",
    title: "95 % interval",
    says: "95 % interval of the difference",
    format: "interval",
    value: ({ ci95 }) => ci95,
  },
  {
    name: "ci95_bootstrap",
    title: "bootstrap interval",
    says: "bootstrap interval of the difference",
    format: "interval",
    value: ({ ci95_bootstrap }) => ci95_bootstrap,
    isInFilesOnly: true,
  },
  {
    name: "p",
    title: "p",
    says: "p-value of the permutation test",
    format: "p",
    value: ({ p }) => p,
  },
  {
    name: "p_holm",
    title: "p (Holm)",
    says: "p-value after Holm's correction",
    format: "p",
    value: ({ p_holm }) => p_holm,
  },
  {
    name: "effect",
    title: "effect",
    says: "Cohen's d",
    format: "figure",
    value: ({ effect }) => effect,
  },
  {
    name: "detectable",
    title: "detectable",
    says: "smallest difference that is detected with 80 % power",
    format: "figure",
    value: ({ detectable }) => detectable,
  },
];
