import { z } from "zod";
import type { ReplyForm } from "../model/index.ts";
import type { CognitiveSchema } from "../settings.ts";
import { flatFields, richAction, richSleep } from "./action-schema.ts";

/** The words of a reply that say what the agent thinks, by cognitive schema. */
const THOUGHTS = {
  simple: { thought_process: z.string().describe("what you think, step by step") },
  ooda: {
    situation_assessment: z.string().describe("what is going on and what it means for you"),
    action_rationale: z.string().describe("why this action, in one or two sentences"),
  },
} as const;

const EXAMPLES: { readonly [C in CognitiveSchema]: string } = {
  simple: `{"thought_process": "I have 40 scrip and nothing to sell yet. A small program ...",
 "action": {"write_artifact": {"artifact_id": "my_adder", "artifact_type": "program",
   "code": "function run(a, b) { return a + b }", "price": 2}}}`,
  ooda: `{"situation_assessment": "I have 40 scrip and nothing to sell yet; nobody sells ...",
 "action_rationale": "A small program that others need brings income.",
 "action": {"write_artifact": {"artifact_id": "my_adder", "artifact_type": "program",
   "code": "function run(a, b) { return a + b }", "price": 2}}}`,
};

const described = (
  schema: CognitiveSchema,
): string => `Answer with one JSON object and nothing else:
${EXAMPLES[schema]}
"action" holds exactly one of noop, read_artifact, write_artifact and invoke_artifact. Beside it,
"sleep" is optional, as in {"for_s": 30, "until": [{"scrip_at_least": 50}]}.`;

const formOf = (name: CognitiveSchema): ReplyForm => ({
  name,
  rich: z.object({ ...THOUGHTS[name], action: richAction, sleep: richSleep }),
  flat: z.object({ ...THOUGHTS[name], ...flatFields }),
  described: described(name),
});

/** The form of a decision in each cognitive schema. */
export const REPLY_FORMS: { readonly [C in CognitiveSchema]: ReplyForm } = {
  simple: formOf("simple"),
  ooda: formOf("ooda"),
};

/** What a prompt says of the reply, whatever the form in which the provider is told it. */
export const replyGuide = (schema: CognitiveSchema, { sleepMaxS }: { sleepMaxS: number }): string =>
  `# How to answer
One JSON object: ${Object.keys(THOUGHTS[schema]).join(", ")}, then one action, and if you like
a sleep. Sleep rests you after the action, ${sleepMaxS} s at the most, and costs nothing: for_s says
how long, until what ends it sooner, such as {"event": "artifact_invoked"}, {"scrip_at_least": 150},
{"llm_budget_at_least": 50000} or {"resource": "actions", "available": 10}.`;
