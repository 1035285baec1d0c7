import { html } from "htm/preact";
import { useMemo, useState } from "preact/hooks";
import type { ArtifactOverTime, ArtifactReport, LineSpec } from "../../../read/index.ts";
import { bytesText, numberText } from "../../../text/index.ts";
import type { ArtifactExtras, ArtifactRow } from "../../routes/index.ts";
import { LineChart } from "../charts/index.ts";
import { Choice } from "../parts/fields.ts";
import { Facts, Fold, Json, type NameAndValue, Panel, Pending, Text } from "../parts/parts.ts";
import {
  type Column,
  numberColumn,
  proseColumn,
  SortedTable,
  Table,
  textColumn,
} from "../parts/table.ts";
import { RowsPanel } from "./core/row-lines.ts";
import {
  ArtifactLink,
  MOMENT_COLUMN,
  PrincipalLink,
  principalColumn,
  useMoment,
  useView,
} from "./core/view.ts";

const COLUMNS: readonly Column<ArtifactRow>[] = [
  {
    title: "artifact",
    sort: "id",
    cell: ({ id, deleted }) => html`<${ArtifactLink} id=${id} />${deleted ? " (deleted)" : ""}`,
  },
  { ...textColumn<ArtifactRow>("type", ({ type }) => type), sort: "type" },
  { ...principalColumn<ArtifactRow>("owner", ({ owner }) => owner), sort: "owner" },
  numberColumn("price", "price"),
  numberColumn("revenue", "revenue"),
  numberColumn("calls", "invocations"),
  numberColumn("by others", "invocations_by_others"),
  numberColumn("failed", "failures"),
  numberColumn("version", "version"),
  numberColumn("size", "size_bytes", (bytes) => bytesText(bytes ?? 0)),
];

export const ArtifactsView = () => {
  const { item } = useView().address;
  return item === null
    ? html`<${RowsPanel} title="Artifacts" path="/artifacts" columns=${COLUMNS} first="-revenue"
        placeholder="Search by name, type, owner or “deleted”" />`
    : html`<${ArtifactPage} key=${item} id=${item} />`;
};

type Artifact = ArtifactReport & ArtifactExtras;

