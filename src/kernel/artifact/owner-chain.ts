import { type Refused, refuse } from "../command.ts";
import { endGivenGrants } from "../ledger/delegation.ts";
import type { Id } from "../primitives/ids.ts";
import { physicsOf, type State } from "../state.ts";
import type { TransferOffer } from "./artifact.ts";

/**
 * Refuses `owner` if the chain of owners would be too long or lead back to `artifact`. A chain ends
 * at a principal that owns itself. `below` is 1 for a new agent, which will own its memory.
 */
export const ownerChainRefusal = (
  state: State,
  owner: Id,
  { artifact = null, below = 0 }: { readonly artifact?: Id | null; readonly below?: number } = {},
): Refused | null => {
  const { owner_chain_max } = physicsOf(state).artifacts;
  let link = owner;
  for (let length = 1 + below; ; length++) {
    if (length > owner_chain_max) {
      const message = `the chain of owners would have more than ${owner_chain_max} links`;
      return refuse("invalid_argument", message);
    }
    const next = state.artifacts.get(link)?.owner ?? link;
    if (next === link) return null;
    if (next === artifact) {
      const why = `${owner} belongs to ${artifact}, directly or through other owners`;
      return refuse("invalid_argument", `${why}, so it cannot own ${artifact}`);
    }
    link = next;
  }
};

/** The artifact and every principal that it owns, directly or through other owners. */
const transferredWith = (state: State, sold: Id): ReadonlySet<Id> => {
  const passed = new Set([sold]);
  // The loop also visits the ids that the loop itself adds.
  for (const owner of passed) {
    for (const owned of state.indexes.principalsOwned.keysOf(owner)) passed.add(owned);
  }
  return passed;
};

/**
 * Ends grants by `sold` and all that `sold` owns. Sets `accessBy` of these artifacts to null, but
 * keeps their access contracts. So no old grant or choice lets a contract charge the new owner.
 */
export const endOffersOf = (state: State, sold: Id): void => {
  for (const id of transferredWith(state, sold)) {
    endGivenGrants(state, id);
    for (const ruled of [...state.indexes.ruledOf.keysOf(id)]) forgetAccessChoice(state, ruled);
  }
  forgetAccessChoice(state, sold);
};

/** Open offers by `sold` and by all principals that `sold` owns, but not offers of `sold`. */
export const offersOf = (state: State, sold: Id): readonly TransferOffer[] =>
  [...transferredWith(state, sold)]
    .flatMap((from) => [...state.indexes.offersFrom.rowsOf(from)])
    .filter(({ artifact }) => artifact !== sold);

const forgetAccessChoice = (state: State, id: Id): void => {
  const row = state.artifacts.get(id);
  if (row !== undefined && row.accessBy !== null)
    state.artifacts.put(id, { ...row, accessBy: null });
};
