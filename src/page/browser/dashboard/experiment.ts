import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import {
  type CellProgress,
  CONTRAST_COLUMNS,
  type Contrast,
  curveLines,
  differenceRows,
  type ExperimentResult,
  type FigureCurves,
  type Interval,
  pointText,
  type ResultColumn,
  type RunRow,
  runRows,
  type ShownExperiment,
  type ShownProgress,
  SUMMARY_COLUMNS,
  type Summary,
  shownColumns,
  type Trajectories,
} from "../../../experiment/index.ts";
import { COMPARED_MAX } from "../../../read/index.ts";
import { countText, listed, numberText, signedText, timeText } from "../../../text/index.ts";
import { LineChart, RowsChart } from "../charts/index.ts";
import { Choice } from "../parts/fields.ts";
import { Badge, Panel, Pending } from "../parts/parts.ts";
import { type Column, numberColumn, SortedTable, Table, textColumn } from "../parts/table.ts";
import { ComparedCurves, HOW_TO_COMPARE, TOO_MANY } from "./compare.ts";
import { type Address, EXPERIMENT_VIEW, go, hashOf } from "./core/address.ts";
import { isPublished, useAnswer } from "./core/api.ts";
import { Link, type RunsAnswer } from "./core/view.ts";

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
      <${Choice} label="measure" value=${measure} options=${names}
        set=${(measure: string) => show({ measure })} />
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
    () => [valuesOf(shown, measure, openable), differenceRows(shown.result, measure)],
    [shown, measure, openable],
  );
  if (values === null) {
    return html`<p class="note">No run has a value of ${measure} yet.</p>`;
  }
  return html`
    <${RowsChart} spec=${values} />
    ${differences !== null && html`<${RowsChart} spec=${differences} />`}
  `;
};

/** The values of the runs. A dot opens its run, or says why it cannot. */
const valuesOf = (shown: ShownExperiment, measure: string, openable: ReadonlySet<string>) => {
  const { result } = shown;
  const cells = Object.keys(result.measures[measure]?.arms ?? {});
  const missing = missingText(shown);
  const spec = runRows(result, measure, cells, ({ id, command }: RunRow, says) =>
    openable.has(id)
      ? { says, href: hashOf({ run: id, view: "overview", item: null, at: null }), isFilled: true }
      : {
          says: `${says}\n${missing} This command makes the run again, and keeps it: ${command}`,
          href: null,
          isFilled: false,
        },
  );
  if (spec === null) return null;
  const isMissing = result.runs.some(({ id, status }) => status === "done" && !openable.has(id));
  return {
    ...spec,
    note: `${spec.note} A filled dot opens its run.${isMissing ? ` ${missing}` : ""}`,
  };
};

/** Why runs cannot be opened, and what keeps them. */
const missingText = ({ progress, result }: ShownExperiment): string => {
  if (progress === null) return "The journals of the other runs are not here.";
  if (!progress.keeps_journals) {
    return "The journals are not kept: `keep: journals` in the experiment file keeps them.";
  }
  return progress.queued
    ? `The journals are with the workers: copy them from their --store into ${result.dir}/runs.`
    : `The journals of the other runs are not in ${result.dir}/runs.`;
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
    return [...first, ...others].map((each) => curveLines(each, cells, result));
  }, [curves, points, point, measure]);
  return html`
    <${Panel} title="Arms over time">
      <p class="note">${noteOf(shown, measure)}</p>
      ${
        points.size > 1 &&
        html`<${Choice} label="at" value=${point} set=${setChosen} options=${[...points.keys()]} />`
      }
    <//>
    <div class="pictures is-of-one">
      ${specs.map(
        (spec, at) => html`<${LineChart} key=${spec.title} spec=${spec}
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

/** How far an experiment is, unless it is complete. */
const Progress = ({ progress }: { readonly progress: ShownProgress | null }) => {
  if (progress === null || progress.state === "complete") return null;
  const { state, cells, command, queued, seeds_max } = progress;
  const sum = sumOf(cells);
  const share = (count: number): string => `width: ${(100 * count) / Math.max(1, sum.planned)}%`;
  return html`
    <${Panel} title="Progress">
      <p role="status"><${Badge} status=${state} />${" "}${progressText(progress)}</p>
      <div class="progress-bar" aria-hidden="true">
        <span style=${share(sum.done)}></span>
        <span class="is-failed" style=${share(sum.failed)}></span>
        <span class="is-running" style=${share(sum.running)}></span>
      </div>
      ${
        state === "interrupted" &&
        html`<p>To continue: <code><bdi>${command}</bdi>${queued && " --on …"}</code></p>`
      }
      ${
        seeds_max !== null &&
        html`<p class="note">The stop rule can add seeds, to at most ${numberText(seeds_max)}.</p>`
      }
      <${Table} caption="Progress" columns=${progressColumns(progress)} rows=${cells} />
    <//>
  `;
};

