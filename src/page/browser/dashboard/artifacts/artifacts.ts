import { html } from "htm/preact";
import { useMemo, useState } from "preact/hooks";
import type { ArtifactReport } from "../../../../read/index.ts";
import type { ArtifactExtras, ArtifactOverTime, ArtifactRow } from "../../../routes/index.ts";
import { ChartPanel, lineChart } from "../../charts/index.ts";
import { Facts, Fold, Json, type NameAndValue, Panel, Pending, Text } from "../../parts/parts.ts";
import { type Column, numberColumn, SortedTable, Table } from "../../parts/table.ts";
import { bytesText, numberText } from "../../parts/text.ts";
import { RowsPanel } from "../core/row-lines.ts";
import {
  ArtifactLink,
  MomentLink,
  PrincipalLink,
  useMoment,
  type ViewParts,
} from "../core/view.ts";

export const ArtifactsView = (parts: ViewParts) => {
  const { address, path } = parts;
  if (address.item !== null) return html`<${ArtifactPage} key=${address.item} ...${parts} />`;
  return html`<${RowsPanel}
    title="Artifacts" path=${`${path}/artifacts`} parts=${parts} columns=${columnsOf(parts)}
    first="-revenue" placeholder="Search by name, type, owner or “deleted”"
  />`;
};

const columnsOf = (parts: ViewParts): readonly Column<ArtifactRow>[] => [
  {
    title: "artifact",
    sort: "id",
    cell: ({ id, deleted }) =>
      html`<${ArtifactLink} id=${id} parts=${parts} />${deleted ? " (deleted)" : ""}`,
  },
  { title: "type", sort: "type", cell: ({ type }) => type },
  { title: "owner", sort: "owner", cell: ({ owner: id }) => PrincipalLink({ id, parts }) },
  numberColumn("price", "price"),
  numberColumn("revenue", "revenue"),
  numberColumn("calls", "invocations"),
  numberColumn("by others", "invocations_by_others"),
  numberColumn("failed", "failures"),
  numberColumn("version", "version"),
  numberColumn("size", "size_bytes", (bytes) => bytesText(bytes ?? 0)),
];

type Artifact = ArtifactReport & ArtifactExtras;

const ArtifactPage = (parts: ViewParts) => {
  const { address, path } = parts;
  const [version, setVersion] = useState(0);
  const name = encodeURIComponent(address.item ?? "");
  const artifactPath = `${path}/artifacts/${name}`;
  const { value, problem } = useMoment<Artifact>(`${artifactPath}?version=${version}&`, parts);
  const { value: history } = useMoment<ArtifactOverTime>(`${artifactPath}/history`, parts);
  if (value === null) return html`<${Pending} problem=${problem} />`;
  const { code, content, interface: declared, metadata, state, versions } = value;
  // The calls of a native artifact have no events.
  const hasPictures = value.native_calls === null && history !== null;
  return html`
    <${Panel} title=${value.id} class="about">
      <${Facts} facts=${factsOf(value, parts)} />
    <//>
    ${hasPictures && html`<${ArtifactPictures} history=${history} />`}
    <div class="columns">
      <div>
        <${Panel} title="Code and content">
          <${VersionChoice} artifact=${value} choose=${setVersion} />
          ${code === null ? null : html`<${Text} label="Code" text=${code} />`}
          ${content === "" ? null : html`<${Text} label="Content" text=${content} />`}
          ${declared === null ? null : html`<${Json} title="Interface" value=${declared} />`}
          <${Fold} title="State"><${Text} label="State" text=${state} /><//>
          <${Json} title="Metadata" value=${metadata} />
        <//>
      </div>
      <div>
        <${Customers} artifact=${value} parts=${parts} />
        ${
          history !== null &&
          html`<${ArtifactChanges} history=${history} versions=${versions} parts=${parts} />`
        }
      </div>
    </div>
  `;
};

type ChoiceParts = { readonly artifact: Artifact; readonly choose: (version: number) => void };

const VersionChoice = ({ artifact, choose }: ChoiceParts) => {
  const { version, last_version: last, versions } = artifact;
  if (last === 1) return null;
  const known = new Set([...versions.map((each) => each.version), last]);
  return html`
    <label class="tools">Version
      <select value=${String(version)}
        onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
          choose(Number(currentTarget.value))}>
        ${[...known]
          .toReversed()
          .map((each) => html`<option value=${String(each)}>${each}</option>`)}
      </select>
      <span class="note">of ${last}</span>
    </label>
  `;
};

const factsOf = (artifact: Artifact, parts: ViewParts): readonly NameAndValue[] => {
  const principal = (id: string) => html`<${PrincipalLink} id=${id} parts=${parts} />`;
  const { invocations, invocations_by_others: byOthers, depends_on: calls } = artifact;
  const { native_calls: native } = artifact;
  return [
    ["type", artifact.type],
    ["owner", principal(artifact.owner)],
    ["created by", principal(artifact.created_by)],
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
    ...(calls.length > 0 ? ([["depends on", calls.join(", ")]] as const) : []),
    ...(artifact.deleted === null ? [] : ([["deleted", "yes"]] as const)),
  ];
};

const CUSTOMERS_NOTE =
  "A call counts for the agent that acted, and a payment for the principal that paid. These can " +
  "differ: an agent may call a program that pays with its own scrip.";

const Customers = ({ artifact, parts }: { artifact: Artifact; parts: ViewParts }) => {
  const { customers, readers } = artifact;
  const who: Column<{ readonly id: string }> = {
    title: "who",
    cell: ({ id }) => PrincipalLink({ id, parts }),
  };
  const callers: readonly Column<Artifact["customers"][number]>[] = [
    who,
    numberColumn("calls", ({ calls }) => calls || null),
    numberColumn("paid", "paid"),
  ];
  const reading: readonly Column<Artifact["readers"][number]>[] = [
    who,
    numberColumn("reads", "reads"),
    numberColumn("paid", "paid"),
  ];
  const note = customers.length > 0 ? CUSTOMERS_NOTE : undefined;
  const hasCallers = customers.length > 0 || readers.length === 0;
  return html`
    <${Panel} title="Customers" note=${note}>
      ${hasCallers && html`<${Table} caption="Customers" columns=${callers} rows=${customers} />`}
      ${
        readers.length > 0 &&
        html`<h3>Paid to read it</h3>
          <${Table} caption="Paid to read it" columns=${reading} rows=${readers} />`
      }
    <//>
  `;
};

/** The price, calls and revenue of an artifact over time. */
const ArtifactPictures = ({ history }: { readonly history: ArtifactOverTime }) => {
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
const ArtifactChanges = ({ history, versions, parts }: ChangesParts) => {
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
