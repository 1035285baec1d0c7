import { PRIVATE } from "./access.ts";
import type { Agent } from "./agent.ts";
import { accept, type Decision, refuse } from "./decision.ts";
import type { Event } from "./event.ts";
import type { Id } from "./ids.ts";
import { memoryId, workingMemoryId } from "./memory.ts";
import type { MemoryKind } from "./memory-kind.ts";
import { refusal } from "./refusal.ts";
import type { State } from "./state.ts";
import { principalSubject } from "./subject.ts";
import { decideWrite } from "./write.ts";

/** Something that an agent keeps in mind: what it did, or what it saw. */
export type MemoryNote = { readonly kind: MemoryKind; readonly text: string };

/** What an agent keeps of what it has lived through. */
export type Remembering = {
  readonly at_ms: number;
  readonly agent: Id;
  readonly notes: readonly MemoryNote[];
  /** Its actions, as its counters count them, of which it remembers all that it ever will. */
  readonly through: number;
  /** New text of its memory, or of its working memory. */
  readonly write: {
    readonly into: "memory" | "working_memory";
    readonly content: string;
  } | null;
};

/**
 * An agent keeps what it has lived through: as records, and in its own memory artifacts, which take
 * disk and bytes of its window like any write but no action. What an artifact refuses is told and
 * stops nobody.
 */
export const decideRemember = (state: State, command: Remembering): Decision => {
  const { at_ms, agent: id, notes, through } = command;
  const agent = state.agents.get(id);
  if (agent === undefined) return refuse("not_found", `"${id}" is no agent`);
  const { memories, counters } = agent;
  if (through < memories.through || through > counters.actions) {
    const range = `from ${memories.through} to ${counters.actions}`;
    return refuse("invalid_argument", `${id} remembers its actions in their order: ${range}`);
  }
  const records = notes.map(
    ({ kind, text }, at): Event => ({
      at_ms,
      principal: id,
      kind: "memory_recorded",
      number: memories.count + at + 1,
      memory: kind,
      text,
      through,
    }),
  );
  return accept([...written(state, agent, command), ...records], null);
};

const written = (state: State, agent: Agent, command: Remembering): readonly Event[] => {
  const { at_ms, write } = command;
  if (write === null) return [];
  const { id } = agent;
  const linked = state.artifacts.get(id)?.memoryArtifactId ?? memoryId(id);
  const artifact_id = write.into === "memory" ? linked : workingMemoryId(id);
  const isNew = !state.artifacts.has(artifact_id);
  // What it writes down for itself is nobody's business, unless it says otherwise.
  const request = {
    artifact_id,
    content: write.content,
    ...(isNew ? { access: PRIVATE } : {}),
  };
  const decision = decideWrite(state, {
    by: principalSubject(id, at_ms),
    request,
    bytesSpent: 0,
  });
  const stamp = { at_ms, principal: id, artifact_id };
  if (decision.kind === "accepted") {
    const { bytes } = decision.answer;
    return [...decision.events, { ...stamp, kind: "memory_kept", bytes }];
  }
  const { code, message } =
    decision.kind === "refused"
      ? decision.refusal
      : refusal(
          "not_authorized",
          `${artifact_id} has a contract that must be asked; write it yourself`,
        );
  return [{ ...stamp, kind: "memory_refused", code, message }];
};
