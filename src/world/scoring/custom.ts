import { areAkin, customersOf, headOf, type Id, type State } from "../../kernel/index.ts";
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
 * nor is what was paid to somebody who owned the artifact before. What belongs to no agent, as the
 * world's own escrow, is no customer and only passes money on: a family that had scrip out of it
 * may have had as much from the bidder's as that has put in.
 */
export const customOf = (
  state: State,
  { artifact, bidder }: { readonly artifact: Id; readonly bidder: Id },
): readonly Custom[] => {
  const isOwn = remembered((id) => areAkin(state, id, bidder));
  const familyOf = remembered((id) => headOf(state, id));
  const paid: Sums = new Map();
  for (const { principal, paid: amount } of customersOf(state, artifact)) {
    const family = familyOf(principal);
    if (amount > 0 && family !== null && !isOwn(principal)) add(paid, family, amount);
  }
  if (paid.size === 0) return [];
  const { came, went, passedOn, passedOut } = turnoverOf(state, { isOwn, familyOf });
  return [...paid]
    .map(([family, amount]) => {
      const gone = (went.get(family) ?? 0) + Math.min(passedOn, passedOut.get(family) ?? 0);
      const net = Math.min(amount, came.get(family) ?? 0) - gone;
      return { family, net: Math.max(0, net) };
    })
    .sort((a, b) => (a.family < b.family ? -1 : 1));
};

type Turnover = {
  /** By family: from it to the bidder's, and from the bidder's to it. */
  readonly came: Sums;
  readonly went: Sums;
  /** What the bidder's family ever paid to what belongs to no agent. */
  readonly passedOn: number;
  /** By family: what it ever had out of that. */
  readonly passedOut: Sums;
};

type Kinship = {
  readonly isOwn: (id: Id) => boolean;
  readonly familyOf: (id: Id) => Id | null;
};

const turnoverOf = (state: State, { isOwn, familyOf }: Kinship): Turnover => {
  const [came, went, passedOut]: readonly [Sums, Sums, Sums] = [new Map(), new Map(), new Map()];
  let passedOn = 0;
  for (const { from, to, amount } of state.flows.rows()) {
    const [giver, taker] = [familyOf(from), familyOf(to)];
    if (giver !== null && isOwn(to) && !isOwn(from)) add(came, giver, amount);
    if (taker !== null && isOwn(from) && !isOwn(to)) add(went, taker, amount);
    if (taker === null && isOwn(from) && !isOwn(to)) passedOn += amount;
    if (giver === null && taker !== null && !isOwn(from)) add(passedOut, taker, amount);
  }
  return { came, went, passedOn, passedOut };
};
