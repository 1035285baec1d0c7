import type { Dice } from "../../../src/kernel/core/dice.ts";
import type { Json } from "../../../src/kernel/index.ts";
import { OWN_AGENTS, uninformedAction } from "./uninformed-action.ts";

/** The agents of a world: shipped agents by name, and generated ones with their `agent.yaml`. */
export type AgentSet = {
  readonly shipped: readonly string[];
  readonly shippedLlm: readonly string[];
  readonly own: Readonly<Record<string, Json>>;
};

const SHIPPED = "ada boole cora dov emmy fermi grace hana ivo jun zed".split(" ");
const SHIPPED_LLM = ["alpha", "alpha_2", "beta", "beta_2", "delta", "gamma"];

/** Draws three to six agents of all kinds. */
export const drawAgents = (dice: Dice): AgentSet => {
  const shipped = new Set<string>();
  const shippedLlm = new Set<string>();
  const own: { [id: string]: Json } = {};
  const count = 3 + dice.pick(4);
  for (let n = 0; n < count; n++) {
    const kind = dice.next();
    if (kind < 0.3) shipped.add(dice.choose(SHIPPED) ?? "ada");
    else if (kind < 0.45) shippedLlm.add(dice.choose(SHIPPED_LLM) ?? "alpha");
    else own[OWN_AGENTS[n] ?? "p9"] = kind < 0.7 ? scriptAgent(dice) : modelAgent(dice);
  }
  return { shipped: [...shipped], shippedLlm: [...shippedLlm], own };
};

const scriptAgent = (dice: Dice): Json => ({
  mind: "script",
  // Every script ends with an action that always succeeds.
  script: [...Array.from({ length: 4 + dice.pick(16) }, () => entry(dice)), { noop: {} }],
  script_loop: dice.chance(0.85),
});

const entry = (dice: Dice): Json => {
  const kind = dice.next();
  if (kind < 0.05) return { wait: dice.pick(3_000) / 1_000 };
  if (kind < 0.08) return { sleep: { for_s: dice.pick(2_000) / 1_000 + 0.001 } };
  if (kind < 0.12) return { repeat: 1 + dice.pick(3), do: [uninformedAction(dice)] };
  if (kind < 0.16) return { if_last: "failed", do: [uninformedAction(dice)] };
  return uninformedAction(dice);
};

const modelAgent = (dice: Dice): Json => ({
  rag: { enabled: dice.chance(0.7), limit: dice.pick(6) },
  working_memory: { enabled: dice.chance(0.5), include_in_rag: dice.chance(0.5) },
  ...(dice.chance(0.3) ? { workflow: workflow(dice) } : { mind: "llm" }),
  ...(dice.chance(0.3) ? { cognitive_schema: "ooda" } : {}),
  ...(dice.chance(0.2) ? { prompt: { budget_tokens: 400 + dice.pick(4_000) } } : {}),
});

/** A workflow with two states, counters, and steps whose results persist. */
const workflow = (dice: Dice): Json => ({
  states: ["idle", "busy"],
  transitions: ["idle -> busy", "busy -> idle"],
  max_model_calls: 2 + dice.pick(4),
  error_handling: { on_step_failure: dice.chance(0.5) ? "continue" : "abort" },
  steps: [
    { name: "counted", type: "code", run: "count", with: { counter: "turns" } },
    { name: "metrics", type: "code", run: "compute_metrics" },
    {
      name: "plan",
      type: "llm",
      prompt: "Plan. Before: {plan.goal}. State: {state}.",
      schema: { goal: "string", mood: ["glad", "sad"], weight: "number" },
      persist: true,
      max_retries: dice.pick(3),
    },
    { name: "doubled", type: "code", expression: "counters.turns * 2", persist: true },
    { name: "turn", type: "transition", in_state: "idle", to: "busy", if: "counters.turns > 2" },
    { name: "back", type: "transition", on: "plan.mood", map: { glad: "idle", "*": "busy" } },
    { name: "decide", type: "llm", prompt: "Act on {plan.goal}, {doubled}." },
  ],
});

/** An agent that gives each recipient model budget, so that it can think again. */
export const donor = (recipients: readonly string[]): Json => ({
  mind: "script",
  script: [
    { noop: {} },
    ...recipients.map((id) => {
      const call = { artifact_id: "genesis_ledger", method: "transfer_budget" };
      return { invoke_artifact: { ...call, args: [id, GIFT_MICROS] } };
    }),
  ],
});

const GIFT_MICROS = 1_000_000;
