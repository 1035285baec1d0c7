import { join } from "node:path";
import type { RunRequest } from "../../run/index.ts";
import { parseTimeMs } from "../../world/index.ts";
import type { ArmCell, Experiment, Treatment } from "./experiment.ts";

/** A request for a run whose id is known. */
export type NamedRequest = RunRequest & { readonly name: string };

/** A run of an experiment: one cell with one seed. */
export type PlannedRun = {
  readonly id: string;
  readonly request: NamedRequest;
  readonly cell: ArmCell;
  readonly seed: number;
  /** The run that this one forks, or null. */
  readonly past: NamedRequest | null;
  /** Text for a shell that makes the same run. */
  readonly command: string;
};

type Place = { readonly cell: ArmCell; readonly seed: number; readonly dir: string };

/** The folder of the runs of an experiment. */
export const runsFolder = (dir: string): string => join(dir, "runs");

export const plannedRun = (experiment: Experiment, place: Place): PlannedRun => {
  const { cell, seed, dir } = place;
  const { base, forkS } = experiment;
  const whole = keeping(experiment, wholeRun(experiment, place));
  const id = whole.name;
  if (forkS === null) {
    const command = shellText(wordsOf(whole));
    return { id, request: whole, cell, seed, past: null, command };
  }
  const past = { ...newRun(experiment, place, base), name: `s${seed}-past`, stopAfterS: forkS };
  const kept = keeping(experiment, past);
  const request: NamedRequest = {
    start: { kind: "fork", source: past.name },
    name: id,
    out: runsFolder(dir),
    ...treatmentIn(afterFork(base, cell.treatment, forkS)),
  };
  const command = `${shellText(wordsOf(kept))} && ${shellText(wordsOf(request))}`;
  return { id, request, cell, seed, past: kept, command };
};

/** The request for a run of a cell from its start, also if the experiment forks common pasts. */
export const wholeRun = (experiment: Experiment, place: Place): NamedRequest =>
  newRun(experiment, place, joined(experiment.base, place.cell.treatment));

const newRun = (
  { base }: Experiment,
  { cell, seed, dir }: Place,
  treatment: Treatment,
): NamedRequest => ({
  start: { kind: "new" },
  name: `${cell.slug}-s${seed}`,
  out: runsFolder(dir),
  seed,
  clock: base.clock,
  durationS: base.durationS ?? undefined,
  config: base.config ?? undefined,
  maxActions: base.maxActions ?? undefined,
  maxCostUsd: base.maxCostUsd ?? undefined,
  ...treatmentIn(treatment),
});

const treatmentIn = ({ agents, only, model, settings, schedule, schedulePlace }: Treatment) => {
  const planned = { key: "schedule", value: schedule, place: schedulePlace };
  const all = schedule.length === 0 ? settings : [...settings, planned];
  return {
    agents: agents ?? undefined,
    only: only ?? undefined,
    model: model ?? undefined,
    settings: all.map(({ key, value, place }) => ({ key, value, origin: place })),
  };
};

/** The treatment of a cell over that of the base: lists replace, settings and entries add up. */
const joined = (base: Treatment, over: Treatment): Treatment => ({
  agents: over.agents ?? base.agents,
  only: over.only ?? base.only,
  model: over.model ?? base.model,
  settings: [...base.settings, ...over.settings],
  schedule: [...base.schedule, ...over.schedule],
  schedulePlace: over.schedule.length === 0 ? base.schedulePlace : over.schedulePlace,
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

/** Runs that are not kept whole save no checkpoints. */
const keeping = ({ keep }: Experiment, request: NamedRequest): NamedRequest => {
  if (keep === "all") return request;
  const none = [
    { key: "checkpoint.every_s", value: null, origin: "keep" },
    { key: "checkpoint.on_end", value: false, origin: "keep" },
  ];
  return { ...request, settings: [...(request.settings ?? []), ...none] };
};

/** The words of `sim` with which a person makes the same run. */
const wordsOf = (request: NamedRequest): readonly string[] => {
  const { start, name, out, agents = [], only, model, settings = [] } = request;
  const flags: readonly (readonly [flag: string, value: string | number | undefined])[] = [
    ["--name", name],
    ["--out", out],
    ["--seed", request.seed],
    ["--stop-after", request.stopAfterS],
    ["--clock", request.clock],
    ["--duration", request.durationS],
    ["--config", request.config],
    ["--max-actions", request.maxActions],
    ["--max-cost", request.maxCostUsd],
    ...agents.map((folder) => ["--agents", folder] as const),
    ["--only", only?.join(",")],
    ["--model", model],
    ...settings.map(({ key, value }) => ["--set", `${key}=${valueText(value)}`] as const),
  ];
  return [
    ...(start.kind === "fork" ? ["fork", start.source] : ["run"]),
    ...flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value)])),
  ];
};

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
