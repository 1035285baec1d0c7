import pLimit from "p-limit";
import { memoized, must } from "../kernel/index.ts";
import { type AttemptParts, attemptModels } from "./attempt-models.ts";
import { failover, type Profile, type ProfilesOf } from "./failover.ts";
import { Budget, budgeted } from "./limits/budget.ts";
import {
  afterCommit,
  type Durable,
  heldWhilePaused,
  limitConcurrency,
  type Pacing,
  withPacedAnswers,
  withTimeout,
} from "./limits/pacing.ts";
import { type ProviderKey, RunKeyLimits } from "./limits/run-key-limits.ts";
import type { Unreachable } from "./limits/shared-limits.ts";
import type { LlmSettings } from "./llm-settings.ts";
import type { Attempt, Model } from "./model.ts";
import { type Pricing, pricingFrom } from "./pricing.ts";
import {
  type Environment,
  type ModelId,
  type ProviderName,
  parseModelId,
  providerProblems,
} from "./providers.ts";
import {
  type RecordedCall,
  type Recording,
  type ReplayCounts,
  recording,
  replaying,
} from "./recording/recording.ts";
import { realTime } from "./time.ts";

/** The maximum wait for a provider. If the provider requests a longer wait, the call fails. */
const PATIENCE_MS = 300_000;

export type ModelForParts = AttemptParts & {
  readonly budgetMicros: number;
  readonly now: () => number;
  readonly sink: (call: RecordedCall) => void;
  readonly spentMicros: number;
  readonly attempts: readonly Attempt[];
  /** Recorded calls to replay. Only requests without a recorded reply may reach a provider. */
  readonly replay: Recording | null;
  /** The recorded calls of thoughts in progress. They answer the same requests without cost. */
  readonly resumed: readonly RecordedCall[];
  readonly durable: Durable;
  readonly clock: Pacing;
};

type ModelFor = {
  readonly model: Model;
  spentMicros(): number;
  /** Counts the cost of a call that another program has made. */
  spend(micros: number): void;
  replayed(): ReplayCounts | null;
  /**
   * Connects to the Redis server of shared limits, if the run has them. Returns why it cannot, or
   * null. Without this call, it connects at the first call of a provider, and waits for the server.
   */
  openLimits(): Promise<Unreachable | null>;
  /** Sends the spans that are left to the collector, if the run has one. Never rejects. */
  close(): Promise<void>;
};

/**
 * Builds the model port of a run. Its layers, from outside to inside: paced answers, recording,
 * replay, commit to disk, failover, budget, rate limits of the key, pause, concurrency, timeout and
 * provider. The budget is inside the failover, because the attempts of a call differ in price.
 */
export const modelFor = (parts: ModelForParts): ModelFor => {
  const { settings, sink, now, clock, replay, resumed, spentMicros } = parts;
  const pricing = pricingFrom(settings.pricing, settings.default_pricing);
  const recorded = (inner: Model): Model => {
    const asked = recording(inner, { sink, pricing, now });
    const known = resumed.length === 0 ? asked : replaying({ calls: resumed }, asked).model;
    return withPacedAnswers(known, clock);
  };
  if (replay?.otherwise === "fail") {
    const { model, counts } = replaying(replay, null);
    const close = async (): Promise<void> => {};
    const spending = { spentMicros: () => spentMicros, spend: () => {} };
    const opened = { openLimits: async () => null, close };
    return { model: recorded(model), ...spending, replayed: counts, ...opened };
  }
  const live = liveModel(parts, pricing);
  if (replay === null) return { ...live, model: recorded(live.model), replayed: () => null };
  const { model, counts } = replaying(replay, live.model);
  return { ...live, model: recorded(model), replayed: counts };
};

const liveModel = (parts: ModelForParts, pricing: Pricing): Omit<ModelFor, "replayed"> => {
  const { settings, env, time = realTime, clock, durable } = parts;
  const attempts = attemptModels(parts);
  const slots = pLimit(settings.max_concurrency);
  const budget = new Budget(parts.budgetMicros, parts.spentMicros);
  const keyLimits = new RunKeyLimits({ ...parts, time });
  const guarded = (inner: Model, key: ProviderKey): Model => {
    const leaving = heldWhilePaused(withTimeout(inner, settings.timeout_s * 1_000, time), clock);
    // During a pause, calls wait here without slots, so that calls for vectors can use the slots.
    const attempt = heldWhilePaused(limitConcurrency(leaving, slots), clock);
    return budgeted(keyLimits.around(attempt, key), budget, pricing);
  };
  const model = failover(
    profilesFrom(settings, env, (provider) =>
      attempts.of(provider).map((inner, nth) => guarded(inner, { provider, nth })),
    ),
    {
      coolDownInitialMs: settings.failover.cooldown_initial_s * 1_000,
      coolDownMaxMs: settings.failover.cooldown_max_s * 1_000,
      attemptsMax: settings.failover.attempts_max,
      patienceMs: PATIENCE_MS,
    },
    time,
  );
  return {
    model: afterCommit(model, durable),
    spentMicros: () => budget.spentMicros,
    spend: (micros) => budget.spend(micros),
    openLimits: () => keyLimits.open(),
    close: async () => {
      await keyLimits.close();
      await attempts.close();
    },
  };
};

/** Returns the profiles of the model and then of its fallback models, one profile per key. */
const profilesFrom = (
  settings: LlmSettings,
  env: Environment,
  open: (provider: ProviderName) => readonly Model[],
): ProfilesOf => {
  const problemsOf = (model: string) => providerProblems([model], settings.providers, env);

  const modelsOf = memoized(open);

  return memoized((model: string): ReturnType<ProfilesOf> => {
    const ids = [model, ...fallbacksFor(model, settings)].map(parseModelId);
    const usable = ids.filter((id): id is ModelId => id.ok && problemsOf(id.id).length === 0);
    const profiles = usable.flatMap(({ id, provider }) =>
      modelsOf(provider).map((asks, key): Profile => ({ model: id, key, asks })),
    );
    if (profiles.length > 0) return { profiles };
    const [problem] = problemsOf(model);
    return { problem: must(problem, "a model must have a profile") };
  });
};

const fallbacksFor = (model: string, settings: LlmSettings): readonly string[] => {
  const id = canonicalId(model);
  const named = Object.entries(settings.failover.profiles);
  return named.find(([name]) => canonicalId(name) === id)?.[1] ?? [];
};

const canonicalId = (text: string): string => {
  const parsed = parseModelId(text);
  return parsed.ok ? parsed.id : text;
};
