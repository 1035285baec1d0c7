import { PRIVATE } from "../access/access.ts";
import { decideWrite } from "../artifact/write.ts";
import { accept, type Decision, type MemoryUpdate, refuse } from "../command.ts";
import type { Event } from "../event.ts";
import { principalSubject } from "../invocation/subject.ts";
import { type Id, memoryIds } from "../primitives/ids.ts";
import { type Refusal, refusal } from "../refusal.ts";
import { liveArtifact, MEMORY_TYPE, type State } from "../state.ts";
import { recordingMemory } from "./memory.ts";

/**
 * Records memories of an agent and writes its memory artifact. The write uses disk and the quota of
 * written bytes, but no action. If the write is refused, records the refusal and the memories. An
 * agent that has sold its memory starts a new one. If this is refused, nothing is recorded.
 */
export const decideRemember = (state: State, command: MemoryUpdate): Decision => {
  const { agent: id, through, write } = command;
  const agent = state.agents.get(id);
  if (agent === undefined) return refuse("not_found", `"${id}" is not an agent`);
  const { remembered, counters } = agent;
  if (through < remembered || through > counters.actions) {
    const range = `from ${remembered} to ${counters.actions}`;
    const message = `through must be ${range}, because ${id} remembers its actions in order`;
    return refuse("invalid_argument", message);
  }
  const working = memoryIds(id).working;
  if (write?.into === "working_memory") {
    const events = writeEvents(state, command, { artifact: working, content: write.content });
    return accept([...events, ...recordEvents(state, command)], null);
  }
  return accept(recordEvents(state, command), null);
};

/** Writes the memory artifact if its text changes or if it is new, and records the notes. */
const recordEvents = (state: State, command: MemoryUpdate): readonly Event[] => {
  const { at_ms, agent: principal, notes, through, write } = command;
  const content = write?.into === "memory" ? write.content : null;
  if (notes.length === 0 && content === null) return [];
  const memory = recordingMemory(state, principal);
  if (memory === null) {
    const why = refusal("already_exists", `each memory id of ${principal} is already in use`);
    return [refused(command, memoryIds(principal).memory, why)];
  }
  const { id: artifact, isNew } = memory;
  const text = content ?? (isNew ? "[]" : null);
  const written = text === null ? [] : writeEvents(state, command, { artifact, content: text });
  if (isNew && written.some(({ kind }) => kind === "memory_refused")) return written;
  const count = state.memories.get(artifact) ?? 0;
  const records = notes.map(
    ({ kind, text }, at): Event => ({
      at_ms,
      principal,
      kind: "memory_recorded",
      artifact_id: artifact,
      number: count + at + 1,
      memory: kind,
      text,
      through,
    }),
  );
  return [...written, ...records];
};

type Written = { readonly artifact: Id; readonly content: string };

/** The agent writes a memory of its owner in the name of the owner. */
const writeEvents = (
  state: State,
  command: MemoryUpdate,
  { artifact, content }: Written,
): readonly Event[] => {
  const { at_ms, agent: id } = command;
  const before = liveArtifact(state, artifact);
  const own = state.artifacts.get(id)?.owner;
  const actor = before !== undefined && before.owner === own ? own : id;
  const isNew = !state.artifacts.has(artifact);
  const type = artifact === memoryIds(id).working ? {} : { artifact_type: MEMORY_TYPE };
  const request = {
    artifact_id: artifact,
    content,
    ...(isNew ? { ...type, access: PRIVATE } : {}),
  };
  const by = { ...principalSubject(id, at_ms), actor };
  const decision = decideWrite(state, { by, request, bytesSpent: 0 });
  if (decision.kind === "accepted") {
    const { bytes } = decision.answer;
    const stamp = { at_ms, principal: id, artifact_id: artifact };
    return [...decision.events, { ...stamp, kind: "memory_written", bytes }];
  }
  const custom = `${artifact} has a custom access contract, so only an action can write it`;
  const why = decision.kind === "refused" ? decision.refusal : refusal("not_authorized", custom);
  return [refused(command, artifact, why)];
};

const refused = (
  { at_ms, agent: principal, through }: MemoryUpdate,
  artifact_id: Id,
  { code, message }: Pick<Refusal, "code" | "message">,
): Event => ({ at_ms, principal, kind: "memory_refused", artifact_id, code, message, through });
