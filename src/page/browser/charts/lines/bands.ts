import type uPlot from "uplot";
import type { ChartBand, LineSpec, Series } from "./line-spec.ts";

type Banded = Pick<LineSpec, "series" | "spread">;

/** A band, and the place of its series. The spread has no series: `at` is null. */
type PlacedBand = { readonly at: number | null; readonly band: ChartBand };

/** The bands of the series in their order, then the spread. */
const bandsOf = ({ series, spread }: Banded): readonly PlacedBand[] => [
  ...series.flatMap(({ band }, at) => (band === undefined ? [] : [{ at, band }])),
  ...(spread === undefined ? [] : [{ at: null, band: spread }]),
];

/** The ends of all bands as columns. They follow the columns of the series. */
export const bandColumns = (spec: Banded): readonly Series["values"][] =>
  bandsOf(spec).flatMap(({ band }) => [band.low, band.high]);

/** The places of the columns of a series in the plot, where the times have place 0. */
export const columnsAt = (spec: Banded, at: number): readonly number[] => {
  const order = bandsOf(spec).findIndex((each) => each.at === at);
  const low = lowColumn(spec, order);
  return order === -1 ? [at + 1] : [at + 1, low, low + 1];
};

const lowColumn = ({ series }: Banded, order: number): number => 1 + series.length + 2 * order;

/** Draws the bands. `fillOf` returns the colour of the band of a series, or of the spread. */
export const bandOptions = (
  spec: Banded,
  fillOf: (at: number | null) => string,
): { readonly series: uPlot.Series[]; readonly bands: uPlot.Band[] } => ({
  series: bandColumns(spec).map(() => ({ width: 0, points: { show: false }, spanGaps: true })),
  bands: bandsOf(spec).map(({ at }, order) => {
    const low = lowColumn(spec, order);
    return { series: [low + 1, low], fill: () => fillOf(at) };
  }),
});
