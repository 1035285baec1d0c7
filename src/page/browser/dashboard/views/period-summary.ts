import { html } from "htm/preact";
import { capitalised } from "../../../../text/index.ts";
import type { Change, PeriodChanges } from "../../../routes/index.ts";
import { Panel } from "../../parts/parts.ts";
import { type Column, numberColumn, Table, textColumn } from "../../parts/table.ts";
import { numberText, signedText } from "../../parts/text.ts";
import { PrincipalLink, type ViewParts } from "../view.ts";
import { periodText } from "./period.ts";

type SummaryParts = { readonly changes: PeriodChanges; readonly parts: ViewParts };

/** What changed in the period that the page shows. */
export const PeriodSummary = ({ changes, parts }: SummaryParts) => {
  const agent: Column<Change> = {
    title: "agent",
    cell: ({ name: id }) => PrincipalLink({ id, parts }),
  };
  return html`
    <${Panel} title="What changed in the period" class="is-wide" note=${noteOf(changes)}>
      <${Table} caption="Figures" columns=${[textColumn("figure", nameOf), ...ENDS]}
        rows=${changes.figures.map(rounded)} />
      <${Table} caption="The largest changes of wealth" columns=${[agent, ...ENDS]}
        rows=${changes.wealth} />
    <//>
  `;
};

const noteOf = (changes: PeriodChanges): string => {
  const { from_ms: fromMs, to_ms: toMs, sums } = changes;
  if (toMs < fromMs) return "Nothing yet: the period begins after the moment that the page shows.";
  const flows = [
    `${numberText(sums.trades)} trades`,
    `${numberText(sums.turnover)} scrip paid`,
    `${numberText(sums.minted)} minted`,
    `${numberText(sums.burned)} burned`,
    `${numberText(sums.refused)} actions refused`,
  ].join(", ");
  return `${capitalised(periodText(changes))}, both included: ${flows}.`;
};

const DECIMALS: ReadonlyMap<string, number> = new Map([
  ["Gini", 3],
  ["price index", 2],
]);

/** The values as the table shows them, so that the change is their difference. */
const rounded = ({ name, from, to }: Change): Change => {
  const factor = 10 ** (DECIMALS.get(name) ?? 0);
  const round = (value: number): number => Math.round(value * factor) / factor;
  return { name, from: round(from), to: round(to) };
};

const nameOf = ({ name }: Change): string => name;

const ENDS: readonly Column<Change>[] = [
  numberColumn("at the start", "from"),
  numberColumn("at the end", "to"),
  numberColumn("change", ({ from, to }) => to - from, signedText),
];
