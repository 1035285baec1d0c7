import { parseModelId } from "../../model/index.ts";
import { prepareRun, programsFolder, RunFailure, type RunHost } from "../../run/index.ts";
import { meantOrAll, packageVersion } from "../../text/index.ts";
import type { Experiment, Measure } from "../design/experiment.ts";
import { type CheckedCell, type Manifest, manifestOf } from "../design/manifest.ts";
import { wholeRun } from "../design/planned-run.ts";
import { loadMeasure } from "../measure/measure-run.ts";
import { inputsOf } from "./input-files.ts";

/** An experiment whose runs can be made. */
export type PlannedExperiment = {
  readonly experiment: Experiment;
  readonly cells: readonly CheckedCell[];
  readonly manifest: Manifest;
  /** The folder of the results. */
  readonly dir: string;
  /** The number of runs at a time. */
  readonly jobs: number;
};

/**
 * Reads the modules of an experiment, and the settings, personas and schedule of each cell as its
 * runs will.
 * @throws RunFailure that names the place in the experiment file.
 */
export const planExperiment = async (
  experiment: Experiment,
  where: Pick<PlannedExperiment, "dir" | "jobs">,
  host: RunHost,
): Promise<PlannedExperiment> => {
  const { cells, forkS, measures } = experiment;
  for (const measure of measures) {
    if (measure.kind !== "module") continue;
    const loaded = await loadMeasure(measure.file);
    if (!loaded.ok) throw new RunFailure(`measure ${measure.name}: ${loaded.problem}`);
  }
  // Cells share personas, and so their notes.
  const noted = new Set<string>();
  const note = (text: string): void => {
    if (!noted.has(text)) host.note?.(text);
    noted.add(text);
  };
  const checked: CheckedCell[] = [];
  for (const cell of cells) {
    const request = wholeRun(experiment, { cell, seed: experiment.seeds[0] ?? 0, dir: "" });
    if (request.model !== undefined) checkModel(request.model);
    const { opened, personas, run } = await prepareRun(request, { ...host, note });
    const { duration_s } = opened.config.run;
    if (forkS !== null && forkS >= duration_s) {
      throw new RunFailure(
        `${experiment.forkPlace}: the fork at ${forkS} s is not before the end; ` +
          `the runs end at ${duration_s} s`,
      );
    }
    const { config, schedule } = run;
    const reads = inputsOf(opened, config, [...personas, ...schedule.personas]);
    const programs = programsFolder(opened);
    checked.push({ cell, config, programs, schedule, personas, reads });
  }
  for (const measure of measures) checkMeasure(measure, experiment, checked);
  const manifest = manifestOf(experiment, checked, packageVersion());
  return { experiment, cells: checked, manifest, ...where };
};

/** @throws RunFailure if no run can have a value of the measure. */
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
    throw new RunFailure(
      `${place}: the runs have no ${time} s; they go from ${start} s to ${end} s`,
    );
  }
  const personas = cells.flatMap((cell) => [...cell.personas, ...cell.schedule.personas]);
  const ids = [...new Set(personas.map(({ id }) => id))];
  // Agents that are born in a run have the name of their parent and a number.
  const isKnown = agent === null || ids.some((id) => agent === id || agent.startsWith(`${id}_`));
  if (!isKnown) {
    throw new RunFailure(`${place}: there is no agent \`${agent}\`; ${meantOrAll(agent, ids)}`);
  }
  const groups = [...new Set(personas.flatMap(({ terms }) => terms.group ?? []))];
  if (group === null || groups.includes(group)) return;
  throw new RunFailure(`${place}: there is no group \`${group}\`; ${meantOrAll(group, groups)}`);
};

const checkModel = (model: string): void => {
  const read = parseModelId(model);
  if (!read.ok) throw new RunFailure(`model ${model}: ${read.problem}, as in openai/gpt-5-mini`);
};
