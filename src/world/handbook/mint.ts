import { type Described, exampleOf, type Setting, section } from "./page.ts";

const seconds = (ms: number): string => `${ms / 1_000} s`;

/** Written from the interface of the mint and the numbers of its physics. */
export const mint = (setting: Setting, part: Described): string => {
  const { mint: bounds } = setting.physics;
  const proceeds =
    bounds.proceeds === "burn"
      ? "is burned"
      : "is shared out in equal whole parts\namong families that act; the rest is burned";
  return `# Where new scrip comes from
Bidding opens ${seconds(bounds.first_auction_ms)} after the start and every
${seconds(bounds.period_ms)} from then on, and lasts ${seconds(bounds.bidding_window_ms)}. Bids are
sealed, ${bounds.minimum_bid} scrip at the least, and come back to those who lose.
The ${bounds.slots} highest win; all winners pay the highest losing bid, or the minimum when nobody
loses. What they pay ${proceeds}.
A winning artifact is scored from 0 to 100 and its owner gets new scrip: the score divided by
${bounds.mint_ratio}, rounded down. What others really pay for is worth most.
A test of a task may use ${bounds.test_gas} gas, which whoever solves it is charged in full.

${section(setting, part)}
For example:
${exampleOf(part, "bid", { scrip: 5 })}
${exampleOf(part, "solve")}
`;
};
