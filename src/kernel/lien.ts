import { endGivenGrants } from "./delegation.ts";
import type { Id } from "./ids.ts";
import type { Offer, State } from "./state.ts";

/** What has an account and passes with an artifact: itself, and what belongs to it in the end. */
const passedWith = (state: State, sold: Id): ReadonlySet<Id> => {
  const passed = new Set([sold]);
  // It grows on the way, by one link of the chain of owners at a time.
  for (const owner of passed) {
    for (const owned of state.indexes.principalsOwned.keysOf(owner)) passed.add(owned);
  }
  return passed;
};

/**
 * Whoever is another's now has agreed to nothing, nor has what belongs to it in the end: nothing
 * may charge them by what they granted or named before. Contracts go on to govern what they govern.
 */
export const endLiensOn = (state: State, sold: Id): void => {
  for (const id of passedWith(state, sold)) {
    endGivenGrants(state, id);
    for (const ruled of [...state.indexes.ruledOf.keysOf(id)]) forgetChoice(state, ruled);
  }
  forgetChoice(state, sold);
};

/** What a seller had its program offer, to itself even, is the buyer's to offer anew. */
export const offersBefore = (state: State, sold: Id): readonly Offer[] =>
  [...passedWith(state, sold)]
    .flatMap((from) => [...state.indexes.offersFrom.rowsOf(from)])
    .filter(({ artifact }) => artifact !== sold);

const forgetChoice = (state: State, id: Id): void => {
  const row = state.artifacts.get(id);
  if (row !== undefined && row.accessBy !== null)
    state.artifacts.put(id, { ...row, accessBy: null });
};
