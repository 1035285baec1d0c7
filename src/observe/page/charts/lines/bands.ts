import type uPlot from "uplot";
import type { LineSpec, Series } from "./line-spec.ts";

/** The places of the series with a band, in their order. */
const banded = ({ series }: Pick<LineSpec, "series">): readonly number[] =>
  [...series.keys()].filter((at) => series[at]?.band !== undefined);

/** The ends of all bands as columns. They follow the columns of the series. */
export const bandColumns = (spec: Pick<LineSpec, "series">): readonly Series["values"][] =>
  banded(spec).flatMap((at) => {
    const band = spec.series[at]?.band;
    return band === undefined ? [] : [band.low, band.high];
  });

/** The places of the columns of a series in the plot, where the times have place 0. */
export const columnsAt = (spec: Pick<LineSpec, "series">, at: number): readonly number[] => {
  const order = banded(spec).indexOf(at);
  const low = 1 + spec.series.length + 2 * order;
  return order === -1 ? [at + 1] : [at + 1, low, low + 1];
};

/** Draws the bands. `fillOf` returns the colour of the band of a series. */
export const bandOptions = (
  spec: Pick<LineSpec, "series">,
  fillOf: (at: number) => string,
): { readonly series: uPlot.Series[]; readonly bands: uPlot.Band[] } => ({
  series: bandColumns(spec).map(() => ({ width: 0, points: { show: false }, spanGaps: true })),
  bands: banded(spec).map((at) => {
    const [, low = 0, high = 0] = columnsAt(spec, at);
    return { series: [high, low], fill: () => fillOf(at) };
  }),
});
