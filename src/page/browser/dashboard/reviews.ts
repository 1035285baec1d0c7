import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type {
  ProposedAction,
  ReviewedAction,
  RunReviews,
  WaitingAction,
} from "../../../read/index.ts";
import { ACTIVE, countText, momentText, numberText, timeText } from "../../../text/index.ts";
import { Area } from "../parts/fields.ts";
import { Alert, Button, Json, Panel, Pending, Text, useLimit } from "../parts/parts.ts";
import { actionText, fieldsOf, jsonText, readTypedJson } from "../parts/text.ts";
import { sendCommand } from "./core/api.ts";
import { canCommand } from "./core/controls.ts";
import { ArtifactLink, MomentLink, PrincipalLink, useMoment, useView } from "./core/view.ts";

/** The actions that wait for a reviewer, with buttons to decide, and those that were decided. */
export const ReviewsView = () => {
  const { limit, more } = useLimit(20, 200);
  const { value, problem } = useMoment<RunReviews>(`/reviews?limit=${limit}&`);
  if (value === null) return html`<${Pending} problem=${problem} />`;
  const { waiting, reviewed, reviewed_total: total } = value;
  return html`
    <${Panel} title="Actions that wait">
      <${Alert} problem=${problem} />
      <${Waiting} value=${value} />
      ${waiting.length + total === 0 && html`<${HowToReview} />`}
    <//>
    ${
      total > 0 &&
      html`<${Panel} title="Decided">
        <p class="note">The newest first; ${countText(total, "action")}</p>
        <ol class="items reviewed">
          ${reviewed.map((each) => html`<${Reviewed} key=${each.id} of=${each} />`)}
        </ol>
        ${more(total > reviewed.length)}
      <//>`
    }
  `;
};

const HowToReview = () => html`
  <p>
    To decide about actions before they happen, write <code>review: actions</code> in the
    agent.yaml of an agent, or set <code>agents.defaults.review=actions</code> for all agents of a
    run. docs/people.md lists the rules, such as <code>review: { spending_above: 50 }</code>.
  </p>
`;

const WHY_NOT =
  "You can decide only now, in a live run that was started with “sim run --dashboard”, and with " +
  "the token of its address. “sim review” decides in another terminal.";

const Waiting = ({ value }: { readonly value: RunReviews }) => {
  const { waiting, reviewed_total: left } = value;
  const { tick, address } = useView();
  const [said, say] = useState("");
  const isSettled = useSettled(left);
  const canDecide = canCommand(tick) && address.at === null;
  return html`
    ${waiting.length === 0 && html`<p class="note">No action waits for a reviewer.</p>`}
    ${waiting.length > 0 && !canDecide && html`<p class="note">${WHY_NOT}</p>`}
    <p class="said" role="status">${said}</p>
    ${waiting.map(
      (each) => html`<${Proposal} key=${each.id} of=${each} say=${say}
        isOff=${!canDecide} isSettled=${isSettled} />`,
    )}
  `;
};

/** After an action has left the list, a second click could hit the action that takes its place. */
const SETTLE_MS = 700;

const useSettled = (left: number): boolean => {
  const [settled, setSettled] = useState(left);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(left), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [left]);
  return settled === left;
};

const Reviewed = ({ of }: { readonly of: ReviewedAction }) => {
  const { id, agent, decided, cost, action } = of;
  return html`
    <li>
      <span class="item-head">
        <strong>${outcomeText(decided)}</strong>
        <span>
          <${PrincipalLink} id=${agent} />: <bdi>${actionText(action)}</bdi>
        </span>
        <span class="note">
          proposal ${numberText(id)} ·${" "}
          <${MomentLink} seq=${(decided ?? of).seq} atMs=${(decided ?? of).at_ms} /> · at most ${numberText(cost)} scrip
        </span>
      </span>
      ${decided?.decision.kind === "feedback" && html`<p><bdi>${decided.decision.text}</bdi></p>`}
      ${
        decided?.decision.kind === "edit" &&
        html`<${Json} title="The edited action" value=${decided.decision.action} />`
      }
      <details class="fold">
        <summary>The proposed action</summary>
        <${ProposedContent} of=${of} />
      </details>
    </li>
  `;
};

const outcomeText = (decided: ReviewedAction["decided"]): string => {
  if (decided === null) return "ended without a decision";
  const outcome = OUTCOMES[decided.decision.kind];
  return decided.decided_by === "default" ? `${outcome} by default` : outcome;
};

const OUTCOMES = {
  accept: "accepted",
  edit: "edited",
  feedback: "answered with feedback",
} as const;

type ProposalParts = {
  readonly of: WaitingAction;
  /** Shows the result of a decision. It stays when the action has left the list. */
  readonly say: (text: string) => void;
  readonly isOff: boolean;
  /** False for a moment after the list has changed: a click may be meant for another action. */
  readonly isSettled: boolean;
};

type FormKind = "edit" | "feedback";

const Proposal = ({ of, say, isOff, isSettled }: ProposalParts) => {
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
      <${Head} of=${of} />
      <p class="note"><${Wait} of=${of} /></p>
      <${ProposedContent} of=${of} />
      <div class="controls" role="group" aria-label=${`Decide about proposal ${proposal}`}>
        <${Button} class="control is-resume" isOff=${isDead || !isSettled}
          aria-label=${`Accept: proposal ${proposal} of ${agent}`}
          onClick=${() => decide({ kind: "accept_proposal", most: of.cost })}>Accept<//>
        ${toggleButton("edit", "Edit")}
        ${toggleButton("feedback", "Feedback")}
      </div>
      ${form === "edit" && html`<${EditForm} of=${of} isOff=${isDead} decide=${decide} />`}
      ${form === "feedback" && html`<${FeedbackForm} of=${of} isOff=${isDead} decide=${decide} />`}
      <${Alert} problem=${problem} />
    </section>
  `;
};

