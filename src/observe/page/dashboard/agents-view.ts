import { html } from "htm/preact";
import type { AgentRow } from "../../dashboard/index.ts";
import { AgentPage } from "./agent-page.ts";
import { atQuery, versionOf } from "./moment.ts";
import { Badge, Link } from "./parts.ts";
import { RowsPanel } from "./rows-panel.ts";
import type { Column } from "./table.ts";
import type { ViewParts } from "./views.ts";
import { dollarText, numberText, percentText, shown } from "./words.ts";

/** Everybody who thinks; one of them where one is named. */
export const AgentsView = (parts: ViewParts) => {
  const { address, path } = parts;
  if (address.item !== null) return html`<${AgentPage} key=${address.item} ...${parts} />`;
  return html`<${RowsPanel}
    title="Agents" path=${`${path}/agents`} query=${atQuery(address)} version=${versionOf(parts)}
    columns=${columnsOf(parts)} first="-wealth" placeholder="Search by name or state"
  />`;
};

const columnsOf = ({ address }: ViewParts): readonly Column<AgentRow>[] => [
  {
    title: "agent",
    sort: "id",
    cell: ({ id }) => html`<${Link} to=${{ ...address, item: id }}>${id}<//>`,
  },
  {
    title: "state",
    sort: "standing",
    cell: ({ standing }) => html`<${Badge} state=${standing} />`,
  },
  { title: "wealth", sort: "wealth", isNumber: true, cell: ({ wealth }) => numberText(wealth) },
  { title: "held", sort: "held", isNumber: true, cell: ({ held }) => numberText(held) },
  {
    title: "model budget",
    sort: "llm_budget_micros",
    isNumber: true,
    cell: ({ llm_budget_micros: micros }) => dollarText(micros),
  },
  { title: "actions", sort: "actions", isNumber: true, cell: ({ actions }) => numberText(actions) },
  {
    title: "succeeded",
    isNumber: true,
    cell: ({ actions, succeeded }) => (actions === 0 ? "–" : percentText(succeeded / actions)),
  },
  { title: "thoughts", sort: "thoughts", isNumber: true, cell: (row) => numberText(row.thoughts) },
  { title: "last deed", cell: ({ last }) => (last === null ? "" : deedText(last)) },
];

const deedText = ({ action, target, method, ok }: NonNullable<AgentRow["last"]>): string =>
  shown(`${ok ? "" : "✗ "}${[action, target, method].filter(Boolean).join(" ")}`);
