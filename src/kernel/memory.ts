import { asId, type Id, parseId } from "./ids.ts";
import { liveArtifact, type State } from "./state.ts";

/** The agent whose memory this is, whoever owns it now. The memory of `x` is `x_memory`. */
export const agentRememberedBy = (state: State, memory: Id): Id | null => {
  const agent = parseId(memory.replace(/_memory$/, ""));
  return agent !== null && state.artifacts.get(agent)?.memoryArtifactId === memory ? agent : null;
};

/** The artifact in which the agent `id` remembers what it has done, as it is born. */
export const memoryId = (id: Id): Id => asId(`${id}_memory`);

/** The artifact in which `id` keeps what it is about, where that is not in itself. */
export const workingMemoryId = (id: Id): Id => asId(`${id}_working_memory`);

/** The names that are kept for a principal. */
export const memoryIds = (id: Id): readonly [memory: Id, working: Id] => [
  memoryId(id),
  workingMemoryId(id),
];

/**
 * The working memory of an agent, unless it is a stranger's: what neither the agent owns nor its
 * owner was written by somebody who has no business in its mind.
 */
export const ownWorkingMemory = (state: State, id: Id): string => {
  const artifact = liveArtifact(state, workingMemoryId(id));
  const masters = [id, state.artifacts.get(id)?.owner];
  return artifact !== undefined && masters.includes(artifact.owner) ? artifact.content : "";
};

/** The principal for whom an id is kept: `x_memory` and `x_working_memory` are kept for `x`. */
export const keptFor = (state: State, id: string): Id | null => {
  const principal = namesakeOf(id);
  return principal !== null && state.accounts.has(principal) ? principal : null;
};

/**
 * The owner for whom an id is kept: the names that would be kept for an artifact if it had an
 * account are its owner's, or a stranger with one of them could keep it from ever having one.
 */
export const keptForOwner = (state: State, id: string): Id | null => {
  const artifact = namesakeOf(id);
  if (artifact === null || state.accounts.has(artifact)) return null;
  return liveArtifact(state, artifact)?.owner ?? null;
};

const namesakeOf = (id: string): Id | null => parseId(/^(.+?)_(?:working_)?memory$/.exec(id)?.[1]);
