import "./experiment.css";
import { html } from "htm/preact";
import { useMemo, useState } from "preact/hooks";
import type {
  ExperimentResult,
  Factors,
  FigureCurves,
  ShownExperiment,
  Trajectories,
} from "../../../../experiment/index.ts";
import { COMPARED_MAX } from "../../../../read/index.ts";
import { ChartPanel, lineChart, rowsChart } from "../../charts/index.ts";
import { Panel, Pending } from "../../parts/parts.ts";
import { type Column, Table } from "../../parts/table.ts";
import { countText, numberText, signedText } from "../../parts/text.ts";
import { type Address, EXPERIMENT_VIEW, go } from "../core/address.ts";
import { isPublished, useAnswer } from "../core/api.ts";
import { Link, type RunsAnswer } from "../core/view.ts";
import { ComparedCurves, TOO_MANY } from "../many-runs/compared-curves.ts";
import { differencesChart, runsChart } from "./plots.ts";
import { FailedRuns, InterimNote, Progress } from "./progress.ts";
import { Arms, armOf, cellsOf, Seeds } from "./tables.ts";

type ExperimentParts = {
  /** Its item is the measure to show, or null for the first. Its filter has the compared runs. */
  readonly address: Address;
  readonly runs: RunsAnswer | null;
};

/** The experiment that makes the runs of this folder: its progress, arms, differences and runs. */
export const ExperimentView = ({ address, runs }: ExperimentParts) => {
  const version = runs?.experiment?.version;
  const { value: shown, problem } = useAnswer<ShownExperiment>("/experiment", version);
  const openable = useMemo(() => new Set(runs?.runs.map(({ run_id }) => run_id)), [runs]);
  // The list of runs says which dots can be opened.
  if (shown === null || runs === null) return html`<${Pending} problem=${problem} />`;
  const { result, progress, findings } = shown;
  const names = Object.keys(result.measures);
  const asked = address.item;
  const measure = asked !== null && names.includes(asked) ? asked : (names[0] ?? "");
  const done = result.runs.filter(({ status }) => status === "done").length;
  const running = new Set(progress?.running);
  const ids = new Set(result.runs.map(({ id }) => id));
  const compared = runsIn(address).filter((id) => ids.has(id));
  const show = (next: { readonly measure?: string; readonly runs?: readonly string[] }): void =>
    go({
      run: null,
      view: EXPERIMENT_VIEW,
      item: next.measure ?? measure,
      at: null,
      filter: { runs: (next.runs ?? compared).join(",") },
    });
  const toggle = (run: string): void =>
    show({
      runs: compared.includes(run) ? compared.filter((id) => id !== run) : [...compared, run],
    });
  return html`
    <${Panel} title=${`Experiment ${result.name}`}>
      ${result.question !== null && html`<p><bdi>${result.question}</bdi></p>`}
      <${ArmSettings} arms=${shown.arms} />
      <p class="note">${done} of ${countText(result.runs.length, "run")} done</p>
      <${InterimNote} shown=${shown} />
      ${result.warnings.map(
        ({ text }) => html`<p class="note" key=${text}>
        Warning: <bdi>${text}</bdi></p>`,
      )}
      <label class="tools">measure
        <select value=${measure}
          onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
            show({ measure: currentTarget.value })}>
          ${names.map((name) => html`<option value=${name}>${name}</option>`)}
        </select>
      </label>
      <p class="note"><bdi>${result.measures[measure]?.says}</bdi></p>
      ${findings
        .filter((finding) => finding.measure === null || finding.measure === measure)
        .map(({ text }) => html`<p key=${text}><bdi>${text}</bdi></p>`)}
    <//>
    <${Progress} progress=${progress} />
    <${FailedRuns} runs=${result.runs} />
    <${Plots} shown=${shown} measure=${measure} openable=${openable} />
    <${Arms} result=${result} measure=${measure} />
    <${ArmCurves} shown=${shown} measure=${measure} />
    <${Seeds} ...${{ result, measure, openable, running, compared, toggle }} />
    <${ComparedRuns} result=${result} runs=${compared} openable=${openable} />
  `;
};

type PlotsParts = {
  readonly shown: ShownExperiment;
  readonly measure: string;
  /** The runs that can be opened. */
  readonly openable: ReadonlySet<string>;
};

