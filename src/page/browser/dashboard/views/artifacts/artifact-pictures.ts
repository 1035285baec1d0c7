import { html } from "htm/preact";
import { useMemo } from "preact/hooks";
import type { ArtifactReport } from "../../../../../read/index.ts";
import type { ArtifactOverTime } from "../../../../routes/index.ts";
import { ChartPanel, lineChart } from "../../../charts/index.ts";
import { Panel } from "../../../parts/parts.ts";
import { type Column, SortedTable } from "../../../parts/table.ts";
import { numberText } from "../../../parts/text.ts";
import { MomentLink, PrincipalLink, type ViewParts } from "../../view.ts";

/** The price, calls and revenue of an artifact over time. */
export const ArtifactPictures = ({ history }: { readonly history: ArtifactOverTime }) => {
  const specs = useMemo(() => specsOf(history), [history]);
  return html`
    <div class="pictures is-of-one">
      ${specs.map(
        (spec) => html`<${ChartPanel} key=${spec.title} make=${lineChart} spec=${spec} />`,
      )}
    </div>
  `;
};

const specsOf = ({ at_ms: atMs, price, calls, failed, revenue }: ArtifactOverTime) => [
  {
    title: "Price",
    note: "The price of a call, which its owner sets.",
    unit: "scrip",
    top: 2,
    atMs,
    series: [{ label: "price", values: price }],
  },
  {
    title: "Calls",
    note: "All calls so far.",
    unit: "calls",
    top: 2,
    atMs,
    series: [
      { label: "succeeded", values: calls, style: "area" as const },
      ...((failed.at(-1) ?? 0) > 0 ? [{ label: "failed", values: failed }] : []),
    ],
  },
  {
    title: "Revenue",
    note: "The prices of calls and reads so far.",
    unit: "scrip",
    top: 2,
    atMs,
    series: [{ label: "revenue", values: revenue, style: "area" as const }],
  },
];

type Change = ArtifactOverTime["changes"][number];

type ChangesParts = {
  readonly history: ArtifactOverTime;
  readonly versions: ArtifactReport["versions"];
  readonly parts: ViewParts;
};

/** The versions of an artifact, with what they changed, and its owners. */
export const ArtifactChanges = ({ history, versions, parts }: ChangesParts) => {
  const fields = new Map(versions.map((each) => [String(each.version), each.fields.join(", ")]));
  const columns: readonly Column<Change>[] = [
    {
      title: "at",
      isNumber: true,
      cell: ({ seq, at_ms: atMs }) => MomentLink({ seq, atMs, parts }),
    },
    {
      title: "what",
      cell: ({ what, to }) =>
        html`<span class="whole">${what === "version" ? `version ${to}` : what}</span>`,
    },
    {
      title: "by",
      cell: ({ what, by, to }) => {
        const link = PrincipalLink({ id: by, parts });
        return what === "owner" ? [link, " → ", PrincipalLink({ id: to, parts })] : link;
      },
    },
    {
      title: "changed",
      isProse: true,
      cell: ({ what, to }) => (what === "version" ? (fields.get(to) ?? "files") : ""),
    },
    { title: "new price", isNumber: true, cell: ({ price }) => numberText(price) },
  ];
  return html`
    <${Panel} title="Versions and owners">
      <${SortedTable} caption="Versions and owners, the newest first" columns=${columns}
        rows=${history.changes.toReversed()} first=${CHANGES_FIRST} />
    <//>
  `;
};

const CHANGES_FIRST = 12;
