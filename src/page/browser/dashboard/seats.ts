import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  bytesText,
  capitalised,
  countText,
  momentText,
  numberText,
  printable,
  WOKE,
} from "../../../text/index.ts";
import type { PlayedOutcome, SeatCommand, SeatLook } from "../../dashboard/index.ts";
import { Area, amountIn, Choice, Field, Search, useTyped } from "../parts/fields.ts";
import {
  Alert,
  Badge,
  Button,
  breakable,
  Facts,
  Fold,
  Json,
  Panel,
  Pending,
  Text,
} from "../parts/parts.ts";
import { type Column, numberColumn, proseColumn, Table, textColumn } from "../parts/table.ts";
import { fieldsOf, jsonText, readTypedJson, wordsText } from "../parts/text.ts";
import { sendSeatCommand } from "./core/api.ts";

type SeatPlace = { readonly run: string; readonly agent: string };

/** What the last move or wait has done. */
type MoveEnd =
  | { readonly kind: "outcome"; readonly outcome: PlayedOutcome }
  /** A move that was not made. */
  | { readonly kind: "problem"; readonly text: string }
  | { readonly kind: "note"; readonly text: string };

/** A seat as its page shows it, and what its player can do. */
type Play = {
  readonly look: SeatLook | null;
  /** Why the page cannot show the seat as it is now, or null. */
  readonly problem: string | null;
  /** Null before the first move, and while a move is on its way. */
  readonly end: MoveEnd | null;
  readonly isBusy: boolean;
  /** True if the player cannot move now: a move is on its way, or the run is not live. */
  readonly isOff: boolean;
  /** Makes a move. Returns what it has done, or null if it had no effect. */
  readonly move: (command: SeatCommand) => Promise<PlayedOutcome | null>;
  /** Lets time pass, until a message arrives. */
  readonly wait: (seconds: number) => Promise<void>;
  /** Takes back a move that has not begun, or ends a wait. */
  readonly cancel: () => void;
};

/** What each part of the page gets. */
type SeatParts = { readonly look: SeatLook; readonly play: Play };
type PlayParts = Pick<SeatParts, "play">;

/** The pause between two looks. On the virtual clock, a look waits until the seat is to move. */
const LOOK_EVERY_MS = 2_000;

const usePlay = (place: SeatPlace): Play => {
  const [{ look, problem }, setShown] = useState<Pick<Play, "look" | "problem">>({
    look: null,
    problem: null,
  });
  const lookAgain = useRef((): void => {});
  // Looks every few seconds, and at once after a move.
  useEffect(() => {
    const over = new AbortController();
    const follow = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const look = { kind: "look" } as const;
        const { value, problem } = await sendSeatCommand<SeatLook>(place, look, over.signal);
        if (over.signal.aborted) return;
        setShown((before) => ({ look: value ?? before.look, problem }));
        const pause = Promise.withResolvers<void>();
        lookAgain.current = pause.resolve;
        const timer = setTimeout(pause.resolve, LOOK_EVERY_MS);
        await pause.promise;
        clearTimeout(timer);
      }
    };
    void follow();
    return () => {
      over.abort();
      lookAgain.current();
    };
  }, [place.run, place.agent]);
  const [end, setEnd] = useState<MoveEnd | null>(null);
  const [current, setCurrent] = useState<AbortController | null>(null);
  const send = async <Value>(
    command: SeatCommand,
    show: (value: Value) => MoveEnd,
  ): Promise<Value | null> => {
    const over = new AbortController();
    setCurrent(over);
    setEnd(null);
    const { value, problem: why } = await sendSeatCommand<Value>(place, command, over.signal);
    setCurrent(null);
    if (value !== null) setEnd(show(value));
    else if (over.signal.aborted) setEnd({ kind: "note", text: "cancelled" });
    else setEnd({ kind: "problem", text: why ?? "" });
    lookAgain.current();
    return value;
  };
  // The page says above its parts that the run is not live.
  useEffect(() => {
    if (problem !== null) setEnd(null);
  }, [problem]);
  const isBusy = current !== null;
  return {
    look,
    problem,
    end,
    isBusy,
    isOff: isBusy || problem !== null,
    move: async (command) => {
      const show = (outcome: PlayedOutcome): MoveEnd => ({ kind: "outcome", outcome });
      const outcome = await send<PlayedOutcome>(command, show);
      return outcome?.success === true ? outcome : null;
    },
    wait: async (seconds) => {
      await send<{ readonly woke: keyof typeof WOKE }>({ kind: "wait", seconds }, ({ woke }) => {
        return { kind: "note", text: `${capitalised(WOKE[woke])}.` };
      });
    },
    cancel: () => current?.abort(),
  };
};

