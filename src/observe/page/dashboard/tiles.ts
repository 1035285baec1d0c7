import type { OverviewOfRun } from "../../dashboard/index.ts";
import { dollarText, numberText, percentText } from "./words.ts";

export type Tile = { readonly name: string; readonly figure: string; readonly note: string };

/** The figures that one looks at first, at the moment that they are of. */
export const tilesOf = ({ timeline, standings }: OverviewOfRun): readonly Tile[] => {
  const stock = (values: readonly number[]): number => values.at(-1) ?? 0;
  const sum = (values: readonly number[]): number =>
    values.reduce((total, value) => total + value, 0);
  const [actions, refused] = [sum(timeline.actions), sum(timeline.refused)];
  const supply = stock(timeline.supply);
  return [
    {
      name: "Scrip",
      figure: numberText(supply),
      note: mintText(sum(timeline.minted), sum(timeline.burned)),
    },
    {
      name: "Trades",
      figure: numberText(sum(timeline.trades)),
      note: turnoverText(sum(timeline.turnover)),
    },
    {
      name: "Gini",
      figure: numberText(round(stock(timeline.gini))),
      note: "0 all alike, 1 one has all",
    },
    {
      name: "Price index",
      figure: numberText(round(stock(timeline.price_index))),
      note: "1 at the beginning",
    },
    {
      name: "Actions",
      figure: numberText(actions),
      note: actions === 0 ? "none yet" : `${percentText((actions - refused) / actions)} succeeded`,
    },
    {
      name: "Agents",
      figure: numberText(stock(timeline.agents)),
      note: standings,
    },
    {
      name: "Thinking",
      figure: dollarText(sum(timeline.cost_micros)),
      note: `${numberText(sum(timeline.thoughts))} thoughts`,
    },
  ];
};

const round = (value: number): number => Math.round(value * 1_000) / 1_000;

const mintText = (minted: number, burned: number): string =>
  `${numberText(minted)} minted, ${numberText(burned)} burned`;

const turnoverText = (amount: number): string => `${numberText(amount)} scrip paid`;
