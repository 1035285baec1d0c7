import { onTestFinished } from "vitest";
import type { LlmSettings } from "../../src/model/llm-settings.ts";
import type { Model, ModelReply, ModelRequest } from "../../src/model/port/model.ts";
import { realTime } from "../../src/model/port/time.ts";
import type { NetworkSettings } from "../../src/model/providers/network-provider.ts";
import type { Connections } from "../../src/model/providers/provider.ts";
import { PROVIDERS as ALL } from "../../src/model/providers/providers.ts";
import type { Fetch } from "../../src/model/sdk/guarded-fetch.ts";
import {
  type ModelServer,
  type Provider,
  type Script,
  startModelServer,
} from "../support/model-server/model-server.ts";
import { NEVER, request } from "./requests.ts";

export const KEY = "sk-test-0123456789abcdef";

export const PROVIDERS: readonly Provider[] = [
  "google",
  "anthropic",
  "openai",
  "openai-compatible",
];

export const MODEL: { readonly [P in Provider]: string } = {
  google: "google/gemini-3-flash-preview",
  anthropic: "anthropic/claude-sonnet-4-5",
  openai: "openai/gpt-4.1-mini",
  "openai-compatible": "openai-compatible/meta/llama-3",
};

/** A server that is closed after the test. */
export const served = async (script: Script): Promise<ModelServer> => {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  return server;
};

export const settingsAt = (
  base_url: string | null,
  rest: Partial<NetworkSettings> = {},
): NetworkSettings => ({
  api_key_env: "TEST_KEY",
  base_url,
  requests_per_minute: null,
  tokens_per_minute: null,
  max_concurrency: null,
  structured_outputs: true,
  ...rest,
});

type Options = {
  readonly settings?: Partial<NetworkSettings>;
  readonly key?: string | null;
  readonly fetch?: Fetch;
  readonly openTracing?: NonNullable<Connections["openTracing"]>;
  /** Takes the notes about reasoning. */
  readonly note?: (text: string) => void;
};

type SdkAt = Options & {
  readonly provider: Provider;
  readonly server: { baseUrl(provider: Provider): string };
};

/** A model of the real SDK at a server on this machine. */
export const sdkAt = ({
  provider,
  server,
  settings,
  key,
  fetch,
  note,
  openTracing,
}: SdkAt): Model => {
  const own = settingsAt(server.baseUrl(provider), settings);
  const accounts = [{ key: key === undefined ? KEY : key, sharedAs: null }];
  const connections: Connections = {
    seed: 1,
    time: realTime,
    fetch,
    note: note ?? (() => {}),
    openTracing: openTracing ?? null,
    keys: [],
  };
  const found = ALL.find(({ name }) => name === provider);
  const [model] = found?.create(own, accounts, connections) ?? [];
  if (model === undefined) throw new Error(`${provider} makes no model`);
  return model;
};

type Exchange = Options & { readonly asked?: Partial<ModelRequest> };

/** A provider that answers by the script, and how to ask it again and again. */
export const asking = async (
  provider: Provider,
  script: Script,
  { asked, ...options }: Exchange = {},
) => {
  const server = await served(script);
  const model = sdkAt({ provider, server, ...options });
  const whole = request({ model: MODEL[provider], ...asked });
  return { server, ask: (signal = NEVER): Promise<ModelReply> => model.ask(whole, signal) };
};

/** One call of a provider that answers by the script. */
export const exchange = async (provider: Provider, script: Script, options: Exchange = {}) => {
  const { server, ask } = await asking(provider, script, options);
  return { reply: await ask(), server };
};

const MOCK_SETTINGS = {
  latency_ms: [0, 0],
  fault_share: 0,
  requests_per_minute: null,
  tokens_per_minute: null,
  max_concurrency: null,
};

/** Settings with every provider at the server, and no limits. */
export const llmAt = (
  server: { baseUrl(provider: Provider): string },
  rest: Partial<LlmSettings> = {},
): LlmSettings => {
  const at = (provider: Provider, api_key_env: string): NetworkSettings =>
    settingsAt(server.baseUrl(provider), { api_key_env });
  return {
    default_model: "gemini/gemini-3-flash-preview",
    max_tokens: 1_000,
    reasoning: null,
    max_model_calls: 6,
    timeout_s: 60,
    max_concurrency: 64,
    repair_attempts: 1,
    providers: {
      google: at("google", "GOOGLE_KEY"),
      anthropic: at("anthropic", "ANTHROPIC_KEY"),
      openai: at("openai", "OPENAI_KEY"),
      "openai-compatible": at("openai-compatible", "COMPATIBLE_KEY"),
      mock: MOCK_SETTINGS,
    },
    limits: { shared: null },
    failover: { cooldown_initial_s: 1, cooldown_max_s: 60, attempts_max: 4, profiles: {} },
    pricing: {},
    default_pricing: { input: 3, output: 15 },
    telemetry: { otlp: null, record_prompts: false },
    ...rest,
  };
};
