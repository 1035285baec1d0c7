import { html } from "htm/preact";
import type { RunRecord } from "../../dashboard/index.ts";
import type { RunsAnswer } from "./app.ts";
import { Badge, Link, Panel, Waiting } from "./parts.ts";
import { type Column, Table } from "./table.ts";
import { numberText, timeText } from "./words.ts";

const COLUMNS: readonly Column<RunRecord>[] = [
  {
    title: "run",
    cell: ({ run_id: run }) =>
      html`<${Link} to=${{ run, view: "overview", item: null, at: null }}>${run}<//>`,
  },
  { title: "status", cell: ({ status }) => html`<${Badge} state=${status} />` },
  { title: "started", cell: ({ started_at: at }) => at.replace("T", " ").slice(0, 16) },
  {
    title: "run time",
    isNumber: true,
    cell: ({ duration_s: s }) => (s === null ? "–" : timeText(s)),
  },
  { title: "events", isNumber: true, cell: ({ events }) => numberText(events) },
  { title: "goes on from", cell: ({ parent }) => parent ?? "" },
];

/** All runs there are to look at. */
export const RunsView = ({ answer }: { readonly answer: RunsAnswer | null }) => html`
  <${Panel} title="Runs">
    ${
      answer === null
        ? html`<${Waiting} />`
        : html`<${Table} caption="Runs, the newest first" columns=${COLUMNS} rows=${answer.runs} />`
    }
  <//>
`;