/** The page on which a person plays a seat. It shows what the agent sees, and nothing else. */
export const SeatPage = (place: SeatPlace) => {
  const play = usePlay(place);
  const { look, problem } = play;
  useEffect(() => {
    document.title = `${printable(place.agent)} · catallaxy`;
  }, [place.agent]);
  return html`
    <header class="top">
      <div class="top-line">
        <span class="brand">catallaxy</span>
        <h1 class="run-name"><bdi>${place.agent}</bdi> in <bdi>${place.run}</bdi></h1>
      </div>
      ${look !== null && html`<${SeatBar} look=${look} play=${play} />`}
    </header>
    <main id="content" tabindex="-1">
      ${
        look === null
          ? html`<${Pending} problem=${problem} />`
          : html`<${Alert} problem=${problem} />
              <${Possessions} look=${look} play=${play} />
              <div class="columns">
                <div>
                  <${Market} look=${look} play=${play} />
                  <${Mint} look=${look} play=${play} />
                </div>
                <div>
                  <${Messages} look=${look} play=${play} />
                  <${Inventory} look=${look} play=${play} />
                  <${News} look=${look} />
                  <${Handbook} place=${place} />
                </div>
              </div>`
      }
    </main>
  `;
};

/** The line that stays in sight: whose move it is, and what the last move has done. */
const SeatBar = ({ look, play }: SeatParts) => {
  const { at_ms, horizon_ms, to_move: isToMove, state, reason, balances, last } = look;
  const { isBusy, end, cancel } = play;
  const status = play.problem !== null ? "not live" : isToMove ? "your move" : state;
  const outcome = end?.kind === "outcome" ? end.outcome : null;
  const isRefused = outcome?.success === false;
  return html`
    <section class="seat-bar" aria-label="Your move">
      <p class="standing">
        <${Badge} status=${status} />${" "}
        <strong>${numberText(balances.scrip)} scrip</strong>${" "}
        <span class="note">
          ${momentText(at_ms)} of ${momentText(horizon_ms)}
          ${!isToMove && state !== "running" && html` · <bdi>${reason}</bdi>`}
        </span>
      </p>
      <p class="said" role="status">
        ${isBusy && "Your move is on its way. "}
        ${end?.kind === "note" && end.text}
        ${outcome !== null && !isRefused && outcomeText(outcome)}
        ${
          !isBusy &&
          end === null &&
          last !== null &&
          `Last action: ${last.action.replaceAll("_", " ")}: ${last.message}`
        }
      </p>
      ${isBusy && html`<button type="button" onClick=${cancel}>Cancel</button>`}
      ${isRefused && html`<${Alert} problem=${outcomeText(outcome)} />`}
      ${end?.kind === "problem" && html`<${Alert} problem=${end.text} />`}
      ${outcome !== null && html`<${MoveResult} key=${outcome.at_ms} of=${outcome} />`}
    </section>
  `;
};

/** A result with more characters is closed at first, so that it does not hide the page. */
const SHORT_CHARS = 300;

