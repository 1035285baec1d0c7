import { BUILT_IN, PRIVATE } from "../access/access.ts";
import type { WriteRequest } from "../action/action.ts";
import { type ActionTables, patchedContent } from "../action/events.ts";
import { decideWrite } from "../action/write.ts";
import { findAgent, MEMORY_TYPE, WORKSPACE_TYPE } from "../agent/agent.ts";
import { ownWorkspace, recordingMemory } from "../agent/memory.ts";
import { sizeOf } from "../artifact/artifact.ts";
import { liveArtifact } from "../artifact/tables.ts";
import { accept, refuse } from "../core/decision.ts";
import { type Id, memoryIds } from "../core/ids.ts";
import { byteLength } from "../core/json.ts";
import type { Patch } from "../core/patch.ts";
import { type Refusal, refusal } from "../core/refusal.ts";
import { diskRefusal, windowRefusal } from "../ledger/quota.ts";
import { principalSubject } from "../ledger/subject.ts";
import type { MemoryUpdate } from "./commands.ts";
import type { LoopDecision, LoopEvent } from "./events.ts";

/**
 * Records memories of an agent and writes its memory artifact. The write uses disk and the quota of
 * written bytes, but no action. If the write is refused, records the refusal and the memories. An
 * agent that has sold its memory starts a new one. If this is refused, nothing is recorded.
 */
export const decideRemember = (state: ActionTables, command: MemoryUpdate): LoopDecision => {
  const { agent: id, through, write } = command;
  const found = findAgent(state, id);
  if (found.kind !== "accepted") return found;
  const { remembered, counters } = found.answer;
  if (through < remembered || through > counters.actions) {
    const range = `from ${remembered} to ${counters.actions}`;
    const message = `through must be ${range}, because ${id} remembers its actions in order`;
    return refuse("invalid_argument", message);
  }
  const { working } = memoryIds(id);
  if (write?.into === "working_memory") {
    const events = writeEvents(state, command, working, write.content);
    return accept([...events, ...recordEvents(state, command)], null);
  }
  if (write?.into === "workspace") {
    const events = workspaceEvents(state, command, write.patch);
    return accept([...events, ...recordEvents(state, command)], null);
  }
  return accept(recordEvents(state, command), null);
};

/**
 * Changes the workspace. Only the bytes of the patch count against the window of written bytes. A
 * workspace with another access contract than a built-in one can be written only by an action.
 */
const workspaceEvents = (
  state: ActionTables,
  command: MemoryUpdate,
  patch: Patch,
): readonly LoopEvent[] => {
  const { at_ms, agent: id } = command;
  const artifact = memoryIds(id).workspace;
  const before = liveArtifact(state, artifact);
  if (before === undefined) {
    const content = patchedContent("{}", patch);
    return writeEvents(state, command, artifact, content);
  }
  const by = principalSubject(id, at_ms);
  const bytes = byteLength(JSON.stringify(patch));
  const content = patchedContent(before.content, patch);
  const size_bytes = sizeOf({ ...before, content });
  const refused =
    (ownWorkspace(state, id) === null ? refuse("not_owner", `${id} has sold ${artifact}`) : null) ??
    (BUILT_IN.has(before.access) ? null : refuse("not_authorized", customAccess(artifact))) ??
    windowRefusal(state, by, bytes, 0) ??
    diskRefusal(state, before.owner, size_bytes - before.sizeBytes, artifact);
  if (refused !== null) return [refusedEvent(command, artifact, refused.refusal)];
  const stamp = { at_ms, principal: id, artifact_id: artifact };
  const version = before.version + 1;
  return [
    { ...stamp, kind: "workspace_changed", patch, version, size_bytes },
    { ...stamp, kind: "memory_written", bytes },
  ];
};

/** Writes the memory artifact if its text changes or if it is new, and records the notes. */
const recordEvents = (state: ActionTables, command: MemoryUpdate): readonly LoopEvent[] => {
  const { at_ms, agent: principal, notes, through, write } = command;
  const content = write?.into === "memory" ? write.content : null;
  if (notes.length === 0 && content === null) return [];
  const memory = recordingMemory(state, principal);
  if (memory === null) {
    const why = refusal("already_exists", `each memory id of ${principal} is already in use`);
    return [refusedEvent(command, memoryIds(principal).memory, why)];
  }
  const { id: artifact, isNew } = memory;
  const text = content ?? (isNew ? "[]" : null);
  const written = text === null ? [] : writeEvents(state, command, artifact, text);
  if (isNew && written.some(({ kind }) => kind === "memory_refused")) return written;
  const count = state.memories.get(artifact) ?? 0;
  const records = notes.map(
    ({ kind, text }, at): LoopEvent => ({
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

const customAccess = (artifact: Id): string =>
  `${artifact} has a custom access contract, so only an action can write it`;

/** The agent writes a memory of its owner in the name of the owner. */
const writeEvents = (
  state: ActionTables,
  command: MemoryUpdate,
  artifact: Id,
  content: string,
): readonly LoopEvent[] => {
  const { at_ms, agent: id } = command;
  const before = liveArtifact(state, artifact);
  const own = state.artifacts.get(id)?.owner;
  const actor = before !== undefined && before.owner === own ? own : id;
  const isNew = !state.artifacts.has(artifact);
  const request = {
    artifact_id: artifact,
    content,
    ...(isNew ? { ...typeOf(id, artifact), access: PRIVATE } : {}),
  };
  const by = { ...principalSubject(id, at_ms), actor };
  const decision = decideWrite(state, { by, request, bytesSpent: 0 });
  if (decision.kind === "accepted") {
    const { bytes } = decision.answer;
    const stamp = { at_ms, principal: id, artifact_id: artifact };
    return [...decision.events, { ...stamp, kind: "memory_written", bytes }];
  }
  const why =
    decision.kind === "refused"
      ? decision.refusal
      : refusal("not_authorized", customAccess(artifact));
  return [refusedEvent(command, artifact, why)];
};

/** The type of a new artifact. A working memory has the usual type of data. */
const typeOf = (id: Id, artifact: Id): Pick<WriteRequest, "artifact_type"> => {
  const { working, workspace } = memoryIds(id);
  if (artifact === working) return {};
  return { artifact_type: artifact === workspace ? WORKSPACE_TYPE : MEMORY_TYPE };
};

const refusedEvent = (
  { at_ms, agent: principal, through }: MemoryUpdate,
  artifact_id: Id,
  { code, message }: Pick<Refusal, "code" | "message">,
): LoopEvent => ({ at_ms, principal, kind: "memory_refused", artifact_id, code, message, through });
