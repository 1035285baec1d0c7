import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PlannedExperiment, plannedRun, wholeRun } from "../../experiment/index.ts";
import { estimateRun, hasPaidModel } from "../../run/index.ts";
import type { ProcessSource, Shell } from "../core/shell.ts";
import { timeText } from "./progress-display.ts";
import { localExecutor } from "./run-processes.ts";

const TRIAL_S = 30;
const RUNS_SHOWN = 20;
const MB = 1_000_000;

/**
 * Prints the planned runs, and the time, disk and money that they need. Time and disk come from a
 * trial: the start of the first run.
 */
export const printDryRun = async (
  planned: PlannedExperiment,
  flags: { readonly json?: boolean },
  { output, runProcesses }: Shell,
): Promise<void> => {
  const { experiment, cells, dir, jobs } = planned;
  const runs = experiment.seeds.flatMap((seed) =>
    experiment.cells.map((cell) => plannedRun(experiment, { cell, seed, dir })),
  );
  const costs = await Promise.all(
    cells.map(async ({ config, personas }) =>
      hasPaidModel(config, personas) ? await estimateRun(config, personas) : FREE,
    ),
  );
  const usdOf = (key: keyof typeof FREE): number =>
    (costs.reduce((sum, cost) => sum + cost[key], 0) / 1e6) * experiment.seeds.length;
  const [usd, usdMax] = [usdOf("costMicros"), usdOf("costMaxMicros")];
  const trial = usd > 0 ? null : await trialOf(planned, runProcesses);
  const need = {
    runs: runs.length,
    jobs,
    time_s: trial === null ? null : (trial.wallS * runs.length) / jobs,
    disk_bytes:
      trial === null ? null : experiment.keep === "figures" ? 0 : trial.bytes * runs.length,
    usd,
    max_usd: usdMax,
    /** The arms that run only with `--model`. */
    with_model: experiment.modelArms.filter((arm) => !experiment.arms.includes(arm)),
  };
  if (flags.json === true) {
    const rows = runs.map(({ id, cell, seed, command }) => {
      return { id, arm: cell.arm, factors: cell.factors, seed, command };
    });
    output.json({ name: experiment.name, dir, ...need, planned: rows });
    return;
  }
  output.table(
    ["run", "arm", "factors", "seed"],
    runs.slice(0, RUNS_SHOWN).map(({ id, cell, seed }) => {
      const factors = Object.entries(cell.factors).map(([key, value]) => `${key}=${value}`);
      return [id, cell.arm, factors.join(", ") || "-", seed];
    }),
  );
  if (runs.length > RUNS_SHOWN) output.line(`… and ${runs.length - RUNS_SHOWN} more`);
  output.line("");
  output.line(`${runs.length} runs, ${jobs} at a time, each like: ${runs[0]?.command ?? ""}`);
  if (need.with_model.length > 0) {
    output.line(`with --model also the arms: ${need.with_model.join(", ")}`);
  }
  if (need.time_s !== null) output.line(`time: about ${timeText(need.time_s)}`);
  if (need.disk_bytes !== null) output.line(`disk: about ${Math.ceil(need.disk_bytes / MB)} MB`);
  const range = `cost: from ${usd.toFixed(2)} to ${usdMax.toFixed(2)} USD`;
  const cost = `${range}, the upper bound if prompts fill their budget`;
  output.line(usd === 0 ? "cost: no model calls cost money" : cost);
};

const FREE = { costMicros: 0, costMaxMicros: 0 };

/** Makes the start of the first run, and extrapolates. Null if time is real. */
const trialOf = async ({ experiment, cells, jobs }: PlannedExperiment, source: ProcessSource) => {
  const [first] = cells;
  const [seed = 0] = experiment.seeds;
  if (first === undefined || experiment.base.clock === "wall") return null;
  const dir = mkdtempSync(join(tmpdir(), "catallaxy-trial-"));
  const executor = localExecutor(Math.min(1, jobs), source);
  try {
    const request = wholeRun(experiment, { cell: first.cell, seed, dir });
    const { duration_s } = first.config.run;
    const ranS = Math.min(TRIAL_S, duration_s);
    const outcome = await executor.execute({
      request: { ...request, stopAfterS: ranS },
      past: null,
      arm: "",
      factors: {},
      seed,
      measures: [],
      keep: "journals",
    });
    if (outcome?.ok !== true) return null;
    const scale = (duration_s - (experiment.forkS ?? 0)) / ranS;
    return { wallS: outcome.run.wallS * scale, bytes: outcome.run.keptBytes * scale };
  } finally {
    await executor.stop();
    rmSync(dir, { recursive: true, force: true });
  }
};
