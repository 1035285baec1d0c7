import { memoized } from "../kernel/index.ts";
import type { LlmSettings } from "./llm-settings.ts";
import type { MockAccess } from "./mock/mock-model.ts";
import type { Model } from "./model.ts";
import {
  type Environment,
  FormLevels,
  isKeyOptional,
  keysOf,
  type ProviderName,
} from "./providers.ts";
import { ReasoningSupport } from "./reasoning.ts";
import type { Fetch } from "./sdk/guarded-fetch.ts";
import type { OpenTracing, SdkAccess } from "./sdk/sdk-model.ts";
import { realTime, type Time } from "./time.ts";

export type AttemptParts = {
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
};

export type AttemptModels = {
  /** Returns a model for each key of a provider. Each call makes one attempt, without limits. */
  of(provider: ProviderName): readonly Model[];
  /** Sends the spans that are left to the collector, if the run has one. Never rejects. */
  close(): Promise<void>;
};

export const attemptModels = (parts: AttemptParts): AttemptModels => {
  const { open, close } = telemetryOf(parts);
  return { of: memoized((provider) => keyModels(provider, parts, open)), close };
};

type Telemetry = { readonly open: OpenTracing | null; readonly close: () => Promise<void> };

/** Loads OpenTelemetry at the first call of a model, and only if the run has a collector. */
const telemetryOf = ({ settings, run = "", note = () => {} }: AttemptParts): Telemetry => {
  const { otlp, record_prompts: recordPrompts } = settings.telemetry;
  if (otlp === null) return { open: null, close: async () => {} };
  let opening: ReturnType<OpenTracing> | null = null;
  const load: OpenTracing = async () => {
    const { Tracing } = await import("./sdk/tracing.ts");
    return new Tracing({ otlp, recordPrompts, run, note });
  };
  return {
    open: () => {
      opening ??= load();
      return opening;
    },
    close: async () => (await opening)?.close(),
  };
};

/** Returns a model for each key of a provider. The mock provider has one model without a key. */
const keyModels = (
  provider: ProviderName,
  parts: AttemptParts,
  openTracing: OpenTracing | null,
): readonly Model[] => {
  const { settings, env, seed, fetch, note = () => {}, time = realTime } = parts;
  if (provider === "mock") return [lazyMock({ settings: settings.providers.mock, seed, time })];
  const own = settings.providers[provider];
  const forms = new FormLevels(provider, own.structured_outputs);
  const found = keysOf(own, env);
  const usable = found.length === 0 && isKeyOptional(provider) ? [null] : found;
  const keys = Object.values(settings.providers).flatMap((each) => keysOf(each, env));
  const reasoning = new ReasoningSupport(note);
  const shared = { provider, settings: own, fetch, forms, reasoning, keys, time, openTracing };
  return usable.map((key) => lazySdk({ ...shared, key }));
};

/** Loads the AI SDK on first use, because loading takes 0.2 s and few commands need it. */
const lazySdk = (access: SdkAccess): Model =>
  lazyModel(async () => (await import("./sdk/sdk-model.ts")).sdkModel(access));

const lazyMock = (access: MockAccess): Model =>
  lazyModel(async () => (await import("./mock/mock-model.ts")).mockModel(access));

const lazyModel = (load: () => Promise<Model>): Model => {
  let loading: Promise<Model> | null = null;
  return {
    ask: async (request, signal) => {
      loading ??= load();
      return (await loading).ask(request, signal);
    },
  };
};
