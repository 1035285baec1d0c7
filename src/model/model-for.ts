import pLimit from "p-limit";
import { memoized, must } from "../kernel/index.ts";
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
import { RunKeyLimits } from "./limits/run-key-limits.ts";
import type { Unreachable } from "./limits/shared-limits.ts";
import type { LlmSettings } from "./llm-settings.ts";
import type { Attempt, Model } from "./port/model.ts";
import { realTime, type Time } from "./port/time.ts";
import { type Pricing, pricingFrom } from "./providers/pricing.ts";
import type { Account, Environment, Provider } from "./providers/provider.ts";
import {
  type ModelId,
  PROVIDERS,
  parseModelId,
  providerOf,
  providerProblems,
  settingsOf,
} from "./providers/providers.ts";
import {
  type RecordedCall,
  type Recording,
  type ReplayCounts,
  recording,
  replaying,
} from "./recording/recording.ts";
import type { Fetch } from "./sdk/guarded-fetch.ts";
import type { Tracing } from "./sdk/tracing.ts";

/** The maximum wait for a provider. If the provider requests a longer wait, the call fails. */
const PATIENCE_MS = 300_000;

export type ModelForParts = {
  readonly settings: LlmSettings;
  readonly env: Environment;
  /** The seed of the run. Only the replies of the mock provider depend on it. */
  readonly seed: number;
  readonly fetch?: Fetch;
  /** Takes notes for the people who run the simulation. They do not belong in the journal. */
  readonly note?: (text: string) => void;
  /** The id of the run, for the spans of its calls. */
  readonly run?: string;
  readonly time?: Time;
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
  const telemetry = telemetryOf(parts);
  const slots = pLimit(settings.max_concurrency);
  const budget = new Budget(parts.budgetMicros, parts.spentMicros);
  const keyLimits = new RunKeyLimits({ ...parts, time });
  const guarded = (inner: Model, provider: Provider, nth: number, account: Account): Model => {
    const leaving = heldWhilePaused(withTimeout(inner, settings.timeout_s * 1_000, time), clock);
    // During a pause, calls wait here without slots, so that calls for vectors can use the slots.
    const attempt = heldWhilePaused(limitConcurrency(leaving, slots), clock);
    return budgeted(keyLimits.around(attempt, provider, nth, account), budget, pricing);
  };
  const accountsOf = (provider: Provider): readonly Account[] =>
    provider.accounts(settingsOf(provider, settings.providers), env);
  const keys = PROVIDERS.flatMap(accountsOf).flatMap(({ key }) => (key === null ? [] : [key]));
  const { seed, fetch, note = () => {} } = parts;
  const connections = { seed, time, fetch, note, keys, openTracing: telemetry.open };
  const modelsOf = memoized((provider: Provider): readonly Model[] => {
    const accounts = accountsOf(provider);
    return provider
      .create(settingsOf(provider, settings.providers), accounts, connections)
      .map((inner, nth) => guarded(inner, provider, nth, must(accounts[nth], "one model each")));
  });
  const model = failover(
    profilesFrom(settings, env, modelsOf),
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
      await telemetry.close();
    },
  };
};

/** Returns the profiles of the model and then of its fallback models, one profile per key. */
const profilesFrom = (
  settings: LlmSettings,
  env: Environment,
  modelsOf: (provider: Provider) => readonly Model[],
): ProfilesOf => {
  const problemsOf = (model: string) => providerProblems([model], settings.providers, env);

  return memoized((model: string): ReturnType<ProfilesOf> => {
    const ids = [model, ...fallbacksFor(model, settings)].map(parseModelId);
    const usable = ids.filter((id): id is ModelId => id.ok && problemsOf(id.id).length === 0);
    const profiles = usable.flatMap((each) =>
      modelsOf(providerOf(each)).map((asks, key): Profile => ({ model: each.id, key, asks })),
    );
    if (profiles.length > 0) return { profiles };
    const [problem] = problemsOf(model);
    return { problem: must(problem, "a model must have a profile").text };
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

/** Loads OpenTelemetry at the first call of a model, and only if the run has a collector. */
const telemetryOf = ({ settings, run = "", note = () => {} }: ModelForParts) => {
  const { otlp, record_prompts: recordPrompts } = settings.telemetry;
  if (otlp === null) return { open: null, close: async () => {} };
  let opening: Promise<Tracing> | null = null;
  const load = async (): Promise<Tracing> => {
    const sdk = await import("./sdk/tracing.ts");
    return new sdk.Tracing({ otlp, recordPrompts, run, note });
  };
  return {
    open: () => {
      opening ??= load();
      return opening;
    },
    close: async () => (await opening)?.close(),
  };
};
