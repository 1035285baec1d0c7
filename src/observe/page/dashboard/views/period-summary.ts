import { html } from "htm/preact";
import type { RunOverview } from "../../../run-overview.ts";
import { Panel } from "../../parts/parts.ts";
import { type Column, numberColumn, Table, textColumn } from "../../parts/table.ts";
import { momentText, numberText, signedText } from "../../parts/text.ts";
import { periodIn } from "../address.ts";
import { PrincipalLink, type ViewParts } from "../view.ts";
import { type Change, changesIn } from "./period-changes.ts";

type SummaryParts = { readonly timeline: RunOverview["timeline"]; readonly parts: ViewParts };

/** What changed in the period that the page shows. Nothing without a period. */
export const PeriodSummary = ({ timeline, parts }: SummaryParts) => {
  const { address, tick } = parts;
  const span = { fromMs: timeline.at_ms[0] ?? 0, toMs: tick.at_ms };
  const period = periodIn(address.filter ?? {}, span);
  if (period === null) return null;
  const { fromMs, toMs, figures, wealth, sums } = changesIn(timeline, period);
  const agent: Column<Change> = {
    title: "agent",
    cell: ({ name: id }) => PrincipalLink({ id, parts }),
  };
  const flows = sums.map(([name, sum]) => `${numberText(sum)} ${name}`).join(", ");
  return html`
    <${Panel} title="What changed in the period" class="is-wide"
      note=${`From the sample at ${momentText(fromMs)} to that at ${momentText(toMs)}: ${flows}.`}>
      <${Table} caption="Figures" columns=${[textColumn("figure", nameOf), ...ENDS]}
        rows=${figures} />
      <${Table} caption="The largest changes of wealth" columns=${[agent, ...ENDS]}
        rows=${wealth} />
    <//>
  `;
};

const nameOf = ({ name }: Change): string => name;

const ENDS: readonly Column<Change>[] = [
  numberColumn("at the start", "from"),
  numberColumn("at the end", "to"),
  numberColumn("change", ({ from, to }) => to - from, signedText),
];
