import { z } from "zod";
import { redisPlaceIn } from "../scale/index.ts";
import type { Frozen } from "./frozen.ts";
import { reasoningSetting } from "./reasoning.ts";

const PER_MINUTE_MAX = 1_000_000_000;
const perMinute = z.int().min(1).max(PER_MINUTE_MAX).nullable();
const concurrency = z.int().min(1).max(10_000);
const seconds = z.number().min(0.001).max(3_600);

/** Refuses text that may hold a key. Keys belong in the environment, because runs show settings. */
const withoutSecrets = (text: string, context: z.RefinementCtx): void => {
  const place = secretPlaceIn(text);
  if (place !== null) context.addIssue(`must not hold ${place}; put a key into api_key_env`);
};

const providerSettings = z.strictObject({
  api_key_env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must name an environment variable"),
  /** The address of the provider's API, or null for the default address. */
  base_url: z.string().superRefine(withoutSecrets).nullable(),
  /** The limit for each key. */
  requests_per_minute: perMinute,
  tokens_per_minute: perMinute,
  /** The maximum number of calls at once with each key. */
  max_concurrency: concurrency.nullable(),
  structured_outputs: z.boolean(),
});
export type ProviderSettings = Frozen<z.infer<typeof providerSettings>>;

const LATENCY_MS_MAX = 600_000;
const latency = z.int().min(0).max(LATENCY_MS_MAX);

const mockSettings = z.strictObject({
  /** The real duration of a call: [min, max] in ms. */
  latency_ms: z
    .tuple([latency, latency])
    .refine(([min, max]) => min <= max, "must be [min, max] with min <= max"),
  /** The share of attempts that fail. */
  fault_share: z.number().min(0).max(1),
  requests_per_minute: perMinute,
  tokens_per_minute: perMinute,
  max_concurrency: concurrency.nullable(),
});
export type MockSettings = Frozen<z.infer<typeof mockSettings>>;

const usdPerMillion = z.number().min(0).max(1_000_000);

/** Prices in USD per million tokens. One such unit equals one micro-dollar per token. */
const priceSettings = z.strictObject({
  input: usdPerMillion,
  output: usdPerMillion,
  cached_input: usdPerMillion.optional(),
  cache_write: usdPerMillion.optional(),
});
export type PriceSettings = Frozen<z.infer<typeof priceSettings>>;

/** The token limit of one reply, without the tokens that a reasoning setting allows. */
export const replyTokensMax = z.int().min(1).max(1_000_000);

export const llmSettings = z.strictObject({
  default_model: z.string().min(1),
  max_tokens: replyTokensMax,
  /** Null: requests have no reasoning setting. */
  reasoning: reasoningSetting.nullable(),
  /** The maximum number of calls in one thought. */
  max_model_calls: z.int().min(1).max(100),
  /** The timeout of one attempt, not counting time in queues. */
  timeout_s: seconds,
  max_concurrency: concurrency,
  repair_attempts: z.int().min(0).max(10),
  providers: z.strictObject({
    google: providerSettings,
    anthropic: providerSettings,
    openai: providerSettings,
    "openai-compatible": providerSettings,
    mock: mockSettings,
  }),
  limits: z.strictObject({
    /** The Redis server of the limits that processes share (see `sharedPlaceIn`), or null. */
    shared: z
      .string()
      .superRefine((text, context) => {
        const place = sharedPlaceIn(text);
        if (!place.ok) context.addIssue(place.problem);
      })
      .nullable(),
  }),
  failover: z.strictObject({
    cooldown_initial_s: seconds,
    cooldown_max_s: seconds,
    attempts_max: z.int().min(1).max(20),
    profiles: z.record(z.string(), z.array(z.string()).max(10)),
  }),
  telemetry: z.strictObject({
    /** The address of an OpenTelemetry collector. Null: no spans. */
    otlp: z
      .string()
      .superRefine((text, context) => {
        const problem = addressProblem(text);
        if (problem !== null) context.addIssue(problem);
      })
      .nullable(),
    /** True: the spans contain prompts and replies. */
    record_prompts: z.boolean(),
  }),
  pricing: z.record(z.string(), priceSettings),
  default_pricing: priceSettings,
});
export type LlmSettings = Frozen<z.infer<typeof llmSettings>>;

/** Ports that fetch refuses (WHATWG Fetch, "bad port"). */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

/** Names the part of an address where a secret may be, or null. A run shows all its addresses. */
export const secretPlaceIn = (text: string): string | null => {
  const address = URL.parse(text);
  if (address === null) return null;
  if (address.username !== "" || address.password !== "") return "a name or password";
  return /[?#]/.test(text) ? "a query (?) or fragment (#)" : null;
};

export const addressProblem = (text: string): string | null => {
  const address = URL.parse(text);
  if (address === null || !/^https?:$/.test(address.protocol)) {
    return "must be an address that begins with http:// or https://";
  }
  const place = secretPlaceIn(text);
  if (place !== null) return `must not hold ${place}`;
  const { port } = address;
  const isBlocked = port !== "" && BLOCKED_PORTS.has(Number(port));
  return isBlocked ? `has the port ${port}, which fetch blocks` : null;
};

/**
 * Reads `redis://HOST` or `env:NAME`. Only a variable may hold a password, because runs show and
 * save their settings. The problem is a phrase to put after the name of the setting.
 */
export const sharedPlaceIn = (text: string): ReturnType<typeof redisPlaceIn> => {
  const secret = text.startsWith("env:") ? null : secretPlaceIn(text);
  if (secret === null) return redisPlaceIn(text);
  const cure = "put the address into an environment variable, and write env:NAME";
  return { ok: false, problem: `must not hold ${secret}; ${cure}` };
};
