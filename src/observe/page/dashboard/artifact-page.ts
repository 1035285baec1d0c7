import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { ArtifactReport } from "../../artifact-report.ts";
import type { ArtifactExtras } from "../../dashboard/index.ts";
import { useAnswer } from "./ask.ts";
import { atQuery, versionOf } from "./moment.ts";
import { type Fact, Facts, Fold, Json, Panel, Principal, Problem, Text, Waiting } from "./parts.ts";
import { type Column, Table } from "./table.ts";
import type { ViewParts } from "./views.ts";
import { bytesText, numberText, shown, timeText } from "./words.ts";

type Told = ArtifactReport & ArtifactExtras;

/** One artifact: its code in every version, whose it is, who calls it and what they pay. */
export const ArtifactPage = (parts: ViewParts) => {
  const { address, path } = parts;
  const [version, setVersion] = useState(0);
  const name = encodeURIComponent(address.item ?? "");
  const asked = `${path}/artifacts/${name}?version=${version}&${atQuery(address)}`;
  const { value, problem } = useAnswer<Told>(asked, versionOf(parts));
  if (value === null) {
    return problem === null ? html`<${Waiting} />` : html`<${Problem} problem=${problem} />`;
  }
  return html`
    <div class="columns">
      <div>
        <${Panel} title=${shown(value.id)} class="about">
          <${Facts} facts=${factsOf(value, parts)} />
        <//>
        <${Panel} title="Code and content">
          <${Versions} told=${value} pick=${setVersion} />
          ${value.code === null ? null : html`<${Text} label="Code" text=${value.code} />`}
          ${value.content === "" ? null : html`<${Text} label="Content" text=${value.content} />`}
          ${
            value.interface === null
              ? null
              : html`<${Json} title="Interface" value=${value.interface} />`
          }
          <${Fold} title="State"><${Text} label="State" text=${value.state} /><//>
          <${Json} title="Metadata" value=${value.metadata} />
        <//>
      </div>
      <div>
        <${Customers} told=${value} parts=${parts} />
        <${Panel} title="Versions">
          <${Table} caption="Versions" columns=${VERSIONS} rows=${value.versions.toReversed()} />
        <//>
      </div>
    </div>
  `;
};

type Picking = { readonly told: Told; readonly pick: (version: number) => void };

const Versions = ({ told, pick }: Picking) => {
  const { version, last_version: last, versions } = told;
  if (last === 1) return null;
  const known = new Set([...versions.map((each) => each.version), last]);
  return html`
    <label class="tools">Version
      <select value=${String(version)}
        onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
          pick(Number(currentTarget.value))}>
        ${[...known]
          .toReversed()
          .map((each) => html`<option value=${String(each)}>${each}</option>`)}
      </select>
      <span class="note">of ${last}</span>
    </label>
  `;
};

const factsOf = (told: Told, parts: ViewParts): readonly Fact[] => {
  const person = (id: string) => html`<${Principal} id=${id} parts=${parts} />`;
  return [
    ["type", shown(told.type)],
    ["owner", person(told.owner)],
    ["made by", person(told.created_by)],
    ["price", `${numberText(told.price)} scrip`],
    ["price of a read", `${numberText(told.read_price)} scrip`],
    ["revenue", `${numberText(told.revenue)} scrip`],
    [
      "calls",
      `${numberText(told.invocations)}, ${numberText(told.invocations_by_others)} by others`,
    ],
    ["failed calls", numberText(told.failures)],
    ["reads", numberText(told.reads)],
    ["access", shown(told.access)],
    ["methods", shown(told.methods.join(", ") || "none")],
    ["size", bytesText(told.size_bytes)],
    ...(told.depends_on.length > 0
      ? ([["calls", shown(told.depends_on.join(", "))]] as const)
      : []),
    ...(told.deleted === null ? [] : ([["deleted", "yes"]] as const)),
  ];
};

type Customer = Told["customers"][number];
type Reader = Told["readers"][number];

const CUSTOMERS_NOTE =
  "Calls are of whoever began them, payments of whoever's money it was: a program that an agent " +
  "calls pays with its own.";

/** Others than the owner who called it, paid for it or paid for reading it. */
const Customers = ({ told, parts }: { readonly told: Told; readonly parts: ViewParts }) => {
  const { customers, readers } = told;
  const who = {
    title: "who",
    cell: ({ id }: { readonly id: string }) => html`<${Principal} id=${id} parts=${parts} />`,
  };
  const callers: readonly Column<Customer>[] = [
    who,
    { title: "began calls", isNumber: true, cell: ({ calls }) => numberText(calls || null) },
    { title: "paid", isNumber: true, cell: ({ paid }) => numberText(paid) },
  ];
  const reading: readonly Column<Reader>[] = [
    who,
    { title: "reads", isNumber: true, cell: ({ reads }) => numberText(reads) },
    { title: "paid", isNumber: true, cell: ({ paid }) => numberText(paid) },
  ];
  const note = customers.length > 0 ? CUSTOMERS_NOTE : undefined;
  return html`
    <${Panel} title="Customers" note=${note}>
      ${
        customers.length > 0 || readers.length === 0
          ? html`<${Table} caption="Customers" columns=${callers} rows=${customers} />`
          : null
      }
      ${
        readers.length === 0
          ? null
          : html`<h3>Paid for reading it</h3>
              <${Table} caption="Paid for reading it" columns=${reading} rows=${readers} />`
      }
    <//>
  `;
};

const VERSIONS: readonly Column<Told["versions"][number]>[] = [
  { title: "version", isNumber: true, cell: ({ version }) => String(version) },
  { title: "at", isNumber: true, cell: ({ at_ms }) => timeText(at_ms / 1_000) },
  { title: "by", cell: ({ by }) => shown(by) },
  { title: "changed", cell: ({ fields }) => shown(fields.join(", ")) },
];
