import {
  type Durable,
  type Environment,
  type Evaluate,
  type LlmDefaults,
  type LlmSettings,
  type MemoryBackend,
  type MemorySettings,
  type MemoryStore,
  type Model,
  memoryStoreFor,
  modelFor,
  type Pacing,
  pricingFrom,
  type RecordedCall,
  type Recording,
  type ReplayCounts,
  type WorkflowParts,
} from "../mind/index.ts";
import { actionsGuide } from "../world/index.ts";
import type { Asked } from "./spending.ts";

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
  readonly replay: Recording | null;
  /** How long a thought takes in run time: as long as its model took, or [least, most] ms. */
  readonly thinkMs: WorkflowParts["thinkMs"];
};

/** What the run gives to those who ask. */
export type LlmSurroundings = {
  readonly asked: Asked;
  readonly folder: string;
  readonly runId: string;
  readonly now: () => number;
  readonly sleepMaxMs: number;
  readonly jsonDepthMax: number;
  /** Makes the evaluator of one thought. */
  readonly evaluator: () => Evaluate;
  readonly sink: (call: RecordedCall) => void;
  /** Resolves when all that has happened is on disk; rejects when that will never be. */
  readonly durable: () => Promise<void>;
  readonly clock: Pacing;
  readonly warn: (text: string) => void;
};

export type LanguageModels = {
  readonly model: Model;
  readonly parts: WorkflowParts;
  readonly defaults: LlmDefaults;
  /** Null where memories are kept in artifacts, or not at all. */
  readonly store: MemoryStore | null;
  /** Whether nothing is left of the money that the run may spend on calls. */
  isSpent(): boolean;
  /** What became of the calls that are replayed; null where none are. */
  replayed(): ReplayCounts | null;
};

/** Opens what agents on language models share. Nothing is connected to before its first use. */
export const openLanguageModels = (plan: LlmPlan, around: LlmSurroundings): LanguageModels => {
  const { settings, env, defaults, thinkMs } = plan;
  const { sink, now, clock, warn, evaluator, jsonDepthMax } = around;
  const durable: Durable = async () => {
    const [outcome] = await Promise.allSettled([around.durable()]);
    return outcome.status === "fulfilled";
  };
  const { budgetMicros, models, replay } = plan;
  const opened = modelFor({
    settings,
    models,
    env,
    budgetMicros,
    ...around.asked,
    now,
    sink,
    ...(replay === null ? {} : { replay }),
    durable,
    clock,
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
    durable,
    warn,
    evaluator,
  };
  const isSpent = (): boolean => {
    const spentMicros = opened.spentMicros();
    return spentMicros > 0 && spentMicros >= budgetMicros;
  };
  return { model, parts, defaults, store, isSpent, replayed: opened.replayed };
};

const storeFor = (
  { settings, memory, env, replay }: LlmPlan,
  { folder, runId, warn }: LlmSurroundings,
  model: Model,
): MemoryStore | null =>
  memoryStoreFor({
    settings:
      replay?.otherwise !== "fail"
        ? memory
        : { ...memory, embedder: embedderOfReplay(memory.embedder) },
    folder,
    run: runId,
    qdrantApiKey: env[memory.qdrant.api_key_env] ?? null,
    inference: { model, name: settings.default_model },
    embeddings: model,
    warn,
  });

/** A replay asks no provider, for vectors as little as for answers: `hashed` stands in for one. */
export const embedderOfReplay = (embedder: string): string =>
  embedder.includes("/") ? "hashed" : embedder;

const backendOf = (memory: MemorySettings, store: MemoryStore | null): MemoryBackend => {
  if (store !== null) return { kind: "index", store };
  return memory.backend === "artifact"
    ? { kind: "artifact", bytesMax: memory.artifact_bytes_max }
    : { kind: "none" };
};
