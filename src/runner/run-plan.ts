import type { Physics } from "../kernel/index.ts";
import { type KnowHow, knowHowOf, loadLibrary, type MindParts } from "../mind/index.ts";
import type { CheckpointPlan } from "./checkpoint-keeper.ts";
import { type Config, msOf, physicsFor, renderConfig, tasksFor } from "./config/index.ts";
import { type Newcomer, newcomersOf } from "./create-agent-artifacts.ts";
import type { HealthBounds } from "./health/index.ts";
import type { LlmPlan } from "./language-models.ts";
import type { LaunchOrder } from "./launch.ts";
import { llmPlanOf, type Thinker } from "./llm-plan.ts";
import type { MintPlan } from "./mint-keeper.ts";
import type { Persona } from "./persona/index.ts";

/** Everything a run depends on. The folder exists and is this process's to write. */
export type RunPlan = {
  readonly folder: string;
  readonly version: string;
  readonly physics: Physics;
  readonly clock: "wall" | "virtual";
  readonly newcomers: readonly Newcomer[];
  readonly minds: Omit<MindParts, "seed" | "llm">;
  readonly llm: LlmPlan;
  readonly journal: { readonly sync: "full" | "normal"; readonly groupMs: number };
  readonly checkEvery: number;
  readonly health: HealthBounds;
  readonly mint: Pick<MintPlan, "tasks"> & { readonly scorer: "usage" | "llm" };
  /** Run time at which to stop; the horizon or earlier. */
  readonly stopAtMs: number;
  readonly maxActions: number | null;
  /** How long minds may take to end their thoughts when the run is over. */
  readonly shutdownMs: number;
  readonly checkpoints: CheckpointPlan;
};

/** Where a run lies, who is to come into its world, and who thinks there. */
type Place = {
  readonly folder: string;
  readonly personas: readonly Persona[];
  readonly thinkers: readonly Thinker[];
};

/** What an order makes of a run. */
export const planOf = (
  order: LaunchOrder & { readonly stopAtMs: number },
  { folder, personas, thinkers }: Place,
): RunPlan => {
  const { config, version, stopAtMs, checkpoints } = order;
  const { every_s, on_end } = config.checkpoint;
  return {
    folder,
    version,
    physics: physicsFor(config),
    clock: config.run.clock,
    newcomers: newcomersOf(config, personas),
    minds: mindParts(config, knowHowIn(order.programsFolder)),
    llm: llmPlanOf(config, { ...order, thinkers }),
    journal: journalSettings(config),
    checkEvery: config.checks.invariants_every,
    health: healthBounds(config.health),
    mint: { scorer: config.mint.scorer, tasks: tasksFor(config) },
    stopAtMs,
    maxActions: config.run.max_actions,
    shutdownMs: msOf(config.timeouts.shutdown_s),
    checkpoints: {
      everyMs: every_s === null ? null : msOf(every_s),
      onEnd: on_end,
      dir: checkpoints,
      config: renderConfig(config),
    },
  };
};

export const journalSettings = ({ journal }: Config): RunPlan["journal"] => ({
  sync: journal.sync,
  groupMs: journal.group_ms,
});

const healthBounds = ({ every_s, window_s, ...bounds }: Config["health"]): HealthBounds => ({
  every_ms: msOf(every_s),
  window_ms: msOf(window_s),
  ...bounds,
});

const knowHowIn = (folder: string): (() => KnowHow) => {
  let known: KnowHow | null = null;
  return () => {
    known ??= knowHowOf(loadLibrary(folder));
    return known;
  };
};

const mindParts = (config: Config, knowHow: () => KnowHow): RunPlan["minds"] => ({
  knowHow,
  policyPrice: {
    micros: config.policy.thought_micros,
    calls: 0,
    tokens: config.policy.thought_tokens,
  },
  policyThinkMs: config.virtual.think_ms.policy,
  scriptThinkMs: config.virtual.think_ms.script,
});
