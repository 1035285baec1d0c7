import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ACTIVE } from "../../../../../text/index.ts";
import type { WaitingAction } from "../../../../routes/index.ts";
import { Alert, Button } from "../../../parts/parts.ts";
import { jsonText, momentText, numberText, readTypedJson, timeText } from "../../../parts/text.ts";
import { sendCommand } from "../../api.ts";
import { MomentLink, PrincipalLink, type ViewParts } from "../../view.ts";
import { ProposedContent } from "./proposed-content.ts";

export const OUTCOMES = {
  accept: "accepted",
  edit: "edited",
  feedback: "answered with feedback",
} as const;

type ProposalParts = {
  readonly of: WaitingAction;
  readonly parts: ViewParts;
  /** Shows the result of a decision. It stays when the action has left the list. */
  readonly say: (text: string) => void;
  readonly isOff: boolean;
  /** False for a moment after the list has changed: a click may be meant for another action. */
  readonly isSettled: boolean;
};

type FormKind = "edit" | "feedback";

export const Proposal = ({ of, parts, say, isOff, isSettled }: ProposalParts) => {
  const { id: proposal, agent } = of;
  const [form, setForm] = useState<FormKind | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const isDead = isOff || isSent;
  const decide = async (decision: object): Promise<void> => {
    if (isDead) return;
    setSent(true);
    setProblem(null);
    const { ok, message } = await sendCommand({ ...decision, proposal });
    if (ok) return say(message);
    setSent(false);
    setProblem(message);
  };
  const toggle = (kind: FormKind) => (): void => {
    setProblem(null);
    setForm(form === kind ? null : kind);
  };
  const toggleButton = (kind: FormKind, title: string) => html`
    <button type="button" aria-disabled=${isDead} aria-expanded=${form === kind}
      aria-label=${`${title}: proposal ${proposal} of ${agent}`}
      onClick=${isDead ? undefined : toggle(kind)}>${title}</button>
  `;
  return html`
    <section class="proposal" aria-label=${`Proposal ${proposal} of ${agent}`}>
      <${Head} of=${of} parts=${parts} />
      <p class="note"><${Wait} of=${of} parts=${parts} /></p>
      <${ProposedContent} of=${of} parts=${parts} />
      <div class="controls" role="group" aria-label=${`Decide about proposal ${proposal}`}>
        <${Button} class="control is-resume" isOff=${isDead || !isSettled}
          aria-label=${`Accept: proposal ${proposal} of ${agent}`}
          onClick=${() => decide({ kind: "accept_proposal" })}>Accept<//>
        ${toggleButton("edit", "Edit")}
        ${toggleButton("feedback", "Feedback")}
      </div>
      ${form === "edit" && html`<${EditForm} of=${of} isOff=${isDead} decide=${decide} />`}
      ${form === "feedback" && html`<${FeedbackForm} of=${of} isOff=${isDead} decide=${decide} />`}
      <${Alert} problem=${problem} />
    </section>
  `;
};

const Head = ({ of: { id, agent, seq, at_ms, cost }, parts }: WaitParts) => html`
  <h3 class="message-head">
    <span><${PrincipalLink} id=${agent} parts=${parts} /></span>
    <span class="note">
      proposal ${numberText(id)} · <${MomentLink} seq=${seq} atMs=${at_ms} parts=${parts} /> ·${" "}
      costs at most ${numberText(cost)} scrip
    </span>
  </h3>
`;

type WaitParts = { readonly of: WaitingAction; readonly parts: ViewParts };

/** How long the action waits, and what happens without an answer. */
const Wait = ({ of: { waiting_ms, unanswered }, parts: { address, tick, runs } }: WaitParts) => {
  const isVirtual = runs?.runs.find((run) => run.run_id === address.run)?.clock === "virtual";
  const isRunning = address.at === null && tick.pace === "going" && !isVirtual;
  const passedMs = usePassed(waiting_ms, isRunning);
  if (isVirtual) return "the time of the run stands still until it is decided";
  const waits = `waits for ${timeText(Math.floor((waiting_ms + passedMs) / 1_000) * 1_000)}`;
  if (unanswered === null) return waits;
  const { decision, at_ms } = unanswered;
  return `${waits}; without an answer it is ${OUTCOMES[decision]} at ${momentText(at_ms)}`;
};

/** The real time since `value` has changed, in steps of a second. 0 if it does not run. */
const usePassed = (value: number, isRunning: boolean): number => {
  const since = useRef({ value, ms: performance.now() });
  const [, redraw] = useState(0);
  if (since.current.value !== value || !isRunning) {
    since.current = { value, ms: performance.now() };
  }
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => redraw((count) => count + 1), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return performance.now() - since.current.ms;
};

type DecidingParts = {
  readonly of: WaitingAction;
  readonly isOff: boolean;
  readonly decide: (decision: object) => Promise<void>;
};

/** JSON for a text area. Has the escapes of JSON for all characters that a page must not show. */
const editableJson = (value: unknown): string =>
  jsonText(value).replace(ACTIVE, (mark) => {
    const code = mark.codePointAt(0)?.toString(16) ?? "";
    return `\\u${code.padStart(4, "0")}`;
  });

/** A form with the action as JSON. Sends it only if it is a JSON object. */
const EditForm = ({ of: { id, action }, isOff, decide }: DecidingParts) => {
  const [text, setText] = useState(() => editableJson(action));
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    const read = readTypedJson(text);
    const isObject = "ok" in read && typeof read.value === "object" && read.value !== null;
    if (isObject) {
      setProblem(null);
      void decide({ kind: "edit_proposal", action: read.value });
    } else setProblem("ok" in read ? "an action is a JSON object" : read.problem);
  };
  return html`
    <form class="text-form is-tall" onSubmit=${submit}>
      <${Area} label=${`The action of proposal ${id} as JSON`} rows=${12} text=${text}
        setText=${setText} />
      <button type="submit" aria-disabled=${isOff}>Accept the edited action</button>
    </form>
    <${Alert} problem=${problem} />
  `;
};

const FeedbackForm = ({ of: { id, agent }, isOff, decide }: DecidingParts) => {
  const [text, setText] = useState("");
  const submit = (event: Event): void => {
    event.preventDefault();
    if (text.trim() !== "") void decide({ kind: "give_feedback", text });
  };
  return html`
    <form class="text-form" onSubmit=${submit}>
      <${Area} label=${`Feedback to ${agent} about proposal ${id}`} rows=${2} text=${text}
        setText=${setText} />
      <button type="submit" aria-disabled=${isOff}>Refuse with this feedback</button>
    </form>
  `;
};

type AreaParts = {
  readonly label: string;
  readonly rows: number;
  readonly text: string;
  readonly setText: (text: string) => void;
};

/** A text area that has the focus when it appears. */
const Area = ({ label, rows, text, setText }: AreaParts) => {
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => area.current?.focus(), []);
  return html`
    <textarea ref=${area} rows=${rows} aria-label=${label} placeholder=${label} spellcheck=${false}
      value=${text}
      onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) =>
        setText(currentTarget.value)}></textarea>
  `;
};
