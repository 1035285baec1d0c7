import {
  type CheckedCell,
  type Experiment,
  type Manifest,
  type Measure,
  scheduleSettings,
  type Treatment,
} from "../../experiment/index.ts";
import { parseModelId } from "../../model/index.ts";
import { type FlagValue, programsFolder, type RunRequest } from "../../run/index.ts";
import { meantOrAll } from "../../text/index.ts";
import { CliError } from "../core/exit.ts";
import { configHere } from "../core/flags.ts";
import type { Output } from "../core/output.ts";
import type { Shell } from "../core/shell.ts";
import { readRequest } from "../run/launch.ts";
import { inputsOf } from "./input-files.ts";

export type PlannedExperiment = {
  readonly experiment: Experiment;
  readonly cells: readonly CheckedCell[];
  readonly manifest: Manifest;
  readonly dir: string;
  readonly jobs: number;
};

/**
 * Reads the settings, personas and schedule of each cell as its runs will.
 * @throws CliError that names the place in the experiment file.
 */
export const checkCells = async (
  experiment: Experiment,
  given: Shell,
): Promise<readonly CheckedCell[]> => {
  const { cells, forkS } = experiment;
  const shell = { ...given, output: notingOnce(given.output) };
  const checked: CheckedCell[] = [];
  for (const cell of cells) {
    const { opened, personas, run } = await readRequest(requestOf(experiment, cell), shell);
    const { duration_s } = opened.config.run;
    if (forkS !== null && forkS >= duration_s) {
      throw new CliError(
        `${experiment.forkPlace}: the fork at ${forkS} s is not before the end; ` +
          `the runs end at ${duration_s} s`,
      );
    }
    const { config, schedule } = run;
    const reads = inputsOf(opened, config, [...personas, ...schedule.personas]);
    const programs = programsFolder(opened);
    checked.push({ cell, config, programs, schedule, personas, reads });
  }
  for (const measure of experiment.measures) checkMeasure(measure, experiment, checked);
  return checked;
};

/** @throws CliError if no run can have a value of the measure. */
const checkMeasure = (
  measure: Measure,
  { forkS }: Experiment,
  cells: readonly CheckedCell[],
): void => {
  if (measure.kind === "module") return;
  const { place, agent, group, atS, betweenS } = measure;
  const [start, end] = [forkS ?? 0, Math.max(...cells.map(({ config }) => config.run.duration_s))];
  for (const time of [...(atS === null ? [] : [atS]), ...(betweenS ?? [])]) {
    if (time >= start && time <= end) continue;
    throw new CliError(`${place}: the runs have no ${time} s; they go from ${start} s to ${end} s`);
  }
  const personas = cells.flatMap((cell) => [...cell.personas, ...cell.schedule.personas]);
  const ids = [...new Set(personas.map(({ id }) => id))];
  // Agents that are born in a run have the name of their parent and a number.
  const isKnown = agent === null || ids.some((id) => agent === id || agent.startsWith(`${id}_`));
  if (!isKnown) {
    throw new CliError(`${place}: there is no agent \`${agent}\`; ${meantOrAll(agent, ids)}`);
  }
  const groups = [...new Set(personas.flatMap(({ group: name }) => name ?? []))];
  if (group === null || groups.includes(group)) return;
  throw new CliError(`${place}: there is no group \`${group}\`; ${meantOrAll(group, groups)}`);
};

/** Prints each note once, because cells share personas. */
const notingOnce = (output: Output): Output => {
  const noted = new Set<string>();
  const note = (text: string): void => {
    if (!noted.has(text)) output.note(text);
    noted.add(text);
  };
  return { ...output, note };
};

/** The request for a run of a cell with the first seed. */
const requestOf = (
  { base, seeds }: Experiment,
  { treatment }: Experiment["cells"][number],
): RunRequest => {
  const model = treatment.model ?? base.model ?? undefined;
  if (model !== undefined) checkModel(model);
  const schedule = scheduleSettings({
    ...treatment,
    schedule: [...base.schedule, ...treatment.schedule],
    schedulePlace: treatment.schedule.length === 0 ? base.schedulePlace : treatment.schedulePlace,
  });
  return {
    start: { kind: "new" },
    out: "",
    config: base.config ?? configHere(),
    settings: placedValues([...base.settings, ...treatment.settings, ...schedule]),
    agents: treatment.agents ?? base.agents ?? undefined,
    only: treatment.only ?? base.only ?? undefined,
    seed: seeds[0] ?? 0,
    clock: base.clock,
    model,
    durationS: base.durationS ?? undefined,
    maxActions: base.maxActions ?? undefined,
    maxCostUsd: base.maxCostUsd ?? undefined,
  };
};

const checkModel = (model: string): void => {
  const read = parseModelId(model);
  if (!read.ok) throw new CliError(`model ${model}: ${read.problem}, as in openai/gpt-5-mini`);
};

const placedValues = (settings: Treatment["settings"]): readonly FlagValue[] =>
  settings.map(({ key, value, place }) => ({ key, value, origin: place }));