const MoveResult = ({ of: { result, message, found } }: { readonly of: PlayedOutcome }) => {
  if (found !== undefined || result === null || message.includes(JSON.stringify(result)))
    return null;
  const text = typeof result === "string" ? result : jsonText(result);
  return html`
    <${Fold} title="Result" open=${text.length <= SHORT_CHARS}>
      <${Text} label="Result" text=${text} />
    <//>
  `;
};

const outcomeText = (outcome: PlayedOutcome): string => {
  const { action, target, method, message, cost, cut, found } = outcome;
  if (found !== undefined) return `The search has found ${countText(found.length, "artifact")}.`;
  const paid = cost.scrip === 0 ? "" : ` for ${numberText(cost.scrip)} scrip`;
  const rest = cut ? " (the result is cut)" : "";
  return `${wordsText(action.replaceAll("_", " "), target, method)}${paid}: ${message}${rest}`;
};

const Possessions = ({ look, play }: SeatParts) => html`
  <${Panel} title="Your account">
    <${Facts} facts=${factsOf(look)} />
    ${look.cut && html`<p class="note">This look is shortened. Search finds more.</p>`}
    ${look.clock === "virtual" && html`<${Wait} play=${play} />`}
  <//>
`;

const factsOf = ({ balances, quotas, disk, values }: SeatLook) => [
  ["scrip", numberText(balances.scrip)],
  ...(balances.held > 0 ? [["held", numberText(balances.held)]] : []),
  ...Object.entries(quotas).map(([name, { available }]) => [
    `${name.replaceAll("_", " ")} left`,
    numberText(available),
  ]),
  ["disk left", bytesText(disk.quota - disk.used)],
  ...Object.entries(values).map(([id, worth]) => [
    `worth of ${id} to you`,
    `${numberText(worth)} scrip`,
  ]),
];

/** On the virtual clock, time passes only by moves. */
const Wait = ({ play: { isOff, wait } }: PlayParts) => {
  const { typed, field } = useTyped({ seconds: "60" });
  const seconds = amountIn(typed.seconds) ?? 0;
  return html`
    <p class="tools">
      <${Field} label="Seconds" type="number" ...${field("seconds")} />
      <${Button} isOff=${isOff || seconds === 0} onClick=${() => void wait(seconds)}>
        Wait for a message
      <//>
    </p>
  `;
};

type MoveFormParts = {
  readonly button: string;
  /** What assistive technology says of the button, if that is more. */
  readonly label?: string;
  readonly class?: string;
  readonly isOff: boolean;
  readonly move: () => unknown;
  readonly children?: ComponentChildren;
};

/** A form that makes a move. */
const MoveForm = ({ button, label, isOff, move, children, ...rest }: MoveFormParts) => html`
  <form class=${rest.class ?? "text-form"} onSubmit=${(event: Event) => {
    event.preventDefault();
    if (!isOff) void move();
  }}>
    ${children}
    <button type="submit" aria-label=${label} aria-disabled=${isOff}>${button}</button>
  </form>
`;

/** The scrip that a person attaches. Nothing typed attaches nothing. Null: not a number. */
const attachedIn = (text: string): { readonly attach?: number } | null => {
  const amount = text === "" ? 0 : amountIn(text);
  return amount === null ? null : amount === 0 ? {} : { attach: amount };
};

/** An artifact that a look shows, or that a search has found: then its interface is not known. */
type ForSale = NonNullable<PlayedOutcome["found"]>[number] & {
  readonly interface?: SeatLook["market"][number]["interface"];
};

/** How many programs are shown at first. */
const PROGRAMS_FIRST = 8;

