import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import type { MomentView } from "../../../../routes/index.ts";
import { Button, breakable, Facts, type NameAndValue, Text } from "../../../parts/parts.ts";
import { momentText, numberText, signedText, wordsText } from "../../../parts/text.ts";
import { ArtifactLink, MomentLink, PrincipalLink, type ViewParts } from "../../view.ts";
import { proseText } from "./prose-text.ts";

type ChosenParts = {
  readonly of: MomentView;
  readonly choose: (seq: number) => void;
  /** Shows what led to an artifact. */
  readonly trace: (artifact: string) => void;
  readonly parts: ViewParts;
};

/** The text of a moment, its money, and what became of its artifacts. */
export const ChosenMoment = ({ of, choose, trace, parts }: ChosenParts) => {
  const { name, id, prose, previous, next, threads } = of;
  return html`
    <section class="picked" aria-label="Selected moment">
      <h3><bdi>${name}</bdi></h3>
      <p class="note is-id"><bdi>${breakable(id)}</bdi></p>
      <p class="tools">
        <${Step} seq=${previous} choose=${choose}>Before<//>${" "}
        <${Step} seq=${next} choose=${choose}>After<//>
      </p>
      <${Facts} facts=${factsOf(of, parts)} />
      <${Text} label="What happened" text=${proseText(prose)} />
      ${of.money.length > 0 && html`<${Money} of=${of} parts=${parts} />`}
      ${threads.map(
        (thread) => html`<${Thread} key=${thread.artifact} of=${thread} choose=${choose}
          trace=${trace} parts=${parts} />`,
      )}
    </section>
  `;
};

type StepParts = {
  readonly seq: number | null;
  readonly choose: (seq: number) => void;
  readonly children?: ComponentChildren;
};

const Step = ({ seq, choose, children }: StepParts) => html`
  <${Button} isOff=${seq === null} onClick=${() => seq !== null && choose(seq)}>${children}<//>
`;

const factsOf = (of: MomentView, parts: ViewParts): readonly NameAndValue[] => {
  const { seq, at_ms, actor, type, action, target, method, problem, space, narratives } = of;
  const asked = narratives.map(({ kind, id }) => `${kind} ${id}`).join(", ");
  return [
    ["agent", PrincipalLink({ id: actor, parts })],
    ["time", html`${MomentLink({ seq, atMs: at_ms, parts })}, event ${numberText(seq)}`],
    ["type", type.toLowerCase()],
    ["where", space],
    ["action", wordsText(action, target, method)],
    ...(problem === null ? [] : [["failed", problem] as const]),
    ...(asked === "" ? [] : [["about", asked] as const]),
    ["paid", numberText(of.paid)],
    ["received", of.minted > 0 ? mintedText(of) : numberText(of.received)],
  ];
};

const mintedText = ({ received, minted }: MomentView): string =>
  `${numberText(received)}, of which ${numberText(minted)} is new`;

const Money = ({ of, parts }: { readonly of: MomentView; readonly parts: ViewParts }) => html`
  <h4>Money</h4>
  <ul class="plain">
    ${of.money.map(
      ({ seq, amount, what, other, artifact, later }) => html`<li key=${seq}>
        <strong>${signedText(amount)} scrip</strong> ${what}
        ${
          other !== null &&
          html` ${amount > 0 ? "from" : "to"} <${PrincipalLink} id=${other}
          parts=${parts} />`
        }
        ${artifact !== null && html` for <${ArtifactLink} id=${artifact} parts=${parts} />`}
        ${later && html` <span class="note">later, in event ${numberText(seq)}</span>`}
      </li>`,
    )}
  </ul>
`;

const MOMENTS_SHOWN = 8;

type ThreadParts = Omit<ChosenParts, "of"> & { readonly of: MomentView["threads"][number] };

const Thread = ({ of, choose, trace, parts }: ThreadParts) => {
  const { artifact, earned, minted, total, moments } = of;
  const paid = moments.filter(({ amount, wrote }) => amount !== 0 || wrote);
  const shown = paid.slice(-MOMENTS_SHOWN);
  return html`
    <h4><${ArtifactLink} id=${artifact} parts=${parts} /></h4>
    <p>
      In ${numberText(total)} moments; earned ${numberText(earned)} scrip, and
      ${" "}${numberText(minted)} from the mint.
      ${" "}<button type="button" onClick=${() => trace(artifact)}>What led to it</button>
    </p>
    <ul class="plain">
      ${shown.map(
        ({ seq, at_ms, actor, amount, wrote }) => html`<li key=${seq}>
          <button type="button" onClick=${() => choose(seq)}>${momentText(at_ms)}</button>
          ${" "}<bdi>${actor}</bdi> ${wrote ? "wrote it" : `${signedText(amount)} scrip`}
        </li>`,
      )}
    </ul>
  `;
};
