import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import {
  type Cause,
  type ExplainedAction,
  type MoneyTrail,
  remainderOf,
  type Stream,
} from "../../../../read/index.ts";
import { Facts, Fold, Panel, Pending, Text } from "../../parts/parts.ts";
import { type Column, numberColumn, Table } from "../../parts/table.ts";
import { dollarText, numberText, signedText, wordsText } from "../../parts/text.ts";
import {
  ArtifactLink,
  Link,
  MomentLink,
  PrincipalLink,
  useMoment,
  type ViewParts,
} from "../core/view.ts";

type PanelParts = {
  readonly agentPath: string;
  readonly parts: ViewParts;
  /** The payment to explain, by its event. The panel opens there, and gets the focus. */
  readonly explained: { readonly seq: number } | null;
};

const STREAMS = 12;

/** Shows where an agent's scrip comes from, and the thoughts behind the largest movements. */
export const MoneyTrailPanel = (panel: PanelParts) => {
  const [isOpened, open] = useState(false);
  const { explained } = panel;
  return html`
    <${Panel} title="Where its scrip comes from">
      ${
        isOpened || explained !== null
          ? html`<${AskedTrail} key=${explained?.seq} ...${panel} />`
          : html`<button type="button" onClick=${() => open(true)}>Follow the money</button>`
      }
    <//>
  `;
};

/** The trail with one payment, or the trail of the largest movements alone. */
const AskedTrail = ({ agentPath, parts, explained }: PanelParts) => {
  const payment = explained === null ? "" : `payment=${explained.seq}&`;
  const path = `${agentPath}/trail?limit=8&${payment}`;
  const { value, problem } = useMoment<MoneyTrail>(path, parts);
  const isThere = value?.steps.some(({ seq }) => seq === explained?.seq) === true;
  useEffect(() => {
    if (explained === null) return;
    document.getElementById(isThere ? stepId(explained.seq) : WAITING)?.focus();
  }, [explained, isThere]);
  return value === null
    ? html`<${Waiting} isFor=${explained} problem=${problem} />`
    : html`<${Trail} trail=${value} parts=${parts} />`;
};

const WAITING = "trail-waiting";

type WaitingParts = { readonly isFor: PanelParts["explained"]; readonly problem: string | null };

/** Says that the explanation of a payment comes, because the trail of a long run takes seconds. */
const Waiting = ({ isFor, problem }: WaitingParts) =>
  isFor === null || problem !== null
    ? html`<${Pending} problem=${problem} />`
    : html`<p class="note" id=${WAITING} tabindex="-1" role="status">
        Looking for the thought behind the payment …</p>`;

const stepId = (seq: number): string => `payment-${seq}`;

const columnsOf = (parts: ViewParts): readonly Column<Stream>[] => [
  numberColumn("scrip", "amount", signedText),
  numberColumn("times", "times"),
  { title: "what", cell: ({ what }) => what },
  {
    title: "from or to",
    cell: ({ other: id }) => (id === null ? "the world" : PrincipalLink({ id, parts })),
  },
  { title: "for", cell: ({ artifact: id }) => (id === null ? "–" : ArtifactLink({ id, parts })) },
];

const partnerText = ({ other, amount }: MoneyTrail["steps"][number]): string =>
  other === null ? "" : `${amount > 0 ? "from" : "to"} ${other}`;

const Trail = ({ trail, parts }: { readonly trail: MoneyTrail; readonly parts: ViewParts }) => html`
  <${Facts} facts=${[
    ["began with", numberText(trail.began_with)],
    ["received", numberText(trail.received)],
    ["spent", numberText(trail.spent)],
    ["has", numberText(trail.wealth)],
  ]} />
  <${Table} caption="Scrip received and given" columns=${columnsOf(parts)}
    rows=${trail.streams.slice(0, STREAMS)} />
  <${Remainder} trail=${trail} />
  <h3>The largest movements, and why</h3>
  <ol class="trail">
    ${trail.steps.map(
      (step) => html`<li key=${step.seq} id=${stepId(step.seq)} tabindex="-1">
        <p><strong>${signedText(step.amount)} scrip</strong>
          ${" "}${partnerText(step)} (${step.what})
          ${" "}<${MomentLink} seq=${step.seq} atMs=${step.at_ms} parts=${parts} /></p>
        <${Why} because=${step.because} parts=${parts} />
      </li>`,
    )}
  </ol>
`;

const Remainder = ({ trail }: { readonly trail: MoneyTrail }) => {
  const { streams, amount } = remainderOf(trail.streams, STREAMS);
  return streams === 0
    ? null
    : html`<p class="note">${numberText(streams)} more, together ${signedText(amount)} scrip</p>`;
};

type WhyParts = { readonly because: Cause; readonly parts: ViewParts };

const Why = ({ because, parts }: WhyParts) => {
  const { use, mint, mover, creation } = because;
  const call = use === null ? "" : [use.artifact, use.method].filter(Boolean).join(".");
  return html`
    ${
      use !== null &&
      html`<p class="because">${use.kind === "artifact_read" ? "a read of" : "a call of"}
        ${" "}<${Link} to=${{ ...parts.address, view: "artifacts", item: use.artifact }}>
          ${call}<//> by ${use.caller}</p>`
    }
    ${mint !== null && html`<p class="because">the mint: <bdi>${mint.says}</bdi></p>`}
    ${mover !== null && html`<${Action} explained=${mover} parts=${parts} />`}
    ${
      creation !== null &&
      html`<${Fold} title=${`How ${creation.artifact} was made`}>
        <${Action} explained=${creation} parts=${parts} />
      <//>`
    }
  `;
};

type ActionParts = { readonly explained: ExplainedAction; readonly parts: ViewParts };

const Action = ({ explained: { action, moment, thought }, parts }: ActionParts) => html`
  <p class="because">${action.principal} did
    ${" "}<bdi>${wordsText(action.action, action.target, action.method)}</bdi>
    ${" "}<${MomentLink} seq=${action.seq} atMs=${action.at_ms} parts=${parts} />
    ${
      moment !== null &&
      html`, <${Link} to=${{ ...parts.address, view: "moments", item: String(action.seq) }}>
        ${moment}<//>`
    }</p>
  ${
    thought !== null &&
    html`<p class="because">${thought.agent} thought:
        ${" "}<q><bdi>${thought.reasoning}</bdi></q></p>
      ${thought.memories.map(
        ({ number, text }) =>
          html`<p class="because is-memory" key=${number}>it remembered:
            ${" "}<bdi>${text}</bdi></p>`,
      )}
      ${thought.calls.map(
        (call) => html`<${Fold} key=${call.id}
          title=${`${call.model} · ${call.purpose} · ${dollarText(call.cost_micros)}`}>
          <${Text} label="Prompt" text=${call.prompt} />
          <${Text} label="Reply" text=${call.reply ?? call.fault ?? ""} />
        <//>`,
      )}`
  }
`;
