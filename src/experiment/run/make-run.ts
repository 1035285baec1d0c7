import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { modelCallReport } from "../../figures/index.ts";
import { errorMessage } from "../../kernel/index.ts";
import { checkpointsIn, launchRequest, type RunHost, runPaths } from "../../run/index.ts";
import { systemMessage } from "../../text/index.ts";
import { Journal } from "../../world/index.ts";
import { loadMeasure, measurementOf, type UserMeasure } from "../measure/measure-run.ts";
import type { Job, JobOutcome } from "./executor.ts";

/** Makes and measures one run as `host` can. Never rejects. */
export const makeRun = async (job: Job, host: RunHost): Promise<JobOutcome> => {
  try {
    return await madeRun(job, host);
  } catch (error) {
    return failed(systemMessage(error, null) ?? errorMessage(error));
  }
};

const failed = (error: string): JobOutcome => ({ ok: false, error });

const madeRun = async (job: Job, host: RunHost): Promise<JobOutcome> => {
  const { request, keep } = job;
  const folder = join(request.out, request.name);
  // A run that an earlier command or attempt did not finish.
  const checkpoints = checkpointsIn(request.out, { checkpoint: { dir: "checkpoints" } });
  for (const left of [folder, join(checkpoints, request.name)]) {
    rmSync(left, { recursive: true, force: true });
  }
  const launched = await launchRequest(request, host);
  if (!launched.ok) return failed(launched.problems.join("; "));
  const { stoppedBy, problem, journalHash, stateHash, wallMs } = await launched.launch.run();
  if (problem !== null) return failed(problem);
  if (stoppedBy === "error") return failed("the run stopped after an error");
  if (stoppedBy === "review") return failed(UNREVIEWED);
  const measurement = await measured(job, folder);
  if (keep === "figures") rmSync(folder, { recursive: true, force: true });
  const keptBytes = keep === "figures" ? 0 : sizeOf(folder);
  const wallS = Math.round(wallMs) / 1_000;
  return { ok: true, run: { ...measurement, journalHash, stateHash, stoppedBy, wallS, keptBytes } };
};

const UNREVIEWED =
  "the run stopped because an action waits for a reviewer, and an experiment has none; " +
  "set review_default to accept or refuse";

const measured = async ({ request, measures, ...job }: Job, folder: string) => {
  const modules = new Map<string, UserMeasure>();
  for (const measure of measures) {
    if (measure.kind !== "module") continue;
    const loaded = await loadMeasure(measure.file);
    if (!loaded.ok) throw new Error(loaded.problem);
    modules.set(measure.file, loaded.measure);
  }
  const opened = Journal.open(runPaths(folder).journal, { readOnly: true });
  if (!opened.ok) throw new Error(opened.problem);
  const { journal } = opened;
  try {
    const measurement = measurementOf(journal, { ...job, id: request.name, measures, modules });
    return { ...measurement, usd: modelCallReport(journal).cost_usd };
  } finally {
    journal.close();
  }
};

const sizeOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
