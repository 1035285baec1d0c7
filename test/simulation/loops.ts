import type { Dice } from "../../src/kernel/core/dice.ts";
import type { Agent, Json, Patch, State, Wake } from "../../src/kernel/index.ts";
import type { Request } from "../../src/world/core/request.ts";

/** Any agent, including agents spawned during the run. */
export const randomAgent = (dice: Dice, state: State): Agent => {
  const agents = [...state.agents.rows()].sort((a, b) => a.order - b.order);
  const chosen = dice.choose(agents);
  if (chosen === undefined) throw new Error("the world has no agents");
  return chosen;
};

/** A patch of a mind's memory: of all of it, of one key, or empty. */
const randomPatch = (turn: number): Patch => {
  if (turn < 3) return { to: turn };
  return turn < 5 ? { in: {} } : { in: { [`${turn}`]: { to: [turn] } }, without: [`${turn - 1}`] };
};

type Moment = {
  readonly at: number;
  readonly action: Json;
  /** The number of the last proposal. */
  readonly proposals: number;
};

/**
 * A request of an agent's loop, in or out of order: late decisions, sleeps, failures, missing
 * budget and reviews.
 */
export const loopRequest = (dice: Dice, agent: Agent, moment: Moment): Request => {
  if (dice.chance(0.25)) return reviewRequest(dice, agent, moment);
  if (agent.state === "frozen" && dice.chance(0.3)) {
    return { kind: "declare_bankrupt", at_ms: moment.at, agent: agent.id };
  }
  const { at: at_ms, action } = moment;
  const about = { at_ms, agent: agent.id } as const;
  const epoch = agent.epoch - (dice.chance(0.1) ? 1 : 0);
  const usage = {
    calls: 1,
    input_tokens: dice.pick(20),
    output_tokens: dice.pick(20),
    cost_micros: dice.pick(40),
    api_cost_micros: 0,
  };
  const kind = dice.pick(100);
  if (agent.pending !== null && kind < 70) {
    return { kind: "execute_decision", at_ms, principal: agent.id };
  }
  if (agent.state !== "running" && agent.state !== "stopped" && kind < 40) {
    return { kind: "change_agent_state", ...about, ...UP, due_at_ms: at_ms };
  }
  if (kind < 70) {
    const mind = randomPatch(dice.pick(9));
    const thought = { reasoning: "chance", mind, usage, think_ms: dice.pick(90) };
    const sleep = dice.chance(0.6) ? { for_ms: dice.pick(20_000), until: wakes(dice) } : null;
    return { kind: "complete_thought", ...about, action, ...thought, sleep, epoch };
  }
  if (kind < 76) {
    const why = { reason: "llm_error", message: "chance" } as const;
    return { kind: "fail_thought", ...about, ...why, usage, epoch };
  }
  if (kind < 82) {
    // Half of the frozen agents need so little that a gift is often enough.
    const needs_micros = 100 + dice.pick(dice.chance(0.5) ? 300 : 1_500);
    return { kind: "freeze_agent", ...about, needs_micros };
  }
  if (kind < 85) {
    // Most agents of these worlds have a quota of 40.
    const amount = dice.chance(0.5) ? dice.pick(70) : 36 + dice.pick(5);
    return { kind: "limit_agent", ...about, resource: "actions", amount };
  }
  if (kind < 96) return { kind: "declare_bankrupt", ...about };
  return { kind: "change_agent_state", ...about, to: "paused", reason: "chance", due_at_ms: null };
};

/** A request of a review, in or out of order, or other contacts. */
const reviewRequest = (
  dice: Dice,
  agent: Agent,
  { at: at_ms, action, proposals }: Moment,
): Request => {
  if (dice.chance(0.02)) {
    return { kind: "set_contacts", at_ms, agent: agent.id, contacts: null };
  }
  if (dice.chance(0.1)) {
    const review = dice.choose(["off", "actions", { spending_above: dice.pick(9) }] as const);
    const terms = { review: review ?? null, review_default: null };
    return { kind: "set_review", at_ms, agent: agent.id, ...terms };
  }
  if (agent.pending !== null) {
    const answer_after_ms = dice.pick(900);
    return { kind: "propose_action", at_ms, agent: agent.id, answer_after_ms };
  }
  const proposal = Math.max(1, proposals - dice.pick(3));
  const decision = dice.choose([
    { kind: "accept" },
    { kind: "edit", action },
    { kind: "feedback", text: "chance" },
  ] as const);
  return {
    kind: "decide_proposal",
    ...{ at_ms, proposal, decided_by: "reviewer" },
    decision: decision ?? { kind: "accept" },
  };
};

const UP = { to: "running", reason: "chance" } as const;

const wakes = (dice: Dice): readonly Wake[] =>
  Array.from({ length: dice.pick(3) }, () => dice.choose(WAKES)?.(dice.pick(400)) ?? ROOM);

const ROOM: Wake = { resource: "cpu_gas", available: 9_990_000 };
const WAKES: readonly ((sum: number) => Wake)[] = [
  (sum) => ({ scrip_at_least: sum }),
  (sum) => ({ llm_budget_at_least: sum * 5 }),
  () => ROOM,
  () => ({ event: "artifact_invoked" }),
  () => ({ event: "scrip_transferred" }),
  () => ({ event: "ownership_offered" }),
  () => ({ event: "ownership_transferred" }),
];

/** An id for a child, sometimes an invalid one. */
export const childName = (dice: Dice, anyId: () => Json): Json => {
  if (dice.chance(0.3)) return null;
  if (dice.chance(0.15)) return `${String(anyId())}_working_memory`;
  return dice.chance(0.1) ? anyId() : `kid${dice.pick(60)}`;
};
