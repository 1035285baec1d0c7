import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { ReviewedAction, RunReviews } from "../../../../routes/index.ts";
import { Alert, Json, Panel, Pending } from "../../../parts/parts.ts";
import { actionText, countText, numberText } from "../../../parts/text.ts";
import { canCommand } from "../../controls.ts";
import { MomentLink, PrincipalLink, useMoment, type ViewParts } from "../../view.ts";
import { OUTCOMES, Proposal } from "./proposal.ts";
import { ProposedContent } from "./proposed-content.ts";

const FIRST = 20;
const MORE = 200;

/** The actions that wait for a reviewer, with buttons to decide, and those that were decided. */
export const ReviewsView = (parts: ViewParts) => {
  const [limit, setLimit] = useState(FIRST);
  const { value, problem } = useMoment<RunReviews>(`${parts.path}/reviews?limit=${limit}&`, parts);
  if (value === null) return html`<${Pending} problem=${problem} />`;
  const { waiting, reviewed, reviewed_total: total } = value;
  return html`
    <${Panel} title="Actions that wait">
      <${Alert} problem=${problem} />
      <${Waiting} value=${value} parts=${parts} />
      ${waiting.length + total === 0 && html`<${HowToReview} />`}
    <//>
    ${
      total > 0 &&
      html`<${Panel} title="Decided">
        <p class="note">The newest first; ${countText(total, "action")}</p>
        <ol class="reviewed">
          ${reviewed.map((each) => html`<${Reviewed} key=${each.id} of=${each} parts=${parts} />`)}
        </ol>
        ${
          total > reviewed.length &&
          limit < MORE &&
          html`<button type="button" onClick=${() => setLimit(MORE)}>Show more</button>`
        }
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

type WaitingParts = { readonly value: RunReviews; readonly parts: ViewParts };

const Waiting = ({ value: { waiting, reviewed_total: left }, parts }: WaitingParts) => {
  const [said, say] = useState("");
  const isSettled = useSettled(left);
  const canDecide = canCommand(parts.tick) && parts.address.at === null;
  return html`
    ${waiting.length === 0 && html`<p class="note">No action waits for a reviewer.</p>`}
    ${waiting.length > 0 && !canDecide && html`<p class="note">${WHY_NOT}</p>`}
    <p class="said" role="status">${said}</p>
    ${waiting.map(
      (each) => html`<${Proposal} key=${each.id} of=${each} parts=${parts} say=${say}
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

type ReviewedParts = { readonly of: ReviewedAction; readonly parts: ViewParts };

const Reviewed = ({ of, parts }: ReviewedParts) => {
  const { id, agent, decided, cost, action } = of;
  return html`
    <li>
      <span class="message-head">
        <strong>${outcomeText(decided)}</strong>
        <span>
          <${PrincipalLink} id=${agent} parts=${parts} />: <bdi>${actionText(action)}</bdi>
        </span>
        <span class="note">
          proposal ${numberText(id)} ·${" "}
          <${MomentLink} seq=${(decided ?? of).seq} atMs=${(decided ?? of).at_ms}
            parts=${parts} /> · at most ${numberText(cost)} scrip
        </span>
      </span>
      ${decided?.decision.kind === "feedback" && html`<p><bdi>${decided.decision.text}</bdi></p>`}
      ${
        decided?.decision.kind === "edit" &&
        html`<${Json} title="The edited action" value=${decided.decision.action} />`
      }
      <details class="fold">
        <summary>The proposed action</summary>
        <${ProposedContent} of=${of} parts=${parts} />
      </details>
    </li>
  `;
};

const outcomeText = (decided: ReviewedAction["decided"]): string => {
  if (decided === null) return "ended without a decision";
  const outcome = OUTCOMES[decided.decision.kind];
  return decided.decided_by === "default" ? `${outcome} by default` : outcome;
};
