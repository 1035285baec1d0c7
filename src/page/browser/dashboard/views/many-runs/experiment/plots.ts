import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import type {
  Contrast,
  Interval,
  RunRow,
  ShownExperiment,
} from "../../../../../../experiment/index.ts";

import { toneVariable } from "../../../../charts/index.ts";
import { Panel } from "../../../../parts/parts.ts";
import { numberText, signedText } from "../../../../parts/text.ts";
import { hashOf } from "../../../address.ts";
import { levelsOf, type Scale, scaleOf } from "./scale.ts";
import { armOf, intervalText } from "./tables.ts";

type PlotParts = {
  readonly shown: ShownExperiment;
  readonly measure: string;
  /** The runs that can be opened. */
  readonly openable: ReadonlySet<string>;
};

/** The level below which a difference is significant, as in the statistics. */
const LEVEL = 0.05;

/** The differences from the control with their intervals, one above the other. */
const ForestPlot = ({ shown: { result }, measure }: Omit<PlotParts, "openable">) => {
  const differences = (result.measures[measure]?.differences ?? []).filter(
    ({ mean }) => mean !== null,
  );
  if (differences.length === 0) return null;
  const ends = differences.flatMap(({ mean, ci95, detectable }) => [
    ...(mean === null ? [] : [mean]),
    ...(ci95 ?? []),
    ...(detectable === null ? [] : [detectable, -detectable]),
  ]);
  const scale = scaleOf([0, ...ends]);
  return html`
    <table class="plot">
      <caption class="unseen">Forest plot of the differences</caption>
      <tbody>
        ${differences.map((each) => {
          const tone = toneVariable(armOf(result, each.a).order);
          return html`<tr key=${`${each.a} ${each.b}`}>
            <th scope="row"><bdi>${each.a} − ${each.b}</bdi></th>
            <td class="plot-area" style=${`--tone: var(${tone})`}>
              <${Grid} scale=${scale} />
              <${Difference} contrast=${each} scale=${scale} />
            </td>
            <td class="plot-value">${signedText(each.mean)}${" "}
              <span class="note">[${intervalText(each.ci95)}], n = ${each.n}, p (Holm)${" "}
                ${numberText(each.p_holm)}</span></td>
          </tr>`;
        })}
        <${Axis} scale=${scale} />
      </tbody>
    </table>
    <p class="note">A mark is the mean difference, and its line the 95 % interval. A filled mark has
      p (Holm) below ${LEVEL}. The grey bar ends at the smallest difference that an experiment
      with so many runs finds in 4 of 5 cases.</p>
  `;
};

type DifferenceParts = { readonly contrast: Contrast; readonly scale: Scale };

const Difference = ({
  contrast: { mean, ci95, detectable, p_holm },
  scale,
}: DifferenceParts) => html`
  ${
    detectable !== null &&
    html`<${Bar} kind="plot-detectable" scale=${scale}
    ends=${[-detectable, detectable]} />`
  }
  <span class="plot-zero" style=${leftOf(scale, 0)}></span>
  ${ci95 !== null && html`<${Bar} kind="plot-interval" scale=${scale} ends=${ci95} />`}
  <span class=${`plot-mark ${p_holm !== null && p_holm < LEVEL ? "is-filled" : ""}`}
    style=${leftOf(scale, mean ?? 0)}></span>
`;

const leftOf = ({ placeOf }: Scale, value: number): string => `left: ${placeOf(value)}%`;

type BarParts = { readonly kind: string; readonly scale: Scale; readonly ends: Interval };

const Bar = ({ kind, scale, ends: [low, high] }: BarParts) => {
  const width = scale.placeOf(high) - scale.placeOf(low);
  return html`<span class=${kind} style=${`${leftOf(scale, low)}; width: ${width}%`}></span>`;
};

const Grid = ({ scale }: { readonly scale: Scale }) =>
  scale.ticks.map((tick) => html`<span class="plot-grid" style=${leftOf(scale, tick)}></span>`);

