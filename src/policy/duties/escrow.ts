import type { MarketListing } from "../../kernel/index.ts";
import { call } from "../core/policy.ts";
import { type Duty, type DutyMove, type DutySituation, valuation } from "./duty.ts";
import type { EscrowListing } from "./duty-memory.ts";

const ESCROW = "genesis_escrow";
/** The maximum number of deposits by one agent. Unwanted goods must not fill the escrow. */
const OFFERED_MAX = 6;

type Earner = { readonly id: string } & Pick<MarketListing, "revenue" | "created_at">;

/** Returns the scrip that the agent expects an artifact to earn by the end of the run. */
const prospects = ({ view }: DutySituation, { id, revenue, created_at }: Earner): number => {
  const rate = revenue / Math.max(10_000, view.now - created_at);
  return rate * (view.horizonMs - view.now) * valuation(view.id, id);
};

const deposit = (here: DutySituation, good: MarketListing, price: number): DutyMove => ({
  action: call(`${ESCROW}.deposit`, [price], { attach: { artifacts: [good.id] } }),
  why: `${good.id} is worth more to others than to me`,
  memory: { ...here.memory, offered: [...here.memory.offered, good.id] },
});

/** Offers the artifact with the lowest revenue above 0 if the agent has less scrip than `below`. */
export const sellForCash =
  (below: number): Duty =>
  (here) => {
    const { view, memory } = here;
    if (view.account.scrip >= below) return null;
    const [least] = view.owned
      .filter(({ id, revenue, balance }) => revenue > 0 && balance === null && canOffer(memory, id))
      .sort((a, b) => a.revenue - b.revenue);
    if (least === undefined) return null;
    return deposit(here, least, Math.max(2, Math.round(prospects(here, least) * 0.6)));
  };

const canOffer = ({ offered }: DutySituation["memory"], id: string): boolean =>
  !offered.includes(id) && offered.length < OFFERED_MAX;

/** Offers an unused artifact at a low price. Returns null if the artifact cannot be offered. */
export const sellOff = (here: DutySituation, good: MarketListing): DutyMove | null =>
  canOffer(here.memory, good.id) && good.balance === null ? deposit(here, good, 2) : null;

/** Older answers of the escrow are not used: others buy there too. */
const LISTINGS_KEPT_MS = 10_000;

/** Whether an artifact can still be for sale: the last answer is new, and no one else owns it. */
const isStillListed = ({ view, memory }: DutySituation, artifact: string): boolean => {
  const age = view.now - (memory.askedAt.listings ?? Number.NEGATIVE_INFINITY);
  const shown = [...view.market, ...view.owned].find(({ id }) => id === artifact);
  return age <= LISTINGS_KEPT_MS && (shown === undefined || shown.owner === ESCROW);
};

/** Buys an artifact for less than its value, for at most the given share of the agent's scrip. */
export const buyBargain =
  (share: number): Duty =>
  (here) => {
    const { view, memory } = here;
    const gain = (listing: EscrowListing): number =>
      prospects(here, { ...listing, id: listing.artifact }) - listing.price;
    const [best] = memory.listings
      .filter(({ artifact }) => isStillListed(here, artifact))
      .filter(({ seller, buyer }) => seller !== view.id && (buyer === null || buyer === view.id))
      .filter(({ price }) => price <= view.account.scrip * share)
      .filter((listing) => gain(listing) > 1)
      .sort((a, b) => gain(b) - gain(a));
    if (best === undefined) return null;
    return {
      action: call(`${ESCROW}.purchase`, [best.artifact], { attach: { scrip: best.price } }),
      why: `${best.artifact} has earned ${best.revenue} and costs ${best.price}`,
      memory: { ...memory, listings: memory.listings.filter((listing) => listing !== best) },
    };
  };
