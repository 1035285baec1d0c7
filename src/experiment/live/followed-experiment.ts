import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Result } from "../../kernel/index.ts";
import {
  type ExperimentResult,
  type FollowedExperiment,
  type ShownExperiment,
  savedResult,
} from "../../observe/index.ts";
import { runHolder } from "../../world/index.ts";
import { runsFolder } from "../design/planned-run.ts";
import { type LoggedRuns, LogReader } from "./log-reader.ts";
import { findingsOf, shownExperiment } from "./shown-experiment.ts";

type Answer = Result<{ experiment: ShownExperiment }>;

/** While runs are made, the statistics take at most this share of the time. */
const BUSY_SHARE_MAX = 0.05;

type Computed = {
  readonly status: FolderStatus;
  readonly value: Answer;
  readonly atMs: number;
  readonly tookMs: number;
};

/**
 * Follows the experiment in the folder `dir`, also while a command makes its runs. Only reads the
 * folder. `nowMs` is a monotonic clock in ms.
 */
export const followedExperiment = (
  dir: string,
  nowMs: () => number = () => performance.now(),
): FollowedExperiment => {
  const log = new LogReader(dir);
  let last: Computed | null = null;
  let wasThere = false;
  /** The status of the folder, or an earlier one while the share of time is used up. */
  const current = (): FolderStatus | null => {
    const status = statusOf(dir, log);
    wasThere ||= status !== null;
    const isMaking = status?.isMaking === true && last?.status.isMaking === true;
    if (last === null || !isMaking) return status;
    return nowMs() - last.atMs < last.tookMs / BUSY_SHARE_MAX ? last.status : status;
  };
  return {
    head: () => {
      const status = current();
      return status === null ? null : { name: status.name, version: status.version };
    },
    shown: () => {
      const status = current();
      if (status === null) return { ok: false, problem: whyNone(dir, wasThere) };
      if (last?.status.version !== status.version) {
        const startedMs = nowMs();
        const value = experimentIn(dir, status);
        const atMs = nowMs();
        last = { status, value, atMs, tookMs: atMs - startedMs };
      }
      return last.value;
    },
    trajectories: (runs) => {
      const read = log.read();
      const outcomes = read.ok ? read.logged?.outcomes : undefined;
      return Object.fromEntries(
        runs.flatMap((id) => {
          const outcome = outcomes?.get(id);
          return outcome?.ok === true ? [[id, outcome.run.trajectory] as const] : [];
        }),
      );
    },
  };
};

/** What is known of an experiment without statistics. */
type FolderStatus = {
  readonly name: string;
  readonly version: string;
  readonly logged: LoggedRuns | null;
  /** Why the log cannot be read, or null. */
  readonly problem: string | null;
  readonly isMaking: boolean;
  readonly running: readonly string[];
};

const whyNone = (dir: string, wasThere: boolean): string =>
  wasThere && !existsSync(dir)
    ? `the folder of the experiment, ${resolve(dir)}, is gone`
    : "no experiment made these runs";

const statusOf = (dir: string, log: LogReader): FolderStatus | null => {
  const read = log.read();
  const problem = read.ok ? null : read.problem;
  const logged = read.ok ? read.logged : null;
  const isMaking = logged !== null && runHolder(dir) !== null;
  const running = logged !== null && isMaking ? runningIn(dir, logged) : [];
  const savedAt = statSync(join(dir, "result.json"), { throwIfNoEntry: false })?.mtimeMs ?? null;
  const parts = [logged?.lastAtMs, logged?.outcomes.size, logged?.addedSeeds.length];
  const version = [...parts, isMaking, savedAt, ...running, problem].join();
  const status = { version, logged, problem, isMaking, running };
  if (logged !== null) return { name: logged.plan.experiment.name, ...status };
  const name = savedAt === null ? null : (savedResult(dir)?.name ?? null);
  if (name !== null) return { name, ...status };
  return problem === null ? null : { name: basename(resolve(dir)), ...status };
};

/** The ids of the runs that processes of this machine make now. */
const runningIn = (dir: string, { plan, outcomes }: LoggedRuns): readonly string[] => {
  const folder = runsFolder(dir);
  if (plan.isQueued || !existsSync(folder)) return [];
  return readdirSync(folder).filter(
    (id) => !outcomes.has(id) && runHolder(join(folder, id)) !== null,
  );
};

const experimentIn = (
  dir: string,
  { logged, problem, isMaking, running }: FolderStatus,
): Answer => {
  if (problem !== null) return { ok: false, problem };
  const saved = isMaking ? null : savedResult(dir);
  if (logged === null) {
    return saved === null
      ? { ok: false, problem: whyNone(dir, true) }
      : {
          ok: true,
          experiment: {
            result: saved,
            progress: null,
            curves: [],
            arms: [],
            findings: findingsOf(saved),
          },
        };
  }
  const experiment = shownExperiment(logged, { isMaking, running });
  if (saved === null || !isOfSameRuns(saved, experiment.result)) return { ok: true, experiment };
  // Only the saved result says which limit was reached.
  const result = { ...saved, complete: experiment.result.complete };
  return { ok: true, experiment: { ...experiment, result } };
};

const isOfSameRuns = (saved: ExperimentResult, computed: ExperimentResult): boolean =>
  saved.manifest_hash === computed.manifest_hash &&
  statesIn(saved).join("\n") === statesIn(computed).join("\n");

const statesIn = ({ runs }: ExperimentResult): readonly string[] =>
  runs.map(({ id, status, journal_hash: hash }) => `${id} ${status} ${hash}`);