const Axis = ({ scale }: { readonly scale: Scale }) => html`
  <tr class="plot-axis" aria-hidden="true"><td></td><td class="plot-area">
    ${scale.ticks.map((at) => html`<span style=${leftOf(scale, at)}>${numberText(at)}</span>`)}
  </td><td></td></tr>
`;

/** A dot for each run of each arm, which opens the run, and below them the mean of the arm. */
const RunsPlot = ({ shown, measure, openable }: PlotParts) => {
  const { result } = shown;
  const arms = Object.entries(result.measures[measure]?.arms ?? {});
  const values = result.runs.flatMap(({ figures }) => figures[measure] ?? []);
  if (values.length === 0) {
    return html`<p class="note">No run has a value of ${measure} yet.</p>`;
  }
  const scale = scaleOf([...values, ...arms.flatMap(([, { ci95 }]) => ci95 ?? [])]);
  const hasMissing = result.runs.some(({ id, status }) => status === "done" && !openable.has(id));
  return html`
    <table class="plot is-of-runs">
      <caption class="unseen">Values of the runs</caption>
      <tbody>
        ${arms.map(([cell, { mean, ci95, n }]) => {
          const tone = toneVariable(armOf(result, cell).order);
          const runs = result.runs.filter((run) => run.cell === cell && run.status === "done");
          return html`<tr key=${cell}>
            <th scope="row"><bdi>${cell}</bdi></th>
            <td class="plot-area" style=${`--tone: var(${tone})`}>
              <${Grid} scale=${scale} />
              <${Dots} ...${{ runs, measure, openable, shown, scale }} />
              ${ci95 !== null && html`<${Bar} kind="plot-interval" scale=${scale} ends=${ci95} />`}
              ${mean !== null && html`<span class="plot-mean" style=${leftOf(scale, mean)}></span>`}
            </td>
            <td class="plot-value">${numberText(mean)} <span class="note">n = ${n}</span></td>
          </tr>`;
        })}
        <${Axis} scale=${scale} />
      </tbody>
    </table>
    <p class="note">A dot is a run; a filled dot opens it. Below the dots are the mean and its 95 %
      interval.${hasMissing && html`${" "}${missingText(shown)}`}</p>
  `;
};

type DotsParts = PlotParts & { readonly runs: readonly RunRow[]; readonly scale: Scale };

/** The least distance of two dots on one level, in percent of the width. */
const DOT_GAP = 1.6;
const LEVEL_PX = 8;

const Dots = ({ runs, measure, openable, shown, scale }: DotsParts): ComponentChildren => {
  const dots = runs.flatMap((run) => {
    const value = run.figures[measure] ?? null;
    return value === null ? [] : [{ run, value, place: scale.placeOf(value) }];
  });
  const levels = levelsOf(
    dots.map(({ place }) => place),
    DOT_GAP,
  );
  return dots.map(({ run, value, place }, at) => {
    const { id } = run;
    const style = `left: ${place}%; margin-top: ${-LEVEL_PX * (levels[at] ?? 0)}px`;
    const says = `${id}: ${measure} ${numberText(value)}`;
    const to = { run: id, view: "overview", item: null, at: null };
    return openable.has(id)
      ? html`<a key=${id} class="dot" href=${hashOf(to)} style=${style} title=${says}
          aria-label=${says}></a>`
      : html`<span key=${id} class="dot is-missing" role="img" style=${style} aria-label=${says}
          title=${`${says}\n${missingRunText(run, shown)}`}></span>`;
  });
};

const missingRunText = ({ command }: RunRow, shown: ShownExperiment): string =>
  `${missingText(shown)} This command makes the run again, and keeps it: ${command}`;

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

export const PlotPanel = ({ shown, measure, openable }: PlotParts) => html`
  <${Panel} title="Values and differences">
    <${RunsPlot} shown=${shown} measure=${measure} openable=${openable} />
    <${ForestPlot} shown=${shown} measure=${measure} />
  <//>
`;
