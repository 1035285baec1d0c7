import type { View } from "../../../kernel/index.ts";
import { seconds } from "../../units.ts";
import { oneLine } from "../fence.ts";
import type { Section } from "../section.ts";

const DESCRIPTION_CHARS = 300;
const TESTS_CHARS = 300;

/** New money: the auction that is open or comes next, what the agent bid, and what lately won. */
export const mint: Section = {
  name: "mint",
  title: "The mint",
  priority: 45,
  tokensMax: 250,
  keeps: "start",
  foreign: false,
  lines: ({ view }) => [auctionLine(view), ...ownBids(view), ...recentWins(view)],
};

const auctionLine = ({ mint: status, now }: View): string => {
  const { auction, open, opens_at_ms, closes_at_ms, minimum_bid, slots, last_price } = status;
  const when = open
    ? `is open for ${seconds(closes_at_ms - now)} more`
    : `opens in ${seconds(Math.max(0, opens_at_ms - now))}`;
  const last = last_price === null ? "" : `; the last price was ${last_price}`;
  return `Auction ${auction} ${when}: ${slots} win, the least bid is ${minimum_bid}${last}.`;
};

const ownBids = ({ mint: { own } }: View): readonly string[] =>
  own.length === 0
    ? ["You have no bid and no win that waits for its score."]
    : own.map(({ id, artifact, amount, stage }) =>
        stage === "won"
          ? `Your ${artifact} won (${id}) and waits for its score.`
          : `Your bid ${id}: ${artifact} for ${amount}.`,
      );

const recentWins = ({ mint: { results } }: View): readonly string[] =>
  results.map(
    ({ artifact, bidder, score, minted }) =>
      `Won lately: ${artifact} of ${bidder}, scored ${score}, minted ${minted} scrip.`,
  );

export const tasks: Section = {
  name: "tasks",
  title: "Tasks: the first program that passes every test earns the reward",
  priority: 65,
  tokensMax: 700,
  keeps: "start",
  foreign: true,
  lines: ({ view }) =>
    view.tasks.map(({ id, reward, description, public_tests }) => {
      const tests = oneLine(JSON.stringify(public_tests), TESTS_CHARS);
      const about = oneLine(description, DESCRIPTION_CHARS);
      return `- ${id}, ${reward} scrip: ${about} Public tests: ${tests}`;
    }),
};