const sumOf = (cells: readonly CellProgress[]) => {
  const sum = (of: (cell: CellProgress) => number): number =>
    cells.reduce((total, cell) => total + of(cell), 0);
  return {
    planned: sum(({ planned }) => planned),
    done: sum(({ done }) => done),
    failed: sum(({ failed }) => failed),
    running: sum(({ running }) => running),
    left: sum(leftOf),
  };
};

const leftOf = ({ planned, done, failed, running }: CellProgress): number =>
  planned - done - failed - running;

const progressText = ({ cells, queued, left_s, state }: ShownProgress): string => {
  const { done, planned, failed, running, left } = sumOf(cells);
  const parts = [
    `${numberText(done)} of ${countText(planned, "run")} done`,
    `${numberText(failed)} failed`,
    ...(queued ? [] : [`${numberText(running)} running`]),
    `${numberText(left)} ${queued && state === "running" ? "in the queue or running" : "left"}`,
  ];
  const time =
    left_s === null || left + running === 0 ? "" : `; about ${timeText(wholeSecondsMs(left_s))}`;
  return `${parts.join(", ")}${time === "" ? "" : `${time} left`}`;
};

/** Rounds seconds up, and returns them in ms. */
const wholeSecondsMs = (seconds: number): number => Math.ceil(seconds) * 1_000;

const progressColumns = ({ queued }: ShownProgress): readonly Column<CellProgress>[] => [
  textColumn("arm", ({ cell }) => cell),
  numberColumn("done", "done"),
  numberColumn("failed", "failed"),
  ...(queued ? [] : [numberColumn<CellProgress>("running", "running")]),
  numberColumn("left", leftOf),
  numberColumn("planned", "planned"),
];

/** Says that the figures come from only a part of the runs. Null if they are final. */
const InterimNote = ({ shown }: { readonly shown: ShownExperiment }) => {
  const { result, progress } = shown;
  if (result.complete) return null;
  const done = result.runs.filter(({ status }) => status === "done").length;
  const arms = (progress?.cells ?? []).map(
    ({ cell, done: own, planned }) => `${cell} ${own} of ${planned}`,
  );
  const each = arms.length === 0 ? "" : ` (${arms.join(", ")})`;
  return html`<p class="interim" role="note">
    <strong>Interim: ${done} of ${countText(result.runs.length, "run")}</strong><bdi>${each}</bdi>.
    ${" "}Draw no conclusion from it: each look at unfinished results makes a false difference more
    likely.</p>`;
};

type Failure = { readonly reason: string; readonly runs: readonly string[] };

const FAILURE_COLUMNS: readonly Column<Failure>[] = [
  textColumn("reason", ({ reason }) => reason),
  numberColumn("count", ({ runs }) => runs.length),
  textColumn("runs", ({ runs }) => listed(runs, 10)),
];

/** Why runs failed: one row for each reason. */
const FailedRuns = ({ runs }: Pick<ExperimentResult, "runs">) => {
  const failed = runs.filter(({ status }) => status === "failed");
  if (failed.length === 0) return null;
  const rows = [...Map.groupBy(failed, ({ error }) => error ?? "unknown")].map(
    ([reason, all]): Failure => ({ reason, runs: all.map(({ id }) => id) }),
  );
  return html`<${Panel} title="Failed runs">
    <${SortedTable} caption="Failed runs" columns=${FAILURE_COLUMNS} rows=${rows}
      first=${20} />
  <//>`;
};

type MeasureParts = { readonly result: ExperimentResult; readonly measure: string };

const resultColumn = <Row>(column: ResultColumn<Row>): Column<Row> => {
  const { title } = column;
  if (column.format === "interval") {
    return { title, isNumber: true, cell: (row) => intervalText(column.value(row)) };
  }
  const text = column.format === "difference" ? signedText : numberText;
  return { ...numberColumn(title, column.value, text), sort: column.name };
};

const ARM_COLUMNS: readonly Column<Summary & { readonly cell: string }>[] = [
  textColumn("arm", ({ cell }) => cell),
  ...shownColumns(SUMMARY_COLUMNS).map(resultColumn),
];

