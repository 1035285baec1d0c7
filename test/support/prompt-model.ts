import { createHash } from "node:crypto";
import { z } from "zod";

/** The actions that it answers. The prompt decides which one. */
const ACTIONS = [
  { noop: {} },
  { read_artifact: { artifact_id: "handbook_actions" } },
  { invoke_artifact: { artifact_id: "genesis_ledger", method: "get_balance", args: ["alpha"] } },
  { write_artifact: { artifact_id: "nobody_can_say", content: "whose it is" } },
] as const;

/** What the shipped workflows ask for besides actions. */
const WORDS = {
  working: "reading",
  not_working: "writing",
  verdict: "keep",
  goal: "to last",
  strategy: "to read",
  first_step: "read the handbook",
  assessment: "all is well",
  strategic_goal: "to last",
  next_subgoal: "to read",
  lesson: "writing fails",
  next_step: "read the handbook",
  uses: [],
} as const;

const asked = z.object({
  messages: z.array(z.object({ content: z.string() })),
  response_format: z.unknown(),
});

/** The settings of a run that asks only this model. */
export const PROMPT_MODEL_SETS: readonly string[] = [
  "llm.default_model=openai-compatible/tiny",
  "llm.providers.openai-compatible.base_url=http://127.0.0.1:4000/v1",
  "llm.providers.openai-compatible.requests_per_minute=null",
  "llm.pricing={tiny: {input: 1, output: 2}}",
  "budget.max_api_cost_usd=100",
];

/**
 * A model with the wire format of OpenAI that always gives the same answer to the same prompt, so
 * that runs with models are repeatable without a recording.
 */
export const promptModel: typeof globalThis.fetch = (_url, init) => {
  const { messages, response_format } = asked.parse(JSON.parse(String(init?.body)));
  const text = messages.map(({ content }) => content).join("\n");
  const form = JSON.stringify(response_format ?? "");
  const [roll = 0, other = 0] = createHash("sha256").update(text).digest();
  const action = ACTIONS[roll % ACTIONS.length];
  const sleep = other % 5 === 0 ? { sleep: { for_s: 2 } } : {};
  const fields = Object.entries(WORDS).filter(([name]) => form.includes(`"${name}"`));
  const thought = { thought_process: `I rolled ${roll}.`, reasoning: "so I do", action, ...sleep };
  const reply = fields.length === 0 ? thought : Object.fromEntries(fields);
  const answer = {
    choices: [{ message: { content: JSON.stringify(reply) }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1_000 + roll, completion_tokens: 50 },
  };
  return Promise.resolve(
    new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } }),
  );
};
