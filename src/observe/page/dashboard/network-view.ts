import { html } from "htm/preact";
import { useCallback } from "preact/hooks";
import type { RunMetrics } from "../../metrics/index.ts";
import { type NetworkSpec, networkChart } from "../charts/index.ts";
import { go } from "./address.ts";
import { useAnswer } from "./ask.ts";
import { Drawing } from "./drawn.ts";
import { atQuery, versionOf } from "./moment.ts";
import { type Fact, Facts, Panel, Principal, Problem, placeOf, Waiting } from "./parts.ts";
import { type Column, Table } from "./table.ts";
import type { ViewParts } from "./views.ts";
import { numberText, percentText } from "./words.ts";

const EDGES_SHOWN = 20;

/** Who trades with whom. */
export const NetworkView = (parts: ViewParts) => {
  const { address, tick, path, agents } = parts;
  const { value, problem } = useAnswer<RunMetrics>(
    `${path}/metrics?${atQuery(address)}`,
    versionOf({ address, tick }),
  );
  const pick = useCallback((id: string) => go(placeOf({ address, agents }, id)), [address, agents]);
  if (value === null) {
    return problem === null ? html`<${Waiting} />` : html`<${Problem} problem=${problem} />`;
  }
  const { network } = value;
  const spec: NetworkSpec = {
    title: "Trade network",
    note:
      "Who paid whom: a node grows with what it received, a line with what was paid; grey are " +
      "programs with a purse. Choose a node to see it.",
    network,
    pick,
  };
  return html`
    <div class="columns is-uneven">
      <section class="panel"><${Drawing} make=${networkChart} spec=${spec} /></section>
      <div>
        <${Panel} title="Shape"><${Facts} facts=${factsOf(value)} /><//>
        <${Panel} title="Largest flows">
          <${Table} caption="Largest flows" columns=${columnsOf(parts)}
            rows=${network.edges.slice(0, EDGES_SHOWN)} />
        <//>
      </div>
    </div>
  `;
};

const factsOf = ({ network, money, capital }: RunMetrics): readonly Fact[] => [
  ["principals", numberText(network.nodes.length)],
  ["pairs that traded", numberText(network.edge_count)],
  ["density", percentText(network.density)],
  ["answered", percentText(network.reciprocity)],
  ["parts", numberText(network.components)],
  ["payments", numberText(money.payments)],
  ["paid in all", `${numberText(money.turnover)} scrip`],
  ["programs written", programsText(capital)],
  ["longest chain of programs", numberText(capital.depth)],
];

const programsText = ({ written, deleted }: RunMetrics["capital"]): string =>
  `${numberText(written)}${deleted === 0 ? "" : `, ${numberText(deleted)} deleted since`}`;

type Edge = RunMetrics["network"]["edges"][number];

const columnsOf = (parts: ViewParts): readonly Column<Edge>[] => {
  const agent = (id: string) => html`<${Principal} id=${id} parts=${parts} />`;
  return [
    { title: "from", cell: ({ from }) => agent(from) },
    { title: "to", cell: ({ to }) => agent(to) },
    { title: "paid", isNumber: true, cell: ({ amount }) => numberText(amount) },
    { title: "times", isNumber: true, cell: ({ payments }) => numberText(payments) },
  ];
};
