import { html } from "htm/preact";
import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import type { RunMetrics } from "../../../figures/index.ts";
import { momentText, numberText, percentText, signedText } from "../../../text/index.ts";
import type { PeriodTrade } from "../../routes/index.ts";
import { charts, MatrixChart } from "../charts/index.ts";
import { Search } from "../parts/fields.ts";
import { Facts, type NameAndValue, Panel, Pending } from "../parts/parts.ts";
import { type Column, numberColumn, SortedTable } from "../parts/table.ts";
import { go } from "./core/address.ts";
import {
  periodQuery,
  periodText,
  placeOf,
  principalColumn,
  useMoment,
  useView,
} from "./core/view.ts";

const FLOWS_NOTE =
  "Net: less what flows back. The share is that of all that others paid the receiver. Loans, the " +
  "capital of new agents and scrip from the mint are not payments here.";

/** Who paid whom: in the period of the page, or up to its moment. */
export const TradeView = () => {
  const view = useView();
  const query = periodQuery(view);
  const whole = useMoment<RunMetrics>(query === null ? "/metrics" : null);
  const inPeriod = useMoment<PeriodTrade>(query === null ? null : `/trade?${query}`);
  const { value: answer, problem } = query === null ? whole : inPeriod;
  const answered = useMemo(() => answer && tradeIn(answer), [answer]);
  const shown = useRef<Trade | null>(null);
  // Until another period has its figures, shows the last ones.
  shown.current = answered ?? shown.current;
  const value = shown.current;
  const [searched, search] = useState("");
  const { address, agents } = view;
  const pick = useCallback((id: string) => go(placeOf(view, id)), [address, agents]);
  const found = value === null ? null : foundIn(value.network.nodes, searched);
  const spec = useMemo(
    () => value && { ...charts.network(value, value.when), pick, found },
    [value, pick, found],
  );
  if (value === null) return html`<${Pending} problem=${problem} />`;
  return html`
    <div class="columns is-uneven">
      <div>
        <div class="tools" role="search">
          <${Search} label="Find a principal" value=${searched} set=${search}
            names=${value.network.nodes.map(({ id }) => id)} />
          <span class="note" role="status">
            ${searched !== "" && found === null && "no principal has this name"}</span>
        </div>
        <h2 class="unseen">Payments</h2>
        <${MatrixChart} spec=${spec} />
        <${Panel} title="Largest flows" note=${charts.withPayments(value.when, FLOWS_NOTE)}>
          <${SortedTable} caption="Largest flows" columns=${FLOWS}
            rows=${flowsOf(value, found)} first=${20} />
        <//>
      </div>
      <${Panel} title="Network" note=${`Payments ${value.when}.`}>
        <${Facts} facts=${value.facts} />
      <//>
    </div>
  `;
};

type Trade = Pick<RunMetrics, "network"> & {
  /** Example: `from 2:00.0 to 2:30.0`. */
  readonly when: string;
  readonly facts: readonly NameAndValue[];
};

const tradeIn = (answer: RunMetrics | PeriodTrade): Trade => {
  const { network } = answer;
  const facts = ({ payments, turnover }: Pick<PeriodTrade, "payments" | "turnover">) => [
    ["principals", numberText(network.nodes.length)] as const,
    ["pairs that traded", numberText(network.edge_count)] as const,
    ["density", percentText(network.density)] as const,
    ["reciprocity", percentText(network.reciprocity)] as const,
    ["separate networks", numberText(network.components)] as const,
    ["payments", numberText(payments)] as const,
    ["total paid", `${numberText(turnover)} scrip`] as const,
  ];
  if ("payments" in answer) return { network, when: periodText(answer), facts: facts(answer) };
  const { written, deleted, depth } = answer.capital;
  const gone = deleted === 0 ? "" : `, ${numberText(deleted)} deleted`;
  return {
    network,
    when: `up to ${momentText(answer.at_ms)}`,
    facts: [
      ...facts(answer.money),
      ["programs written", `${numberText(written)}${gone}`],
      ["longest chain of programs", numberText(depth)],
    ],
  };
};

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

const FLOWS: readonly Column<Flow>[] = [
  principalColumn("from", ({ from }) => from),
  principalColumn("to", ({ to }) => to),
  numberColumn("paid", "amount"),
  numberColumn("net", "net", signedText),
  numberColumn("share of received", "share", percentText),
  numberColumn("times", "payments"),
];
