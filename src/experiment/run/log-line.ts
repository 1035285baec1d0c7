import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { jsonIn, type Result } from "../../kernel/index.ts";
import type { Trajectory } from "../../observe/index.ts";
import type { ArmCell, Experiment, Measure } from "../design/experiment.ts";
import { type DecisiveManifest, decisiveManifest, factorValue } from "../design/manifest.ts";
import type { FinishedRun, JobOutcome } from "./executor.ts";

/** What one command will make. It is written as JSON. */
export type ExperimentPlan = {
  readonly experiment: Experiment;
  readonly dir: string;
  readonly manifestHash: string;
  /** The command that continues the experiment. */
  readonly command: string;
  /** The number of runs at a time. */
  readonly slots: number;
  /** True if workers of a queue make the runs. */
  readonly isQueued: boolean;
  /** The start of the command, in ms since 1970. */
  readonly startedAtMs: number;
};

/** A line of the log: the manifest first, then plans, seeds of the stop rule, and outcomes. */
export type LogLine =
  | { readonly manifest: DecisiveManifest }
  | { readonly plan: ExperimentPlan }
  | { readonly addedSeed: number }
  | { readonly id: string; readonly outcome: JobOutcome };

const NEW_LINE = 10;

type Place = {
  readonly path: string;
  /** The number of lines before `bytes`. */
  readonly before: number;
};

/**
 * The lines in `bytes`, each of which ends with a line break. The first problem names the file and
 * the line, and says what to delete.
 */
export const logLines = (
  bytes: Buffer,
  { path, before }: Place,
): Result<{ lines: readonly LogLine[] }> => {
  const lines: LogLine[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEW_LINE, from);
    const isFirst = before + lines.length === 0;
    const read = lineIn(bytes.subarray(from, end), isFirst);
    if (!read.ok) {
      const cure = isFirst ? ALL_AGAIN : ONE_AGAIN;
      return {
        ok: false,
        problem: `${path}:${before + lines.length + 1}: ${read.problem}; ${cure}`,
      };
    }
    lines.push(read.line);
    from = end + 1;
  }
  return { ok: true, lines };
};

const ALL_AGAIN = "delete the file, and the next command makes all runs again";
const ONE_AGAIN = "delete this line, and the next command makes its run again";

/** The length of the complete lines in `bytes`. A crash can cut the last line short. */
export const completeLength = (bytes: Buffer): number => bytes.lastIndexOf(NEW_LINE) + 1;

const lineIn = (bytes: Buffer, isFirst: boolean): Result<{ line: LogLine }> => {
  if (bytes.length === 0) return { ok: false, problem: "the line is empty" };
  if (!isUtf8(bytes)) return { ok: false, problem: "the line is not valid UTF-8" };
  const value = jsonIn(bytes.toString("utf8"));
  if (value === undefined) return { ok: false, problem: "the line is not JSON" };
  const kind = KINDS.find((key) => typeof value === "object" && value !== null && key in value);
  if (isFirst && kind !== "manifest") {
    return { ok: false, problem: "the first line is not the manifest of an experiment" };
  }
  if (kind === undefined || (kind === "manifest" && !isFirst)) {
    return { ok: false, problem: "the line is not a plan, an added seed or the outcome of a run" };
  }
  const parsed = SCHEMAS[kind].safeParse(value);
  if (parsed.success) return { ok: true, line: parsed.data };
  const field = parsed.error.issues[0]?.path.join(".");
  return { ok: false, problem: `the field ${field} is missing or wrong` };
};

const nullableNumber = z.number().nullable();
const nullableText = z.string().nullable();
const texts = z.array(z.string());
const factors = z.record(z.string(), factorValue);

const treatment = z.object({
  agents: texts.nullable(),
  only: texts.nullable(),
  model: nullableText,
  settings: z.array(z.object({ key: z.string(), value: z.unknown(), place: z.string() })),
  schedule: z.array(z.unknown()),
  schedulePlace: z.string(),
});

const cell: z.ZodType<ArmCell> = z.object({
  name: z.string(),
  arm: z.string(),
  label: z.string(),
  slug: z.string(),
  factors,
  treatment,
});

const named = z.object({ name: z.string(), unit: nullableText, place: z.string() });

const measure: z.ZodType<Measure> = z.discriminatedUnion("kind", [
  named.extend({
    kind: z.literal("figure"),
    figure: z.string(),
    group: nullableText,
    agent: nullableText,
    atS: nullableNumber,
    betweenS: z.tuple([z.number(), z.number()]).nullable(),
  }),
  named.extend({ kind: z.literal("module"), file: z.string() }),
]);

const band = z.object({
  measure: z.string(),
  arm: z.string(),
  low: z.number(),
  high: z.number(),
  published: nullableNumber,
});

const experiment: z.ZodType<Experiment> = z.object({
  name: z.string(),
  question: nullableText,
  source: nullableText,
  file: z.string(),
  text: z.string(),
  base: treatment.extend({
    config: nullableText,
    clock: z.enum(["virtual", "wall"]),
    durationS: nullableNumber,
    maxActions: nullableNumber,
    maxCostUsd: nullableNumber,
  }),
  arms: texts,
  modelArms: texts,
  cells: z.array(cell),
  seeds: z.array(z.number()),
  forkS: nullableNumber,
  forkPlace: z.string(),
  measures: z.array(measure),
  bands: z.array(band),
  stop: z.object({ measure: z.string(), ciWidth: z.number(), seedsMax: z.number() }).nullable(),
  limits: z.object({ wallS: nullableNumber, usd: nullableNumber, diskBytes: nullableNumber }),
  keep: z.enum(["figures", "journals", "all"]),
});

const plan: z.ZodType<ExperimentPlan> = z.object({
  experiment,
  dir: z.string(),
  manifestHash: z.string(),
  command: z.string(),
  slots: z.number(),
  isQueued: z.boolean(),
  startedAtMs: z.number(),
});

const trajectory: z.ZodType<Trajectory> = z
  .object({ at_ms: z.array(z.number()) })
  .catchall(z.array(nullableNumber));

const finishedRun: z.ZodType<FinishedRun> = z.object({
  figures: z.record(z.string(), nullableNumber),
  trajectory,
  digest: z.string(),
  tradesByQuarter: z.array(z.number()),
  journalHash: z.string(),
  stateHash: z.string(),
  stoppedBy: z.string(),
  wallS: z.number(),
  usd: z.number(),
  keptBytes: z.number(),
});

const outcome: z.ZodType<JobOutcome> = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), run: finishedRun }),
  z.object({ ok: z.literal(false), error: z.string() }),
]);

const KINDS = ["manifest", "plan", "addedSeed", "id"] as const;

const SCHEMAS: { readonly [Kind in (typeof KINDS)[number]]: z.ZodType<LogLine> } = {
  manifest: z.object({ manifest: decisiveManifest }),
  plan: z.object({ plan }),
  addedSeed: z.object({ addedSeed: z.number() }),
  id: z.object({ id: z.string(), outcome }),
};
