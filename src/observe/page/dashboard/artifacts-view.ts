import { html } from "htm/preact";
import type { ArtifactRow } from "../../dashboard/index.ts";
import { ArtifactPage } from "./artifact-page.ts";
import { atQuery, versionOf } from "./moment.ts";
import { ArtifactLink, Principal } from "./parts.ts";
import { RowsPanel } from "./rows-panel.ts";
import type { Column } from "./table.ts";
import type { ViewParts } from "./views.ts";
import { bytesText, numberText, shown } from "./words.ts";

/** Everything that is owned; one of them where one is named. */
export const ArtifactsView = (parts: ViewParts) => {
  const { address, path } = parts;
  if (address.item !== null) return html`<${ArtifactPage} key=${address.item} ...${parts} />`;
  return html`<${RowsPanel}
    title="Artifacts" path=${`${path}/artifacts`} query=${atQuery(address)}
    version=${versionOf(parts)} columns=${columnsOf(parts)} first="-revenue"
    placeholder="Search by name, type, owner or “deleted”"
  />`;
};

const columnsOf = (parts: ViewParts): readonly Column<ArtifactRow>[] => [
  {
    title: "artifact",
    sort: "id",
    cell: ({ id, deleted }) =>
      html`<${ArtifactLink} id=${id} parts=${parts} />${deleted ? " (deleted)" : ""}`,
  },
  { title: "type", sort: "type", cell: ({ type }) => shown(type) },
  {
    title: "owner",
    sort: "owner",
    cell: ({ owner }) => html`<${Principal} id=${owner} parts=${parts} />`,
  },
  { title: "price", sort: "price", isNumber: true, cell: ({ price }) => numberText(price) },
  { title: "revenue", sort: "revenue", isNumber: true, cell: (row) => numberText(row.revenue) },
  { title: "calls", sort: "calls", isNumber: true, cell: ({ calls }) => numberText(calls) },
  {
    title: "by others",
    sort: "calls_by_others",
    isNumber: true,
    cell: (row) => numberText(row.calls_by_others),
  },
  { title: "failed", sort: "failures", isNumber: true, cell: (row) => numberText(row.failures) },
  { title: "version", sort: "version", isNumber: true, cell: ({ version }) => String(version) },
  { title: "size", sort: "size_bytes", isNumber: true, cell: (row) => bytesText(row.size_bytes) },
];
