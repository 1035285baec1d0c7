import { join } from "node:path";
import { parseTimeMs } from "../../world/index.ts";
import type { ArmCell, CommonTreatment, Experiment, Treatment } from "./experiment.ts";

/** The arguments of `sim` that make one run, and the id of the run. */
export type SimCall = { readonly id: string; readonly args: readonly string[] };

/** A run of an experiment: one cell with one seed. */
export type PlannedRun = SimCall & {
  readonly cell: ArmCell;
  readonly seed: number;
  /** The run that this one forks, or null. */
  readonly past: SimCall | null;
  /** Text for a shell that makes the same run. */
  readonly command: string;
};

/** The folder of the runs of an experiment. */
export const runsFolder = (dir: string): string => join(dir, "runs");

export const plannedRun = (
  experiment: Experiment,
  { cell, seed, dir }: { readonly cell: ArmCell; readonly seed: number; readonly dir: string },
): PlannedRun => {
  const id = `${cell.slug}-s${seed}`;
  const { base, forkS } = experiment;
  const place = ["--out", runsFolder(dir)];
  if (forkS === null) {
    const treatment = joined(base, cell.treatment);
    const args = ["run", "--name", id, ...place, "--seed", String(seed)];
    args.push(...baseFlags(base), ...treatmentFlags(treatment), ...keepFlags(experiment));
    return { id, args, cell, seed, past: null, command: shellText(args) };
  }
  const past = pastOf(experiment, seed, place);
  const args = ["fork", past.id, "--name", id, ...place];
  args.push(...treatmentFlags(afterFork(base, cell.treatment, forkS)));
  const command = `${shellText(past.args)} && ${shellText(args)}`;
  return { id, args, cell, seed, past, command };
};

const pastOf = (experiment: Experiment, seed: number, place: readonly string[]): SimCall => {
  const { base, forkS } = experiment;
  const id = `s${seed}-past`;
  const args = ["run", "--name", id, ...place, "--seed", String(seed)];
  args.push("--stop-after", String(forkS), ...baseFlags(base), ...treatmentFlags(base));
  return { id, args: [...args, ...keepFlags(experiment)] };
};

/** The treatment of a cell over that of the base: lists replace, settings and entries add up. */
const joined = (base: Treatment, over: Treatment): Treatment => ({
  ...over,
  agents: over.agents ?? base.agents,
  only: over.only ?? base.only,
  model: over.model ?? base.model,
  settings: [...base.settings, ...over.settings],
  schedule: [...base.schedule, ...over.schedule],
});

/** A schedule given to a fork replaces that of its past, so it needs the later base entries too. */
const afterFork = (base: Treatment, over: Treatment, forkS: number): Treatment => {
  if (over.schedule.length === 0) return over;
  const later = base.schedule.filter((entry) => (startS(entry) ?? forkS) >= forkS);
  return { ...over, schedule: [...later, ...over.schedule] };
};

/** The run time of an entry of a schedule in seconds, or null if the entry has none. */
export const startS = (entry: unknown): number | null => {
  if (typeof entry !== "object" || entry === null || !("at" in entry)) return null;
  return typeof entry.at === "string" ? (parseTimeMs(entry.at) ?? 0) / 1_000 : null;
};

const baseFlags = (base: CommonTreatment): readonly string[] => [
  "--clock",
  base.clock,
  ...flag("--duration", base.durationS),
  ...flag("--config", base.config),
  ...flag("--max-actions", base.maxActions),
  ...flag("--max-cost", base.maxCostUsd),
];

const treatmentFlags = (treatment: Treatment): readonly string[] => [
  ...(treatment.agents ?? []).flatMap((folder) => ["--agents", folder]),
  ...flag("--only", treatment.only?.join(",") ?? null),
  ...flag("--model", treatment.model),
  ...[...treatment.settings, ...scheduleSettings(treatment)].flatMap(({ key, value }) => [
    "--set",
    `${key}=${valueText(value)}`,
  ]),
];

export const scheduleSettings = (treatment: Treatment): Treatment["settings"] =>
  treatment.schedule.length === 0
    ? []
    : [{ key: "schedule", value: treatment.schedule, place: treatment.schedulePlace }];

/** Runs that are not kept whole save no checkpoints. */
const keepFlags = ({ keep }: Experiment): readonly string[] =>
  keep === "all" ? [] : NO_CHECKPOINTS;

const NO_CHECKPOINTS = [
  "--set",
  "checkpoint.every_s=null",
  "--set",
  "checkpoint.on_end=false",
] as const;

const flag = (name: string, value: string | number | null): readonly string[] =>
  value === null ? [] : [name, String(value)];

const PLAIN_WORD = /^[A-Za-z][\w./-]*$/;
const YAML_WORDS = new Set(["true", "false", "null", "yes", "no", "on", "off", "y", "n"]);

/** A value as YAML on one line. */
const valueText = (value: unknown): string =>
  typeof value === "string" && PLAIN_WORD.test(value) && !YAML_WORDS.has(value.toLowerCase())
    ? value
    : JSON.stringify(value);

const SAFE_WORD = /^[\w@%+=:,./-]+$/;

/** A command of `sim` as text for a shell. */
export const shellText = (args: readonly string[]): string =>
  ["sim", ...args].map((word) => (SAFE_WORD.test(word) ? word : quoted(word))).join(" ");

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
