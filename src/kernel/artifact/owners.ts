import { type Refused, refuse } from "../core/decision.ts";
import type { Names } from "../core/event.ts";
import type { Id } from "../core/ids.ts";
import { physicsOf } from "../core/world.ts";
import type { TransferOffer } from "./artifact.ts";
import type { ArtifactTables } from "./tables.ts";

/** Follows `next` from `id` until `next` returns null or a visited id. Returns the last id. */
const endOf = (id: Id, next: (id: Id) => Id | null): Id => {
  const passed = new Set<Id>();
  let at = id;
  for (;;) {
    passed.add(at);
    const link = next(at);
    if (link === null || passed.has(link)) return at;
    at = link;
  }
};

/**
 * The first ancestor of a principal: an initial agent or an artifact of the world. The first
 * ancestor identifies the family. The state keeps the first ancestor of deleted principals, so that
 * deletions cannot split a family. An artifact that never had an account belongs to its owner's
 * family.
 */
export const rootOf = (state: ArtifactTables, id: Id): Id => {
  const nearest = endOf(id, (link) => {
    const owner = state.artifacts.get(link)?.owner ?? link;
    return state.families.has(link) || owner === link ? null : owner;
  });
  return state.families.get(nearest) ?? nearest;
};

/** The last owner in the chain of owners. The last owner owns itself. */
export const ultimateOwner = (state: ArtifactTables, id: Id): Id =>
  endOf(id, (link) => {
    const owner = state.artifacts.get(link)?.owner ?? link;
    return owner === link ? null : owner;
  });

/** The ids that control a principal, by descent or by ownership. */
const controllersOf = (state: ArtifactTables, id: Id): readonly Id[] => {
  const [root, owner] = [rootOf(state, id), ultimateOwner(state, id)];
  return [root, owner, ultimateOwner(state, root), rootOf(state, owner)];
};

/** True if two principals share a family or an owner. A payment between them is not a sale. */
export const areRelated = (state: ArtifactTables, one: Id, other: Id): boolean => {
  const controllers = controllersOf(state, one);
  return controllersOf(state, other).some((id) => controllers.includes(id));
};

/** An artifact and its owner. An event concerns both if the artifact is an agent. */
export const partiesOf = (state: ArtifactTables, id: Id | null | undefined): Names =>
  id === null || id === undefined ? [] : [id, state.artifacts.get(id)?.owner];

/**
 * Refuses `owner` if the chain of owners would be too long or lead back to `artifact`. A chain ends
 * at a principal that owns itself. `below` is 1 for a new agent, which will own its memory.
 */
export const ownerChainRefusal = (
  state: ArtifactTables,
  owner: Id,
  artifact: Id | null = null,
  below = 0,
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
export const transferredWith = (state: ArtifactTables, sold: Id): ReadonlySet<Id> => {
  const passed = new Set([sold]);
  // The loop also visits the ids that the loop itself adds.
  for (const owner of passed) {
    for (const owned of state.indexes.principalsOwned.keysOf(owner)) passed.add(owned);
  }
  return passed;
};

/** Open offers by `sold` and by all principals that `sold` owns, but not offers of `sold`. */
export const offersOf = (state: ArtifactTables, sold: Id): readonly TransferOffer[] =>
  [...transferredWith(state, sold)]
    .flatMap((from) => [...state.indexes.offersFrom.rowsOf(from)])
    .filter(({ artifact }) => artifact !== sold);
