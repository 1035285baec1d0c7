import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type {
  AgentView,
  CallLine,
  CallText,
  ConversationView,
  MessageThreads,
  MomentPage,
  SaidLine,
  ThoughtLine,
} from "../../../routes/index.ts";
import { Alert, Fold, Json, Panel, Pending, Text } from "../../parts/parts.ts";
import {
  actionText,
  countText,
  dollarText,
  fieldsOf,
  numberText,
  proseText,
  signedText,
  timeText,
} from "../../parts/text.ts";
import { periodOf } from "../core/address.ts";
import { useAnswer } from "../core/api.ts";
import { Link, MomentLink, useMoment, type ViewParts } from "../core/view.ts";
import { Thread } from "../views/messages.ts";

type LifeParts = { readonly agent: string; readonly parts: ViewParts };

const THREADS = 3;

/** The newest threads of messages in which an agent wrote or was written to. */
export const AgentMessages = ({ agent, parts }: LifeParts) => {
  const query = new URLSearchParams({ of: agent, limit: String(THREADS) });
  const { value } = useMoment<MessageThreads>(`${parts.path}/messages?${query}&`, parts);
  const { total = 0, threads = [] } = value ?? {};
  return html`
    <${Panel} title="Messages">
      ${total === 0 && html`<p class="note">No messages yet.</p>`}
      ${threads.map((each) => html`<${Thread} key=${each.thread} of=${each} parts=${parts} />`)}
      ${
        total > threads.length &&
        html`<p><${Link} to=${{ ...parts.address, view: "messages", item: agent }}>
          All ${countText(total, "thread")}<//></p>`
      }
    <//>
  `;
};

const MOMENTS = 8;

/** The newest moments of an agent. */
export const AgentMoments = ({ agent, parts }: LifeParts) => {
  const query = new URLSearchParams({ agent, order: "newest", limit: String(MOMENTS) });
  const { value } = useMoment<MomentPage>(`${parts.path}/moments?${query}&`, parts);
  const { total = 0, rows = [] } = value ?? {};
  const { address } = parts;
  return html`
    <${Panel} title="Moments">
      ${value !== null && total === 0 && html`<p class="note">None yet.</p>`}
      <ol class="thoughts">
        ${rows.map(
          ({ seq, at_ms, name, prose, paid, received }) => html`<li class="thought" key=${seq}>
            <p class="thought-head">
              <span class="note"><${MomentLink} seq=${seq} atMs=${at_ms} parts=${parts} /></span>
              <strong><${Link} to=${{ ...address, view: "moments", item: String(seq) }}>
                ${name}<//></strong>
              ${
                received !== paid &&
                html`<span class="note">${signedText(received - paid)} scrip</span>`
              }
            </p>
            <p class="prose"><bdi>${proseText(prose)}</bdi></p>
          </li>`,
        )}
      </ol>
      ${
        total > rows.length &&
        html`<p><${Link} to=${{
          ...address,
          view: "moments",
          item: null,
          filter: { ...periodOf(address), agent },
        }}>
          All ${countText(total, "moment")}<//></p>`
      }
    <//>
  `;
};

/** The files of an agent's workspace. Nothing for agents without one. */
export const AgentWorkspace = ({ agent }: { readonly agent: Pick<AgentView, "workspace"> }) => {
  const { workspace: files } = agent;
  if (files === null) return null;
  return html`
    <${Panel} title="Workspace">
      ${files.length === 0 && html`<p class="note">It has no files yet.</p>`}
      ${files.map(
        ({ path, text }) => html`<${Fold} key=${path} title=${path}>
          <${Text} label=${path} text=${text} />
        <//>`,
      )}
    <//>
  `;
};

type ConversationParts = { readonly agentPath: string; readonly parts: ViewParts };

const LINES_FIRST = 10;
const LINES_MAX = 200;

/** What an agent with tools and its model said, newest first. Nothing for other agents. */
export const Conversation = ({ agentPath, parts }: ConversationParts) => {
  const [limit, setLimit] = useState(LINES_FIRST);
  const asked = `${agentPath}/conversation?limit=${limit}&`;
  const { value, problem } = useMoment<ConversationView>(asked, parts);
  if (value === null || value.total === 0) return null;
  const { total, lines } = value;
  const hasMore = total > lines.length && limit < LINES_MAX;
  return html`
    <${Panel} title="Conversation">
      <${Alert} problem=${problem} />
      <p class="note">
        ${lines.length === total ? "All" : `The latest ${lines.length} of`} ${numberText(total)}
        ${" "}entries of the conversation that its mind keeps
      </p>
      <ol class="conversation">
        ${lines
          .map((line, at) => html`<${Said} key=${total - lines.length + at} line=${line} />`)
          .toReversed()}
      </ol>
      ${hasMore && html`<button type="button" onClick=${() => setLimit(LINES_MAX)}>Show more</button>`}
    <//>
  `;
};

const SPEAKERS = { user: "the world", assistant: "the agent", tool: "tool" } as const;

const Said = ({ line }: { readonly line: SaidLine }) => {
  const { role, tool, is_error: isError, text, calls } = line;
  const speaker = tool === null ? SPEAKERS[role] : `${tool}${isError ? ", failed" : ""}`;
  return html`
    <li class=${isError ? "is-refused" : ""}>
      <strong><bdi>${speaker}</bdi></strong>
      ${
        role === "assistant"
          ? html`<p><bdi>${text}</bdi></p>`
          : html`<${Text} label=${speaker} text=${text} />`
      }
      ${calls.map(
        ({ name, args }, at) => html`<${Json} key=${at} title=${`Calls ${name}`} value=${args} />`,
      )}
    </li>
  `;
};

type ThoughtsParts = { readonly agentPath: string; readonly parts: ViewParts };

const THOUGHTS_FIRST = 10;
const THOUGHTS_MAX = 50;

export const Thoughts = ({ agentPath, parts }: ThoughtsParts) => {
  const [limit, setLimit] = useState(THOUGHTS_FIRST);
  const asked = `${agentPath}/thoughts?limit=${limit}&`;
  const { value, problem } = useMoment<{ thoughts: readonly ThoughtLine[] }>(asked, parts);
  const thoughts = value?.thoughts ?? [];
  const hasMore = thoughts.length === limit && limit < THOUGHTS_MAX;
  return html`
    <${Panel} title="Latest thoughts">
      <${Alert} problem=${problem} />
      ${value !== null && thoughts.length === 0 && html`<p class="note">None yet.</p>`}
      <ol class="thoughts">
        ${thoughts.map(
          (thought) => html`<${Thought} key=${thought.seq} thought=${thought} parts=${parts} />`,
        )}
      </ol>
      ${hasMore && html`<button type="button" onClick=${() => setLimit(THOUGHTS_MAX)}>Show more</button>`}
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
