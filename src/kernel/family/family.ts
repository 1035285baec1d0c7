import { firstOf } from "../primitives/first-of.ts";
import type { Id } from "../primitives/ids.ts";
import { publicBalance, type State } from "../state.ts";

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
export const rootOf = (state: State, id: Id): Id => {
  const nearest = endOf(id, (link) => {
    const owner = state.artifacts.get(link)?.owner ?? link;
    return state.families.has(link) || owner === link ? null : owner;
  });
  return state.families.get(nearest) ?? nearest;
};

/** The last owner in the chain of owners. The last owner owns itself. */
export const ultimateOwner = (state: State, id: Id): Id =>
  endOf(id, (link) => {
    const owner = state.artifacts.get(link)?.owner ?? link;
    return owner === link ? null : owner;
  });

/**
 * The family root of the agent at the end of a principal's chain of owners. Null if the end is not
 * an agent: a program that owns itself has no head, even if an agent opened the program's account.
 */
export const headOf = (state: State, id: Id): Id | null => {
  const owner = ultimateOwner(state, id);
  return state.agents.has(owner) ? rootOf(state, owner) : null;
};

/** The ids that control a principal, by descent or by ownership. */
const controllersOf = (state: State, id: Id): readonly Id[] => {
  const [root, owner] = [rootOf(state, id), ultimateOwner(state, id)];
  return [root, owner, ultimateOwner(state, root), rootOf(state, owner)];
};

/** True if two principals share a family or an owner. A payment between them is not a sale. */
export const areRelated = (state: State, one: Id, other: Id): boolean => {
  const controllers = controllersOf(state, one);
  return controllersOf(state, other).some((id) => controllers.includes(id));
};

export const agentsOwnedBy = (state: State, owner: Id, max: number) =>
  firstOf(state.catalogue.agentsOf(owner), max, (id) => {
    const account = state.accounts.get(id);
    const agent = state.agents.get(id);
    if (id === owner || account === undefined || agent === undefined) return undefined;
    const { llmBudgetMicros } = account;
    const lacks = agent.needs?.lacks ?? null;
    return { id, state: agent.state, lacks, scrip: publicBalance(state, id), llmBudgetMicros };
  });

/** The parent of a principal, and the agents that the principal spawned, sorted by id. */
export const familyOf = (state: State, id: Id, max: number) => {
  const spawned = firstOf(state.indexes.children.keysOf(id), max, (child) =>
    state.agents.has(child) ? child : undefined,
  );
  return { parent: state.accounts.get(id)?.parent ?? null, spawned };
};
