import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { MessageThread, MessageThreads, RunMessage } from "../../../read/index.ts";
import { countText, numberText } from "../../../text/index.ts";
import { Area, Choice } from "../parts/fields.ts";
import { Alert, Badge, Panel, Pending, useLimit } from "../parts/parts.ts";
import { go } from "./core/address.ts";
import { isPublished } from "./core/api.ts";
import { canCommand, useCommands } from "./core/controls.ts";
import { MomentLink, PrincipalLink, useMoment, useView, type ViewParts } from "./core/view.ts";

const OPERATOR = "operator";

/** The threads of private messages. The item of the address is the principal to show, if any. */
export const MessagesView = () => {
  const { address } = useView();
  const { item } = address;
  const { limit, more } = useLimit(20, 200);
  const query = new URLSearchParams({ of: item ?? "", limit: String(limit) });
  const { value, problem } = useMoment<MessageThreads>(`/messages?${query}&`);
  if (value === null) return html`<${Pending} problem=${problem} />`;
  const { total, threads, principals, unread } = value;
  const known = item === null || principals.includes(item) ? principals : [item, ...principals];
  const count = total === threads.length ? numberText(total) : `${threads.length} of ${total}`;
  const choose = (id: string): void => go({ ...address, item: id === "" ? null : id });
  return html`
    ${!isPublished() && html`<${Panel} title="Write to an agent"><${NewMessage} /><//>`}
    <${Panel} title="Messages">
      <${Alert} problem=${problem} />
      <div class="tools">
        <${Choice} label="Messages of" value=${item ?? ""} set=${choose}
          options=${[["", "everyone"], ...known]} />
        <span class="note" role="status">${count} ${total === 1 ? "thread" : "threads"}${
          unread > 0 && `; the operator has ${numberText(unread)} unread`
        }</span>
      </div>
      ${total === 0 && html`<p class="note">No messages yet.</p>`}
      ${threads.map((each) => html`<${Thread} key=${each.thread} of=${each} />`)}
      ${more(total > threads.length)}
    <//>
  `;
};

/** A thread of messages, with a form for the answer of the operator. */
export const Thread = ({ of }: { readonly of: MessageThread }) => {
  const { thread, total, messages, answerable } = of;
  return html`
    <section class="message-thread" aria-label=${`Thread ${thread}`}>
      <h3>Thread ${thread}</h3>
      ${
        total > messages.length &&
        html`<p class="note">The latest ${messages.length} of ${countText(total, "message")}</p>`
      }
      <ol class="items messages">
        ${messages.map((each) => html`<${Message} key=${each.id} message=${each} />`)}
      </ol>
      ${
        answerable !== null &&
        !isPublished() &&
        html`<${MessageForm} agent=${answerable.from} replyTo=${answerable.id} />`
      }
    </section>
  `;
};

const Message = ({ message }: { readonly message: RunMessage }) => {
  const { id, seq, at_ms, from, to, text, reply_to, attached_scrip, read } = message;
  const isNew = to === OPERATOR && !read;
  const facts = [
    ...(reply_to === null ? [] : [`answers ${reply_to}`]),
    ...(attached_scrip === 0 ? [] : [`${numberText(attached_scrip)} scrip attached`]),
    read ? "read" : "not read yet",
  ];
  const who = (id: string) => (id === OPERATOR ? OPERATOR : html`<${PrincipalLink} id=${id} />`);
  return html`
    <li class=${isNew ? "is-unread" : ""}>
      <span class="item-head">
        <strong>${who(from)} → ${who(to)}</strong>
        ${isNew && html`<${Badge} status="unread" />`}
        <span class="note">
          ${numberText(id)} · <${MomentLink} seq=${seq} atMs=${at_ms} /> ·${" "}
          ${facts.join(" · ")}
        </span>
      </span>
      <p><bdi>${text}</bdi></p>
    </li>
  `;
};

const NewMessage = () => {
  const view = useView();
  const agents = [...view.agents].sort();
  const [chosen, choose] = useState("");
  const agent = chosen === "" ? (agents[0] ?? "") : chosen;
  return html`
    <${Choice} label="To" value=${agent} set=${choose} options=${agents} isOff=${!canWrite(view)} />
    <${MessageForm} agent=${agent} replyTo=${null} />
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
};

/** A form that writes to an agent. It keeps its text if the world refuses the message. */
const MessageForm = ({ agent, replyTo }: MessageFormParts) => {
  const { result, send } = useCommands();
  const [text, setText] = useState("");
  const isOff = !canWrite(useView());
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isOff || text.trim() === "") return;
    const answers = replyTo === null ? {} : { reply_to: replyTo };
    if (await send({ kind: "send_message", agent, text, ...answers })) setText("");
  };
  const label = replyTo === null ? "Message" : `Answer to message ${replyTo} of ${agent}`;
  return html`
    <form class="text-form" onSubmit=${submit}>
      <${Area} label=${label} value=${text} set=${setText} rows=${2} isOff=${isOff} />
      <button type="submit" disabled=${isOff}>${replyTo === null ? "Send" : "Answer"}</button>
      <span class="said" role="status">${result}</span>
    </form>
    ${isOff && replyTo === null && html`<p class="note">${WHY_NOT}</p>`}
  `;
};
