import { type Id, memoryIds, parseId } from "../primitives/ids.ts";
import { liveArtifact, type State } from "../state.ts";

/** Returns the agent `x` for its memory `x_memory`, else null. Any principal may own the memory. */
export const agentOfMemory = (state: State, memory: Id): Id | null => {
  const agent = parseId(memory.replace(/_memory$/, ""));
  return agent !== null && state.artifacts.get(agent)?.memoryArtifactId === memory ? agent : null;
};

/** An agent's working memory. Empty if a stranger owns it: a stranger could mislead the agent. */
export const ownWorkingMemory = (state: State, id: Id): string => {
  const artifact = liveArtifact(state, memoryIds(id).working);
  const writers = [id, state.artifacts.get(id)?.owner];
  return artifact !== undefined && writers.includes(artifact.owner) ? artifact.content : "";
};

/** Returns the principal `x` if `id` is `x_memory` or `x_working_memory`. Otherwise null. */
export const reservedFor = (state: State, id: string): Id | null => {
  const principal = namesakeOf(id);
  return principal !== null && state.accounts.has(principal) ? principal : null;
};

/**
 * If `id` is `x_memory` or `x_working_memory` of a live artifact `x` without an account, returns
 * the owner of `x`. Otherwise null. If another owner used `id`, `x` could not get an account.
 */
export const reservedForOwner = (state: State, id: string): Id | null => {
  const artifact = namesakeOf(id);
  if (artifact === null || state.accounts.has(artifact)) return null;
  return liveArtifact(state, artifact)?.owner ?? null;
};

const namesakeOf = (id: string): Id | null => parseId(/^(.+?)_(?:working_)?memory$/.exec(id)?.[1]);
