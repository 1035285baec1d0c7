import {
  emptyAccount,
  type NewAgent,
  nameRefusal,
  newAgent,
  principalLimitRefusal,
} from "../agent/new-agent.ts";
import { inheritedReview, limitedBy } from "../agent/review-terms.ts";
import { ownerChainRefusal } from "../artifact/owner-chain.ts";
import { diskRefusal } from "../artifact/write.ts";
import { accept, type Decision, type Refused, refuse, type SpawnRequest } from "../command.ts";
import type { Event } from "../event.ts";
import { fundsOf, type Subject, stamp } from "../invocation/subject.ts";
import { QUOTA_NAMES } from "../ledger/account.ts";
import { budgetRefusal, type Payment, paymentEvents, paymentRefusal } from "../ledger/payment.ts";
import { unusedQuota } from "../ledger/quota.ts";
import type { Id } from "../primitives/ids.ts";
import { liveArtifact, physicsOf, type State } from "../state.ts";
import { planSpawn, type SpawnPlan } from "./spawn-plan.ts";

export type Spawning = SpawnRequest & {
  /** Costs of the request. The actor must be able to pay them together with the endowment. */
  readonly fees: readonly Payment[];
};

/**
 * Spawns an agent with an endowment from its parent, the actor. Checks, in this order: standing,
 * the request, the name, the number of principals, the chain of owners, the minimum endowment, the
 * parent's means, that a configuration is given, the child's disk, the configuration.
 */
export const decideSpawn = (state: State, spawning: Spawning): Decision => {
  const { by, fields, fees, agent_check } = spawning;
  if (!state.accounts.has(by.actor)) {
    return refuse("not_authorized", `${by.actor} has no standing; only principals can spawn`);
  }
  const planned = planSpawn(state, by.actor, fields);
  if (planned.kind !== "accepted") return planned;
  const plan = planned.answer;
  const endowment = endowmentOf(state, by, plan);
  const refused =
    nameRefusal(state, plan.id) ??
    principalLimitRefusal(state) ??
    // `below` is 1 because the child will own its memory, which adds one link to the chain.
    (plan.ownsItself ? null : ownerChainRefusal(state, by.actor, { below: 1 })) ??
    quotaRefusal(state, plan) ??
    paymentRefusal(state, by, [...fees, endowment]) ??
    meansRefusal(state, by, plan);
  if (refused !== null) return refused;
  const content = plan.config ?? configOf(state, by.actor);
  if (content === null) {
    const cure = 'give a config, such as {"mind": "policy/explorer"}';
    const message = `${by.actor} is not an agent, so its configuration cannot be copied; ${cure}`;
    return refuse("missing_argument", message);
  }
  const child = childOf(state, by, { plan, content });
  const full = diskProblem(state, by, { plan, child });
  if (full !== null) return full;
  if (agent_check === undefined)
    return { kind: "asks", question: { kind: "agent_check", content } };
  if (agent_check.problem !== null) {
    return refuse("invalid_argument", `config is not valid for an agent: ${agent_check.problem}`);
  }
  const given = [...paymentEvents(by, [endowment]), ...givenEvents(by, plan)];
  // The actor is the parent, even if the origin is another principal.
  const account = emptyAccount(stamp(by), plan.id, by.actor);
  const terms = inheritedReview(state, by, plan.id);
  const events = [account, ...given, child.agent, child.memory, child.loop, ...terms];
  return accept(events, {
    id: plan.id,
    owner: child.agent.owner,
    memory_artifact_id: child.memory.artifact_id,
    scrip: plan.scrip,
    llm_budget_micros: plan.micros,
    quotas: plan.quotas,
    starts_at_ms: child.loop.due_at_ms,
  });
};

const childOf = (
  state: State,
  by: Subject,
  { plan, content }: { readonly plan: SpawnPlan; readonly content: string },
): NewAgent => {
  const parent = state.agents.get(by.actor);
  const limits = limitedBy(state, by).map((id) => state.agents.get(id)?.contacts ?? null);
  return newAgent(state, {
    at: by.atMs,
    principal: by.origin,
    by: by.actor,
    id: plan.id,
    owner: plan.ownsItself ? plan.id : by.actor,
    content,
    memory: "[]",
    workspace: null,
    group: parent?.group ?? null,
    contacts: limits.find((contacts) => contacts !== null) ?? null,
    // A child has no private values: only the operator sets them.
    values: {},
    startsAt: by.atMs + physicsOf(state).agents.min_delay_ms,
  });
};

const configOf = (state: State, parent: Id): string | null => {
  const artifact = liveArtifact(state, parent);
  return artifact?.canExecute === true ? artifact.content : null;
};

const quotaRefusal = (state: State, { quotas }: SpawnPlan): Refused | null => {
  const { actions, disk_bytes } = physicsOf(state).agents.spawn_minimum;
  if (quotas.actions >= actions && quotas.disk >= disk_bytes) return null;
  const enough = `at least ${actions} actions and ${disk_bytes} disk_bytes`;
  const message = `a child needs ${enough}, not ${quotas.actions} and ${quotas.disk}`;
  return refuse("invalid_argument", message, { required: { actions, disk_bytes } });
};

/** Refuses if the parent has too little model budget or too little unused quota. */
const meansRefusal = (state: State, by: Subject, plan: SpawnPlan): Refused | null => {
  const poor = budgetRefusal(state, by.actor, plan.micros);
  if (poor !== null) return poor;
  for (const name of QUOTA_NAMES) {
    const required = plan.quotas[name];
    const available = unusedQuota(state, by.actor, { name, now: by.atMs });
    if (required <= available) continue;
    const code = name === "disk" ? "insufficient_disk" : "quota_exceeded";
    const message = `${by.actor} has ${available} of ${name} unused, less than ${required}`;
    return refuse(code, message, { required, available });
  }
  return null;
};

/** Refuses if the child's disk quota, or the disk quota of its owner, is too small. */
const diskProblem = (
  state: State,
  by: Subject,
  { plan, child }: { readonly plan: SpawnPlan; readonly child: NewAgent },
): Refused | null => {
  const { agent, memory } = child;
  const required = memory.size_bytes + (plan.ownsItself ? agent.size_bytes : 0);
  const available = plan.quotas.disk;
  if (required > available) {
    const message = `${plan.id} starts with ${required} bytes, more than its disk_bytes`;
    return refuse("insufficient_disk", `${message} ${available}`, { required, available });
  }
  if (plan.ownsItself) return null;
  return diskRefusal(state, by.actor, { adds: agent.size_bytes + available, what: plan.id });
};

const endowmentOf = (state: State, by: Subject, { id, scrip }: SpawnPlan): Payment => ({
  from: fundsOf(state, by),
  to: id,
  amount: scrip,
  reason: "spawn",
});

const givenEvents = (by: Subject, { id, micros, quotas }: SpawnPlan): readonly Event[] => {
  const about = { ...stamp(by), from: by.actor, to: id };
  const budget: Event = { ...about, kind: "budget_transferred", micros };
  const moved = QUOTA_NAMES.filter((resource) => quotas[resource] > 0).map(
    (resource): Event => ({
      ...about,
      kind: "quota_transferred",
      resource,
      amount: quotas[resource],
    }),
  );
  return micros > 0 ? [budget, ...moved] : moved;
};