const Plots = ({ shown, measure, openable }: PlotsParts) => {
  const [values, differences] = useMemo(
    () => [runsChart(shown, measure, openable), differencesChart(shown, measure)],
    [shown, measure, openable],
  );
  if (values === null) {
    return html`<p class="note">No run has a value of ${measure} yet.</p>`;
  }
  return html`
    <${ChartPanel} make=${rowsChart} spec=${values} />
    ${differences !== null && html`<${ChartPanel} make=${rowsChart} spec=${differences} />`}
  `;
};

/** What each arm changes. */
const ArmSettings = ({ arms }: Pick<ShownExperiment, "arms">) => html`
  <ul class="plain" aria-label="What the arms change">
    ${arms.map(({ name, settings }) => {
      const changed = settings.map(({ key, value }) => `${key} = ${settingText(value)}`);
      return html`<li key=${name}><strong><bdi>${name}</bdi></strong>:${" "}
        <bdi>${changed.length === 0 ? "the base" : changed.join(", ")}</bdi></li>`;
    })}
  </ul>
`;

const settingText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

const runsIn = ({ filter }: Address): readonly string[] => {
  const { runs = "" } = filter ?? {};
  return [...new Set(runs.split(","))].filter((id) => id !== "");
};

type CurvesParts = { readonly shown: ShownExperiment; readonly measure: string };

/** The figures over time of each arm, that of the measure first, for one point of the factors. */
const ArmCurves = ({ shown, measure }: CurvesParts) => {
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

type ComparedParts = {
  readonly result: ExperimentResult;
  readonly runs: readonly string[];
  /** The runs that can be opened. */
  readonly openable: ReadonlySet<string>;
};

const ON_PAGES =
  "Settings, wealth and events are compared only on one page: publish these runs by their names.";
const WITHOUT_JOURNALS =
  "Settings, wealth and events are compared only with the journals of all these runs.";

/** Compares runs by what the experiment keeps of each: its measures and its figures over time. */
const ComparedRuns = ({ result, runs, openable }: ComparedParts) => {
  const isPossible = runs.length >= 2 && runs.length <= COMPARED_MAX;
  const path = `/experiment/trajectories/${encodeURIComponent(runs.join(","))}`;
  const { value, problem } = useAnswer<Trajectories>(isPossible ? path : null);
  if (runs.length < 2) return null;
  if (!isPossible) {
    return html`<${Panel} title="Compared runs"><p class="note">${TOO_MANY}</p><//>`;
  }
  const [first = "", ...others] = runs;
  const to = { run: first, view: "compare", item: others.join(","), at: null };
  const canOpen = runs.every((run) => openable.has(run)) && !isPublished();
  return html`
    <${Panel} title="Compared runs">
      <${Table} caption="Compared runs" columns=${columnsOf(result, runs)}
        rows=${Object.keys(result.measures)} />
      ${
        canOpen
          ? html`<p><${Link} to=${to}>Compare settings, wealth and events too<//></p>`
          : html`<p class="note">${isPublished() ? ON_PAGES : WITHOUT_JOURNALS}</p>`
      }
      ${value === null && html`<${Pending} problem=${problem} />`}
    <//>
    ${value !== null && html`<${ComparedCurves} runs=${runs} timelines=${timelinesIn(value)} />`}
  `;
};

const timelinesIn = (trajectories: Trajectories) =>
  new Map(
    Object.entries(trajectories).map(([run, { at_ms, gini = [], supply = [], trades = [] }]) => [
      run,
      { at_ms, gini, supply, trades },
    ]),
  );

const columnsOf = (
  { runs: rows }: ExperimentResult,
  runs: readonly string[],
): readonly Column<string>[] => {
  const figureOf = (run: string, measure: string): number | null =>
    rows.find(({ id }) => id === run)?.figures[measure] ?? null;
  const [first = "", ...others] = runs;
  return [
    { title: "measure", cell: (measure) => measure },
    ...runs.map((run): Column<string> => {
      return { title: run, isNumber: true, cell: (measure) => numberText(figureOf(run, measure)) };
    }),
    ...others.map((run): Column<string> => {
      const cell = (measure: string): string => {
        const [value, base] = [figureOf(run, measure), figureOf(first, measure)];
        return signedText(value === null || base === null ? null : value - base);
      };
      return { title: `${run} − ${first}`, isNumber: true, cell };
    }),
  ];
};
