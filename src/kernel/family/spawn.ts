import type { ActionDecision, ActionEvent, ActionTables } from "../action/events.ts";
import { type AgentEvents, reviewSet } from "../agent/events.ts";
import { nameRefusal } from "../agent/memory.ts";
import { ownerChainRefusal } from "../artifact/owners.ts";
import { liveArtifact } from "../artifact/tables.ts";
import { accept, type Decision, type Evidence, type Refused, refuse } from "../core/decision.ts";
import type { EventIn } from "../core/event.ts";
import { ID_RULE, type Id, parseId } from "../core/ids.ts";
import { canonical, isObject, type Json, type JsonObject, jsonProblem } from "../core/json.ts";
import { AMOUNT_RULE, isAmountOrZero } from "../core/money.ts";
import { perResource, RESOURCES, type Resource } from "../core/physics.ts";
import { physicsOf } from "../core/world.ts";
import { QUOTA_NAMES, type QuotaName } from "../ledger/account.ts";
import {
  budgetRefusal,
  emptyAccount,
  type Payment,
  paymentEvents,
  paymentRefusal,
} from "../ledger/payment.ts";
import { diskRefusal, principalLimitRefusal, unusedQuota } from "../ledger/quota.ts";
import { fundsOf, type Subject, stamp } from "../ledger/subject.ts";
import { type NewAgent, newAgent } from "./new-agent.ts";

export type SpawnRequest = Evidence & {
  readonly by: Subject;
  /** Unvalidated fields, which `planSpawn` parses. */
  readonly fields: JsonObject;
};

type Spawning = SpawnRequest & {
  /** Costs of the request. The actor must be able to pay them together with the endowment. */
  readonly fees: readonly Payment[];
};

/**
 * Spawns an agent with an endowment from its parent, the actor. Checks, in this order: standing,
 * the request, the name, the number of principals, the chain of owners, the minimum endowment, the
 * parent's means, that a configuration is given, the child's disk, the configuration.
 */
