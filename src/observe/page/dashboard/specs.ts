import type { OverviewOfRun } from "../../dashboard/index.ts";
import {
  type BarSpec,
  cost,
  distribution,
  type LineSpec,
  type LorenzSpec,
  mint,
  pace,
  prices,
  refusals,
  sellers,
  wealthLines,
} from "../charts/index.ts";

/** What is drawn on the overview. */
export type Specs = {
  readonly lines: readonly LineSpec[];
  readonly lorenz: LorenzSpec;
  readonly bars: readonly BarSpec[];
};

const WEALTH_LINES = 12;
const BARS = 10;

/** The pictures of a run, up to the moment that its figures are of. */
export const specsOf = (overview: OverviewOfRun): Specs => ({
  lines: [
    wealthLines(overview, WEALTH_LINES),
    pace(overview),
    prices(overview),
    mint(overview),
    refusals(overview),
    cost(overview),
  ],
  lorenz: distribution(overview),
  bars: [richest(overview), sellers(overview.sellers, BARS)],
});

const richest = (overview: OverviewOfRun): BarSpec => ({
  title: "Richest agents",
  note: "Scrip, free and held.",
  unit: "scrip",
  parts: ["wealth"],
  rows: overview.richest.slice(0, BARS).map(({ id, wealth }) => ({ label: id, values: [wealth] })),
});
