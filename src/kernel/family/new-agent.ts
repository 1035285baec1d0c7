import { PRIVATE, SELF_OWNED } from "../access/access.ts";
import {
  type ActionEvents,
  type ActionTables,
  type WrittenFields,
  writeEvent,
} from "../action/events.ts";
import { type BornTerms, MEMORY_TYPE, WORKSPACE_TYPE } from "../agent/agent.ts";
import type { AgentEvents } from "../agent/events.ts";
import { blankArtifact } from "../artifact/artifact.ts";
import { nextArtifact } from "../artifact/tables.ts";
import type { EventIn, Stamp } from "../core/event.ts";
import { type Id, memoryIds } from "../core/ids.ts";
import { worldRow } from "../core/world.ts";

type ArtifactWritten = EventIn<ActionEvents, "artifact_written">;

/** The event that writes a new artifact in the name of `by`. */
export const firstVersion = (
  state: ActionTables,
  when: Stamp,
  by: Id,
  id: Id,
  owner: Id,
  fields: WrittenFields,
): ArtifactWritten =>
  writeEvent(blankArtifact(nextArtifact(state), id, owner, by, when.at_ms), when, by, fields);

/** An initial or spawned agent. An earlier event must have opened the agent's account. */
type AgentParts = {
  readonly when: Stamp;
  readonly by: Id;
  readonly id: Id;
  readonly owner: Id;
  /** Configuration as JSON text. */
  readonly content: string;
  readonly memory: string;
  /** The content of its workspace, or null if it starts without one. */
  readonly workspace: string | null;
  readonly terms: BornTerms;
  readonly startsAt: number;
};

export type NewAgent = {
  readonly agent: ArtifactWritten;
  readonly memory: ArtifactWritten;
  readonly workspace: ArtifactWritten | null;
  readonly loop: EventIn<AgentEvents, "agent_created">;
};

/** Returns the events that create an agent: its artifact, its memory, its workspace, its loop. */
export const newAgent = (state: ActionTables, parts: AgentParts): NewAgent => {
  const { when, by, id, owner, content } = parts;
  const { group, contacts, values = {} } = parts.terms;
  const { memory, workspace } = memoryIds(id);
  const written = (artifact: Id, artifactOwner: Id, fields: WrittenFields): ArtifactWritten =>
    firstVersion(state, when, by, artifact, artifactOwner, fields);
  const files = { type: WORKSPACE_TYPE, access: PRIVATE };
  return {
    agent: written(id, owner, {
      type: "agent",
      content,
      access: SELF_OWNED,
      has_standing: true,
      can_execute: true,
      memory_artifact_id: memory,
    }),
    memory: written(memory, id, { type: MEMORY_TYPE, content: parts.memory, access: PRIVATE }),
    workspace:
      parts.workspace === null
        ? null
        : written(workspace, id, { ...files, content: parts.workspace }),
    loop: {
      ...when,
      kind: "agent_created",
      id,
      memory_artifact_id: memory,
      group,
      ...(contacts === undefined ? {} : { contacts }),
      ...(Object.keys(values).length === 0 ? {} : { values }),
      order: worldRow(state).agentsMade,
      due_at_ms: parts.startsAt,
    },
  };
};