/** What the seat can buy and read, and a search for more. */
const Market = ({ look: { market, texts, offers }, play }: SeatParts) => {
  const [isAll, setAll] = useState(false);
  // Keeps the order in which the programs were first shown: a click must not hit another one.
  const order = useRef<readonly string[]>([]);
  const byId = new Map<string, ForSale>(market.map((each) => [each.id, each]));
  order.current = [...new Set([...order.current, ...byId.keys()])];
  const programs = order.current.flatMap((id) => byId.get(id) ?? []);
  return html`
    <${Panel} title="Market">
      <${SearchForm} play=${play} />
      <h3>Programs</h3>
      ${programs.length === 0 && html`<p class="note">No programs for sale.</p>`}
      <${Programs} of=${isAll ? programs : programs.slice(0, PROGRAMS_FIRST)} play=${play} />
      ${
        !isAll &&
        programs.length > PROGRAMS_FIRST &&
        html`<button type="button" onClick=${() => setAll(true)}>Show all ${programs.length}</button>`
      }
      ${
        texts.length > 0 &&
        html`<h3>Texts</h3>
          <${Table} caption="Texts for sale" columns=${textColumns(play)} rows=${texts} />`
      }
      ${
        offers.length > 0 &&
        html`<h3>Offered to you</h3>
          <${Table} caption="Offered to you" columns=${offerColumns(play)} rows=${offers} />`
      }
    <//>
  `;
};

/** A search, and what the last one has found. */
const SearchForm = ({ play }: PlayParts) => {
  const { typed, field } = useTyped({ words: "" });
  const [found, setFound] = useState<readonly ForSale[] | null>(null);
  const move = async (): Promise<void> => {
    const outcome = await play.move({ kind: "search", words: typed.words });
    if (outcome !== null) setFound(outcome.found ?? []);
  };
  const texts = (found ?? []).filter(({ executable }) => !executable);
  return html`
    <${MoveForm} button="Search" class="tools" move=${move}
      isOff=${play.isOff || typed.words.trim() === ""}>
      <${Search} label="Search" ...${field("words")} />
      <span class="note">an action</span>
    <//>
    ${
      found !== null &&
      html`<h3>${countText(found.length, "artifact")} found</h3>
        <${Programs} of=${found.filter(({ executable }) => executable)} play=${play} />`
    }
    ${
      texts.length > 0 &&
      html`<${Table} caption="Texts found" columns=${textColumns(play)} rows=${texts} />`
    }
  `;
};

const Programs = ({ of, play }: PlayParts & { readonly of: readonly ForSale[] }) => html`
  <ul class="items messages">
    ${of.map((each) => html`<${Program} key=${each.id} of=${each} play=${play} />`)}
  </ul>
`;

/** A program, with a form that buys a call for the shown price. */
const Program = ({ of, play }: PlayParts & { readonly of: ForSale }) => {
  const { id, owner, price, calls, description } = of;
  const { typed, field } = useTyped({ args: "" });
  return html`
    <li>
      <span class="item-head">
        <strong><bdi>${breakable(id)}</bdi></strong>
        <span>${numberText(price)} scrip</span>
        <span class="note">of <bdi>${owner}</bdi> · ${countText(calls, "call")}</span>
      </span>
      ${description !== "" && html`<p><bdi>${description}</bdi></p>`}
      <${MoveForm} button="Buy" label=${`Buy ${id}`} isOff=${play.isOff}
        move=${() => play.move({ kind: "buy", id, args: typed.args, max_price: price })}>
        <${Field} label=${`Arguments of ${id}`} isHidden=${true} placeholder=${exampleOf(of)}
          ...${field("args")} />
      <//>
      ${of.interface != null && html`<${Json} title="Interface" value=${of.interface} />`}
    </li>
  `;
};

/** The arguments of the first example of the interface, without the brackets. */
const exampleOf = ({ interface: declared }: ForSale): string => {
  const [example] = declared?.methods.flatMap(({ examples }) => examples ?? []) ?? [];
  const { args } = fieldsOf(example);
  if (!Array.isArray(args)) return "arguments as JSON";
  // The brackets of one list would mean its values.
  const isOneList = args.length === 1 && Array.isArray(args[0]);
  return isOneList ? JSON.stringify(args) : JSON.stringify(args).slice(1, -1);
};

