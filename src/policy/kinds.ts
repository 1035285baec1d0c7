import { mindKind, type Remark } from "../mind/index.ts";
import { didYouMean } from "../text/index.ts";
import { POLICIES, POLICY_NAMES, policyKeys, policyOf } from "./policies.ts";

const TOPIC_KEYS = ["topics", "child_topics"] as const;

/** `mind: policy/NAME`: a seeded strategy that decides without a model. */
export const policyKind = mindKind<typeof policyKeys>({
  names: POLICY_NAMES.map((name) => `policy/${name}`),
  label: "policy/NAME",
  keys: policyKeys,
  cost: "none",
  checkTopics: ({ mind, policy = {} }, topics) => {
    if (policyOf(mind) !== "producer") return [];
    return TOPIC_KEYS.flatMap((key) => {
      const listed = policy[key];
      return (Array.isArray(listed) ? listed : []).flatMap((topic, at): readonly Remark[] => {
        if (topics.includes(String(topic))) return [];
        const message = `\`policy.${key}[${at}]\`: the library has no topic ${String(topic)}`;
        const hint = didYouMean(String(topic), topics) ?? `it has ${topics.join(", ")}`;
        return [{ path: ["policy", key, at], message, hint }];
      });
    });
  },
  schemaOf: (key, mind) => (key === "policy" ? POLICIES[policyOf(mind)].settings : null),
  load: async () => {
    const { openPolicies, policyTemplate } = await import("./policy-mind.ts");
    return { open: openPolicies, preview: null, template: policyTemplate };
  },
});
