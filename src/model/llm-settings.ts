import { z } from "zod";
import { sharedPlaceIn } from "./limits/shared-limits.ts";
import { addressProblem } from "./port/address.ts";
import type { Frozen } from "./port/model.ts";
import { reasoningSetting } from "./port/reasoning.ts";
import { priceSettings } from "./providers/pricing.ts";
import { providersSettings } from "./providers/providers.ts";

const seconds = z.number().min(0.001).max(3_600);

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
  max_concurrency: z.int().min(1).max(10_000),
  repair_attempts: z.int().min(0).max(10),
  providers: providersSettings,
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
