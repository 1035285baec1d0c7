import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { SeatLook } from "../../../dashboard/index.ts";
import { Badge, Panel } from "../../parts/parts.ts";
import { momentText, numberText } from "../../parts/text.ts";
import { Area, amountIn, Field } from "./fields.ts";
import type { Play, SeatParts } from "./play.ts";

type Mail = SeatLook["mailbox"]["read"][number];

/** The messages of the seat, the newest first, with a form for an answer and for a new message. */
export const Messages = ({ look, play }: SeatParts) => {
  const { read, unread, sent } = look.mailbox;
  const news = new Set(unread.map(({ message }) => message));
  const all = [...read, ...unread, ...sent].toSorted((a, b) => b.message - a.message);
  return html`
    <${Panel} title="Messages">
      <datalist id="principals">
        ${["operator", ...look.principals].map((id) => html`<option key=${id} value=${id} />`)}
      </datalist>
      <${MessageForm} play=${play} answers=${null} />
      ${all.length === 0 && html`<p class="note">No messages yet.</p>`}
      <ol class="messages">
        ${all.map(
          (each) => html`<${Message} key=${each.message} of=${each} play=${play}
            isMine=${each.from === look.id} isNew=${news.has(each.message)} />`,
        )}
      </ol>
    <//>
  `;
};

type MessageParts = {
  readonly of: Mail;
  readonly play: Play;
  readonly isMine: boolean;
  readonly isNew: boolean;
};

const Message = ({ of, play, isMine, isNew }: MessageParts) => {
  const { message, at_ms, from, to, text, reply_to, attached_scrip: scrip = 0 } = of;
  const [isOpen, setOpen] = useState(false);
  const facts = [
    `${numberText(message)} · ${momentText(at_ms)}`,
    ...(reply_to === null ? [] : [`answers ${reply_to}`]),
    ...(scrip === 0 ? [] : [`${numberText(scrip)} scrip attached`]),
  ];
  return html`
    <li class=${isNew ? "is-unread" : ""}>
      <span class="message-head">
        <strong><bdi>${isMine ? "you" : from} → ${isMine ? to : "you"}</bdi></strong>
        ${isNew && html`<${Badge} status="unread" />`}
        <span class="note">${facts.join(" · ")}</span>
      </span>
      <p class="message-text" tabindex="0"><bdi>${text}</bdi></p>
      ${
        !isMine &&
        html`<button type="button" aria-expanded=${isOpen} aria-label=${`Answer message ${message}`}
          onClick=${() => setOpen(!isOpen)}>Answer</button>`
      }
      ${isOpen && html`<${MessageForm} play=${play} answers=${of} done=${() => setOpen(false)} />`}
    </li>
  `;
};

type MessageFormParts = {
  readonly play: Play;
  /** The message that it answers. Null for a new thread. */
  readonly answers: Mail | null;
  readonly done?: () => void;
};

/** A form that sends a message. It keeps its text if the world refuses the message. */
const MessageForm = ({ play, answers, done }: MessageFormParts) => {
  const [typed, setTo] = useState("");
  const [text, setText] = useState("");
  const [attached, setAttached] = useState("");
  const to = answers?.from ?? typed;
  const scrip = attached === "" ? 0 : amountIn(attached);
  const isOff = play.isOff || to === "" || text.trim() === "" || scrip === null;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isOff) return;
    const reply = answers === null ? {} : { reply_to: answers.message };
    const attach = scrip === 0 ? {} : { attach: scrip };
    const sent = await play.move({ kind: "send", to, text, ...reply, ...attach });
    if (sent === null) return;
    setText("");
    setAttached("");
    done?.();
  };
  return html`
    <form class="text-form" onSubmit=${submit}>
      ${
        answers === null &&
        html`<${Field} label="To" list="principals" value=${typed} set=${setTo} />`
      }
      <${Area} rows=${2} value=${text} set=${setText} hasFocus=${answers !== null}
        label=${answers === null ? "Message" : `Answer to ${answers.from}`} />
      <${Field} label="Attached scrip" type="number" value=${attached} set=${setAttached} />
      <button type="submit" aria-disabled=${isOff}>Send</button>
    </form>
  `;
};
