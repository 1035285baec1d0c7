import type { Artifact } from "../artifact/artifact.ts";
import { rootOf, ultimateOwner } from "../artifact/owners.ts";
import { liveArtifact } from "../artifact/tables.ts";
import { type Refused, refuse } from "../core/decision.ts";
import {
  ID_RULE,
  type Id,
  isReserved,
  laterMemoryId,
  memoryIds,
  parseId,
  reservedRule,
} from "../core/ids.ts";
import { type AgentTables, MEMORY_TYPE } from "./agent.ts";

/** Returns the agent `x` for its memory `x_memory`, else null. Any principal may own the memory. */
export const agentOfMemory = (state: AgentTables, memory: Id): Id | null => {
  const agent = parseId(memory.replace(/_memory$/, ""));
  return agent !== null && state.artifacts.get(agent)?.memoryArtifactId === memory ? agent : null;
};

/** The maximum number of memories that an agent can start after it sold its first memory. */
const LATER_MEMORIES_MAX = 20;

/**
 * Returns the artifact in which an agent records, or the id for a new artifact if the agent has
 * sold its memory. Null if no such id is free. A memory of an agent's owner also serves the agent.
 */
export const recordingMemory = (
  state: AgentTables,
  id: Id,
): { readonly id: Id; readonly isNew: boolean } | null => {
  const linkedId = state.artifacts.get(id)?.memoryArtifactId ?? null;
  const linked = linkedId === null ? null : keptBy(state, id, linkedId);
  if (linked !== null) return { id: linked.id, isNew: false };
  for (let n = 2; n < 2 + LATER_MEMORIES_MAX; n++) {
    const later = laterMemoryId(id, n);
    if (later === null) continue;
    if (keptBy(state, id, later)?.type === MEMORY_TYPE) return { id: later, isNew: false };
    if (!state.artifacts.has(later)) return { id: later, isNew: true };
  }
  return null;
};

/**
 * Returns the memory artifacts from which an agent recalls: first the one in which it records, then
 * all others that it owns, newest first.
 */
export const recalledMemories = (state: AgentTables, id: Id, max: number): readonly Id[] => {
  const own = recordingMemory(state, id);
  const first = own === null || own.isNew ? [] : [own.id];
  const all = new Set([...first, ...state.indexes.memoriesOf.keysOf(id, { max })]);
  return [...all].slice(0, max);
};

/** An agent's working memory. Empty if a stranger owns it, who must not write into its mind. */
export const ownWorkingMemory = (state: AgentTables, id: Id): string =>
  keptBy(state, id, memoryIds(id).working)?.content ?? "";

/** The workspace of an agent, or null if there is none or a stranger owns it. */
export const ownWorkspace = (state: AgentTables, id: Id): WorkspaceText | null => {
  const artifact = keptBy(state, id, memoryIds(id).workspace);
  return artifact === null ? null : { text: artifact.content, version: artifact.version };
};

/** The content of a workspace artifact: an object in JSON, from paths to texts. */
export type WorkspaceText = { readonly text: string; readonly version: number };

/** Returns an artifact that the agent or the agent's owner owns. Otherwise null. */
const keptBy = (state: AgentTables, id: Id, artifactId: Id): Artifact | null => {
  const artifact = liveArtifact(state, artifactId);
  if (artifact === undefined) return null;
  const { owner } = artifact;
  return owner === id || owner === state.artifacts.get(id)?.owner ? artifact : null;
};

/** Returns the principal `x` if `id` is one of the `memoryIds` of `x`. Otherwise null. */
export const reservedFor = (state: AgentTables, id: string): Id | null => {
  const principal = namesakeOf(id);
  return principal !== null && state.accounts.has(principal) ? principal : null;
};

/**
 * If `id` is one of the `memoryIds` of a live artifact `x` without an account, returns the owner
 * of `x`. Otherwise null. If another owner used `id`, `x` could not get an account.
 */
export const reservedForOwner = (state: AgentTables, id: string): Id | null => {
  const artifact = namesakeOf(id);
  if (artifact === null || state.accounts.has(artifact)) return null;
  return liveArtifact(state, artifact)?.owner ?? null;
};

const namesakeOf = (id: string): Id | null =>
  parseId(/^(.+?)_(?:(?:working_)?memory|workspace)$/.exec(id)?.[1]);

/** Checks an agent's id and memory ids, in order: syntax, prefix, existing use, reservation. */
export const nameRefusal = (state: AgentTables, id: Id): Refused | null => {
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

/** Refuses standing for an artifact `x` if another owner has one of the `memoryIds` of `x`. */
export const namesakeRefusal = (state: AgentTables, id: Id, owner: Id): Refused | null => {
  for (const name of Object.values(memoryIds(id))) {
    const keeper = liveArtifact(state, name)?.owner;
    if (keeper === undefined || keeper === owner || keeper === id) continue;
    const kept = `a principal "${id}" needs the name "${name}", which belongs to ${keeper}`;
    return refuse("already_exists", `${kept}; choose another id`);
  }
  return null;
};

/**
 * The family root of the agent at the end of a principal's chain of owners. Null if the end is not
 * an agent: a program that owns itself has no head, even if an agent opened the program's account.
 */
export const headOf = (state: AgentTables, id: Id): Id | null => {
  const owner = ultimateOwner(state, id);
  return state.agents.has(owner) ? rootOf(state, owner) : null;
};