/** A column of buttons that make a move about the artifact of a row. */
const moveColumn = (
  title: string,
  { isOff, move }: Play,
  commandOf: (id: string) => SeatCommand,
): Column<ForSale> => ({
  title: title.toLowerCase(),
  cell: ({ id }) => html`<${Button} isOff=${isOff} aria-label=${`${title} ${id}`}
    onClick=${() => void move(commandOf(id))}>${title}<//>`,
});

const textColumns = (play: Play): readonly Column<ForSale>[] => [
  textColumn("text", ({ id }) => id),
  textColumn("owner", ({ owner }) => owner),
  numberColumn("price", "read_price"),
  moveColumn("Read", play, (id) => ({ kind: "read", id })),
];

const offerColumns = (play: Play): readonly Column<ForSale>[] => [
  textColumn("artifact", ({ id }) => id),
  textColumn("owner", ({ owner }) => owner),
  moveColumn("Accept", play, (id) => {
    return { kind: "invoke", id: "genesis_ledger", method: "accept", args: [id] };
  }),
];

type Task = SeatLook["tasks"][number];

const TASKS = [
  textColumn<Task>("task", ({ id }) => id),
  numberColumn<Task>("reward", "reward"),
  proseColumn<Task>("description", ({ description }) => description),
];

/** The auction of the mint, the seat's bids, and the open tasks. */
const Mint = ({ look, play }: SeatParts) => {
  const { mint, tasks, artifacts } = look;
  const programs = artifacts.filter(({ executable }) => executable).map(({ id }) => id);
  const { typed, field, clear } = useTyped({ chosen: "", scrip: "" });
  const id = typed.chosen === "" ? (programs[0] ?? "") : typed.chosen;
  const amount = amountIn(typed.scrip);
  const move = async (): Promise<void> => {
    if (amount !== null && (await play.move({ kind: "bid", id, amount }))) clear();
  };
  return html`
    <${Panel} title="Mint">
      <p>${auctionText(look)}</p>
      ${mint.own.map(
        ({ artifact, amount: bid, stage }) => html`<p class="note" key=${artifact}>
          You bid ${numberText(bid)} scrip with <bdi>${artifact}</bdi>: ${stage}.</p>`,
      )}
      ${
        programs.length === 0
          ? html`<p class="note">To bid, publish a program first.</p>`
          : html`<${MoveForm} button="Bid" move=${move}
              isOff=${play.isOff || amount === null || id === ""}>
              <${Choice} label="Program" ...${field("chosen")} value=${id} options=${programs} />
              <${Field} label="Scrip" type="number" ...${field("scrip")} />
            <//>`
      }
      ${
        tasks.length > 0 &&
        html`<h3>Tasks</h3><${Table} caption="Open tasks" columns=${TASKS} rows=${tasks} />`
      }
    <//>
  `;
};

const auctionText = ({ mint, at_ms }: SeatLook): string => {
  const { open: isOpen, opens_at_ms, closes_at_ms, minimum_bid } = mint;
  if (isOpen) {
    return `Open until ${momentText(closes_at_ms)}, from ${numberText(minimum_bid)} scrip.`;
  }
  return opens_at_ms > at_ms ? `Opens at ${momentText(opens_at_ms)}.` : "Closed.";
};

type Mail = SeatLook["mailbox"]["read"][number];

/** The messages of the seat, the newest first, with a form for an answer and for a new message. */
const Messages = ({ look, play }: SeatParts) => {
  const { read, unread, sent } = look.mailbox;
  const news = new Set(unread.map(({ message }) => message));
  const all = [...read, ...unread, ...sent].toSorted((a, b) => b.message - a.message);
  return html`
    <${Panel} title="Messages">
      <${MessageForm} play=${play} answers=${null} names=${["operator", ...look.principals]} />
      ${all.length === 0 && html`<p class="note">No messages yet.</p>`}
      <ol class="items messages">
        ${all.map(
          (each) => html`<${Message} key=${each.message} of=${each} play=${play}
            isMine=${each.from === look.id} isNew=${news.has(each.message)} />`,
        )}
      </ol>
    <//>
  `;
};

type MessageParts = PlayParts & {
  readonly of: Mail;
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
      <span class="item-head">
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

type MessageFormParts = PlayParts & {
  /** The message that it answers. Null for a new thread. */
  readonly answers: Mail | null;
  readonly names?: readonly string[];
  readonly done?: () => void;
};

/** A form that sends a message. It keeps its text if the world refuses the message. */
const MessageForm = ({ play, answers, names, done }: MessageFormParts) => {
  const { typed, field, clear } = useTyped({ to: "", text: "", attached: "" });
  const { text } = typed;
  const to = answers?.from ?? typed.to;
  const attach = attachedIn(typed.attached);
  const move = async (): Promise<void> => {
    const reply = answers === null ? {} : { reply_to: answers.message };
    const sent = await play.move({ kind: "send", to, text, ...reply, ...attach });
    if (sent === null) return;
    clear();
    done?.();
  };
  return html`
    <${MoveForm} button="Send" move=${move}
      isOff=${play.isOff || to === "" || text.trim() === "" || attach === null}>
      ${answers === null && html`<${Field} label="To" names=${names} ...${field("to")} />`}
      <${Area} rows=${2} hasFocus=${answers !== null} ...${field("text")}
        label=${answers === null ? "Message" : `Answer to ${answers.from}`} />
      <${Field} label="Attached scrip" type="number" ...${field("attached")} />
    <//>
  `;
};

/** What the seat owns, with its prices, and forms that publish an artifact or call a method. */
const Inventory = ({ look: { artifacts, genesis, market }, play }: SeatParts) => html`
  <${Panel} title="Your artifacts">
    ${artifacts.length === 0 && html`<p class="note">You own no artifacts yet.</p>`}
    <ul class="items messages">
      ${artifacts.map((each) => html`<${Artifact} key=${each.id} of=${each} play=${play} />`)}
    </ul>
    <${Fold} title="Publish a program or a text"><${Publish} play=${play} /><//>
    <${Fold} title="Call any method">
      <${Call} play=${play}
        names=${[...genesis, ...[artifacts, market].flat().map(({ id }) => id)]} />
    <//>
  <//>
