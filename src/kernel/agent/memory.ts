import { type Id, memoryIds, parseId } from "../primitives/ids.ts";
import { liveArtifact, type State } from "../state.ts";

/** The agent `x` if the id is `x_memory`, regardless of the artifact's owner; else null. */
export const agentOfMemory = (state: State, memory: Id): Id | null => {
  const agent = parseId(memory.replace(/_memory$/, ""));
  return agent !== null && state.artifacts.get(agent)?.memoryArtifactId === memory ? agent : null;
};

/**
 * The text of an agent's working memory. It is empty unless the agent or its owner owns the
 * artifact, because other owners must not write into the agent's mind.
 */
export const ownWorkingMemory = (state: State, id: Id): string => {
  const artifact = liveArtifact(state, memoryIds(id).working);
  const writers = [id, state.artifacts.get(id)?.owner];
  return artifact !== undefined && writers.includes(artifact.owner) ? artifact.content : "";
};

/** The principal `x` for which `x_memory` and `x_working_memory` are reserved, or null. */
export const reservedFor = (state: State, id: string): Id | null => {
  const principal = namesakeOf(id);
  return principal !== null && state.accounts.has(principal) ? principal : null;
};

/**
 * The owner of `x` if `id` is `x_memory` or `x_working_memory` and `x` has no account, else null.
 * The ids are reserved because `x` cannot get an account while others use them.
 */
export const reservedForOwner = (state: State, id: string): Id | null => {
  const artifact = namesakeOf(id);
  if (artifact === null || state.accounts.has(artifact)) return null;
  return liveArtifact(state, artifact)?.owner ?? null;
};

const namesakeOf = (id: string): Id | null => parseId(/^(.+?)_(?:working_)?memory$/.exec(id)?.[1]);
