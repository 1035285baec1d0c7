import { type Id, parseId } from "./ids.ts";
import type { State } from "./state.ts";

/** The agent whose memory this is, whoever owns it now. The memory of `x` is `x_memory`. */
export const agentRememberedBy = (state: State, memory: Id): Id | null => {
  const agent = parseId(memory.replace(/_memory$/, ""));
  return agent !== null && state.artifacts.get(agent)?.memoryArtifactId === memory ? agent : null;
};

/** The principal for whom an id is kept: `x_memory` and `x_working_memory` are kept for `x`. */
export const keptFor = (state: State, id: string): Id | null => {
  const principal = parseId(/^(.+?)_(?:working_)?memory$/.exec(id)?.[1]);
  return principal !== null && state.accounts.has(principal) ? principal : null;
};
