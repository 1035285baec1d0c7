import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { MessageThread, MessageThreads, RunMessage } from "../../../routes/index.ts";
import { Alert, Badge, Panel, Pending } from "../../parts/parts.ts";
import { numberText } from "../../parts/text.ts";
import { go } from "../core/address.ts";
import { isPublished } from "../core/api.ts";
import { canCommand, useCommands } from "../core/controls.ts";
import { MomentLink, PrincipalLink, useMoment, type ViewParts } from "../core/view.ts";

const OPERATOR = "operator";
const FIRST = 20;
const MORE = 200;

/** The threads of private messages. The item of the address is the principal to show, if any. */
export const MessagesView = (parts: ViewParts) => {
  const { address, path } = parts;
  const [limit, setLimit] = useState(FIRST);
  const query = new URLSearchParams({ of: address.item ?? "", limit: String(limit) });
  const { value, problem } = useMoment<MessageThreads>(`${path}/messages?${query}&`, parts);
  if (value === null) return html`<${Pending} problem=${problem} />`;
  const { total, threads } = value;
  return html`
    ${
      !isPublished() &&
      html`<${Panel} title="Write to an agent"><${NewMessage} parts=${parts} /><//>`
    }
    <${Panel} title="Messages">
      <${Alert} problem=${problem} />
      <div class="tools">
        <${Filter} value=${value} parts=${parts} />
        <span class="note" role="status">${countText(value)}</span>
      </div>
      ${total === 0 && html`<p class="note">No messages yet.</p>`}
      ${threads.map((each) => html`<${Thread} key=${each.thread} of=${each} parts=${parts} />`)}
      ${
        total > threads.length &&
        limit < MORE &&
        html`<button type="button" onClick=${() => setLimit(MORE)}>Show more</button>`
      }
    <//>
  `;
};

const countText = ({ total, threads, unread }: MessageThreads): string => {
  const count = numberText(total);
  const shown = total === threads.length ? count : `${threads.length} of ${count}`;
  const many = `${shown} ${total === 1 ? "thread" : "threads"}`;
  if (unread === 0) return many;
  return `${many}; the operator has ${numberText(unread)} unread`;
};

type FilterParts = { readonly value: MessageThreads; readonly parts: ViewParts };

const Filter = ({ value: { principals }, parts: { address } }: FilterParts) => {
  const { item } = address;
  const known = item === null || principals.includes(item) ? principals : [item, ...principals];
  const choose = ({ currentTarget }: { currentTarget: HTMLSelectElement }): void =>
    go({ ...address, item: currentTarget.value === "" ? null : currentTarget.value });
  return html`
    <label class="labelled">Messages of${" "}
      <select value=${item ?? ""} onChange=${choose}>
        <option value="">everyone</option>
        ${known.map((id) => html`<option key=${id} value=${id}>${id}</option>`)}
      </select>
    </label>
  `;
};

type ThreadParts = { readonly of: MessageThread; readonly parts: ViewParts };

/** A thread of messages, with a form for the answer of the operator. */
export const Thread = ({ of: { thread, total, messages, answerable }, parts }: ThreadParts) => html`
  <section class="message-thread" aria-label=${`Thread ${thread}`}>
    <h3>Thread ${thread}</h3>
    ${
      total > messages.length &&
      html`<p class="note">The latest ${messages.length} of ${numberText(total)} messages</p>`
    }
    <ol class="messages">
      ${messages.map((each) => html`<${Message} key=${each.id} message=${each} parts=${parts} />`)}
    </ol>
    ${
      answerable !== null &&
      !isPublished() &&
      html`<${MessageForm} agent=${answerable.from} replyTo=${answerable.id} parts=${parts} />`
    }
  </section>
`;

type MessageParts = { readonly message: RunMessage; readonly parts: ViewParts };

const Message = ({ message, parts }: MessageParts) => {
  const { id, seq, at_ms, from, to, text, reply_to, attached_scrip, read } = message;
  const isNew = to === OPERATOR && !read;
  const facts = [
    ...(reply_to === null ? [] : [`answers ${reply_to}`]),
    ...(attached_scrip === 0 ? [] : [`${numberText(attached_scrip)} scrip attached`]),
    read ? "read" : "not read yet",
  ];
  return html`
    <li class=${isNew ? "is-unread" : ""}>
      <span class="message-head">
        <strong><${Who} id=${from} parts=${parts} /> → <${Who} id=${to} parts=${parts} /></strong>
        ${isNew && html`<${Badge} status="unread" />`}
        <span class="note">
          ${numberText(id)} · <${MomentLink} seq=${seq} atMs=${at_ms} parts=${parts} /> ·${" "}
          ${facts.join(" · ")}
        </span>
      </span>
      <p><bdi>${text}</bdi></p>
    </li>
  `;
};

const Who = ({ id, parts }: { readonly id: string; readonly parts: ViewParts }) =>
  id === OPERATOR ? OPERATOR : html`<${PrincipalLink} id=${id} parts=${parts} />`;

const NewMessage = ({ parts }: { readonly parts: ViewParts }) => {
  const agents = [...parts.agents].sort();
  const [chosen, choose] = useState("");
  const agent = chosen === "" ? (agents[0] ?? "") : chosen;
  return html`
    <label class="labelled">To${" "}
      <select value=${agent} disabled=${!canWrite(parts)}
        onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
          choose(currentTarget.value)}>
        ${agents.map((id) => html`<option key=${id} value=${id}>${id}</option>`)}
      </select>
    </label>
    <${MessageForm} agent=${agent} replyTo=${null} parts=${parts} />
  `;
};

const canWrite = ({ tick, address }: ViewParts): boolean => canCommand(tick) && address.at === null;

const WHY_NOT =
  "You can write only now, to a live run that was started with “sim run --dashboard”, and with " +
  "the token of its address.";

type MessageFormParts = {
  readonly agent: string;
  /** The message that it answers. Null for a new thread. */
  readonly replyTo: number | null;
  readonly parts: ViewParts;
};

/** A form that writes to an agent. It keeps its text if the world refuses the message. */
const MessageForm = ({ agent, replyTo, parts }: MessageFormParts) => {
  const { result, send } = useCommands();
  const [text, setText] = useState("");
  const isOff = !canWrite(parts);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isOff || text.trim() === "") return;
    const answers = replyTo === null ? {} : { reply_to: replyTo };
    const command = { kind: "send_message", agent, text, ...answers };
    if (await send(command)) setText("");
  };
  const label = replyTo === null ? "Message" : `Answer to message ${replyTo} of ${agent}`;
  return html`
    <form class="text-form" onSubmit=${submit}>
      <textarea rows="2" aria-label=${label} placeholder=${label} disabled=${isOff} value=${text}
        onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) =>
          setText(currentTarget.value)}></textarea>
      <button type="submit" disabled=${isOff}>${replyTo === null ? "Send" : "Answer"}</button>
      <span class="said" role="status">${result}</span>
    </form>
    ${isOff && replyTo === null && html`<p class="note">${WHY_NOT}</p>`}
  `;
};
