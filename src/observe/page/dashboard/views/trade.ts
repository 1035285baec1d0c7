import { html } from "htm/preact";
import { useCallback, useMemo } from "preact/hooks";
import type { RunMetrics } from "../../../metrics/run-metrics.ts";
import { charts, networkChart } from "../../charts/index.ts";
import { ChartPanel, Facts, type NameAndValue, Panel, Pending } from "../../parts/parts.ts";
import { type Column, numberColumn, Table } from "../../parts/table.ts";
import { numberText, percentText } from "../../parts/text.ts";
import { go } from "../address.ts";
import { PrincipalLink, placeOf, useMoment, type ViewParts } from "../view.ts";

const EDGES_SHOWN = 20;

export const TradeView = (parts: ViewParts) => {
  const { address, agents } = parts;
  const { value, problem } = useMoment<RunMetrics>(`${parts.path}/metrics`, parts);
  const pick = useCallback((id: string) => go(placeOf({ address, agents }, id)), [address, agents]);
  const spec = useMemo(() => value && charts.network(value, pick), [value, pick]);
  if (value === null) return html`<${Pending} problem=${problem} />`;
  return html`
    <div class="columns is-uneven">
      <div>
        <${ChartPanel} make=${networkChart} spec=${spec} />
        <${Panel} title="Largest flows">
          <${Table} caption="Largest flows" columns=${columnsOf(parts)}
            rows=${value.network.edges.slice(0, EDGES_SHOWN)} />
        <//>
      </div>
      <${Panel} title="Network"><${Facts} facts=${factsOf(value)} /><//>
    </div>
  `;
};

const factsOf = ({ network, money, capital }: RunMetrics): readonly NameAndValue[] => [
  ["principals", numberText(network.nodes.length)],
  ["pairs that traded", numberText(network.edge_count)],
  ["density", percentText(network.density)],
  ["answered", percentText(network.reciprocity)],
  ["separate parts", numberText(network.components)],
  ["payments", numberText(money.payments)],
  ["total paid", `${numberText(money.turnover)} scrip`],
  ["programs written", programsText(capital)],
  ["longest chain of programs", numberText(capital.depth)],
];

const programsText = ({ written, deleted }: RunMetrics["capital"]): string =>
  `${numberText(written)}${deleted === 0 ? "" : `, ${numberText(deleted)} deleted`}`;

const columnsOf = (parts: ViewParts): readonly Column<RunMetrics["network"]["edges"][number]>[] => [
  { title: "from", cell: ({ from: id }) => PrincipalLink({ id, parts }) },
  { title: "to", cell: ({ to: id }) => PrincipalLink({ id, parts }) },
  numberColumn("paid", "amount"),
  numberColumn("times", "payments"),
];
