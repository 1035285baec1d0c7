import {
  areAkin,
  asId,
  customersOf,
  headOf,
  type Id,
  rootOf,
  type State,
} from "../../kernel/index.ts";
import type { Custom, Paid } from "./scorer.ts";

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
 * of them what it paid the bidder's family for calls, but no more than has come from it to that
 * family at all, less everything that has gone the other way, also by way of the mint, which shares
 * out what its winners pay. Money that is passed round and round is no custom, nor is what was paid
 * to somebody who owned the artifact before.
 *
 * A buyer is of the family in whose hand it is. But what has gone to it has gone to two families
 * where it was not born into that one, and what a family with two kinds of buyers got is what
 * either's kin got: nobody is rid of what they were given by passing a wallet on.
 *
 * What belongs to no agent, as the world's own escrow, is no customer and only passes money on: a
 * family that had scrip out of it may have had as much from the bidder's as that has put in.
 */
export const customOf = (
  state: State,
  { artifact, bidder }: { readonly artifact: Id; readonly bidder: Id },
): readonly Custom[] => {
  const isOwn = remembered((id) => areAkin(state, id, bidder));
  const familyOf = remembered((id) => headOf(state, id));
  const kinOf = remembered((id) => [rootOf(state, id), familyOf(id) ?? rootOf(state, id)]);
  const buyers = buyersOf(state, artifact, { isOwn, familyOf, kinOf });
  if (buyers.size === 0) return [];
  const turnover = turnoverOf(state, { isOwn, familyOf, kinOf });
  return [...buyers]
    .map(([family, { paid, kin }]) => {
      const { came, went, passedOn, passedOut } = turnover;
      const gone = sumTo(kin, went) + Math.min(passedOn, sumTo(kin, passedOut));
      const sum = paid.reduce((total, { amount }) => total + amount, 0);
      return { family, net: Math.max(0, Math.min(sum, came.get(family) ?? 0) - gone), paid };
    })
    .sort((a, b) => (a.family < b.family ? -1 : 1));
};

type Kinship = {
  readonly isOwn: (id: Id) => boolean;
  /** In whose hand a principal is; null for what belongs to no agent. */
  readonly familyOf: (id: Id) => Id | null;
  /** The families by descent and by ownership. */
  readonly kinOf: (id: Id) => readonly Id[];
};

/** What one family paid, and all families that those have been of who paid it. */
type Buyers = { readonly paid: readonly Paid[]; readonly kin: ReadonlySet<Id> };

const buyersOf = (
  state: State,
  artifact: Id,
  { isOwn, familyOf, kinOf }: Kinship,
): ReadonlyMap<Id, Buyers> => {
  const buyers = new Map<Id, Buyers>();
  for (const { principal, paidTo } of customersOf(state, artifact)) {
    const family = familyOf(principal);
    if (family === null || isOwn(principal)) continue;
    const own = Object.entries(paidTo)
      .map(([payee, amount]) => ({ payer: principal, payee: asId(payee), amount }))
      .filter(({ payee }) => isOwn(payee));
    if (own.length === 0) continue;
    const { paid = [], kin = [] } = buyers.get(family) ?? {};
    buyers.set(family, { paid: [...paid, ...own], kin: new Set([...kin, ...kinOf(principal)]) });
  }
  return buyers;
};

/** Scrip that went to a principal, by the families that it is of. */
type Gone = { readonly kin: readonly Id[]; readonly amount: number };

/** What went to any of these families, each payment once. */
const sumTo = (families: ReadonlySet<Id>, gone: readonly Gone[]): number =>
  gone
    .filter(({ kin }) => kin.some((id) => families.has(id)))
    .reduce((sum, { amount }) => sum + amount, 0);

type Turnover = {
  /** By family: what came from it to the bidder's. */
  readonly came: ReadonlyMap<Id, number>;
  /** From the bidder's family to others. */
  readonly went: readonly Gone[];
  /** What the bidder's family ever paid to what belongs to no agent. */
  readonly passedOn: number;
  /** What others ever had out of that. */
  readonly passedOut: readonly Gone[];
};

const turnoverOf = (state: State, { isOwn, familyOf, kinOf }: Kinship): Turnover => {
  const came = new Map<Id, number>();
  const [went, passedOut]: readonly [Gone[], Gone[]] = [[], []];
  let passedOn = 0;
  for (const { from, to, amount } of state.flows.rows()) {
    const [giver, taker] = [familyOf(from), familyOf(to)];
    const [isGiven, isTaken] = [isOwn(from), isOwn(to)];
    if (isTaken && !isGiven && giver !== null) came.set(giver, (came.get(giver) ?? 0) + amount);
    if (isTaken) continue;
    if (isGiven) went.push({ kin: kinOf(to), amount });
    if (isGiven && taker === null) passedOn += amount;
    if (!isGiven && giver === null) passedOut.push({ kin: kinOf(to), amount });
  }
  return { came, went, passedOn, passedOut };
};