const Head = ({ of: { id, agent, seq, at_ms, cost } }: WaitParts) => html`
  <h3 class="item-head">
    <span><${PrincipalLink} id=${agent} /></span>
    <span class="note">
      proposal ${numberText(id)} · <${MomentLink} seq=${seq} atMs=${at_ms} /> ·${" "}
      costs at most ${numberText(cost)} scrip
    </span>
  </h3>
`;

type WaitParts = { readonly of: WaitingAction };

/** How long the action waits, and what happens without an answer. */
const Wait = ({ of: { waiting_ms, unanswered } }: WaitParts) => {
  const { address, tick, runs } = useView();
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
      <${Area} label=${`The action of proposal ${id} as JSON`} rows=${12} value=${text}
        set=${setText} hasFocus=${true} />
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
      <${Area} label=${`Feedback to ${agent} about proposal ${id}`} rows=${2} value=${text}
        set=${setText} hasFocus=${true} />
      <button type="submit" aria-disabled=${isOff}>Refuse with this feedback</button>
    </form>
  `;
};

/** Why an agent wants to act, and what its action does: each field by its name. */
const ProposedContent = ({ of: { action, reasoning } }: { readonly of: ProposedAction }) => {
  const [[kind = "", given] = []] = Object.entries(fieldsOf(action));
  const fields = Object.entries(fieldsOf(given));
  const isArtifact = (name: string, value: unknown): value is string =>
    name === "artifact_id" && typeof value === "string" && value !== "";
  return html`
    ${reasoning !== "" && html`<p class="because"><bdi>${reasoning}</bdi></p>`}
    <dl class="fields">
      <div><dt>action</dt><dd><strong>${kind}</strong></dd></div>
      ${fields.map(
        ([name, value]) => html`<div key=${name}>
          <dt>${name.replace("artifact_id", "artifact")}</dt>
          <dd>${
            isArtifact(name, value)
              ? html`<${ArtifactLink} id=${value} />`
              : html`<${Value} name=${name} value=${value} />`
          }</dd>
        </div>`,
      )}
    </dl>
    <${Json} title="Action as JSON" value=${action} />
  `;
};

const SHORT_CHARS = 80;

type ValueParts = { readonly name: string; readonly value: unknown };

/** A short value stands in the line. A long one, such as a program, has a box with its lines. */
const Value = ({ name, value }: ValueParts) => {
  const isList = Array.isArray(value);
  if (isList && value.length > 0) {
    return html`<ol class="arguments">
      ${value.map((item) => html`<li><${Value} name=${name} value=${item} /></li>`)}
    </ol>`;
  }
  const text = typeof value === "string" ? value : jsonText(value);
  const isShort = text.length <= SHORT_CHARS && !text.includes("\n");
  return isShort
    ? html`<bdi>${text === "" ? "(empty)" : text}</bdi>`
    : html`<${Text} label=${name} text=${text} />`;
};
