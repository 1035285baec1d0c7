import "./experiment.css";
import { html } from "htm/preact";
import { useMemo } from "preact/hooks";
import type { ShownExperiment } from "../../../../../../experiment/index.ts";
import { ChartPanel, rowsChart } from "../../../../charts/index.ts";
import { Panel, Pending } from "../../../../parts/parts.ts";
import { countText } from "../../../../parts/text.ts";
import { type Address, EXPERIMENT_VIEW, go } from "../../../address.ts";
import { useAnswer } from "../../../api.ts";
import type { RunsAnswer } from "../../../view.ts";
import { ArmCurves } from "./arm-curves.ts";
import { ComparedRuns } from "./compared-runs.ts";
import { differencesChart, runsChart } from "./plots.ts";
import { FailedRuns, InterimNote, Progress } from "./progress.ts";
import { Arms, Seeds } from "./tables.ts";

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
      ...{ run: null, view: EXPERIMENT_VIEW, item: next.measure ?? measure, at: null },
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