`;

const Artifact = ({ of, play }: PlayParts & { readonly of: SeatLook["artifacts"][number] }) => {
  const { id, executable: isProgram, price, read_price: readPrice, revenue } = of;
  const { typed, field, clear } = useTyped({ price: "" });
  const amount = amountIn(typed.price);
  const move = async (): Promise<void> => {
    if (amount !== null && (await play.move({ kind: "sell", id, price: amount }))) clear();
  };
  return html`
    <li>
      <span class="item-head">
        <strong><bdi>${breakable(id)}</bdi></strong>
        <span>${numberText(isProgram ? price : readPrice)} scrip</span>
        <span class="note">
          ${isProgram ? "a call" : "a read"} · ${countText(of.calls_by_others, "call")} by others ·
          ${" "}${numberText(revenue)} scrip earned
        </span>
      </span>
      <${MoveForm} button="Set the price" label=${`Set the price of ${id}`} move=${move}
        isOff=${play.isOff || amount === null}>
        <${Field} label=${`Price of ${id}`} isHidden=${true} type="number" placeholder="price"
          ...${field("price")} />
      <//>
    </li>
  `;
};

/** A form that publishes an artifact. It keeps its text if the world refuses the artifact. */
const Publish = ({ play }: PlayParts) => {
  const { typed, field } = useTyped({
    kind: "program",
    id: "",
    text: "",
    price: "0",
    declared: "",
  });
  const [problem, setProblem] = useState<string | null>(null);
  const { kind, id, text, declared } = typed;
  const amount = amountIn(typed.price);
  const move = async (): Promise<void> => {
    const read = declared.trim() === "" ? null : readTypedJson(declared);
    const isWrong = kind === "program" && read !== null && "problem" in read;
    setProblem(isWrong ? `the interface: ${read.problem}` : null);
    if (isWrong || amount === null) return;
    const face: object = read !== null && "ok" in read ? { interface: read.value } : {};
    const fields =
      kind === "text"
        ? { artifact_id: id, content: text, read_price: amount }
        : { artifact_id: id, artifact_type: kind, code: text, price: amount, ...face };
    if (await play.move({ kind: "write", fields })) field("text").set("");
  };
  return html`
    <${MoveForm} button="Publish" class="text-form is-tall" move=${move}
      isOff=${play.isOff || amount === null || id === ""}>
      <${Choice} label="Kind" options=${["program", "text"]} ...${field("kind")} />
      <${Field} label="Id" ...${field("id")} />
      <${Field} label="Price" type="number" ...${field("price")} />
      <${Area} rows=${8} ...${field("text")}
        label=${kind === "program" ? "Code: its functions are its methods" : "Text"} />
      ${
        kind === "program" &&
        html`<${Area} rows=${3} ...${field("declared")}
          label="Interface as JSON, with a description and methods (optional)" />`
      }
    <//>
    <${Alert} problem=${problem} />
  `;
};

const Call = ({ play, names }: PlayParts & { readonly names: readonly string[] }) => {
  const { typed, field } = useTyped({ id: "", method: "", args: "", attached: "" });
  const { attached, ...call } = typed;
  const attach = attachedIn(attached);
  return html`
    <${MoveForm} button="Call" move=${() => play.move({ kind: "invoke", ...call, ...attach })}
      isOff=${play.isOff || call.id === "" || call.method === "" || attach === null}>
      <${Field} label="Artifact" names=${names} ...${field("id")} />
      <${Field} label="Method" ...${field("method")} />
      <${Field} label="Arguments" placeholder=${'"bob", 5'} ...${field("args")} />
      <${Field} label="Attached scrip" type="number" ...${field("attached")} />
    <//>
  `;
};

const News = ({ look: { events } }: Pick<SeatParts, "look">) => html`
  <${Panel} title="News">
    <p class="note">${countText(events.length, "public event")}, the newest first</p>
    <ol class="items messages is-scrolled" tabindex="0">
      ${events.toReversed().map(
        ({ n, at_ms, kind, principal, target, method, amount }) => html`<li key=${n}>
          <span class="note">${momentText(at_ms)}</span>${" "}
          <bdi>${wordsText(principal, kind.replaceAll("_", " "), target, method)}</bdi>
          ${amount !== null && html` <span class="note">${numberText(amount)} scrip</span>`}
        </li>`,
      )}
    </ol>
  <//>
`;

type Page = { readonly page: string; readonly text: string; readonly pages: readonly string[] };

const FIRST_PAGE = "handbook_toc";

/** The rules of the world, which are free to read. */
const Handbook = ({ place }: { readonly place: SeatPlace }) => {
  const [page, ask] = useState(FIRST_PAGE);
  const [shown, setShown] = useState<Page | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const over = new AbortController();
    void sendSeatCommand<Page>(place, { kind: "page", page }, over.signal).then((answer) => {
      if (over.signal.aborted) return;
      if (answer.value !== null) setShown(answer.value);
      setProblem(answer.problem);
    });
    return () => over.abort();
  }, [page, place.run, place.agent]);
  return html`
    <${Panel} title="Handbook">
      <${Choice} label="Page" value=${page} set=${ask} options=${shown?.pages ?? [FIRST_PAGE]} />
      <${Alert} problem=${problem} />
      ${shown !== null && html`<${Text} label=${shown.page} text=${shown.text} />`}
    <//>
  `;
};
