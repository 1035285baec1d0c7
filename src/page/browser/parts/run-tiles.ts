import type { MomentFigures } from "../../../read/index.ts";
import type { Tile } from "./parts.ts";
import { countText, dollarText, numberText, percentText } from "./text.ts";

export const tilesOf = (overview: MomentFigures): readonly Tile[] => {
  const { money, wealth, revenue, trades, capital, work, lives, statuses } = overview;
  const { cost_micros: cost, api_cost_micros: owed } = work;
  const supplied = `${numberText(money.minted)} minted, ${numberText(money.burned)} burned`;
  const velocity = numberText(money.velocity_per_min);
  const succeeded = `${percentText(work.success_rate)} succeeded`;
  return [
    ["Scrip", numberText(money.supply), supplied],
    [
      "Trades",
      numberText(trades.total),
      `${countText(money.payments, "payment")}, ${numberText(money.turnover)} scrip`,
    ],
    ["Gini", rounded(wealth.gini), "0 if all agents have the same scrip, 1 if one has all"],
    ["Velocity", velocity, "how often each scrip is spent per minute, on average"],
    ["Price index", numberText(money.price_index), "1 at the start"],
    ["HHI", rounded(revenue.hhi), "concentration of revenue"],
    ["Agents", numberText(wealth.agents), statuses],
    ["Actions", numberText(work.actions), work.actions === 0 ? "none yet" : succeeded],
    ["Frozen", percentText(lives.frozen_share), "of the agents' time"],
    ["Reuse", percentText(capital.reuse_share), `of ${countText(capital.programs, "program")}`],
    ["Budget spent", dollarText(cost), `simulated, on ${countText(work.thoughts, "thought")}`],
    ["Owed to providers", dollarText(owed), "real money, for calls of models"],
  ];
};

const rounded = (value: number): string => numberText(Math.round(value * 1_000) / 1_000);
