import type { Offering } from "../../../kernel/index.ts";
import { type Chore, call, type Duty, type Here, reckoning } from "./affairs.ts";
import type { Listing } from "./answers.ts";

const ESCROW = "genesis_escrow";
/** How much it puts on sale in all, so that the escrow does not fill up with what nobody wants. */
const OFFERED_MAX = 6;

type Earner = { readonly id: string } & Pick<Offering, "revenue" | "created_at">;

/** What something that goes on earning as it did is worth until the end of the run, in scrip. */
const prospects = ({ view }: Here, { id, revenue, created_at }: Earner): number => {
  const pace = revenue / Math.max(10_000, view.now - created_at);
  return pace * (view.horizonMs - view.now) * reckoning(view.id, id);
};

const deposit = (here: Here, good: Offering, price: number): Chore => ({
  action: call(`${ESCROW}.deposit`, [price], { attach: { artifacts: [good.id] } }),
  why: `${good.id} is worth more to somebody else than to me`,
  affairs: { ...here.memory, offered: [...here.memory.offered, good.id] },
});

/** Puts on sale what earned it least, when it needs money more than goods. */
export const sellForCash =
  (below: number): Duty =>
  (here) => {
    const { view, memory } = here;
    if (view.account.scrip >= below) return null;
    const [least] = view.owned
      .filter(({ id, revenue, balance }) => revenue > 0 && balance === null && isFresh(memory, id))
      .sort((a, b) => a.revenue - b.revenue);
    if (least === undefined) return null;
    return deposit(here, least, Math.max(2, Math.round(prospects(here, least) * 0.6)));
  };

const isFresh = ({ offered }: Here["memory"], id: string): boolean =>
  !offered.includes(id) && offered.length < OFFERED_MAX;

/** Puts on sale at a low price what nobody calls any more; null once that was tried. */
export const sellOff = (here: Here, good: Offering): Chore | null =>
  isFresh(here.memory, good.id) && good.balance === null ? deposit(here, good, 2) : null;

/** Buys what is worth clearly more than what is asked for it, within a part of its scrip. */
export const buyBargain =
  (share: number): Duty =>
  (here) => {
    const { view, memory } = here;
    const gain = (listing: Listing): number =>
      prospects(here, { ...listing, id: listing.artifact }) - listing.price;
    const [best] = memory.listings
      .filter(({ seller, buyer }) => seller !== view.id && (buyer === null || buyer === view.id))
      .filter(({ price }) => price <= view.account.scrip * share)
      .filter((listing) => gain(listing) > 1)
      .sort((a, b) => gain(b) - gain(a));
    if (best === undefined) return null;
    return {
      action: call(`${ESCROW}.purchase`, [best.artifact], { attach: { scrip: best.price } }),
      why: `${best.artifact} earned ${best.revenue} so far and costs ${best.price}`,
      affairs: { ...memory, listings: memory.listings.filter((listing) => listing !== best) },
    };
  };
