import type { MintPhysics } from "../physics.ts";

/** When bidding in an auction opens, ms of run time; auctions are counted from 0. */
export const opensAt = (mint: MintPhysics, auction: number): number =>
  mint.first_auction_ms + auction * mint.period_ms;

/** When it closes: a bid at this moment is too late, and the auction can be resolved. */
export const closesAt = (mint: MintPhysics, auction: number): number =>
  opensAt(mint, auction) + mint.bidding_window_ms;

/** The auction that opened last, negative before the first. */
const latestAuction = (mint: MintPhysics, now: number): number =>
  Math.floor((now - mint.first_auction_ms) / mint.period_ms);

/** The auction in which one can bid now, null between two of them. */
export const openAuction = (mint: MintPhysics, now: number): number | null => {
  const latest = latestAuction(mint, now);
  return latest >= 0 && now < closesAt(mint, latest) ? latest : null;
};

/** The auction that is open, or else the one that opens next. */
export const comingAuction = (mint: MintPhysics, now: number): number =>
  openAuction(mint, now) ?? Math.max(0, latestAuction(mint, now) + 1);
