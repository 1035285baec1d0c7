import { QUOTA_NAMES } from "./account.ts";
import { crowded, emptyAccount, type Newborn, nameProblem, newborn } from "./birth.ts";
import { accept, type Decision, type Refused, refuse } from "./decision.ts";
import type { Event } from "./event.ts";
import type { Evidence } from "./evidence.ts";
import type { Id } from "./ids.ts";
import type { JsonObject } from "./json.ts";
import { chainProblem } from "./owner-chain.ts";
import { type Payment, paid, unaffordable } from "./payment.ts";
import { unusedQuota } from "./quota.ts";
import { planSpawn, type SpawnPlan } from "./spawn-plan.ts";
import { liveArtifact, physicsOf, type State } from "./state.ts";
import { fundsOf, type Subject, stamp } from "./subject.ts";
import { diskFull } from "./write.ts";

export type Spawning = Evidence & {
  readonly by: Subject;
  /** As given: what `planSpawn` reads. */
  readonly fields: JsonObject;
  /** What asking costs, to be affordable beside what the child is given. */
  readonly fees: readonly Payment[];
};

/**
 * A new agent that has nothing but what its parent, the actor, gives it of its own: standing → the
 * request → name free → room for a principal → chain of owners → enough to live on → the parent's
 * means → a configuration → room for its artifacts → a valid configuration, which the world says.
 */
export const decideSpawn = (state: State, spawning: Spawning): Decision => {
  const { by, fields, fees, agent_check } = spawning;
  if (!state.accounts.has(by.actor)) {
    return refuse("not_authorized", `${by.actor} has no standing; only principals have children`);
  }
  const planned = planSpawn(state, by.actor, fields);
  if (planned.kind !== "accepted") return planned;
  const plan = planned.answer;
  const dowry = dowryOf(state, by, plan);
  const refused =
    nameProblem(state, plan.id) ??
    crowded(state) ??
    // The child will own its memory, so one link more must fit below it.
    (plan.ownsItself ? null : chainProblem(state, by.actor, { below: 1 })) ??
    tooLittle(state, plan) ??
    unaffordable(state, by, [...fees, dowry]) ??
    beyondMeans(state, by, plan);
  if (refused !== null) return refused;
  const content = plan.config ?? configOf(state, by.actor);
  if (content === null) {
    const cure = 'name a config, such as {"mind": "policy/explorer"}';
    return refuse("missing_argument", `${by.actor} is no agent that could be copied; ${cure}`);
  }
  const born = bear(state, by, { plan, content });
  const cramped = noRoom(state, by, { plan, born });
  if (cramped !== null) return cramped;
  if (agent_check === undefined)
    return { kind: "asks", question: { kind: "agent_check", content } };
  if (agent_check.problem !== null) {
    return refuse("invalid_argument", `config is not that of an agent: ${agent_check.problem}`);
  }
  const given = [...paid(by, [dowry]), ...gifts(by, plan)];
  // Its parent is whoever it is carved from: no other family grows by it.
  const account = emptyAccount(stamp(by), plan.id, by.actor);
  const events = [account, ...given, born.agent, born.memory, born.loop];
  return accept(events, {
    id: plan.id,
    owner: born.agent.owner,
    memory_artifact_id: born.memory.artifact_id,
    scrip: plan.scrip,
    llm_budget_micros: plan.micros,
    quotas: plan.quotas,
    starts_at_ms: born.loop.due_at_ms,
  });
};

const bear = (
  state: State,
  by: Subject,
  { plan, content }: { readonly plan: SpawnPlan; readonly content: string },
): Newborn =>
  newborn(state, {
    at: by.atMs,
    principal: by.origin,
    by: by.actor,
    id: plan.id,
    owner: plan.ownsItself ? plan.id : by.actor,
    content,
    memory: "[]",
    startsAt: by.atMs + physicsOf(state).agents.min_delay_ms,
  });

/** An agent's own configuration, to be copied; null for what is no agent. */
const configOf = (state: State, parent: Id): string | null => {
  const artifact = liveArtifact(state, parent);
  return artifact?.canExecute === true ? artifact.content : null;
};

const tooLittle = (state: State, { quotas }: SpawnPlan): Refused | null => {
  const { actions, disk_bytes } = physicsOf(state).agents.spawn_minimum;
  if (quotas.actions >= actions && quotas.disk >= disk_bytes) return null;
  const enough = `at least ${actions} actions and ${disk_bytes} disk_bytes`;
  return refuse(
    "invalid_argument",
    `a child needs ${enough}, not ${quotas.actions} and ${quotas.disk}`,
    { required: { actions, disk_bytes } },
  );
};

/** Model budget, disk and window quota that the parent does not have, or is using itself. */
const beyondMeans = (state: State, by: Subject, plan: SpawnPlan): Refused | null => {
  const micros = state.accounts.get(by.actor)?.llmBudgetMicros ?? 0;
  if (plan.micros > micros) {
    return refuse(
      "insufficient_funds",
      `${by.actor} has ${micros} micro-dollars of llm_budget, not ${plan.micros}`,
      { required: plan.micros, available: micros },
    );
  }
  for (const name of QUOTA_NAMES) {
    const required = plan.quotas[name];
    const available = unusedQuota(state, by.actor, { name, now: by.atMs });
    if (required <= available) continue;
    return refuse(
      name === "disk" ? "insufficient_disk" : "quota_exceeded",
      `${by.actor} has ${available} of ${name} that is not in use, not ${required}`,
      { required, available },
    );
  }
  return null;
};

/** The child's disk holds its memory, and its own artifact where that is its own. */
const noRoom = (
  state: State,
  by: Subject,
  { plan, born }: { readonly plan: SpawnPlan; readonly born: Newborn },
): Refused | null => {
  const { agent, memory } = born;
  const required = memory.size_bytes + (plan.ownsItself ? agent.size_bytes : 0);
  if (required > plan.quotas.disk) {
    return refuse(
      "insufficient_disk",
      `${plan.id} begins with ${required} bytes, more than its disk_bytes ${plan.quotas.disk}`,
      { required, available: plan.quotas.disk },
    );
  }
  if (plan.ownsItself) return null;
  return diskFull(state, by.actor, { adds: agent.size_bytes + plan.quotas.disk, what: plan.id });
};

const dowryOf = (state: State, by: Subject, { id, scrip }: SpawnPlan): Payment => ({
  from: fundsOf(state, by),
  to: id,
  amount: scrip,
  reason: "spawn",
});

const gifts = (by: Subject, { id, micros, quotas }: SpawnPlan): readonly Event[] => {
  const about = { ...stamp(by), from: by.actor, to: id };
  const budget: Event = { ...about, kind: "budget_transferred", micros };
  const moved = QUOTA_NAMES.map(
    (resource): Event => ({
      ...about,
      kind: "quota_transferred",
      resource,
      amount: quotas[resource],
    }),
  );
  return [
    ...(micros > 0 ? [budget] : []),
    ...moved.filter((event) => event.kind === "quota_transferred" && event.amount > 0),
  ];
};
