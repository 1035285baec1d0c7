import type { Id } from "../../../src/kernel/index.ts";

import {
  type Config,
  Launch,
  type Launched,
  loadConfig,
  loadPersonas,
  type Persona,
  type RunRequest,
  type RunResult,
  showProblem,
} from "../../../src/runner/index.ts";
import { type Checkpoint, JournalFailure } from "../../../src/world/index.ts";
import type { Row } from "../../support/auditor.ts";
import { onSmallDisk } from "../../support/small-disk.ts";
import { Finding } from "./finding.ts";
import { type Death, Watch } from "./watch.ts";

/** One life of a world: from a start, or from where another has ended, to its own end. */
export type Life = {
  readonly sets: readonly string[];
  readonly fetch: typeof globalThis.fetch;
  readonly start: Start;
  readonly history: readonly Row[];
  readonly auditedEvery: number;
  readonly death: Death | null;
  readonly died: (folder: string) => void;
  readonly freeBytes: number | null;
  /** Simulated seconds after which it is stopped; null: it runs to its horizon. */
  readonly stopAfterS: number | null;
  readonly checkpoints: string;
  /** What policies know how to write. */
  readonly library: string;
  /** Stops as soon as one of these succeeds at an action. */
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
      /** Personas that come into it; null for none. */
      readonly folder: string | null;
      readonly furtherS: number | null;
    };

export type Lived =
  | { readonly kind: "refused"; readonly problem: string }
  | {
      readonly kind: "ended";
      readonly folder: string;
      /** Null: it was cut off, or the disk took no more. */
      readonly result: RunResult | null;
      readonly problem: string | null;
      readonly died: boolean;
      /** At what it was to die. */
      readonly cutAt: string;
      readonly rows: readonly Row[];
      readonly acknowledged: number;
      readonly audits: number;
      readonly succeeded: boolean;
    };

export const live = async (life: Life): Promise<Lived> => {
  const launched = onSmallDisk(life.freeBytes, () => launch(life));
  if (!launched.ok) return { kind: "refused", problem: launched.problems.join("; ") };
  const { runner, directory } = launched.launch;
  const { journal } = runner;
  const { folder } = directory;
  const { history, death, auditedEvery } = life;
  const died = (): void => life.died(folder);
  const watch = new Watch({ runner, history, death, died, auditedEvery });
  let succeeded = false;
  journal.onCommitted((rows) => {
    const lucky = rows.some(({ kind, principal }) => {
      return kind === "action_completed" && life.until?.has(principal ?? "") === true;
    });
    succeeded ||= lucky;
    if (lucky) runner.stop("signal");
  });
  const ending = await endOf(launched.launch);
  journal.close();
  const { rows, acknowledged, audits, dead } = watch;
  const cutAt = death?.kind ?? death?.write ?? "";
  const seen = { died: dead, cutAt, rows, acknowledged, audits, succeeded };
  return { kind: "ended", folder, ...ending, ...seen };
};

const endOf = async (
  launched: Launch,
): Promise<{ readonly result: RunResult | null; readonly problem: string | null }> => {
  try {
    const result = await launched.run();
    return result.problem === null ? { result, problem: null } : { ...result, result: null };
  } catch (error) {
    if (!(error instanceof JournalFailure)) throw error;
    return { result: null, problem: error.message };
  }
};

const launch = (life: Life): Launched => {
  const { start } = life;
  const order = orderOf(life);
  switch (start.kind) {
    case "new": {
      const { out, runId, folder } = start;
      return Launch.start({ ...order, out, runId, from: null, personas: personasIn(folder) });
    }
    case "resume":
      return Launch.resume({ ...order, folder: start.folder, parent: null });
    case "fork": {
      const { folder, furtherS } = start;
      const personas = folder === null ? [] : personasIn(folder);
      return Launch.start({ ...order, ...start, furtherS, personas });
    }
  }
};

const orderOf = ({ sets, fetch, stopAfterS, checkpoints, library }: Life): RunRequest => ({
  config: configOf(sets),
  pid: process.pid,
  programsFolder: library,
  version: "0.0.0",
  furtherS: null,
  stopAfterS,
  startedAt: new Date(0),
  env: {},
  replay: null,
  fetch,
  checkpoints,
});

/** Reading the shipped file takes as long as a short life. */
const configs = new WeakMap<readonly string[], Config>();

export const configOf = (sets: readonly string[]): Config => {
  const known = configs.get(sets);
  if (known !== undefined) return known;
  const loaded = loadConfig({ file: null, sets, flags: [] });
  if (!loaded.ok) throw new Finding(loaded.problems.map(showProblem).join("\n"));
  configs.set(sets, loaded.config);
  return loaded.config;
};

const personasIn = (folder: string): readonly Persona[] => {
  const loaded = loadPersonas(folder, { only: [] });
  if (!loaded.ok) throw new Finding(loaded.problems.map(showProblem).join("\n"));
  return loaded.personas;
};
