import {
  type CheckedCell,
  type CommonTreatment,
  type Experiment,
  type Manifest,
  type Measure,
  scheduleSettings,
  type Treatment,
} from "../../experiment/index.ts";
import { parseModelId } from "../../model/index.ts";
import { type FlagValue, programsFolder } from "../../run/index.ts";
import { meantOrAll } from "../../text/index.ts";
import { CliError } from "../exit.ts";
import { openConfig } from "../flags.ts";
import type { Output } from "../output/output.ts";
import { type RunFlags, valuesOf } from "../run/run-flags.ts";
import { personasFor, planFor } from "../run/run-request.ts";
import type { Shell } from "../shell.ts";
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
export const checkCells = (experiment: Experiment, given: Shell): readonly CheckedCell[] => {
  const { base, cells, seeds, forkS } = experiment;
  const shell = { ...given, output: notingOnce(given.output) };
  const checked = cells.map((cell): CheckedCell => {
    const { treatment } = cell;
    const values = [
      ...valuesOf(flagsOf(base, treatment, seeds[0] ?? 0)),
      ...placedValues([...base.settings, ...treatment.settings]),
      ...placedValues(
        scheduleSettings({
          ...treatment,
          schedule: [...base.schedule, ...treatment.schedule],
          schedulePlace:
            treatment.schedule.length === 0 ? base.schedulePlace : treatment.schedulePlace,
        }),
      ),
    ];
    const opened = openConfig({ ...configFlag(base), set: [] }, values);
    const { duration_s } = opened.config.run;
    if (forkS !== null && forkS >= duration_s) {
      throw new CliError(
        `${experiment.forkPlace}: the fork at ${forkS} s is not before the end; ` +
          `the runs end at ${duration_s} s`,
      );
    }
    const personas = personasFor(opened, opened.config.agents.only, shell);
    const { config, schedule } = planFor(opened, { kept: null, scheduled: [], present: personas });
    const reads = inputsOf(opened, config, [...personas, ...schedule.personas]);
    return { cell, config, programs: programsFolder(opened), schedule, personas, reads };
  });
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

const configFlag = ({ config }: CommonTreatment) => (config === null ? {} : { config });

const flagsOf = (base: CommonTreatment, treatment: Treatment, seed: number): RunFlags => {
  const agents = treatment.agents ?? base.agents;
  const only = treatment.only ?? base.only;
  const model = treatment.model ?? base.model;
  if (model !== null) checkModel(model);
  return {
    out: "",
    set: [],
    seed,
    clock: base.clock,
    ...(base.durationS === null ? {} : { duration: base.durationS }),
    ...(base.maxActions === null ? {} : { maxActions: base.maxActions }),
    ...(base.maxCostUsd === null ? {} : { maxCost: base.maxCostUsd }),
    ...(agents === null ? {} : { agents }),
    ...(only === null ? {} : { only: only.join(",") }),
    ...(model === null ? {} : { model }),
  };
};

const checkModel = (model: string): void => {
  const read = parseModelId(model);
  if (!read.ok) throw new CliError(`model ${model}: ${read.problem}, as in openai/gpt-5-mini`);
};

const placedValues = (settings: Treatment["settings"]): readonly FlagValue[] =>
  settings.map(({ key, value, place }) => ({ key, value, origin: place }));
