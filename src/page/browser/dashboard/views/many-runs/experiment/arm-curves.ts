import { html } from "htm/preact";
import { useMemo, useState } from "preact/hooks";
import type { Factors, FigureCurves, ShownExperiment } from "../../../../../../experiment/index.ts";

import { ChartPanel, lineChart } from "../../../../charts/index.ts";
import { Panel } from "../../../../parts/parts.ts";
import { armOf, cellsOf } from "./tables.ts";

type CurvesParts = { readonly shown: ShownExperiment; readonly measure: string };

/** The figures over time of each arm, that of the measure first, for one point of the factors. */
export const ArmCurves = ({ shown, measure }: CurvesParts) => {
  const { result, curves } = shown;
  const points = useMemo(() => pointsOf(result), [result]);
  const [chosen, setChosen] = useState("");
  const point = points.has(chosen) ? chosen : ([...points.keys()][0] ?? "");
  const specs = useMemo(() => {
    const cells = points.get(point) ?? [];
    const isOfMeasure = ({ measures }: FigureCurves): boolean => measures.includes(measure);
    const first = curves.filter(isOfMeasure);
    const others = curves.filter((each) => !isOfMeasure(each));
    return [...first, ...others].map((each) => specOf(each, cells, result));
  }, [curves, points, point, measure]);
  return html`
    <${Panel} title="Arms over time">
      <p class="note">${noteOf(shown, measure)}</p>
      ${
        points.size > 1 &&
        html`<label class="tools">at
          <select value=${point}
            onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
              setChosen(currentTarget.value)}>
            ${[...points.keys()].map((each) => html`<option value=${each}>${each}</option>`)}
          </select>
        </label>`
      }
    <//>
    <div class="pictures is-of-one">
      ${specs.map(
        (spec, at) => html`<${ChartPanel} key=${spec.title} make=${lineChart} spec=${spec}
          wide=${at === 0} />`,
      )}
    </div>
  `;
};

/** The cells by the text of their factors. */
const pointsOf = ({ runs }: ShownExperiment["result"]): ReadonlyMap<string, readonly string[]> => {
  const factors = new Map(runs.map((run) => [run.cell, run.factors]));
  return Map.groupBy(cellsOf({ runs }), (cell) => pointText(factors.get(cell) ?? {}));
};

const pointText = (factors: Factors): string =>
  Object.entries(factors)
    .map(([setting, value]) => `${setting} = ${String(value)}`)
    .join(", ");

const BAND =
  "A line is the mean of the runs of an arm. Its band reaches from their 5 % to their 95 % " +
  "quantile.";
const NO_LOG =
  "The figures over time are missing, because results.jsonl is not here: copy it from the folder " +
  "of the experiment.";
const SHORT = "The runs are too short for figures over time: use a longer `duration`.";
const NO_RUN = "Figures over time appear when a run has finished.";

const noteOf = ({ curves, result, progress }: ShownExperiment, measure: string): string => {
  if (progress === null) return NO_LOG;
  if (curves.length === 0) {
    return result.runs.some(({ status }) => status === "done") ? SHORT : NO_RUN;
  }
  const isThere = curves.some(({ measures }) => measures.includes(measure));
  if (isThere) return BAND;
  return `${measure} has a value only at the end of a run, so these are other figures. ${BAND}`;
};

const NAMES = ["5 %", "95 %"] as const;

const specOf = (
  { figure, title, cells }: FigureCurves,
  shown: readonly string[],
  result: ShownExperiment["result"],
) => {
  const own = cells.filter(({ cell }) => shown.includes(cell));
  const atMs = [...new Set(own.flatMap(({ at_ms }) => at_ms))].toSorted((a, b) => a - b);
  const most = Math.max(0, ...own.map(({ n }) => n));
  const least = Math.min(most, ...own.map(({ n }) => n));
  const runs = most === least ? `${most}` : `${least} to ${most}`;
  return {
    title,
    note: `Mean and 5 % to 95 % of the runs of each arm (n = ${runs}).`,
    unit: figure,
    atMs,
    series: own.map(({ cell, at_ms, mean, q05, q95 }) => {
      const places = new Map(at_ms.map((ms, at) => [ms, at]));
      const spread = (values: readonly number[]) =>
        atMs.map((ms) => values[places.get(ms) ?? -1] ?? null);
      const band = { low: spread(q05), high: spread(q95), names: NAMES };
      // The factors stand above the chart.
      const { arm, order } = armOf(result, cell);
      return { label: arm, order, values: spread(mean), band };
    }),
  };
};
