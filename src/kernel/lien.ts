import { endGivenGrants } from "./delegation.ts";
import type { Id } from "./ids.ts";
import type { State } from "./state.ts";

/**
 * Whoever is another's now has agreed to nothing, nor has what belongs to it in the end: nothing
 * may charge them by what they granted or named before. Contracts go on to govern what they govern.
 */
export const endLiensOn = (state: State, sold: Id): void => {
  const passed = new Set([sold]);
  // It grows on the way, by one link of the chain of owners at a time.
  for (const owner of passed) {
    for (const owned of state.indexes.principalsOwned.keysOf(owner)) passed.add(owned);
  }
  for (const id of passed) {
    endGivenGrants(state, id);
    for (const ruled of [...state.indexes.ruledOf.keysOf(id)]) forgetChoice(state, ruled);
  }
  forgetChoice(state, sold);
};

const forgetChoice = (state: State, id: Id): void => {
  const row = state.artifacts.get(id);
  if (row !== undefined && row.accessBy !== null)
    state.artifacts.put(id, { ...row, accessBy: null });
};
