import type { Contrast, RunRow, ShownExperiment } from "../../../../experiment/index.ts";
import { axisOf, type Mark, type RowsSpec, toneVariable } from "../../charts/index.ts";
import { numberText, signedText } from "../../parts/text.ts";
import { hashOf } from "../core/address.ts";
import { armOf, intervalText } from "./tables.ts";

/** The level below which a difference is significant, as in the statistics. */
const LEVEL = 0.05;

/** The differences from the control with their intervals, one above the other. */
export const differencesChart = ({ result }: ShownExperiment, measure: string): RowsSpec | null => {
  const differences = (result.measures[measure]?.differences ?? []).filter(
    ({ mean }) => mean !== null,
  );
  if (differences.length === 0) return null;
  const ends = differences.flatMap(({ mean, ci95, detectable }) => [
    mean ?? 0,
    ...(ci95 ?? []),
    ...(detectable === null ? [] : [detectable, -detectable]),
  ]);
  const axis = axisOf([0, ...ends]);
  return {
    title: `Differences of ${measure}`,
    note:
      "A mark is the mean difference, and its line the 95 % interval. A filled mark has p (Holm) " +
      `below ${LEVEL}. The grey bar ends at the smallest difference that an experiment with so ` +
      "many runs finds in 4 of 5 cases.",
    caption: "Forest plot of the differences",
    parts: [],
    axis,
    rows: differences.map((contrast) => ({
      label: `${contrast.a} − ${contrast.b}`,
      marks: differenceMarks(contrast, toneVariable(armOf(result, contrast.a).order)),
      value: signedText(contrast.mean),
      more: `[${intervalText(contrast.ci95)}], n = ${contrast.n}, p (Holm) ${numberText(contrast.p_holm)}`,
    })),
    table: [
      ["difference", "mean", "low", "high", "n", "p_holm"],
      ...differences.map(({ a, b, mean, ci95, n, p_holm }) => [
        `${a} − ${b}`,
        mean,
        ci95?.[0] ?? null,
        ci95?.[1] ?? null,
        n,
        p_holm,
      ]),
    ],
  };
};

const differenceMarks = (
  { mean, ci95, detectable, p_holm }: Contrast,
  tone: string,
): readonly Mark[] => [
  ...(detectable === null
    ? []
    : [{ kind: "bar" as const, from: -detectable, to: detectable, tone: "--grid", says: "" }]),
  ...(ci95 === null ? [] : [{ kind: "interval" as const, from: ci95[0], to: ci95[1], tone }]),
  { kind: "mean", at: mean ?? 0, tone, isFilled: p_holm !== null && p_holm < LEVEL },
];

/** A dot for each run of each arm, which opens the run, and below them the mean of the arm. */
export const runsChart = (
  shown: ShownExperiment,
  measure: string,
  openable: ReadonlySet<string>,
): RowsSpec | null => {
  const { result } = shown;
  const arms = Object.entries(result.measures[measure]?.arms ?? {});
  const done = result.runs.filter(({ status }) => status === "done");
  const values = done.flatMap(({ figures }) => figures[measure] ?? []);
  if (values.length === 0) return null;
  const missing = done.some(({ id }) => !openable.has(id)) ? ` ${missingText(shown)}` : "";
  return {
    title: `Values of ${measure}`,
    note:
      "A dot is a run; a filled dot opens it. Below the dots are the mean and its 95 % interval." +
      missing,
    caption: "Values of the runs",
    parts: [],
    axis: axisOf([...values, ...arms.flatMap(([, { ci95 }]) => ci95 ?? [])]),
    rows: arms.map(([cell, { mean, ci95, n }]) => {
      const tone = toneVariable(armOf(result, cell).order);
      const dots = done.flatMap((run): Mark[] => {
        const value = run.cell === cell ? (run.figures[measure] ?? null) : null;
        if (value === null) return [];
        const says = `${run.id}: ${measure} ${numberText(value)}`;
        const to = { run: run.id, view: "overview", item: null, at: null };
        return [
          openable.has(run.id)
            ? { kind: "dot", at: value, tone, says, href: hashOf(to) }
            : {
                kind: "dot",
                at: value,
                tone,
                says: `${says}\n${againText(run, shown)}`,
                href: null,
              },
        ];
      });
      const interval: readonly Mark[] =
        ci95 === null ? [] : [{ kind: "interval", from: ci95[0], to: ci95[1], tone }];
      const middle: readonly Mark[] =
        mean === null ? [] : [{ kind: "mean", at: mean, tone, isFilled: true }];
      return {
        label: cell,
        marks: [...dots, ...interval, ...middle],
        value: numberText(mean),
        more: `n = ${n}`,
      };
    }),
    table: [
      ["run", "arm", measure],
      ...done.map(({ id, cell, figures }) => [id, cell, figures[measure] ?? null]),
    ],
  };
};

const againText = ({ command }: RunRow, shown: ShownExperiment): string =>
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
