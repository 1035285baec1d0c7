import { z } from "zod";
import { secretPlaceIn } from "../address.ts";
import type { Frozen } from "../frozen.ts";

const PER_MINUTE_MAX = 1_000_000_000;
const perMinute = z.int().min(1).max(PER_MINUTE_MAX).nullable();
const seconds = z.number().min(0.001).max(3_600);

/** Keys are in the environment: what holds one elsewhere is refused before anything shows it. */
const withoutSecrets = (text: string, context: z.RefinementCtx): void => {
  const place = secretPlaceIn(text);
  if (place !== null) context.addIssue(`must not hold ${place}; a key belongs into api_key_env`);
};

/** One provider as it stands in the configuration; the key itself is in the environment. */
export const providerSettings = z.strictObject({
  /** The variable that holds the key, or several with commas between them. */
  api_key_env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of a variable"),
  /** Null: the provider's own address. */
  base_url: z.string().superRefine(withoutSecrets).nullable(),
  /** For each key; null: no limit. */
  requests_per_minute: perMinute,
  tokens_per_minute: perMinute,
  /** Whether the provider can be told the form of a reply by a schema. */
  structured_outputs: z.boolean(),
});
export type ProviderSettings = Frozen<z.infer<typeof providerSettings>>;

const usdPerMillion = z.number().min(0).max(1_000_000);

/** Prices in USD per million tokens, which is micro-dollars per token. */
export const priceSettings = z.strictObject({
  input: usdPerMillion,
  output: usdPerMillion,
  /** What is read from the provider's cache; without it, the price of input. */
  cached_input: usdPerMillion.optional(),
});
export type PriceSettings = Frozen<z.infer<typeof priceSettings>>;

export const llmSettings = z.strictObject({
  default_model: z.string().min(1),
  /** Of one reply, its thinking included, where an agent does not say. */
  max_tokens: z.int().min(1).max(1_000_000),
  /** Of one thought. */
  max_model_calls: z.int().min(1).max(100),
  /** For each attempt; time in queues is not counted. */
  timeout_s: seconds,
  /** Calls on their way at once, of all agents together. */
  max_concurrency: z.int().min(1).max(10_000),
  repair_attempts: z.int().min(0).max(10),
  providers: z.strictObject({
    google: providerSettings,
    anthropic: providerSettings,
    openai: providerSettings,
    "openai-compatible": providerSettings,
  }),
  failover: z.strictObject({
    cooldown_initial_s: seconds,
    cooldown_max_s: seconds,
    /** How often one question is put, the first time included. */
    attempts_max: z.int().min(1).max(20),
    /** The models that stand in for a model, in the order in which they are tried. */
    profiles: z.record(z.string(), z.array(z.string()).max(10)),
  }),
  /** By `provider/model` or by the model alone. */
  pricing: z.record(z.string(), priceSettings),
  default_pricing: priceSettings,
});
export type LlmSettings = Frozen<z.infer<typeof llmSettings>>;
