import { FEATURES } from "../../../src/index.ts";
import type { Id } from "../../../src/kernel/index.ts";
import {
  type Config,
  Launch,
  type Launched,
  loadConfig,
  loadPersonas,
  type NewRun,
  NO_CHANGES,
  type Persona,
  type ResumedRun,
  type RunResult,
  readSchedule,
  showProblem,
} from "../../../src/run/index.ts";
import { type Checkpoint, JournalFailure } from "../../../src/world/index.ts";
import type { Row } from "../../support/auditor.ts";
import { withDiskLimit } from "../../support/disk-limit.ts";
import { type Crash, FaultInjector } from "./fault-injector.ts";
import { Finding } from "./journals.ts";

/** What one simulated process needs in order to run a world, from the start or from a resume. */
export type Session = {
  readonly sets: readonly string[];
  readonly fetch: typeof globalThis.fetch;
  readonly start: Start;
  readonly history: readonly Row[];
  readonly auditedEvery: number;
  readonly crash: Crash | null;
  readonly crashed: (folder: string) => void;
  readonly freeBytes: number | null;
  /** Simulated seconds after which the run is stopped; null: it runs to its horizon. */
  readonly stopAfterS: number | null;
  readonly checkpoints: string;
  /** Folder of the programs that policies can write. */
  readonly library: string;
  /** Stops the run as soon as one of these agents succeeds at an action. */
  readonly until?: ReadonlySet<Id | string>;
};

export type Start =
  | { readonly kind: "new"; readonly out: string; readonly runId: string; readonly folder: string }
  | { readonly kind: "resume"; readonly folder: string }
  | {
      readonly kind: "fork";
      readonly out: string;
      readonly runId: string;
      readonly from: Checkpoint;
      /** Folder of the personas that join; null for none. */
      readonly folder: string | null;
      readonly additionalS: number | null;
    };

export type SessionOutcome =
  | { readonly kind: "refused"; readonly problem: string }
  | {
      readonly kind: "ended";
      readonly folder: string;
      /** Null if the process crashed or the disk became full. */
      readonly result: RunResult | null;
      readonly problem: string | null;
      readonly crashed: boolean;
      /** The kind of event or write at which it had to crash. */
      readonly interruptedAt: string;
      readonly rows: readonly Row[];
      readonly acknowledged: number;
      readonly audits: number;
      readonly succeeded: boolean;
    };

export const runSession = async (session: Session): Promise<SessionOutcome> => {
  const launched = withDiskLimit(session.freeBytes, () => launch(session));
  if (!launched.ok) return { kind: "refused", problem: launched.problems.join("; ") };
  const { runner, directory } = launched.launch;
  const { journal } = runner;
  const { folder } = directory;
  const { history, crash, auditedEvery } = session;
  const crashed = (): void => session.crashed(folder);
  const injector = new FaultInjector({ runner, history, crash, crashed, auditedEvery });
  let succeeded = false;
  journal.onCommitted((rows) => {
    const success = rows.some(({ kind, principal }) => {
      return kind === "action_completed" && session.until?.has(principal ?? "") === true;
    });
    succeeded ||= success;
    if (success) runner.stop("signal");
  });
  const ending = await endOf(launched.launch);
  journal.close();
  const { rows, acknowledged, audits, hasCrashed } = injector;
  const interruptedAt = crash?.kind ?? crash?.write ?? "";
  const observed = { crashed: hasCrashed, interruptedAt, rows, acknowledged, audits, succeeded };
  return { kind: "ended", folder, ...ending, ...observed };
};

type End = { readonly result: RunResult | null; readonly problem: string | null };

const endOf = async (launched: Launch): Promise<End> => {
  try {
    const result = await launched.run();
    return result.problem === null ? { result, problem: null } : { ...result, result: null };
  } catch (error) {
    if (!(error instanceof JournalFailure)) throw error;
    return { result: null, problem: error.message };
  }
};

const launch = (session: Session): Launched => {
  const { start } = session;
  const request = requestFor(session);
  switch (start.kind) {
    case "new": {
      const { out, runId, folder } = start;
      const personas = personasIn(folder);
      const planned = plannedIn(session.sets);
      return Launch.start({ ...request, ...planned, out, runId, from: null, personas });
    }
    case "resume":
      return Launch.resume({ ...request, folder: start.folder, parent: null });
    case "fork": {
      const { folder, additionalS } = start;
      const personas = folder === null ? [] : personasIn(folder);
      return Launch.start({ ...request, ...start, additionalS: additionalS, personas });
    }
  }
};

const requestFor = ({
  sets,
  fetch,
  stopAfterS,
  checkpoints,
  library,
}: Session): Omit<ResumedRun, "folder" | "parent"> => ({
  config: configOf(sets),
  pid: process.pid,
  features: FEATURES,
  programsFolder: library,
  version: "0.0.0",
  additionalS: null,
  stopAfterS,
  startedAt: new Date(0),
  env: {},
  replay: null,
  schedule: NO_CHANGES,
  fetch,
  checkpoints,
});

/** A cache, because reading the shipped file takes as long as a short session. */
const configs = new WeakMap<readonly string[], Config>();

export const configOf = (sets: readonly string[]): Config => {
  const known = configs.get(sets);
  if (known !== undefined) return known;
  const loaded = loadConfig({ file: null, sets, flags: [] });
  if (!loaded.ok) throw new Finding(loaded.problems.map(showProblem).join("\n"));
  configs.set(sets, loaded.config);
  return loaded.config;
};

const plannedIn = (sets: readonly string[]): Pick<NewRun, "schedule"> => {
  const loaded = loadConfig({ file: null, sets, flags: [] });
  if (!loaded.ok) throw new Finding(loaded.problems.map(showProblem).join("\n"));
  const opened = { ...loaded, file: null };
  const read = readSchedule({ opened, kept: null, flags: 0, present: [], personas: { seed: 1 } });
  if (!read.ok) throw new Finding(read.problems.map(showProblem).join("\n"));
  return { schedule: read.schedule };
};

const personasIn = (folder: string): readonly Persona[] => {
  const loaded = loadPersonas({ dirs: [folder], seed: 1, only: [] });
  if (!loaded.ok) throw new Finding(loaded.problems.map(showProblem).join("\n"));
  return loaded.personas;
};
