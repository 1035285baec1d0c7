import type { Id } from "./ids.ts";
import type { State } from "./state.ts";

/** The last of a walk that never comes by the same place twice. */
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
 * The first ancestor of a principal, who stands for its family: an agent of the first day, or the
 * world's own. It is settled when an account is opened and outlives the account, so that nothing
 * can be deleted out of a family tree. What never had an account is of its owner's family.
 */
export const rootOf = (state: State, id: Id): Id => {
  const nearest = endOf(id, (link) => {
    const owner = state.artifacts.get(link)?.owner ?? link;
    return state.families.has(link) || owner === link ? null : owner;
  });
  return state.families.get(nearest) ?? nearest;
};

/** Who controls an artifact in the end: the top of its chain of owners, which owns itself. */
export const ultimateOwner = (state: State, id: Id): Id =>
  endOf(id, (link) => {
    const owner = state.artifacts.get(link)?.owner ?? link;
    return owner === link ? null : owner;
  });

/**
 * Who stands for the family of the agent in whose hand a principal is in the end. Null where no
 * agent is there: what belongs to itself alone belongs to no family, least of all to that of
 * whoever started the call in which it was opened.
 */
export const headOf = (state: State, id: Id): Id | null => {
  const owner = ultimateOwner(state, id);
  return state.agents.has(owner) ? rootOf(state, owner) : null;
};

/** All in whose hands a principal is, by descent and by ownership. */
const powersOver = (state: State, id: Id): readonly Id[] => {
  const [root, owner] = [rootOf(state, id), ultimateOwner(state, id)];
  return [root, owner, ultimateOwner(state, root), rootOf(state, owner)];
};

/** True for two of one family or in one hand: what they pay each other is no sale. */
export const areAkin = (state: State, one: Id, other: Id): boolean => {
  const powers = powersOver(state, one);
  return powersOver(state, other).some((id) => powers.includes(id));
};
