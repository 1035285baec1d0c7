import { html } from "htm/preact";
import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import type { RunMetrics } from "../../../../read/index.ts";
import type { PeriodTrade } from "../../../routes/index.ts";
import { ChartPanel, charts, matrixChart } from "../../charts/index.ts";
import { Facts, type NameAndValue, Panel, Pending } from "../../parts/parts.ts";
import { type Column, numberColumn, SortedTable } from "../../parts/table.ts";
import { momentText, numberText, percentText, signedText } from "../../parts/text.ts";
import { go } from "../core/address.ts";
import type { Answer } from "../core/api.ts";
import {
  PrincipalLink,
  periodQuery,
  periodText,
  placeOf,
  useMoment,
  type ViewParts,
} from "../core/view.ts";

const EDGES_SHOWN = 20;

export const TradeView = (parts: ViewParts) => {
  const { address, agents } = parts;
  const { value, problem } = useTrade(parts);
  const [searched, search] = useState("");
  const pick = useCallback((id: string) => go(placeOf({ address, agents }, id)), [address, agents]);
  const found = value === null ? null : foundIn(value.network.nodes, searched);
  const spec = useMemo(
    () => value && { ...charts.network(value, value.when), pick, found },
    [value, pick, found],
  );
  if (value === null) return html`<${Pending} problem=${problem} />`;
  const { nodes } = value.network;
  return html`
    <div class="columns is-uneven">
      <div>
        <div class="tools" role="search">
          <input type="search" aria-label="Find a principal" placeholder="find a principal"
            list="principals" value=${searched}
            onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
              search(currentTarget.value)} />
          <datalist id="principals">
            ${nodes.map(({ id }) => html`<option value=${id} />`)}
          </datalist>
          <span class="note" role="status">
            ${searched !== "" && found === null && "no principal has this name"}</span>
        </div>
        <h2 class="unseen">Payments</h2>
        <${ChartPanel} spec=${spec} make=${matrixChart} />
        <${Panel} title="Largest flows" note=${charts.withPayments(value.when, FLOWS_NOTE)}>
          <${SortedTable} caption="Largest flows" columns=${columnsOf(parts)}
            rows=${flowsOf(value, found)} first=${EDGES_SHOWN} />
        <//>
      </div>
      <${Panel} title="Network" note=${`Payments ${value.when}.`}>
        <${Facts} facts=${value.facts} />
      <//>
    </div>
  `;
};

/** What the view shows: the payments of the period, or all up to the moment of the page. */
type Trade = Pick<RunMetrics, "network"> & {
  /** Example: `from 2:00.0 to 2:30.0`. */
  readonly when: string;
  readonly facts: readonly NameAndValue[];
};

const useTrade = (parts: ViewParts): Answer<Trade> => {
  const { path } = parts;
  const query = periodQuery(parts);
  const whole = useMoment<RunMetrics>(query === null ? `${path}/metrics` : null, parts);
  const inPeriod = useMoment<PeriodTrade>(query === null ? null : `${path}/trade?${query}`, parts);
  const { value, problem } = query === null ? whole : inPeriod;
  const answered = useMemo(() => {
    if (value === null) return null;
    return "money" in value ? wholeTrade(value) : tradeOfPeriod(value);
  }, [value]);
  const shown = useRef<Trade | null>(null);
  // Until another period has its figures, shows the last ones.
  shown.current = answered ?? shown.current;
  return { value: shown.current, problem };
};

const wholeTrade = ({ network, money, capital, at_ms: atMs }: RunMetrics): Trade => ({
  network,
  when: `up to ${momentText(atMs)}`,
  facts: [
    ...factsOf(network, money),
    ["programs written", programsText(capital)],
    ["longest chain of programs", numberText(capital.depth)],
  ],
});

const tradeOfPeriod = (trade: PeriodTrade): Trade => ({
  network: trade.network,
  when: periodText(trade),
  facts: factsOf(trade.network, trade),
});

const FLOWS_NOTE =
  "Net: less what flows back. The share is that of all that others paid the receiver. Loans, the " +
  "capital of new agents and scrip from the mint are not payments here.";

/** The principal with this name, else the one with the most trade whose name contains the text. */
const foundIn = (nodes: RunMetrics["network"]["nodes"], text: string): string | null => {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return null;
  const ids = nodes
    .toSorted((a, b) => b.paid + b.received - a.paid - a.received)
    .map(({ id }) => id);
  return (
    ids.find((id) => id.toLowerCase() === wanted) ??
    ids.find((id) => id.toLowerCase().includes(wanted)) ??
    null
  );
};

type Flow = RunMetrics["network"]["edges"][number] & {
  readonly net: number;
  /** The share of all payments that the receiver got. */
  readonly share: number;
};

const flowsOf = ({ network }: Trade, found: string | null): readonly Flow[] => {
  const { nodes, edges } = network;
  const received = new Map(nodes.map((node) => [node.id, node.received]));
  const amounts = new Map(edges.map(({ from, to, amount }) => [`${from} ${to}`, amount]));
  return edges
    .filter(({ from, to }) => found === null || from === found || to === found)
    .map((edge) => ({
      ...edge,
      net: edge.amount - (amounts.get(`${edge.to} ${edge.from}`) ?? 0),
      share: edge.amount / Math.max(1, received.get(edge.to) ?? 0),
    }));
};

const factsOf = (
  network: RunMetrics["network"],
  { payments, turnover }: Pick<PeriodTrade, "payments" | "turnover">,
): readonly NameAndValue[] => [
  ["principals", numberText(network.nodes.length)],
  ["pairs that traded", numberText(network.edge_count)],
  ["density", percentText(network.density)],
  ["reciprocity", percentText(network.reciprocity)],
  ["separate networks", numberText(network.components)],
  ["payments", numberText(payments)],
  ["total paid", `${numberText(turnover)} scrip`],
];

const programsText = ({ written, deleted }: RunMetrics["capital"]): string =>
  `${numberText(written)}${deleted === 0 ? "" : `, ${numberText(deleted)} deleted`}`;

const columnsOf = (parts: ViewParts): readonly Column<Flow>[] => [
  {
    title: "from",
    cell: ({ from: id }) => PrincipalLink({ id, parts }),
    value: ({ from }) => from,
  },
  { title: "to", cell: ({ to: id }) => PrincipalLink({ id, parts }), value: ({ to }) => to },
  numberColumn("paid", "amount"),
  numberColumn("net", "net", signedText),
  numberColumn("share of received", "share", percentText),
  numberColumn("times", "payments"),
];