const DIFFERENCE_COLUMNS: readonly Column<Contrast>[] = [
  textColumn("difference", ({ a, b }) => `${a} − ${b}`),
  ...shownColumns(CONTRAST_COLUMNS).map(resultColumn),
];

const intervalText = (interval: Interval | null): string =>
  interval === null ? numberText(null) : interval.map(numberText).join(" to ");

const Arms = ({ result, measure }: MeasureParts) => {
  const found = result.measures[measure];
  const arms = Object.entries(found?.arms ?? {}).map(([cell, arm]) => ({ cell, ...arm }));
  const differences = found?.differences ?? [];
  return html`
    <${Panel} title="Arms">
      <${SortedTable} caption="Arms" columns=${ARM_COLUMNS} rows=${arms} first=${40} />
    <//>
    ${
      differences.length > 0 &&
      html`<${Panel} title="Differences from the control">
        <${SortedTable} caption="Differences from the control" columns=${DIFFERENCE_COLUMNS}
          rows=${differences} first=${40} />
      <//>`
    }
  `;
};

type SeedRow = { readonly seed: number; readonly runs: ReadonlyMap<string, RunRow> };

type SeedsParts = MeasureParts & {
  /** The runs that can be opened. */
  readonly openable: ReadonlySet<string>;
  readonly running: ReadonlySet<string>;
  readonly compared: readonly string[];
  /** Adds a run to the compared ones, or removes it. */
  readonly toggle: (run: string) => void;
};

/** One row for each seed and one column for each cell. A value links to its run if it is here. */
const Seeds = (parts: SeedsParts) => {
  const { result, compared } = parts;
  const cells = cellsOf(result);
  const seeds = [...new Set(result.runs.map(({ seed }) => seed))];
  const rows = seeds.map((seed): SeedRow => {
    const own = result.runs.filter((run) => run.seed === seed);
    return { seed, runs: new Map(own.map((run) => [run.cell, run])) };
  });
  const columns: readonly Column<SeedRow>[] = [
    { title: "seed", cell: ({ seed }) => String(seed) },
    ...cells.map((cell): Column<SeedRow> => {
      const content = ({ runs: own }: SeedRow) => {
        const run = own.get(cell);
        return run === undefined ? "–" : runCell(run, parts);
      };
      return { title: cell, isNumber: true, cell: content };
    }),
  ];
  return html`<${Panel} title="Runs">
    <p class="note">${
      compared.length < 2 ? HOW_TO_COMPARE : `${countText(compared.length, "run")} compared below.`
    }</p>
    <${Extremes} ...${parts} />
    <${Table} caption="Runs" columns=${columns} rows=${rows} />
  <//>`;
};

/** The runs with the highest and the lowest value of the measure. */
const Extremes = ({ result, measure, openable }: SeedsParts) => {
  const values = result.runs.flatMap(({ id, figures }) => {
    const value = figures[measure] ?? null;
    return value === null ? [] : [{ id, value }];
  });
  const [lowest, ...others] = values.sort((a, b) => a.value - b.value);
  const highest = others.at(-1);
  if (lowest === undefined || highest === undefined || lowest.value === highest.value) return null;
  const named = ({ id, value }: { readonly id: string; readonly value: number }) => html`
    ${runLink(id, id, openable)} with ${numberText(value)}
  `;
  return html`<p class="note">Highest: ${named(highest)}; lowest: ${named(lowest)}.</p>`;
};

const runLink = (id: string, text: ComponentChildren, openable: ReadonlySet<string>) =>
  openable.has(id)
    ? html`<${Link} to=${{ run: id, view: "overview", item: null, at: null }}>${text}<//>`
    : text;

/** All cells, in the order of the runs. */
const cellsOf = ({ runs }: Pick<ExperimentResult, "runs">): readonly string[] => [
  ...new Set(runs.map(({ cell }) => cell)),
];

const runCell = (run: RunRow, { measure, openable, running, compared, toggle }: SeedsParts) => {
  const { id, status, figures, error } = run;
  const text =
    status === "done"
      ? numberText(figures[measure] ?? null)
      : html`<span title=${error ?? ""}>${statusText(run, running)}</span>`;
  const shown = runLink(id, text, openable);
  if (status !== "done") return shown;
  return html`${shown}${" "}<input type="checkbox" aria-label=${`Compare ${id}`}
    checked=${compared.includes(id)} onChange=${() => toggle(id)} />`;
};

const statusText = ({ id, status }: RunRow, running: ReadonlySet<string>): string => {
  if (running.has(id)) return "running";
  return status === "failed" ? "failed" : "not made";
};
