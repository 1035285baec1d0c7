import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  type ExperimentResult,
  type FollowedExperiment,
  type ShownExperiment,
  savedResult,
} from "../../observe/index.ts";
import { runHolder } from "../../world/index.ts";
import { runsFolder } from "../design/planned-run.ts";
import { type LoggedRuns, LogReader } from "./log-reader.ts";
import { shownExperiment } from "./shown-experiment.ts";

/** While runs are made, the statistics may take this share of the time. */
const BUSY_SHARE_MAX = 0.05;

type Computed = {
  readonly found: Found;
  readonly value: ShownExperiment | null;
  readonly atMs: number;
  readonly tookMs: number;
};

/**
 * The experiment in the folder `dir`, also while a command makes its runs. Writes nothing. `nowMs`
 * is a clock.
 */
export const followedExperiment = (
  dir: string,
  nowMs: () => number = () => performance.now(),
): FollowedExperiment => {
  const log = new LogReader(dir);
  let last: Computed | null = null;
  /** What to show now: what is in the folder, or what was computed a short time ago. */
  const current = (): Found | null => {
    const found = lookedAt(dir, log);
    const isMaking = found?.isMaking === true && last?.found.isMaking === true;
    if (last === null || !isMaking) return found;
    return nowMs() - last.atMs < last.tookMs / BUSY_SHARE_MAX ? last.found : found;
  };
  return {
    head: () => {
      const found = current();
      return found === null ? null : { name: found.name, version: found.version };
    },
    shown: () => {
      const found = current();
      if (found === null) return null;
      if (last?.found.version !== found.version) {
        const startedMs = nowMs();
        const value = experimentIn(dir, found);
        const atMs = nowMs();
        last = { found, value, atMs, tookMs: atMs - startedMs };
      }
      return last.value;
    },
    trajectories: (runs) => {
      const outcomes = log.read()?.outcomes;
      return Object.fromEntries(
        runs.flatMap((id) => {
          const outcome = outcomes?.get(id);
          return outcome?.ok === true ? [[id, outcome.run.trajectory] as const] : [];
        }),
      );
    },
  };
};

type Found = {
  readonly name: string;
  readonly version: string;
  readonly logged: LoggedRuns | null;
  readonly isMaking: boolean;
  readonly running: readonly string[];
};

/** What can be known without statistics. */
const lookedAt = (dir: string, log: LogReader): Found | null => {
  const logged = log.read();
  const isMaking = logged !== null && runHolder(dir) !== null;
  const running = logged !== null && isMaking ? runningIn(dir, logged) : [];
  const savedAt = statSync(join(dir, "result.json"), { throwIfNoEntry: false })?.mtimeMs ?? null;
  const version = [logged?.lastAtMs, logged?.outcomes.size, isMaking, savedAt, ...running].join();
  const found = { version, logged, isMaking, running };
  if (logged !== null) return { name: logged.plan.experiment.name, ...found };
  const saved = savedAt === null ? null : savedResult(dir);
  return saved === null ? null : { name: saved.name, ...found };
};

/** The runs that processes of this machine make now. */
const runningIn = (dir: string, { plan, outcomes }: LoggedRuns): readonly string[] => {
  const folder = runsFolder(dir);
  if (plan.isQueued || !existsSync(folder)) return [];
  return readdirSync(folder).filter(
    (id) => !outcomes.has(id) && runHolder(join(folder, id)) !== null,
  );
};

const experimentIn = (
  dir: string,
  { logged, isMaking, running }: Found,
): ShownExperiment | null => {
  const saved = isMaking ? null : savedResult(dir);
  if (logged === null) {
    return saved === null ? null : { result: saved, progress: null, curves: [] };
  }
  const shown = shownExperiment(logged, { isMaking, running });
  if (saved === null || !isOfSameRuns(saved, shown.result)) return shown;
  // The saved result also knows which limit was reached.
  return { ...shown, result: { ...saved, complete: shown.result.complete } };
};

const isOfSameRuns = (saved: ExperimentResult, computed: ExperimentResult): boolean =>
  saved.manifest_hash === computed.manifest_hash &&
  statesIn(saved).join("\n") === statesIn(computed).join("\n");

const statesIn = ({ runs }: ExperimentResult): readonly string[] =>
  runs.map(({ id, status, journal_hash: hash }) => `${id} ${status} ${hash}`);
