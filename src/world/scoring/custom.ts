import { areAkin, customersOf, type Id, rootOf, type State } from "../../kernel/index.ts";
import type { Custom } from "./scorer.ts";

type Sums = Map<Id, number>;

const add = (sums: Sums, family: Id, amount: number): void => {
  sums.set(family, (sums.get(family) ?? 0) + amount);
};

/** A question about principals that is answered once for each of them. */
const remembered = <Answer>(ask: (id: Id) => Answer): ((id: Id) => Answer) => {
  const answers = new Map<Id, Answer>();
  return (id) => {
    const known = answers.get(id);
    if (known !== undefined) return known;
    const answer = ask(id);
    answers.set(id, answer);
    return answer;
  };
};

/**
 * What families that have nothing to do with the bidder have really paid for an artifact: for each
 * of them what it paid for calls, but no more than has come from it to the bidder's family at all,
 * less everything that has gone the other way. Money that is passed round and round is no custom,
 * nor is what was paid to somebody who owned the artifact before.
 */
export const customOf = (
  state: State,
  { artifact, bidder }: { readonly artifact: Id; readonly bidder: Id },
): readonly Custom[] => {
  const isOwn = remembered((id) => areAkin(state, id, bidder));
  const familyOf = remembered((id) => rootOf(state, id));
  const paid: Sums = new Map();
  for (const { principal, paid: amount } of customersOf(state, artifact)) {
    if (amount > 0 && !isOwn(principal)) add(paid, familyOf(principal), amount);
  }
  if (paid.size === 0) return [];
  const came: Sums = new Map();
  const went: Sums = new Map();
  for (const { from, to, amount } of state.flows.rows()) {
    if (isOwn(to) && !isOwn(from)) add(came, familyOf(from), amount);
    if (isOwn(from) && !isOwn(to)) add(went, familyOf(to), amount);
  }
  return [...paid]
    .map(([family, amount]) => {
      const net = Math.min(amount, came.get(family) ?? 0) - (went.get(family) ?? 0);
      return { family, net: Math.max(0, net) };
    })
    .sort((a, b) => (a.family < b.family ? -1 : 1));
};