export const decideSpawn = (state: ActionTables, spawning: Spawning): ActionDecision => {
  const { by, fields, fees, agent_check } = spawning;
  if (!state.accounts.has(by.actor)) {
    return refuse("not_authorized", `${by.actor} has no standing; only principals can spawn`);
  }
  const planned = planSpawn(state, by.actor, fields);
  if (planned.kind !== "accepted") return planned;
  const plan = planned.answer;
  const { id: to, scrip: amount } = plan;
  const endowment: Payment = { from: fundsOf(state, by), to, amount, reason: "spawn" };
  const refused =
    nameRefusal(state, plan.id) ??
    principalLimitRefusal(state) ??
    // `below` is 1 because the child will own its memory, which adds one link to the chain.
    (plan.ownsItself ? null : ownerChainRefusal(state, by.actor, null, 1)) ??
    quotaRefusal(state, plan) ??
    paymentRefusal(state, by, [...fees, endowment]) ??
    meansRefusal(state, by, plan);
  if (refused !== null) return refused;
  const parent = liveArtifact(state, by.actor);
  const content = plan.config ?? (parent?.canExecute === true ? parent.content : null);
  if (content === null) {
    const cure = 'give a config, such as {"mind": "policy/explorer"}';
    const message = `${by.actor} is not an agent, so its configuration cannot be copied; ${cure}`;
    return refuse("missing_argument", message);
  }
  const child = childOf(state, by, plan, content);
  const full = diskProblem(state, by.actor, plan, child);
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

const childOf = (state: ActionTables, by: Subject, plan: SpawnPlan, content: string): NewAgent => {
  const parent = state.agents.get(by.actor);
  const limits = limitedBy(state, by).map((id) => state.agents.get(id)?.contacts ?? null);
  const contacts = limits.find((each) => each !== null) ?? null;
  return newAgent(state, {
    when: stamp(by),
    by: by.actor,
    id: plan.id,
    owner: plan.ownsItself ? plan.id : by.actor,
    content,
    memory: "[]",
    workspace: null,
    // A child has no private values: only the operator sets them.
    terms: { group: parent?.group ?? null, ...(contacts === null ? {} : { contacts }) },
    startsAt: by.atMs + physicsOf(state).agents.min_delay_ms,
  });
};

const quotaRefusal = (state: ActionTables, { quotas }: SpawnPlan): Refused | null => {
  const { actions, disk_bytes } = physicsOf(state).agents.spawn_minimum;
  if (quotas.actions >= actions && quotas.disk >= disk_bytes) return null;
  const enough = `at least ${actions} actions and ${disk_bytes} disk_bytes`;
  const message = `a child needs ${enough}, not ${quotas.actions} and ${quotas.disk}`;
  return refuse("invalid_argument", message, { required: { actions, disk_bytes } });
};

/** Refuses if the parent has too little model budget or too little unused quota. */
const meansRefusal = (state: ActionTables, by: Subject, plan: SpawnPlan): Refused | null => {
  const poor = budgetRefusal(state, by.actor, plan.micros);
  if (poor !== null) return poor;
  for (const name of QUOTA_NAMES) {
    const required = plan.quotas[name];
    const available = unusedQuota(state, by.actor, name, by.atMs);
    if (required <= available) continue;
    const code = name === "disk" ? "insufficient_disk" : "quota_exceeded";
    const message = `${by.actor} has ${available} of ${name} unused, less than ${required}`;
    return refuse(code, message, { required, available });
  }
  return null;
};

/** Refuses if the child's disk quota, or the disk quota of its owner, is too small. */
const diskProblem = (
  state: ActionTables,
  parent: Id,
  plan: SpawnPlan,
  { agent, memory }: NewAgent,
): Refused | null => {
  const required = memory.size_bytes + (plan.ownsItself ? agent.size_bytes : 0);
  const available = plan.quotas.disk;
  if (required > available) {
    const message = `${plan.id} starts with ${required} bytes, more than its disk_bytes`;
    return refuse("insufficient_disk", `${message} ${available}`, { required, available });
  }
  if (plan.ownsItself) return null;
  return diskRefusal(state, parent, agent.size_bytes + available, plan.id);
};

const givenEvents = (by: Subject, { id, micros, quotas }: SpawnPlan): readonly ActionEvent[] => {
  const about = { ...stamp(by), from: by.actor, to: id };
  const budget: ActionEvent = { ...about, kind: "budget_transferred", micros };
  const moved = QUOTA_NAMES.filter((resource) => quotas[resource] > 0).map(
    (resource): ActionEvent => {
      return { ...about, kind: "quota_transferred", resource, amount: quotas[resource] };
    },
  );
  return micros > 0 ? [budget, ...moved] : moved;
};

/**
 * The principals whose limits a spawned agent gets, the nearest first: its parent, the agent that
 * called a program that spawns, and the first of the family.
 */
const limitedBy = (state: ActionTables, by: Subject): readonly Id[] => [
  by.actor,
  by.origin,
  state.families.get(by.actor) ?? by.actor,
];

/** Returns the terms that a spawned agent gets. */
const inheritedReview = (
  state: ActionTables,
  by: Subject,
  child: Id,
): readonly EventIn<AgentEvents, "review_set">[] => {
  const own = limitedBy(state, by).map((id) => state.reviewed.get(id));
  const terms = own.find((each) => each !== undefined);
  return terms === undefined ? [] : [reviewSet(stamp(by), child, terms)];
};

type SpawnPlan = {
  readonly id: Id;
  /** Configuration as JSON text, or null to copy the parent's configuration. */
  readonly config: string | null;
  readonly scrip: number;
  readonly micros: number;
  readonly quotas: { readonly [Q in QuotaName]: number };
  readonly ownsItself: boolean;
};

export const ENDOWMENT_NAMES = ["llm_budget_micros", "disk_bytes", ...RESOURCES] as const;
const FIELDS: readonly string[] = ["id", "config", "scrip", ...ENDOWMENT_NAMES, "quotas", "owner"];
const SHAPE =
  `a child has ${FIELDS.join(", ")}, as in {"id": "kid", "config": {"mind": "policy/worker"}, ` +
  '"scrip": 20, "disk_bytes": 20000, "actions": 20, "cpu_gas": 100000}';

/**
 * Parses a request. Checks, in this order: the fields, the id, the amounts, the owner, the config.
 * The request has each window quota as a field or in the object `quotas`, not in both. Actions and
 * disk default to the required minimum. Other amounts default to 0.
 */
const planSpawn = (state: ActionTables, parent: Id, fields: JsonObject): Decision<SpawnPlan> => {
  const read = quotasIn(fields);
  if (read.kind !== "accepted") return read;
  const quotas = read.answer;
  const id = idOf(state, parent, fields.id ?? null);
  if (id.kind !== "accepted") return id;
  const { spawn_minimum: least } = physicsOf(state).agents;
  const sums = sumsOf({
    scrip: fields.scrip,
    llm_budget_micros: fields.llm_budget_micros,
    ...quotas,
    actions: quotas.actions ?? least.actions,
    disk_bytes: fields.disk_bytes ?? least.disk_bytes,
  });
  if (sums.kind !== "accepted") return sums;
  const owner = fields.owner ?? "parent";
  if (owner !== "parent" && owner !== "self") {
    return refuse("invalid_argument", 'owner must be "self" or "parent"; the default is "parent"');
  }
  const config = configText(state, fields.config ?? null);
  if (config.kind !== "accepted") return config;
  const given = (name: string): number => sums.answer[name] ?? 0;
  return accept([], {
    id: id.answer,
    config: config.answer,
    scrip: given("scrip"),
    micros: given("llm_budget_micros"),
    quotas: { ...perResource(given), disk: given("disk_bytes") },
    ownsItself: owner === "self",
  });
};

const quotasIn = (fields: JsonObject): Decision<{ readonly [R in Resource]?: Json }> => {
  const nested = fields.quotas ?? {};
  if (!isObject(nested)) return refuse("invalid_argument", `quotas must be an object; ${SHAPE}`);
  const unknown =
    Object.keys(fields).find((key) => !FIELDS.includes(key)) ??
    Object.keys(nested).find((key) => !RESOURCES.some((name) => name === key));
  if (unknown !== undefined) return refuse("invalid_argument", `"${unknown}" is unknown; ${SHAPE}`);
  const twice = RESOURCES.find((name) => name in nested && name in fields);
  if (twice !== undefined) {
    return refuse("invalid_argument", `${twice} is in quotas and at the top level; keep one`);
  }
  const asked = RESOURCES.flatMap((name) => {
    const value = nested[name] ?? fields[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return accept([], Object.fromEntries(asked));
};

const sumsOf = (given: {
  readonly [name: string]: Json | undefined;
}): Decision<{ readonly [name: string]: number }> => {
  const sums: Record<string, number> = {};
  for (const [name, value] of Object.entries(given)) {
    const sum = value ?? 0;
    if (!isAmountOrZero(sum)) {
      return refuse("invalid_argument", `${name} must be 0 or an amount: ${AMOUNT_RULE}`);
    }
    sums[name] = sum;
  }
  return accept([], sums);
};

const idOf = (state: ActionTables, parent: Id, given: Json): Decision<Id> => {
  if (given !== null) {
    const id = parseId(given);
    return id === null ? refuse("invalid_argument", `id: ${ID_RULE}`) : accept([], id);
  }
  for (let n = 1; n <= 1_000; n++) {
    const id = parseId(`${parent}_child_${n}`);
    if (id !== null && nameRefusal(state, id) === null) return accept([], id);
  }
  const message = `all default names for a child of ${parent} are taken; give an id`;
  return refuse("missing_argument", message);
};

const configText = (state: ActionTables, given: Json): Decision<string | null> => {
  if (given === null || typeof given === "string") return accept([], given);
  if (!isObject(given)) {
    return refuse("invalid_argument", "config must be an object, or its JSON text");
  }
  const problem = jsonProblem(given, physicsOf(state).artifacts.json_depth_max);
  return problem === null
    ? accept([], canonical(given))
    : refuse("invalid_argument", `config is not plain data: ${problem}`);
};
