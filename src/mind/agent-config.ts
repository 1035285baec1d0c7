import { z } from "zod";
import { explorerSettings } from "./policy/explorer.ts";
import { integratorSettings } from "./policy/integrator.ts";
import { lenderSettings } from "./policy/lender.ts";
import { producerSettings } from "./policy/producer.ts";
import { traderSettings } from "./policy/trader.ts";
import { workerSettings } from "./policy/worker.ts";
import { zeroIntelligenceSettings } from "./policy/zero-intelligence.ts";
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
    for (const issue of schema.safeParse(config.policy ?? {}).error?.issues ?? []) {
      const path = ["policy", ...issue.path];
      const params = { schema, issue };
      context.addIssue({ code: "custom", path, message: issue.message, params });
    }
  });
export type AgentConfig = z.infer<typeof agentConfigSchema>;

export const policyOf = (mind: Exclude<AgentConfig["mind"], "script">): PolicyName =>
  POLICY_NAMES.find((name) => mind === `policy/${name}`) ?? "zero_intelligence";

/** The configuration in an agent's artifact, or what is wrong with it in one line. */
export const readAgentConfig = (
  content: string,
):
  | { readonly ok: true; readonly config: AgentConfig }
  | { readonly ok: false; problem: string } => {
  const parsed = parseJson(content);
  if (parsed === undefined) return { ok: false, problem: "its content is not JSON" };
  const result = agentConfigSchema.safeParse(parsed);
  if (result.success) return { ok: true, config: result.data };
  const [issue] = result.error.issues;
  const path = issue?.path.join(".") ?? "";
  return { ok: false, problem: `${path === "" ? "" : `${path}: `}${issue?.message ?? "invalid"}` };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