const ArtifactPage = ({ id }: { readonly id: string }) => {
  const [version, setVersion] = useState("");
  const path = `/artifacts/${encodeURIComponent(id)}`;
  const { value, problem } = useMoment<Artifact>(`${path}?version=${version}&`);
  const { value: history } = useMoment<ArtifactOverTime>(`${path}/history`);
  const specs = useMemo(() => history && specsOf(history), [history]);
  if (value === null) return html`<${Pending} problem=${problem} />`;
  const { code, content, interface: declared, metadata, state, last_version: last } = value;
  const known = new Set([...value.versions.map((each) => each.version), last]);
  const fields = new Map(value.versions.map((each) => [String(each.version), each.fields]));
  return html`
    <${Panel} title=${value.id} class="about"><${Facts} facts=${factsOf(value)} /><//>
    ${
      // The calls of a native artifact have no events.
      value.native_calls === null &&
      specs !== null &&
      html`<div class="pictures is-of-one">
        ${specs.map((spec) => html`<${LineChart} key=${spec.title} spec=${spec} />`)}
      </div>`
    }
    <div class="columns">
      <div>
        <${Panel} title="Code and content">
          ${
            last > 1 &&
            html`<div class="tools">
              <${Choice} label="Version" value=${String(value.version)} set=${setVersion}
                options=${[...known].toReversed().map(String)} />
              <span class="note">of ${last}</span>
            </div>`
          }
          ${code !== null && html`<${Text} label="Code" text=${code} />`}
          ${content !== "" && html`<${Text} label="Content" text=${content} />`}
          ${declared !== null && html`<${Json} title="Interface" value=${declared} />`}
          <${Fold} title="State"><${Text} label="State" text=${state} /><//>
          <${Json} title="Metadata" value=${metadata} />
        <//>
      </div>
      <div>
        <${Customers} artifact=${value} />
        ${
          history !== null &&
          html`<${Panel} title="Versions and owners">
            <${SortedTable} caption="Versions and owners, the newest first"
              columns=${changeColumns(fields)} rows=${history.changes.toReversed()} first=${12} />
          <//>`
        }
      </div>
    </div>
  `;
};

const factsOf = (artifact: Artifact): readonly NameAndValue[] => {
  const { invocations, invocations_by_others: byOthers, depends_on: calls } = artifact;
  const { native_calls: native } = artifact;
  return [
    ["type", artifact.type],
    ["owner", html`<${PrincipalLink} id=${artifact.owner} />`],
    ["created by", html`<${PrincipalLink} id=${artifact.created_by} />`],
    ["price", `${numberText(artifact.price)} scrip`],
    ["price of a read", `${numberText(artifact.read_price)} scrip`],
    ["revenue", `${numberText(artifact.revenue)} scrip`],
    [
      "calls",
      native === null
        ? `${numberText(invocations)}, ${numberText(byOthers)} by others`
        : `${numberText(native.succeeded + native.refused)} by actions`,
    ],
    ["failed calls", numberText(artifact.failures)],
    ["reads", numberText(artifact.reads)],
    ["access", artifact.access],
    ["methods", artifact.methods.join(", ") || "none"],
    ["size", bytesText(artifact.size_bytes)],
    ...(calls.length > 0 ? [["depends on", calls.join(", ")] as const] : []),
    ...(artifact.deleted === null ? [] : [["deleted", "yes"] as const]),
  ];
};

const WHO = principalColumn<{ readonly id: string }>("who", ({ id }) => id);

const CALLERS: readonly Column<Artifact["customers"][number]>[] = [
  WHO,
  numberColumn("calls", ({ calls }) => calls || null),
  numberColumn("paid", "paid"),
];

const READERS: readonly Column<Artifact["readers"][number]>[] = [
  WHO,
  numberColumn("reads", "reads"),
  numberColumn("paid", "paid"),
];

const CUSTOMERS_NOTE =
  "A call counts for the agent that acted, and a payment for the principal that paid. These can " +
  "differ: an agent may call a program that pays with its own scrip.";

const Customers = ({ artifact: { customers, readers } }: { readonly artifact: Artifact }) => html`
  <${Panel} title="Customers" note=${customers.length > 0 ? CUSTOMERS_NOTE : undefined}>
    ${
      (customers.length > 0 || readers.length === 0) &&
      html`<${Table} caption="Customers" columns=${CALLERS} rows=${customers} />`
    }
    ${
      readers.length > 0 &&
      html`<h3>Paid to read it</h3>
        <${Table} caption="Paid to read it" columns=${READERS} rows=${readers} />`
    }
  <//>
`;

/** The price, calls and revenue of an artifact over time. */
const specsOf = ({
  at_ms: atMs,
  price,
  calls,
  failed,
  revenue,
}: ArtifactOverTime): readonly LineSpec[] => [
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
      { label: "succeeded", values: calls, style: "area" },
      ...((failed.at(-1) ?? 0) > 0 ? [{ label: "failed", values: failed }] : []),
    ],
  },
  {
    title: "Revenue",
    note: "The prices of calls and reads so far.",
    unit: "scrip",
    top: 2,
    atMs,
    series: [{ label: "revenue", values: revenue, style: "area" }],
  },
];

type Change = ArtifactOverTime["changes"][number];

/** The versions of an artifact, with the fields that each changed, and its owners. */
const changeColumns = (
  fields: ReadonlyMap<string, readonly string[]>,
): readonly Column<Change>[] => [
  MOMENT_COLUMN,
  {
    title: "what",
    cell: ({ what, to }) =>
      html`<span class="whole">${what === "version" ? `version ${to}` : what}</span>`,
  },
  {
    title: "by",
    cell: ({ what, by, to }) => html`<${PrincipalLink} id=${by} />
      ${what === "owner" && html` → <${PrincipalLink} id=${to} />`}`,
  },
  proseColumn("changed", ({ what, to }) =>
    what === "version" ? (fields.get(to)?.join(", ") ?? "files") : "",
  ),
  numberColumn("new price", "price"),
];
