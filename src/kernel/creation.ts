import { PRIVATE, SELF_OWNED } from "./access.ts";
import { NO_QUOTAS } from "./account.ts";
import { isAmountOrZero, overflows } from "./amount.ts";
import { type Artifact, sizeOf } from "./artifact.ts";
import type { Endowment, WorldCommand } from "./command.ts";
import { accept, type Decision, type Refused, refuse } from "./decision.ts";
import type { Event, EventOf, WrittenFields } from "./event.ts";
import { withFields } from "./evolve-artifact.ts";
import { asId, ID_RULE, type Id, isReserved, parseId } from "./ids.ts";
import { blankArtifact, physicsOf, type State, wholeOf } from "./state.ts";

type Of<K extends WorldCommand["kind"]> = Extract<WorldCommand, { readonly kind: K }>;

export const decideCreateWorld = (state: State, command: Of<"create_world">): Decision => {
  if (state.whole.has("world")) return refuse("already_exists", "a world is created once");
  const { at_ms, physics } = command;
  return accept([{ at_ms, principal: null, kind: "world_created", physics }], null);
};

type Birth = {
  readonly at: number;
  readonly principal: Id | null;
  readonly id: Id;
  readonly owner: Id;
  readonly fields: WrittenFields;
};

/** The first version of an artifact that the world itself puts there. */
const written = (state: State, birth: Birth): EventOf<"artifact_written"> => {
  const { at, id, owner, fields } = birth;
  const row: Artifact = withFields(
    blankArtifact(wholeOf(state), { id, owner, by: owner, at }),
    fields,
  );
  return {
    at_ms: at,
    principal: birth.principal,
    kind: "artifact_written",
    artifact_id: id,
    by: owner,
    owner,
    created: true,
    version: 1,
    size_bytes: sizeOf(row),
    fields,
  };
};

/** id free → its owner is there → whoever asks a price can be paid. */
export const decideInstall = (state: State, command: Of<"install_artifact">): Decision => {
  const { id, at_ms: at, owner, fields } = command;
  if (state.artifacts.has(id)) return refuse("already_exists", `${id} exists`);
  const stands = fields.has_standing === true;
  if (owner !== id && !state.accounts.has(owner)) {
    return refuse("not_found", `"${owner}" is no principal, and only principals own`);
  }
  const paysNobody = owner === id && !stands;
  if (paysNobody && (fields.price ?? 0) + (fields.read_price ?? 0) > 0) {
    return refuse("invalid_argument", `${id} asks a price and its owner has no account`);
  }
  const artifact = written(state, { at, principal: null, id, owner, fields });
  if (!stands) return accept([artifact], null);
  const account: Event = {
    at_ms: at,
    principal: null,
    kind: "principal_created",
    id,
    scrip: 0,
    llm_budget_micros: 0,
    disk_quota: owner === id ? artifact.size_bytes : 0,
    quotas: NO_QUOTAS,
    parent: null,
  };
  return accept([account, artifact], null);
};

/**
 * An agent of the first day: its account, its own artifact, its memory, its loop. The ids are well
 * formed and nobody's → there is room for a principal → the endowment can be counted.
 */
export const decideCreateAgent = (state: State, command: Of<"create_agent">): Decision => {
  const { id, at_ms: at, endowment } = command;
  const memory = asId(`${id}_memory`);
  const { principals_max } = physicsOf(state).agents;
  if (parseId(memory) === null) return refuse("invalid_argument", `"${memory}": ${ID_RULE}`);
  if (isReserved(id)) return refuse("not_authorized", `"${id}" begins with a reserved word`);
  const taken = [id, memory].find((name) => state.artifacts.has(name));
  if (taken !== undefined) return refuse("already_exists", `"${taken}" exists`);
  if (state.accounts.size >= principals_max) {
    return refuse("quota_exceeded", `the world has its ${principals_max} principals already`);
  }
  const uncountable = endowmentProblem(state, endowment);
  if (uncountable !== null) return uncountable;
  const agent = written(state, {
    at,
    principal: id,
    id,
    owner: id,
    fields: {
      type: "agent",
      content: command.content,
      access: SELF_OWNED,
      has_standing: true,
      can_execute: true,
      memory_artifact_id: memory,
    },
  });
  const fields = { type: "memory", content: command.memory, access: PRIVATE };
  const notes = written(state, { at, principal: id, id: memory, owner: id, fields });
  const own_bytes = agent.size_bytes + notes.size_bytes;
  if (overflows(endowment.disk_bytes, own_bytes)) {
    return refuse(
      "invalid_argument",
      `${endowment.disk_bytes} bytes of disk are too many to count`,
    );
  }
  const account: Event = {
    at_ms: at,
    principal: id,
    kind: "principal_created",
    id,
    scrip: endowment.scrip,
    llm_budget_micros: endowment.llm_budget_micros,
    disk_quota: endowment.disk_bytes + own_bytes,
    quotas: endowment.quotas,
    parent: null,
  };
  const loop: Event = {
    at_ms: at,
    principal: id,
    kind: "agent_created",
    id,
    memory_artifact_id: memory,
    order: wholeOf(state).agentsMade,
    due_at_ms: command.starts_at_ms,
  };
  return accept([account, agent, notes, loop], null);
};

/** All the scrip there is must be countable, so that no account can ever hold too much to count. */
const endowmentProblem = (state: State, endowment: Endowment): Refused | null => {
  const { scrip, llm_budget_micros, disk_bytes, quotas } = endowment;
  for (const [name, value] of Object.entries({ scrip, llm_budget_micros, disk_bytes, ...quotas })) {
    if (isAmountOrZero(value)) continue;
    return refuse("invalid_argument", `${name} must be a whole number, 0 or more, not ${value}`);
  }
  const { endowed, minted } = wholeOf(state).supply;
  return overflows(endowed + minted, scrip)
    ? refuse("invalid_argument", `with ${scrip} more there would be too much scrip to count`)
    : null;
};
