import {
  type Environment,
  type Evaluate,
  embeddingModelFor,
  type LlmDefaults,
  type LlmSettings,
  type MemoryBackend,
  type MemorySettings,
  type MemoryStore,
  type Model,
  memoryStoreFor,
  modelFor,
  pricingFrom,
  type RecordedCall,
  type WorkflowParts,
} from "../mind/index.ts";
import { actionsGuide } from "../world/index.ts";

/** What a run needs to ask language models. */
export type LlmPlan = {
  readonly settings: LlmSettings;
  readonly memory: MemorySettings;
  readonly defaults: LlmDefaults;
  /** Where the keys are. */
  readonly env: Environment;
  readonly budgetMicros: number;
  /** The models that agents of the first day and the mint will ask. */
  readonly models: readonly string[];
  /** Stands in for the network; the global one where it is not given. */
  readonly fetch?: typeof globalThis.fetch;
  /** The calls of another run, in place of any provider. */
  readonly replay: readonly RecordedCall[] | null;
  /** How long a thought takes in run time: as long as its model took, or [least, most] ms. */
  readonly thinkMs: WorkflowParts["thinkMs"];
};

/** What the run gives to those who ask. */
export type LlmSurroundings = {
  readonly folder: string;
  readonly runId: string;
  readonly now: () => number;
  readonly sleepMaxMs: number;
  readonly jsonDepthMax: number;
  readonly evaluate: Evaluate;
  readonly sink: (call: RecordedCall) => void;
  readonly warn: (text: string) => void;
};

export type LanguageModels = {
  readonly model: Model;
  readonly parts: WorkflowParts;
  readonly defaults: LlmDefaults;
  /** Null where memories are kept in artifacts, or not at all. */
  readonly store: MemoryStore | null;
};

/** Opens what agents on language models share. Nothing is connected to before its first use. */
export const openLanguageModels = (plan: LlmPlan, around: LlmSurroundings): LanguageModels => {
  const { settings, env, defaults, thinkMs } = plan;
  const { sink, now, warn, evaluate, jsonDepthMax } = around;
  const { budgetMicros, models, replay } = plan;
  const opened = modelFor({
    settings,
    models,
    env,
    budgetMicros,
    now,
    sink,
    ...(replay === null ? {} : { replay }),
    ...(plan.fetch === undefined ? {} : { fetch: plan.fetch }),
  });
  const { model } = opened;
  const store = storeFor(plan, around, model);
  const parts: WorkflowParts = {
    model,
    pricing: pricingFrom(settings.pricing, settings.default_pricing),
    memory: backendOf(plan.memory, store),
    actionsGuide: actionsGuide(),
    sleepMaxS: around.sleepMaxMs / 1_000,
    jsonDepthMax,
    thinkMs,
    warn,
    evaluate,
  };
  return { model, parts, defaults, store };
};

const storeFor = (
  { settings, memory, env }: LlmPlan,
  { folder, runId, warn }: LlmSurroundings,
  model: Model,
): MemoryStore | null =>
  memoryStoreFor({
    settings: memory,
    folder,
    run: runId,
    qdrantApiKey: env[memory.qdrant.api_key_env] ?? null,
    inference: { model, name: settings.default_model },
    embeddingModel: (name) => embeddingModelFor(name, { settings, env }),
    warn,
  });

const backendOf = (memory: MemorySettings, store: MemoryStore | null): MemoryBackend => {
  if (store !== null) return { kind: "index", store };
  return memory.backend === "artifact"
    ? { kind: "artifact", bytesMax: memory.artifact_bytes_max }
    : { kind: "none" };
};
