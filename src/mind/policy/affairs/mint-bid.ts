import type { Offering } from "../../../kernel/index.ts";
import { call, type Duty, type Here } from "./affairs.ts";

/** What a win is taken to bring while nothing is known of earlier ones, in scrip. */
const HOPE = 8;
/** An artifact is bid again when it has earned this much more than at its last bid. */
const NEWS = 12;

/** What has been minted of late for one win, on average. */
const usualPrize = ({ view }: Here): number => {
  const prizes = view.mint.results.map(({ minted }) => minted);
  if (prizes.length === 0) return HOPE;
  return prizes.reduce((sum, prize) => sum + prize, 0) / prizes.length;
};

/** Bids the program whose use has grown most since it was bid, for less than it should bring. */
export const bidAtMint =
  (purseShare: number): Duty =>
  (here) => {
    const { view, memory, dice } = here;
    if (!view.mint.open || view.mint.own.length > 0) return null;
    const news = ({ id, revenue }: Offering): number => revenue - (memory.bids[id] ?? 0);
    const [best] = view.owned
      .filter((good) => good.methods.length > 0 && good.calls_by_others > 0 && news(good) >= NEWS)
      .sort((a, b) => news(b) - news(a));
    if (best === undefined) return null;
    const worth = usualPrize(here) * (0.4 + 0.5 * dice.next());
    const scrip = Math.floor(Math.min(worth, view.account.scrip * purseShare));
    if (scrip < view.mint.minimum_bid) return null;
    return {
      action: call("genesis_mint.bid", [best.id], { attach: { scrip } }),
      why: `${best.id} has earned ${best.revenue}; the mint may pay for that`,
      affairs: { ...memory, bids: { ...memory.bids, [best.id]: best.revenue } },
    };
  };
