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
import { hashOf } from "./address.ts";
import { placeOf } from "./parts.ts";

type Placing = Parameters<typeof placeOf>[0];

/** What is drawn on the overview. */
export type Specs = {
  readonly lines: readonly LineSpec[];
  readonly lorenz: LorenzSpec;
  readonly bars: readonly BarSpec[];
};

const WEALTH_LINES = 12;
const BARS = 10;

/** The pictures of a run, up to the moment that its figures are of. */
export const specsOf = (overview: OverviewOfRun, placing: Placing): Specs => ({
  lines: [
    wealthLines(overview, WEALTH_LINES),
    pace(overview),
    prices(overview),
    mint(overview),
    refusals(overview),
    cost(overview),
  ],
  lorenz: distribution(overview),
  bars: [linked(richest(overview), placing), linked(sellers(overview.sellers, BARS), placing)],
});

/** Each bar with the way to what it is of. */
const linked = (spec: BarSpec, placing: Placing): BarSpec => ({
  ...spec,
  rows: spec.rows.map((row) => ({ ...row, href: hashOf(placeOf(placing, row.label)) })),
});

const richest = (overview: OverviewOfRun): BarSpec => ({
  title: "Richest agents",
  note: "Scrip, free and held.",
  unit: "scrip",
  parts: ["wealth"],
  rows: overview.richest.slice(0, BARS).map(({ id, wealth }) => ({ label: id, values: [wealth] })),
});
