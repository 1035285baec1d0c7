import { basename, join } from "node:path";
import { FEATURES } from "../../src/index.ts";
import {
  type Config,
  Launch,
  type Launched,
  loadConfig,
  loadPersonas,
  type NewRun,
  NO_CHANGES,
  newRunId,
  type Persona,
  type ResumedRun,
  type RunResult,
  showProblem,
} from "../../src/run/index.ts";
import { type Checkpoint, checkpointOf, Journal } from "../../src/world/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const SHIPPED_AGENTS = join(ROOT, "agents");
export const AGENTS_LLM = join(ROOT, "agents-llm");

/** The parts of a run. The defaults are the shipped agents and settings, on the virtual clock. */
export type RunSetup = {
  /** A folder of personas; null for none. */
  readonly agents?: string | null;
  readonly sets?: readonly string[];
  readonly from?: Checkpoint;
  /** The name of the run; by default a new one. */
  readonly runId?: string;
  readonly order?: Partial<NewRun>;
};

export type FinishedRun = RunResult & { readonly folder: string };

/** Runs a simulation in this process, in a new folder below `out`. */
export const simulate = async (out: string, run: RunSetup): Promise<FinishedRun> =>
  await endOf(Launch.start(newRun(out, run)));

/** Prepares such a run, which has not begun. */
export const prepareRun = (out: string, run: RunSetup): Launch => {
  const launched = Launch.start(newRun(out, run));
  if (!launched.ok) throw new Error(launched.problems.join("\n"));
  return launched.launch;
};

/** The request of such a run. */
export const newRun = (out: string, run: RunSetup): Parameters<typeof Launch.start>[0] => ({
  ...orderOf(run),
  personas: personasIn(run.agents),
  out,
  runId: run.runId ?? newRunId(new Date(), Math.random),
  from: run.from ?? null,
});

/** Resumes the run in its own folder. */
export const resumeRun = async (folder: string, run: RunSetup): Promise<FinishedRun> =>
  await endOf(Launch.resume(resumption(folder, run)));

/** The request of such a run. */
export const resumption = (folder: string, run: RunSetup): Parameters<typeof Launch.resume>[0] => ({
  ...orderOf(run),
  folder,
  parent: null,
});

const endOf = async (launched: Launched): Promise<FinishedRun> => {
  if (!launched.ok) throw new Error(launched.problems.join("\n"));
  const { launch } = launched;
  return { ...(await launch.run()), folder: launch.directory.folder };
};

const orderOf = ({ sets = [], order = {} }: RunSetup): Omit<ResumedRun, "folder" | "parent"> => ({
  config: configOf(sets),
  pid: process.pid,
  features: FEATURES,
  programsFolder: join(ROOT, "agents/library"),
  version: "0.0.0",
  additionalS: null,
  stopAfterS: null,
  startedAt: new Date(0),
  env: {},
  replay: null,
  schedule: NO_CHANGES,
  checkpoints: null,
  ...order,
});

/** Without a standard library, a world starts quickly. */
export const SMALL_WORLD = "genesis.enabled=[ledger,rights_registry,mint,compute,event_log,store]";

/** Settings that do not depend on the speed of the machine. */
const QUICK = [
  "run.clock=virtual",
  "journal.sync=normal",
  "checkpoint.every_s=null",
  "sandbox.wall_timeout_ms=60000",
];

const configOf = (sets: readonly string[]): Config => {
  const loaded = loadConfig({ file: null, sets: [...QUICK, ...sets], flags: [] });
  if (!loaded.ok) throw new Error(loaded.problems.map(showProblem).join("\n"));
  return loaded.config;
};

const personasIn = (folder: string | null = SHIPPED_AGENTS): readonly Persona[] => {
  if (folder === null) return [];
  const loaded = loadPersonas({ dirs: [folder], seed: 1, only: [] });
  if (!loaded.ok) throw new Error(loaded.problems.map(showProblem).join("\n"));
  return loaded.personas;
};

/** Opens the journal of a run for as long as it is used. */
export const withJournal = async <T>(
  folder: string,
  use: (journal: Journal) => T | Promise<T>,
): Promise<T> => {
  const opened = Journal.open(join(folder, "journal.db"), { readOnly: true });
  if (!opened.ok) throw new Error(opened.problem);
  try {
    return await use(opened.journal);
  } finally {
    opened.journal.close();
  }
};

/** The state of a run after the transaction that holds event `seq`. */
export const checkpointAt = (folder: string, seq: number): Promise<Checkpoint> =>
  withJournal(folder, async (journal) => {
    const made = await checkpointOf(journal, {
      madeBy: { version: "0.0.0", engine: "" },
      run: { id: basename(folder), seed: 1, clock: "virtual" },
      config: "",
      costMicrosOf: () => 0,
      upTo: seq,
    });
    if (!made.ok) throw new Error(made.problem);
    return made.checkpoint;
  });
