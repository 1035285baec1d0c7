import { axisOf, type LineSpec, type Mark, type RowsSpec, toneAt } from "../../read/index.ts";
import { numberText } from "../../text/index.ts";
import { decimalsOf, estimateText, fixedText, LEVEL, pNumber } from "../analysis/findings.ts";
import {
  type Contrast,
  type ExperimentResult,
  type FigureCurves,
  pointText,
} from "../result/result.ts";

/**
 * The arm of a cell, and the place of the arm in the experiment: the control has 0. All cells of an
 * arm have the colour and the shape of this place.
 */
const armOf = ({ runs }: Pick<ExperimentResult, "runs">, cell: string) => {
  const arm = runs.find((run) => run.cell === cell)?.arm ?? cell;
  const order = [...new Set(runs.map((run) => run.arm))].indexOf(arm);
  return { arm, order: Math.max(0, order) };
};

export const DIFFERENCES_NOTE =
  "A mark is the mean difference, and its line the 95 % interval. A filled mark has p (Holm) " +
  `below ${LEVEL}. The grey bar ends at the smallest difference that an experiment with so many ` +
  "runs finds in 4 of 5 cases.";

/** The differences of a measure from the control, one above the other. Null without differences. */
export const differenceRows = (result: ExperimentResult, measure: string): RowsSpec | null => {
  const differences = result.measures[measure]?.differences ?? [];
  if (differences.length === 0) return null;
  const ends = differences.flatMap(({ mean, ci95, detectable }) => [
    mean ?? 0,
    ...(ci95 ?? []),
    ...(detectable === null ? [] : [detectable, -detectable]),
  ]);
  const marksOf = ({ a, mean, ci95, detectable, p_holm }: Contrast): readonly Mark[] => {
    const { order: shape } = armOf(result, a);
    const tone = toneAt(shape);
    const bar = (from: number, to: number, height: number, tone: Mark["tone"]): Mark => {
      return { kind: "bar", from, to, height, tone };
    };
    const isFilled = p_holm !== null && p_holm < LEVEL;
    return [
      ...(detectable === null ? [] : [bar(-detectable, detectable, 16, "grid")]),
      ...(ci95 === null ? [] : [bar(...ci95, 2, tone)]),
      ...(mean === null ? [] : [{ kind: "mean" as const, at: mean, tone, shape, isFilled }]),
    ];
  };
  return {
    title: `Differences of ${measure}`,
    note: DIFFERENCES_NOTE,
    parts: [],
    axis: axisOf([0, ...ends]),
    rows: differences.map((contrast) => ({
      label: `${contrast.a} − ${contrast.b}`,
      marks: marksOf(contrast),
      value: estimateText(contrast.mean, contrast.ci95),
      more: `n = ${contrast.n}, p (Holm) ${contrast.p_holm === null ? "–" : pNumber(contrast.p_holm)}`,
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

export const RUNS_NOTE =
  "A dot is a run. Below the dots, the thick bar is the 95 % interval of the mean, the thin bar " +
  "reaches from the 5 % to the 95 % quantile, and the mark is the median.";

type Dot = Extract<Mark, { kind: "dot" }>;

/**
 * The values of a measure: a dot for each run, by cell, and what sums them up. If arms are compared
 * seed by seed, lines join the runs of a seed. Null without values.
 */
export const runRows = (
  result: ExperimentResult,
  measure: string,
  cells: readonly string[],
  dotOf: (
    run: ExperimentResult["runs"][number],
    says: string,
  ) => Pick<Dot, "says" | "href" | "isFilled">,
): RowsSpec | null => {
  const { arms = {}, differences = [] } = result.measures[measure] ?? {};
  const done = result.runs.filter(({ status }) => status === "done");
  const values = done.flatMap(({ figures }) => figures[measure] ?? []);
  const rows = cells.flatMap((cell) => {
    const summary = arms[cell];
    return summary === undefined ? [] : [{ cell, summary }];
  });
  if (values.length === 0 || rows.length === 0) return null;
  const isPaired = differences.some(({ paired }) => paired);
  const ends = rows.flatMap(({ summary: { ci95, q05, q95 } }) => [...(ci95 ?? []), q05, q95]);
  return {
    title: `Values of ${measure}`,
    note: RUNS_NOTE,
    parts: [],
    axis: axisOf([...values, ...ends.filter((end) => end !== null)]),
    rows: rows.map(({ cell, summary: { mean, ci95, q05, q95, median, n } }) => {
      const { order: shape } = armOf(result, cell);
      const tone = toneAt(shape);
      const bar = (ends: readonly (number | null)[], height: number): readonly Mark[] => {
        const [from = null, to = null] = ends;
        return from === null || to === null ? [] : [{ kind: "bar", from, to, height, tone }];
      };
      const dots = done.flatMap((run): readonly Mark[] => {
        const value = run.cell === cell ? (run.figures[measure] ?? null) : null;
        if (value === null) return [];
        const joins = isPaired ? `${run.seed} ${pointText(run.factors)}` : null;
        const look = dotOf(run, `${run.id}: ${measure} ${numberText(value)}`);
        return [{ kind: "dot", at: value, tone, shape, joins, ...look }];
      });
      return {
        label: cell,
        marks: [
          ...dots,
          ...bar([q05, q95], 1.5),
          ...bar(ci95 ?? [], 5),
          ...bar([median, median], 14),
        ],
        value: mean === null ? "–" : `mean ${fixedText(mean, decimalsOf(mean, ci95))}`,
        more: `n = ${n}`,
      };
    }),
    table: [
      ["run", "arm", measure],
      ...done.map(({ id, cell, figures }) => [id, cell, figures[measure] ?? null]),
    ],
  };
};

/** A figure over time: the mean of the runs of each of some cells, and a band of their quantiles. */
export const curveLines = (
  { figure, title, cells }: FigureCurves,
  shown: readonly string[],
  result: Pick<ExperimentResult, "runs">,
): LineSpec => {
  const own = cells.filter(({ cell }) => shown.includes(cell));
  const atMs = [...new Set(own.flatMap(({ at_ms }) => at_ms))].toSorted((a, b) => a - b);
  return {
    title,
    note: "A line is the mean of the runs of an arm. Its band reaches from their 5 % to their 95 % quantile.",
    unit: figure.replaceAll("_", " "),
    atMs,
    series: own.map(({ cell, at_ms, mean, q05, q95, n }) => {
      const places = new Map(at_ms.map((ms, at) => [ms, at]));
      const spread = (values: readonly number[]) =>
        atMs.map((ms) => values[places.get(ms) ?? -1] ?? null);
      const band = { low: spread(q05), high: spread(q95), names: ["5 %", "95 %"] as const };
      const { arm, order } = armOf(result, cell);
      return { label: `${arm} (n = ${n})`, order, values: spread(mean), band };
    }),
  };
};
