import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { restOf } from "../../rest-of.ts";
import type { Cause, Deed, MoneyTrail, Stream } from "../../trail/index.ts";
import { useAnswer } from "./ask.ts";
import { atQuery, versionOf } from "./moment.ts";
import {
  ArtifactLink,
  Facts,
  Fold,
  Link,
  Panel,
  Principal,
  Problem,
  Text,
  Waiting,
} from "./parts.ts";
import { type Column, Table } from "./table.ts";
import type { ViewParts } from "./views.ts";
import { dollarText, numberText, shown, timeText } from "./words.ts";

type TrailParts = { readonly agent: string; readonly parts: ViewParts };

const STREAMS = 12;

/** Where an agent's money comes from: each payment back to the thought that brought it about. */
export const Trail = ({ agent, parts }: TrailParts) => {
  const [isOpen, setOpen] = useState(false);
  const asked = `${agent}/trail?limit=8&${atQuery(parts.address)}`;
  const { value, problem } = useAnswer<MoneyTrail>(isOpen ? asked : null, versionOf(parts));
  return html`
    <${Panel} title="Why it has what it has">
      ${
        isOpen
          ? null
          : html`<button type="button" onClick=${() => setOpen(true)}>Follow the money</button>`
      }
      <${Problem} problem=${problem} />
      ${isOpen && value === null && problem === null ? html`<${Waiting} />` : null}
      ${value === null ? null : html`<${Told} trail=${value} parts=${parts} />`}
    <//>
  `;
};

const signed = (amount: number): string =>
  `${amount > 0 ? "+" : "−"}${numberText(Math.abs(amount))}`;

const columnsOf = (parts: ViewParts): readonly Column<Stream>[] => [
  { title: "scrip", isNumber: true, cell: ({ amount }) => signed(amount) },
  { title: "times", isNumber: true, cell: ({ times }) => numberText(times) },
  { title: "what", cell: ({ what }) => shown(what) },
  {
    title: "whom",
    cell: ({ other, amount }) =>
      other === null
        ? amount > 0
          ? "new"
          : "burned"
        : html`<${Principal} id=${other} parts=${parts} />`,
  },
  {
    title: "for",
    cell: ({ artifact }) =>
      artifact === null ? "–" : html`<${ArtifactLink} id=${artifact} parts=${parts} />`,
  },
];

const whomText = ({ other, amount }: MoneyTrail["steps"][number]): string =>
  other === null ? "" : `${amount > 0 ? "from" : "to"} ${shown(other)}`;

const Told = ({ trail, parts }: { readonly trail: MoneyTrail; readonly parts: ViewParts }) => html`
  <${Facts} facts=${[
    ["began with", numberText(trail.began_with)],
    ["came", numberText(trail.came)],
    ["went", numberText(trail.went)],
    ["has", numberText(trail.wealth)],
  ]} />
  <${Table} caption="Streams of money" columns=${columnsOf(parts)}
    rows=${trail.streams.slice(0, STREAMS)} />
  <${Rest} trail=${trail} />
  <h3>The largest movements, and why</h3>
  <ol class="trail">
    ${trail.steps.map(
      (step) => html`<li key=${step.seq}>
        <p><strong>${signed(step.amount)} scrip</strong>
          ${" "}${whomText(step)} (${shown(step.what)})
          ${" "}<${Moment} seq=${step.seq} atMs=${step.at_ms} parts=${parts} /></p>
        <${Why} because=${step.because} parts=${parts} />
      </li>`,
    )}
  </ol>
`;

/** What is not in the table, so that its rows and this add up to what came less what went. */
const Rest = ({ trail }: { readonly trail: MoneyTrail }) => {
  const { streams, amount } = restOf(trail.streams, STREAMS);
  return streams === 0
    ? null
    : html`<p class="note">${numberText(streams)} more, together ${signed(amount)} scrip</p>`;
};

type Placed = { readonly seq: number; readonly atMs: number; readonly parts: ViewParts };

const Moment = ({ seq, atMs, parts }: Placed) => html`
  <${Link} to=${{ ...parts.address, at: seq }}>${timeText(atMs / 1_000)}<//>
`;

type Caused = { readonly because: Cause; readonly parts: ViewParts };

const Why = ({ because, parts }: Caused) => {
  const { use, mint, deed, making } = because;
  const call = use === null ? "" : [use.artifact, use.method].filter(Boolean).join(".");
  return html`
    ${
      use === null
        ? null
        : html`<p class="because">${use.kind === "artifact_read" ? "a read of" : "a call of"}
            ${" "}<${Link} to=${{ ...parts.address, view: "artifacts", item: use.artifact }}>
              ${shown(call)}<//> by ${shown(use.caller)}</p>`
    }
    ${mint === null ? null : html`<p class="because">the mint: <bdi>${shown(mint.says)}</bdi></p>`}
    ${deed === null ? null : html`<${Done} deed=${deed} parts=${parts} />`}
    ${
      making === null
        ? null
        : html`<${Fold} title=${`How ${shown(making.artifact)} was made`}>
            <${Done} deed=${making} parts=${parts} />
          <//>`
    }
  `;
};

const Done = ({ deed, parts }: { readonly deed: Deed; readonly parts: ViewParts }) => {
  const { action, thought } = deed;
  const what = [action.action, action.target, action.method].filter(Boolean).join(" ");
  return html`
    <p class="because">${shown(action.principal)} did <bdi>${shown(what)}</bdi>
      ${" "}<${Moment} seq=${action.seq} atMs=${action.at_ms} parts=${parts} /></p>
    ${
      thought === null
        ? null
        : html`<p class="because">${shown(thought.agent)} thought:
              ${" "}<q><bdi>${shown(thought.reasoning)}</bdi></q></p>
            ${thought.memories.map(
              ({ number, text }) =>
                html`<p class="because is-memory" key=${number}>it remembered:
                  ${" "}<bdi>${shown(text)}</bdi></p>`,
            )}
            ${thought.calls.map(
              (call) => html`<${Fold} key=${call.id}
                title=${shown(`${call.model} · ${call.purpose} · ${dollarText(call.cost_micros)}`)}>
                <${Text} label="Prompt" text=${call.prompt} />
                <${Text} label="Reply" text=${call.reply ?? call.fault ?? ""} />
              <//>`,
            )}`
    }
  `;
};
