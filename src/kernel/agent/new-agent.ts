import { PRIVATE, SELF_OWNED } from "../access/access.ts";
import { blankArtifact } from "../artifact/artifact.ts";
import { writeEvent } from "../artifact/evolve-artifact.ts";
import { type Refused, refuse } from "../command.ts";
import type { EventOf, Stamp, WrittenFields } from "../event.ts";
import { NO_QUOTAS } from "../ledger/account.ts";
import {
  ID_RULE,
  type Id,
  isReserved,
  memoryIds,
  parseId,
  reservedRule,
} from "../primitives/ids.ts";
import {
  liveArtifact,
  MEMORY_TYPE,
  nextArtifact,
  physicsOf,
  type State,
  WORKSPACE_TYPE,
  worldRow,
} from "../state.ts";
import type { PrivateValues } from "./agent.ts";
import { reservedFor, reservedForOwner } from "./memory.ts";

/** The time, principal and actor of a creation. */
type Creation = { readonly at: number; readonly principal: Id | null; readonly by: Id };

export const emptyAccount = (
  when: Stamp,
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

export const firstVersion = (
  state: State,
  occasion: Creation,
  made: { readonly id: Id; readonly owner: Id; readonly fields: WrittenFields },
): EventOf<"artifact_written"> => {
  const { at, principal, by } = occasion;
  const { id, owner, fields } = made;
  const row = blankArtifact(nextArtifact(state), { id, owner, by, at });
  return writeEvent(row, { when: { at_ms: at, principal }, by, fields });
};

/** An initial or spawned agent. An earlier event must have opened the agent's account. */
type AgentParts = Creation & {
  readonly id: Id;
  readonly owner: Id;
  /** Configuration as JSON text. */
  readonly content: string;
  readonly memory: string;
  /** The content of its workspace, or null if it starts without one. */
  readonly workspace: string | null;
  readonly group: string | null;
  readonly contacts: readonly Id[] | null;
  readonly values: PrivateValues;
  readonly startsAt: number;
};

export type NewAgent = {
  readonly agent: EventOf<"artifact_written">;
  readonly memory: EventOf<"artifact_written">;
  readonly workspace: EventOf<"artifact_written"> | null;
  readonly loop: EventOf<"agent_created">;
};

/** Returns the events that create an agent: its artifact, its memory, its workspace, its loop. */
export const newAgent = (state: State, parts: AgentParts): NewAgent => {
  const { id, owner, content } = parts;
  const { memory, workspace } = memoryIds(id);
  const agent = firstVersion(state, parts, {
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
  const notes = { type: MEMORY_TYPE, content: parts.memory, access: PRIVATE };
  const filed = { type: WORKSPACE_TYPE, access: PRIVATE };
  return {
    agent,
    memory: firstVersion(state, parts, { id: memory, owner: id, fields: notes }),
    workspace:
      parts.workspace === null
        ? null
        : firstVersion(state, parts, {
            id: workspace,
            owner: id,
            fields: { ...filed, content: parts.workspace },
          }),
    loop: {
      at_ms: parts.at,
      principal: parts.principal,
      kind: "agent_created",
      id,
      memory_artifact_id: memory,
      group: parts.group,
      ...(parts.contacts === null ? {} : { contacts: parts.contacts }),
      ...(Object.keys(parts.values).length === 0 ? {} : { values: parts.values }),
      order: worldRow(state).agentsMade,
      due_at_ms: parts.startsAt,
    },
  };
};

/** Checks an agent's id and memory ids, in order: syntax, prefix, existing use, reservation. */
export const nameRefusal = (state: State, id: Id): Refused | null => {
  const names = [id, ...Object.values(memoryIds(id))];
  const malformed = names.find((name) => parseId(name) === null);
  if (malformed !== undefined) return refuse("invalid_argument", `"${malformed}": ${ID_RULE}`);
  if (isReserved(id)) return refuse("not_authorized", reservedRule(id));
  const taken = names.find((name) => state.artifacts.has(name));
  if (taken !== undefined) return refuse("already_exists", `"${taken}" exists; choose another id`);
  for (const name of names) {
    const keeper = reservedFor(state, name) ?? reservedForOwner(state, name);
    if (keeper !== null)
      return refuse("not_authorized", `"${name}" is reserved for ${keeper}; choose another id`);
  }
  return null;
};

/** Refuses standing for an artifact `x` if another owner has `x_memory` or `x_working_memory`. */
export const namesakeRefusal = (state: State, id: Id, owner: Id): Refused | null => {
  for (const name of Object.values(memoryIds(id))) {
    const keeper = liveArtifact(state, name)?.owner;
    if (keeper === undefined || keeper === owner || keeper === id) continue;
    const kept = `a principal "${id}" needs the name "${name}", which belongs to ${keeper}`;
    return refuse("already_exists", `${kept}; choose another id`);
  }
  return null;
};

export const principalLimitRefusal = (state: State): Refused | null => {
  const { principals_max } = physicsOf(state).agents;
  return state.accounts.size < principals_max
    ? null
    : refuse("quota_exceeded", `the world already has the maximum of ${principals_max} principals`);
};
