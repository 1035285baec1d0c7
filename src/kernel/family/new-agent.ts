import { PRIVATE, SELF_OWNED } from "../access/access.ts";
import {
  type ActionEvents,
  type ActionTables,
  type WrittenFields,
  writeEvent,
} from "../action/events.ts";
import { MEMORY_TYPE, type PrivateValues, WORKSPACE_TYPE } from "../agent/agent.ts";
import type { AgentEvents } from "../agent/events.ts";
import { blankArtifact } from "../artifact/artifact.ts";
import { nextArtifact } from "../artifact/tables.ts";
import type { EventIn } from "../core/event.ts";
import { type Id, memoryIds } from "../core/ids.ts";
import { worldRow } from "../core/world.ts";

/** The time, principal and actor of a creation. */
type Creation = { readonly at: number; readonly principal: Id | null; readonly by: Id };

export const firstVersion = (
  state: ActionTables,
  occasion: Creation,
  made: { readonly id: Id; readonly owner: Id; readonly fields: WrittenFields },
): EventIn<ActionEvents, "artifact_written"> => {
  const { at, principal, by } = occasion;
  const { id, owner, fields } = made;
  const row = blankArtifact(nextArtifact(state), { id, owner, by, at });
  return writeEvent(row, { at_ms: at, principal }, by, fields);
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
  readonly agent: EventIn<ActionEvents, "artifact_written">;
  readonly memory: EventIn<ActionEvents, "artifact_written">;
  readonly workspace: EventIn<ActionEvents, "artifact_written"> | null;
  readonly loop: EventIn<AgentEvents, "agent_created">;
};

/** Returns the events that create an agent: its artifact, its memory, its workspace, its loop. */
export const newAgent = (state: ActionTables, parts: AgentParts): NewAgent => {
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
