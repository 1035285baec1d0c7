import { PRIVATE, SELF_OWNED } from "./access.ts";
import { NO_QUOTAS } from "./account.ts";
import { sizeOf } from "./artifact.ts";
import { type Refused, refuse } from "./decision.ts";
import type { Event, EventOf, WrittenFields } from "./event.ts";
import { withFields } from "./evolve-artifact.ts";
import { ID_RULE, type Id, isReserved, parseId } from "./ids.ts";
import { keptFor, keptForOwner, memoryId, memoryIds } from "./memory.ts";
import { blankArtifact, liveArtifact, physicsOf, type State, wholeOf } from "./state.ts";

/** When something comes into the world, who asked for it and who made it. */
type Occasion = { readonly at: number; readonly principal: Id | null; readonly by: Id };

/** The account of what begins with nothing; whoever opens it says who stands before it. */
export const emptyAccount = (
  when: Pick<Event, "at_ms" | "principal">,
  id: Id,
  parent: Id | null,
): EventOf<"principal_created"> => ({
  ...when,
  kind: "principal_created",
  id,
  scrip: 0,
  llm_budget_micros: 0,
  disk_quota: 0,
  quotas: NO_QUOTAS,
  parent,
});

/** The first version of an artifact. */
export const firstVersion = (
  state: State,
  occasion: Occasion,
  made: { readonly id: Id; readonly owner: Id; readonly fields: WrittenFields },
): EventOf<"artifact_written"> => {
  const { at, principal, by } = occasion;
  const { id, owner, fields } = made;
  const row = withFields(blankArtifact(wholeOf(state), { id, owner, by, at }), fields, by);
  return {
    at_ms: at,
    principal,
    kind: "artifact_written",
    artifact_id: id,
    by,
    owner,
    created: true,
    version: 1,
    size_bytes: sizeOf(row),
    fields,
  };
};

/** An agent to be, of the first day or spawned. Its account is opened before it. */
type AgentBirth = Occasion & {
  readonly id: Id;
  readonly owner: Id;
  /** Its configuration as JSON text. */
  readonly content: string;
  readonly memory: string;
  readonly startsAt: number;
};

export type Newborn = {
  readonly agent: EventOf<"artifact_written">;
  readonly memory: EventOf<"artifact_written">;
  readonly loop: EventOf<"agent_created">;
};

/** What an agent is made of: its own artifact, its memory, which is the agent's, and its loop. */
export const newborn = (state: State, birth: AgentBirth): Newborn => {
  const { id, owner, content } = birth;
  const memory = memoryId(id);
  const agent = firstVersion(state, birth, {
    id,
    owner,
    fields: {
      type: "agent",
      content,
      access: SELF_OWNED,
      has_standing: true,
      can_execute: true,
      memory_artifact_id: memory,
    },
  });
  const notes = { type: "memory", content: birth.memory, access: PRIVATE };
  return {
    agent,
    memory: firstVersion(state, birth, { id: memory, owner: id, fields: notes }),
    loop: {
      at_ms: birth.at,
      principal: birth.principal,
      kind: "agent_created",
      id,
      memory_artifact_id: memory,
      order: wholeOf(state).agentsMade,
      due_at_ms: birth.startsAt,
    },
  };
};

/**
 * Why no agent can be called so, or null: well formed → not the world's → nobody's. All of it goes
 * for each of the names that it takes: its own and those of its memories.
 */
export const nameProblem = (state: State, id: Id): Refused | null => {
  const names = [id, ...memoryIds(id)];
  const malformed = names.find((name) => parseId(name) === null);
  if (malformed !== undefined) return refuse("invalid_argument", `"${malformed}": ${ID_RULE}`);
  if (isReserved(id)) return refuse("not_authorized", `"${id}" begins with a reserved word`);
  const taken = names.find((name) => state.artifacts.has(name));
  if (taken !== undefined) return refuse("already_exists", `"${taken}" exists`);
  for (const name of names) {
    const keeper = keptFor(state, name) ?? keptForOwner(state, name);
    if (keeper !== null) return refuse("not_authorized", `"${name}" is kept for ${keeper}`);
  }
  return null;
};

/** Why something cannot become a principal: a name that would be kept for it is a stranger's. */
export const namesakeProblem = (state: State, id: Id, owner: Id): Refused | null => {
  for (const name of memoryIds(id)) {
    const keeper = liveArtifact(state, name)?.owner;
    if (keeper === undefined || keeper === owner || keeper === id) continue;
    const kept = `"${name}" belongs to ${keeper}, and that name is kept for a principal "${id}"`;
    return refuse("already_exists", `${kept}: give standing to something with another id`);
  }
  return null;
};

/** The refusal when there is no room for another principal, or null. */
export const crowded = (state: State): Refused | null => {
  const { principals_max } = physicsOf(state).agents;
  return state.accounts.size < principals_max
    ? null
    : refuse("quota_exceeded", `the world has its ${principals_max} principals already`);
};
