import type { RunOverview } from "../../run-overview.ts";
import type { Tile } from "./parts.ts";
import { dollarText, numberText, percentText } from "./text.ts";

/** The key figures of a run, for the report page and the dashboard. */
export const tilesOf = (overview: RunOverview): readonly Tile[] => {
  const { money, wealth, revenue, trades, capital, work, lives, statuses } = overview;
  const { cost_micros: cost, api_cost_micros: owed } = work;
  const owedText = owed === 0 ? "" : `, ${dollarText(owed)} owed to providers`;
  return [
    {
      name: "Scrip",
      figure: numberText(money.supply),
      note: `${numberText(money.minted)} minted, ${numberText(money.burned)} burned`,
    },
    {
      name: "Trades",
      figure: numberText(trades.total),
      note: `${numberText(money.turnover)} scrip paid`,
    },
    { name: "Gini", figure: rounded(wealth.gini), note: "0 if equal, 1 if one agent has all" },
    {
      name: "Velocity",
      figure: numberText(money.velocity_per_min),
      note: "average times per minute that a scrip is spent",
    },
    { name: "Price index", figure: rounded(money.price_index), note: "1 at the start" },
    { name: "HHI", figure: rounded(revenue.hhi), note: "concentration of revenue" },
    { name: "Agents", figure: numberText(wealth.agents), note: statuses },
    {
      name: "Actions",
      figure: numberText(work.actions),
      note: work.actions === 0 ? "none yet" : `${percentText(work.success_rate)} succeeded`,
    },
    { name: "Frozen", figure: percentText(lives.frozen_share), note: "of the agents' time" },
    {
      name: "Reuse",
      figure: percentText(capital.reuse_share),
      note: `of ${numberText(capital.programs)} programs`,
    },
    {
      name: "Thinking",
      figure: dollarText(cost),
      note: `${numberText(work.thoughts)} thoughts${owedText}`,
    },
  ];
};

const rounded = (value: number): string => numberText(Math.round(value * 1_000) / 1_000);
