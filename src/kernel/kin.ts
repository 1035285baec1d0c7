import type { AgentState } from "./agent.ts";
import type { Id } from "./ids.ts";
import { publicBalance, type State } from "./state.ts";

/** An agent that belongs to the one who looks. What it has is its own. */
export type Ward = {
  readonly id: Id;
  readonly state: AgentState;
  readonly scrip: number;
  readonly llmBudgetMicros: number;
};

/** Lineage, whoever owns whom: who spawned the one who looks, and the agents it spawned itself. */
export type Family = { readonly parent: Id | null; readonly spawned: readonly Id[] };

/** The newest first. */
export const wardsOf = (state: State, owner: Id, max: number): readonly Ward[] => {
  const wards: Ward[] = [];
  for (const id of state.catalogue.agentsOf(owner)) {
    if (wards.length >= max) break;
    const account = state.accounts.get(id);
    const agent = state.agents.get(id);
    if (id === owner || account === undefined || agent === undefined) continue;
    const { llmBudgetMicros } = account;
    wards.push({ id, state: agent.state, scrip: publicBalance(state, id), llmBudgetMicros });
  }
  return wards;
};

/** The children in order of their ids. */
export const familyOf = (state: State, id: Id, max: number): Family => {
  const spawned: Id[] = [];
  for (const child of state.indexes.children.keysOf(id)) {
    if (spawned.length >= max) break;
    if (state.agents.has(child)) spawned.push(child);
  }
  return { parent: state.accounts.get(id)?.parent ?? null, spawned };
};
