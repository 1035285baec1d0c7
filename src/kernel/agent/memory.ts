import { type Id, memoryIds, parseId } from "../primitives/ids.ts";
import { liveArtifact, type State } from "../state.ts";

/** Returns the agent `x` for the id `x_memory`, or null. Ignores the owner of the artifact. */
export const agentOfMemory = (state: State, memory: Id): Id | null => {
  const agent = parseId(memory.replace(/_memory$/, ""));
  return agent !== null && state.artifacts.get(agent)?.memoryArtifactId === memory ? agent : null;
};

/** An agent's working memory. Empty if a stranger owns it, who must not write into its mind. */
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
 * Returns the owner of `x` if `id` is `x_memory` or `x_working_memory` and `x` has no account, else
 * null. These ids are reserved, because `x` cannot get an account if another owner uses them.
 */
export const reservedForOwner = (state: State, id: string): Id | null => {
  const artifact = namesakeOf(id);
  if (artifact === null || state.accounts.has(artifact)) return null;
  return liveArtifact(state, artifact)?.owner ?? null;
};

const namesakeOf = (id: string): Id | null => parseId(/^(.+?)_(?:working_)?memory$/.exec(id)?.[1]);
