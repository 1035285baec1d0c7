import { PRIVATE } from "../access/access.ts";
import { decideWrite } from "../artifact/write.ts";
import { accept, type Decision, type MemoryUpdate, refuse } from "../command.ts";
import type { Event } from "../event.ts";
import { principalSubject } from "../invocation/subject.ts";
import { memoryIds } from "../primitives/ids.ts";
import { refusal } from "../refusal.ts";
import type { State } from "../state.ts";
import type { Agent } from "./agent.ts";

/**
 * Records memories of an agent and writes its memory artifact. The write is not an action, but uses
 * disk and quota of written bytes. If the write is refused, records the refusal and the memories.
 */
export const decideRemember = (state: State, command: MemoryUpdate): Decision => {
  const { at_ms, agent: id, notes, through } = command;
  const agent = state.agents.get(id);
  if (agent === undefined) return refuse("not_found", `"${id}" is not an agent`);
  const { memories, counters } = agent;
  if (through < memories.through || through > counters.actions) {
    const range = `from ${memories.through} to ${counters.actions}`;
    const message = `through must be ${range}, because ${id} remembers its actions in order`;
    return refuse("invalid_argument", message);
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
  return accept([...memoryWriteEvents(state, agent, command), ...records], null);
};

const memoryWriteEvents = (state: State, agent: Agent, command: MemoryUpdate): readonly Event[] => {
  const { at_ms, write } = command;
  if (write === null) return [];
  const { id } = agent;
  const linked = state.artifacts.get(id)?.memoryArtifactId ?? memoryIds(id).memory;
  const artifact_id = write.into === "memory" ? linked : memoryIds(id).working;
  const isNew = !state.artifacts.has(artifact_id);
  const request = { artifact_id, content: write.content, ...(isNew ? { access: PRIVATE } : {}) };
  const decision = decideWrite(state, { by: principalSubject(id, at_ms), request, bytesSpent: 0 });
  const stamp = { at_ms, principal: id, artifact_id };
  if (decision.kind === "accepted") {
    const { bytes } = decision.answer;
    return [...decision.events, { ...stamp, kind: "memory_written", bytes }];
  }
  const { code, message } =
    decision.kind === "refused"
      ? decision.refusal
      : refusal(
          "not_authorized",
          `${artifact_id} has a custom access contract, so only an action can write it`,
        );
  return [{ ...stamp, kind: "memory_refused", code, message }];
};
