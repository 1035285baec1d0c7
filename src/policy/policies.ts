import { z } from "zod";
import { must } from "../kernel/index.ts";
import { type ConfigOf, namesIn } from "../mind/index.ts";
import type { Policy } from "./core/policy.ts";
import { explorer } from "./explorer.ts";
import { integrator } from "./integrator.ts";
import { lender } from "./lender.ts";
import { producer } from "./producer.ts";
import { trader } from "./trader.ts";
import { worker } from "./worker.ts";
import { zeroIntelligence } from "./zero-intelligence.ts";
import { zeroIntelligenceTrader } from "./zero-intelligence-trader.ts";

/** All policies by their name in `mind: policy/NAME`. A new policy must be in this list. */
export const POLICIES = {
  producer,
  integrator,
  explorer,
  trader,
  lender,
  worker,
  zero_intelligence: zeroIntelligence,
  zero_intelligence_trader: zeroIntelligenceTrader,
} as const satisfies { readonly [name: string]: Policy };

export type PolicyName = keyof typeof POLICIES;

export const POLICY_NAMES = namesIn(POLICIES);

/** The policy that a value of `mind` names, which must name one. */
export const policyOf = (mind: string): PolicyName =>
  must(
    POLICY_NAMES.find((name) => mind === `policy/${name}`),
    `there must be such a policy: ${mind}`,
  );

export const policyKeys = {
  policy: z
    .record(z.string(), z.json())
    .optional()
    .describe("settings of the policy (docs/agents.md)"),
};

export type PolicyConfig = ConfigOf<typeof policyKeys>;

export type PolicyGuide = ReturnType<typeof policyGuides>[number];

type Shape = z.core.JSONSchema.JSONSchema;

export const policyGuides = () =>
  Object.entries(POLICIES).map(([name, policy]) => {
    const { description = "", properties = {} } = z.toJSONSchema(policy.settings, { io: "input" });
    const settings = Object.entries(properties).flatMap(([setting, shape]) =>
      typeof shape === "boolean" ? [] : [guideOf(setting, shape)],
    );
    return { mind: `policy/${name}`, meaning: description, settings };
  });

const guideOf = (name: string, shape: Shape) => ({
  name,
  meaning: shape.description ?? "",
  form: formOf(shape),
  default: JSON.stringify(shape.default ?? null),
});

const formOf = (shape: Shape): string => {
  const forms = shape.anyOf?.map((one) => formOf(one));
  if (forms !== undefined) return forms.join(" or ");
  // JSON Schema writes "text or null" as a list of types.
  switch (String(shape.type)) {
    case "string,null":
      return "text or null";
    case "integer":
      return `whole number${rangeOf(shape)}`;
    case "number":
      return `number${rangeOf(shape)}`;
    case "boolean":
      return "true or false";
    case "array":
      return `list of ${choicesIn(shape.items)}`;
    case "null":
      return "null";
    default:
      return "text";
  }
};

const rangeOf = ({ minimum, maximum = Number.MAX_SAFE_INTEGER }: Shape): string => {
  if (minimum === undefined) return "";
  return maximum === Number.MAX_SAFE_INTEGER
    ? `, ${minimum} or more`
    : `, ${minimum} to ${maximum}`;
};

const choicesIn = (items: Shape["items"]): string => {
  const item = Array.isArray(items) ? items[0] : items;
  return typeof item === "object" ? (item.enum?.join(", ") ?? formOf(item)) : "anything";
};
