import { basename } from "node:path";
import type { Physics } from "../../kernel/index.ts";
import { checkMemoryServer, openMemory, replaySettings } from "../../memory/index.ts";
import type { MindParts } from "../../mind/index.ts";
import {
  type Durable,
  type Model,
  modelFor,
  type Pacing,
  pricingFrom,
  type RecordedCall,
} from "../../model/index.ts";
import { actionsGuide, type Clock, type Journal } from "../../world/index.ts";
import { microsOf } from "../config/index.ts";
import type { ModelUsage } from "../core/model-usage.ts";
import type { RunPlan } from "../core/run-plan.ts";
import { RunMemory } from "../memory/run-memory.ts";
import { llmDefaultsOf } from "./model-users.ts";

type LlmContext = {
  readonly usage: ModelUsage;
  readonly resumed: readonly RecordedCall[];
  readonly physics: Physics;
  readonly sink: (call: RecordedCall) => void;
  /** Resolves when all events so far are on disk. Rejects if the events cannot be written. */
  readonly durable: () => Promise<void>;
  readonly clock: Pacing & Pick<Clock, "now">;
  readonly journal: Journal;
  readonly warn: (text: string) => void;
};

export type LanguageModels = ReturnType<typeof openLanguageModels>;

/** Opens the resources that agents with language models share. Connects only at the first use. */
export const openLanguageModels = (plan: RunPlan, context: LlmContext) => {
  const { config, env, replay, fetch, folder, note } = plan;
  const { llm: settings, agent, budget, run, virtual } = config;
  const { sink, clock, journal, warn, physics, usage, resumed } = context;
  const budgetMicros = microsOf(budget.max_api_cost_usd);
  const durable = durableIn(context);
  const opened = modelFor({
    settings,
    env,
    seed: run.seed,
    run: basename(folder),
    budgetMicros,
    ...usage,
    resumed,
    now: () => clock.now(),
    sink,
    replay,
    durable,
    clock,
    ...(fetch === undefined ? {} : { fetch }),
    ...(note === undefined ? {} : { note }),
  });
  const { model } = opened;
  const memory = memoryOf(plan, model, warn);
  const store = memory?.store ?? null;
  const leftMicros = (): number => budgetMicros - opened.spentMicros();
  const parts: MindParts["llm"] = {
    defaults: llmDefaultsOf(config),
    model,
    memory,
    durable,
    pricing: pricingFrom(settings.pricing, settings.default_pricing),
    actionsGuide: actionsGuide(),
    sleepMaxS: agent.loop.sleep_max_s,
    jsonDepthMax: physics.artifacts.json_depth_max,
    // With a wall clock, thoughts take real time, so their duration is not simulated.
    thinkMs: run.clock === "wall" ? [0, 0] : virtual.think_ms.llm,
  };
  return {
    model,
    parts,
    /** The memory index. Null if the run keeps memories in artifacts or keeps no memories. */
    memory: store === null ? null : new RunMemory(store, { journal, isLive: true }),
    /** The part of the run's model budget that is not spent. */
    leftMicros,
    /** Pays the turns of coding agents. */
    turnAccount: { pricing: parts.pricing, leftMicros, charge: chargeTo(opened, sink) },
    replayed: opened.replayed,
    /** Connects to the server of the limits that the run shares. Returns why it cannot, or null. */
    openLimits: opened.openLimits,
    memoryProblem: () => memoryProblem(plan),
    close: opened.close,
  };
};

/** Says why a run can never use the server of its memories. Null if it can, or has no server. */
const memoryProblem = async ({ config, env, replay, note }: RunPlan): Promise<string | null> => {
  // A replay of recorded calls keeps its memories in a local index.
  if (replay?.otherwise === "fail") return null;
  const check = await checkMemoryServer(config.memory, env);
  if (check === null || check.ok) return null;
  if (!check.isDown) return check.detail;
  note?.(`agents cannot recall memories for now: ${check.detail}`);
  return null;
};

const memoryOf = (
  { config, env, folder, startedAt, replay }: RunPlan,
  model: Model,
  warn: LlmContext["warn"],
): ReturnType<typeof openMemory> => {
  const { llm, memory } = config;
  return openMemory({
    settings: replay?.otherwise === "fail" ? replaySettings(memory) : memory,
    env,
    folder,
    run: { id: basename(folder), startedAt },
    model,
    inference: { model: llm.default_model, reasoning: llm.reasoning },
    warn,
  });
};

const chargeTo =
  ({ spend }: Pick<ReturnType<typeof modelFor>, "spend">, sink: LlmContext["sink"]) =>
  (call: RecordedCall): void => {
    spend(call.costMicros);
    sink(call);
  };

const durableIn =
  (context: LlmContext): Durable =>
  async () => {
    try {
      await context.durable();
      return true;
    } catch {
      // The run ends with the failure of its journal.
      return false;
    }
  };
