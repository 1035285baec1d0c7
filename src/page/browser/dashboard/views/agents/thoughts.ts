import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { CallLine, CallText, ThoughtLine } from "../../../../routes/index.ts";
import { Alert, Json, Panel, Pending, Text } from "../../../parts/parts.ts";
import { actionText, dollarText, fieldsOf, numberText, timeText } from "../../../parts/text.ts";
import { useAnswer } from "../../api.ts";
import { MomentLink, useMoment, type ViewParts } from "../../view.ts";

type ThoughtsParts = { readonly agentPath: string; readonly parts: ViewParts };

const FIRST = 10;
const MORE = 50;

export const Thoughts = ({ agentPath, parts }: ThoughtsParts) => {
  const [limit, setLimit] = useState(FIRST);
  const asked = `${agentPath}/thoughts?limit=${limit}&`;
  const { value, problem } = useMoment<{ thoughts: readonly ThoughtLine[] }>(asked, parts);
  const thoughts = value?.thoughts ?? [];
  const hasMore = thoughts.length === limit && limit < MORE;
  return html`
    <${Panel} title="Latest thoughts">
      <${Alert} problem=${problem} />
      ${value !== null && thoughts.length === 0 && html`<p class="note">None yet.</p>`}
      <ol class="thoughts">
        ${thoughts.map(
          (thought) => html`<${Thought} key=${thought.seq} thought=${thought} parts=${parts} />`,
        )}
      </ol>
      ${hasMore && html`<button type="button" onClick=${() => setLimit(MORE)}>Show more</button>`}
    <//>
  `;
};

const Thought = ({ thought, parts }: { thought: ThoughtLine; parts: ViewParts }) => {
  const { path } = parts;
  const { seq, at_ms, kind, calls, outcome } = thought;
  const body = fieldsOf(thought.body);
  const isDone = kind === "thought_completed";
  const why = String(isDone ? (body.reasoning ?? "") : (body.message ?? body.reason ?? ""));
  return html`
    <li class="thought">
      <p class="thought-head">
        <span class="note"><${MomentLink} seq=${seq} atMs=${at_ms} parts=${parts} />
          ${" "}· event ${numberText(seq)}</span>
        <strong><bdi>${isDone ? actionText(body.action) : kind.replace("_", " ")}</bdi></strong>
      </p>
      ${why === "" ? null : html`<p class="why"><bdi>${why}</bdi></p>`}
      <${Outcome} outcome=${outcome} />
      ${calls.map((call) => html`<${Call} key=${call.id} call=${call} path=${path} />`)}
      ${isDone ? html`<${Json} title="Decision" value=${body.action} />` : null}
    </li>
  `;
};

const Outcome = ({ outcome }: Pick<ThoughtLine, "outcome">) => {
  if (outcome === null) return null;
  const { code, message } = fieldsOf(outcome.body);
  const isRefused = outcome.kind === "action_refused";
  const text = isRefused ? `${code}: ${message}` : String(message ?? "");
  return html`<p class=${`outcome ${isRefused ? "is-refused" : ""}`}>
    ${isRefused ? "Refused: " : "Result: "}<bdi>${text}</bdi>
  </p>`;
};

/** One model call. The page requests prompt and reply when a user opens the call. */
const Call = ({ call, path }: { readonly call: CallLine; readonly path: string }) => {
  const [isOpen, setOpen] = useState(false);
  const { value, problem } = useAnswer<CallText>(isOpen ? `${path}/calls/${call.id}` : null);
  const about = `${call.purpose} · ${call.model} · ${dollarText(call.cost_micros)}`;
  return html`
    <details class="fold call"
      onToggle=${({ currentTarget }: { currentTarget: HTMLDetailsElement }) =>
        setOpen(currentTarget.open)}>
      <summary>Prompt and reply <span class="note"><bdi>${about}</bdi></span></summary>
      ${isOpen && value === null && html`<${Pending} problem=${problem} />`}
      ${
        value !== null &&
        html`
          <h3>System</h3><${Text} label="System prompt" text=${value.system} />
          <h3>Prompt</h3><${Text} label="Prompt" text=${value.prompt} />
          <h3>${value.ok ? "Reply" : "Fault"}</h3><${Text} label="Reply" text=${value.reply} />
          <p class="note">${numberText(value.input_tokens)} tokens in,
            ${" "}${numberText(value.output_tokens)} out,
            ${" "}${timeText(value.latency_ms)}</p>`
      }
    </details>
  `;
};
