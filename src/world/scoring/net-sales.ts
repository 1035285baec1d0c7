import {
  areRelated,
  asId,
  customersOf,
  headOf,
  type Id,
  memoized,
  rootOf,
  type State,
} from "../../kernel/index.ts";
import type { NetSales, PaidSum } from "./scorer.ts";

/**
 * The net sales of an artifact to each unrelated family: sales - returns, at least 0.
 * - Sales: what the family paid the bidder's family for calls of the artifact. Limited to all that
 *   the family paid the bidder's family. Payments to an unrelated earlier owner do not count.
 * - Returns: all that the family got from the bidder's family, including shares of prices
 *   paid at the mint. So money that circulates between the two families is not a net sale.
 *
 * A buyer belongs to the family that owns the buyer now. For returns, a receiver belongs to two
 * families, by ownership and by descent, so that selling an account hides nothing.
 *
 * A principal of no agent, such as the escrow, is not a customer. Returns include what the bidder's
 * family paid to such principals, but at most what the buyer's family got from such principals.
 */
export const netSalesOf = (
  state: State,
  { artifact, bidder }: { readonly artifact: Id; readonly bidder: Id },
): readonly NetSales[] => {
  const isOwn = memoized((id: Id) => areRelated(state, id, bidder));
  const familyOf = memoized((id: Id) => headOf(state, id));
  const familiesOf = memoized((id: Id) => [rootOf(state, id), familyOf(id) ?? rootOf(state, id)]);
  const buyers = buyersOf(state, artifact, { isOwn, familyOf, familiesOf });
  if (buyers.size === 0) return [];
  const turnover = turnoverOf(state, { isOwn, familyOf, familiesOf });
  return [...buyers]
    .map(([family, { paid, families }]) => {
      const { came: paidIn, went, passedOn, passedOut } = turnover;
      const returned = sumTo(families, went) + Math.min(passedOn, sumTo(families, passedOut));
      const sum = paid.reduce((total, { amount }) => total + amount, 0);
      return { family, net: Math.max(0, Math.min(sum, paidIn.get(family) ?? 0) - returned), paid };
    })
    .sort((a, b) => (a.family < b.family ? -1 : 1));
};

type Families = {
  readonly isOwn: (id: Id) => boolean;
  readonly familyOf: (id: Id) => Id | null;
  /** The families of a principal by descent and by ownership. */
  readonly familiesOf: (id: Id) => readonly Id[];
};

type Buyers = { readonly paid: readonly PaidSum[]; readonly families: ReadonlySet<Id> };

const buyersOf = (
  state: State,
  artifact: Id,
  { isOwn, familyOf, familiesOf }: Families,
): ReadonlyMap<Id, Buyers> => {
  const buyers = new Map<Id, Buyers>();
  for (const { principal, paidTo } of customersOf(state, artifact)) {
    const family = familyOf(principal);
    if (family === null || isOwn(principal)) continue;
    const own = Object.entries(paidTo)
      .map(([payee, amount]) => ({ payer: principal, payee: asId(payee), amount }))
      .filter(({ payee }) => isOwn(payee));
    if (own.length === 0) continue;
    const { paid = [], families = [] } = buyers.get(family) ?? {};
    buyers.set(family, {
      paid: [...paid, ...own],
      families: new Set([...families, ...familiesOf(principal)]),
    });
  }
  return buyers;
};

/** Scrip that was paid to a principal, and the families of that principal. */
type Outflow = { readonly families: readonly Id[]; readonly amount: number };

/** The sum that was paid to any of these families. Each payment counts once. */
const sumTo = (families: ReadonlySet<Id>, outflows: readonly Outflow[]): number =>
  outflows
    .filter((outflow) => outflow.families.some((id) => families.has(id)))
    .reduce((sum, { amount }) => sum + amount, 0);

type Turnover = {
  /** What each family paid to the bidder's family. */
  readonly came: ReadonlyMap<Id, number>;
  readonly went: readonly Outflow[];
  /** What the bidder's family paid to principals that belong to no agent. */
  readonly passedOn: number;
  /** What principals outside the bidder's family got from principals that belong to no agent. */
  readonly passedOut: readonly Outflow[];
};

const turnoverOf = (state: State, { isOwn, familyOf, familiesOf }: Families): Turnover => {
  const came = new Map<Id, number>();
  const [went, passedOut]: readonly [Outflow[], Outflow[]] = [[], []];
  let passedOn = 0;
  for (const { from, to, amount } of state.flows.rows()) {
    const [giver, taker] = [familyOf(from), familyOf(to)];
    const [isGiven, isTaken] = [isOwn(from), isOwn(to)];
    if (isTaken && !isGiven && giver !== null) came.set(giver, (came.get(giver) ?? 0) + amount);
    if (isTaken) continue;
    if (isGiven) went.push({ families: familiesOf(to), amount });
    if (isGiven && taker === null) passedOn += amount;
    if (!isGiven && giver === null) passedOut.push({ families: familiesOf(to), amount });
  }
  return { came, went, passedOn, passedOut };
};
