import { groupsOf, measureRun, type RunMetrics } from "../../read/index.ts";
import { decodeEvent, isRunEvent, type Journal, sha256 } from "../../world/index.ts";
import type { Measure } from "../design/experiment.ts";
import type { Factors, Trajectory } from "../result/result.ts";
import { trajectoryOf, valueOverTime } from "./trajectory.ts";
import { callMeasure, type MeasuredRun, type UserMeasure } from "./user-measure.ts";

/** What an experiment keeps of a run. */
export type Measurement = {
  readonly figures: { readonly [measure: string]: number | null };
  readonly trajectory: Trajectory;
  /** A hash of all figures. Two runs with one digest had the same economy. */
  readonly digest: string;
  /** Trades in each quarter of the run. */
  readonly tradesByQuarter: readonly number[];
};

export type MeasuringRequest = {
  readonly id: string;
  readonly arm: string;
  readonly factors: Factors;
  readonly seed: number;
  readonly measures: readonly Measure[];
  /** The modules of the user, by path. */
  readonly modules: ReadonlyMap<string, UserMeasure>;
};

/** Measures a run from its journal. @throws Error that names the measure of the user that fails. */
export const measurementOf = (journal: Journal, request: MeasuringRequest): Measurement => {
  const metrics = measureRun(journal).metrics();
  const { id, arm, factors, seed, measures, modules } = request;
  const run: MeasuredRun = {
    id,
    arm,
    factors,
    seed,
    metrics,
    events: function* () {
      for (const row of journal.events({ after: metrics.from_seq })) {
        if (!isRunEvent(row.kind)) {
          yield { seq: row.seq, at_ms: row.atMs, event: decodeEvent(row) };
        }
      }
    },
  };
  const figures = measures.map((measure): readonly [string, number | null] => {
    const value =
      measure.kind === "module"
        ? // A module may change what it gets, and must not change other figures.
          valueByUser(measure, modules.get(measure.file), {
            ...run,
            metrics: structuredClone(metrics),
          })
        : figureIn(metrics, measure);
    return [measure.name, value];
  });
  return {
    figures: Object.fromEntries(figures),
    trajectory: trajectoryOf(metrics.timeline),
    digest: sha256(JSON.stringify([metrics.principals, metrics.timeline])),
    tradesByQuarter: [0, 1, 2, 3].map((quarter) => tradesIn(metrics, quarter)),
  };
};

const tradesIn = ({ timeline, from_ms, at_ms }: RunMetrics, quarter: number): number => {
  const width = (at_ms - from_ms) / 4;
  const between = [from_ms + quarter * width, from_ms + (quarter + 1) * width] as const;
  return valueOverTime(timeline, { figure: "trades", between }) ?? 0;
};

type FigureMeasure = Extract<Measure, { readonly kind: "figure" }>;

const figureIn = (metrics: RunMetrics, measure: FigureMeasure): number | null => {
  const { figure, group, agent, atS, betweenS } = measure;
  if (atS !== null) return valueOverTime(metrics.timeline, { figure, atMs: atS * 1_000 });
  if (betweenS !== null) {
    const between = [betweenS[0] * 1_000, betweenS[1] * 1_000] as const;
    return valueOverTime(metrics.timeline, { figure, between });
  }
  if (group !== null) {
    return numberAt(
      groupsOf(metrics.principals).find((row) => row.group === group),
      figure,
    );
  }
  if (agent !== null) {
    return numberAt(
      metrics.principals.find(({ id }) => id === agent),
      figure,
    );
  }
  return numberAt(metrics, figure);
};

/** The number at a dotted path, or null if there is none. */
const numberAt = (from: unknown, path: string): number | null => {
  const found = path.split(".").reduce<unknown>((value, key) => {
    return typeof value === "object" && value !== null && Object.hasOwn(value, key)
      ? Reflect.get(value, key)
      : null;
  }, from);
  return typeof found === "number" && Number.isFinite(found) ? found : null;
};

const valueByUser = (
  { name, file }: Extract<Measure, { readonly kind: "module" }>,
  measure: UserMeasure | undefined,
  run: MeasuredRun,
): number | null => (measure === undefined ? null : callMeasure(measure, { name, file, run }));
