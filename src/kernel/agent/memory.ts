import { type Id, memoryIds, parseId } from "../primitives/ids.ts";
import { liveArtifact, type State } from "../state.ts";

/** The agent whose memory this is, regardless of the owner. The memory of `x` is `x_memory`. */
export const agentRememberedBy = (state: State, memory: Id): Id | null => {
  const agent = parseId(memory.replace(/_memory$/, ""));
  return agent !== null && state.artifacts.get(agent)?.memoryArtifactId === memory ? agent : null;
};

/**
 * The text of an agent's working memory; "" if neither the agent nor its owner owns it, since
 * another owner must not write into the agent's mind.
 */
export const ownWorkingMemory = (state: State, id: Id): string => {
  const artifact = liveArtifact(state, memoryIds(id).working);
  const writers = [id, state.artifacts.get(id)?.owner];
  return artifact !== undefined && writers.includes(artifact.owner) ? artifact.content : "";
};

/** The principal for which an id is reserved: `x_memory` and `x_working_memory` belong to `x`. */
export const keptFor = (state: State, id: string): Id | null => {
  const principal = namesakeOf(id);
  return principal !== null && state.accounts.has(principal) ? principal : null;
};

/**
 * The owner of the artifact `x` that has no account, for `x_memory` and `x_working_memory`. Taken
 * by others, these names would keep `x` from ever getting an account.
 */
export const keptForOwner = (state: State, id: string): Id | null => {
  const artifact = namesakeOf(id);
  if (artifact === null || state.accounts.has(artifact)) return null;
  return liveArtifact(state, artifact)?.owner ?? null;
};

const namesakeOf = (id: string): Id | null => parseId(/^(.+?)_(?:working_)?memory$/.exec(id)?.[1]);
