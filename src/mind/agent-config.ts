import { z } from "zod";
import { explorerSettings } from "./policy/explorer.ts";
import { integratorSettings } from "./policy/integrator.ts";
import { lenderSettings } from "./policy/lender.ts";
import { producerSettings } from "./policy/producer.ts";
import { traderSettings } from "./policy/trader.ts";
import { workerSettings } from "./policy/worker.ts";
import { zeroIntelligenceSettings } from "./policy/zero-intelligence.ts";
import { relay } from "./relay.ts";
import { entrySchema } from "./script/script.ts";

/** The settings of each policy, under the name by which a persona asks for it. */
export const POLICY_SETTINGS = {
  producer: producerSettings,
  integrator: integratorSettings,
  explorer: explorerSettings,
  trader: traderSettings,
  lender: lenderSettings,
  worker: workerSettings,
  zero_intelligence: zeroIntelligenceSettings,
} as const;
export const POLICY_NAMES = [
  "producer",
  "integrator",
  "explorer",
  "trader",
  "lender",
  "worker",
  "zero_intelligence",
] as const satisfies readonly (keyof typeof POLICY_SETTINGS)[];
export type PolicyName = (typeof POLICY_NAMES)[number];

const mindNames = ["script", ...POLICY_NAMES.map((name) => `policy/${name}` as const)] as const;

/** What an agent's artifact holds: how it decides. The rest of its being is the world's. */
export const agentConfigSchema = z
  .strictObject({
    mind: z.enum(mindNames),
    /** Settings of the policy. */
    policy: z.record(z.string(), z.json()).optional(),
    script: z.array(entrySchema).optional(),
    script_loop: z.boolean().optional(),
  })
  .superRefine((config, context) => {
    const problem = (path: string, message: string): void => {
      context.addIssue({ code: "custom", path: [path], message });
    };
    if (config.mind === "script") {
      if (config.script === undefined) problem("mind", "mind: script needs a script");
      if (config.policy !== undefined) problem("policy", "a script has no policy settings");
      return;
    }
    if (config.script !== undefined) problem("script", "only mind: script has a script");
    const schema = POLICY_SETTINGS[policyOf(config.mind)];
    relay(schema, config.policy ?? {}, { context, before: ["policy"] });
  });
export type AgentConfig = z.infer<typeof agentConfigSchema>;

export const policyOf = (mind: Exclude<AgentConfig["mind"], "script">): PolicyName =>
  POLICY_NAMES.find((name) => mind === `policy/${name}`) ?? "zero_intelligence";

/** The configuration in an agent's artifact; else what it holds, and what the schema says to it. */
export type AgentConfigRead =
  | { readonly ok: true; readonly config: AgentConfig }
  | { readonly ok: false; readonly given: unknown; readonly error: z.ZodError | null };

/** `error` is null for what is not JSON at all. */
export const readAgentConfig = (content: string): AgentConfigRead => {
  const given = parseJson(content);
  if (given === undefined) return { ok: false, given, error: null };
  const result = agentConfigSchema.safeParse(given);
  return result.success
    ? { ok: true, config: result.data }
    : { ok: false, given, error: result.error };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
