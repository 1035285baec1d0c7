import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { printable } from "../../../../text/index.ts";
import type { PlayedOutcome, SeatLook } from "../../../dashboard/index.ts";
import { Alert, Badge, Button, Facts, Fold, Panel, Pending, Text } from "../../parts/parts.ts";
import { numberColumn, Table, textColumn } from "../../parts/table.ts";
import {
  bytesText,
  countText,
  jsonText,
  momentText,
  numberText,
  wordsText,
} from "../../parts/text.ts";
import { sendSeatCommand } from "../core/api.ts";
import { amountIn, Field } from "./fields.ts";
import { Inventory } from "./inventory.ts";
import { Market } from "./market.ts";
import { Messages } from "./messages.ts";
import { type Play, type SeatParts, type SeatPlace, usePlay } from "./play.ts";

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
              <${Desk} look=${look} play=${play} place=${place} />`
      }
    </main>
  `;
};

type DeskParts = SeatParts & { readonly place: SeatPlace };

const Desk = ({ look, play, place }: DeskParts) => html`
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
  </div>
`;

/** The line that stays in sight: whose move it is, and what the last move has done. */
const SeatBar = ({ look, play }: SeatParts) => {
  const { at_ms, horizon_ms, to_move: isToMove, state, reason, balances } = look;
  const status = play.problem !== null ? "not live" : isToMove ? "your move" : state;
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
      <${LastMove} look=${look} play=${play} />
    </section>
  `;
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

const LastMove = ({ look, play: { isBusy, end, cancel } }: SeatParts) => {
  const outcome = end?.kind === "outcome" ? end.outcome : null;
  const isRefused = outcome?.success === false;
  return html`
    <p class="said" role="status">
      ${isBusy && "Your move is on its way. "}
      ${end?.kind === "note" && end.text}
      ${outcome !== null && !isRefused && outcomeText(outcome)}
      ${!isBusy && end === null && look.last !== null && lastText(look.last)}
    </p>
    ${isBusy && html`<button type="button" onClick=${cancel}>Cancel</button>`}
    ${isRefused && html`<${Alert} problem=${outcomeText(outcome)} />`}
    ${end?.kind === "problem" && html`<${Alert} problem=${end.text} />`}
    ${outcome !== null && html`<${MoveResult} key=${outcome.at_ms} of=${outcome} />`}
  `;
};

const lastText = ({ action, message }: NonNullable<SeatLook["last"]>): string =>
  `Last action: ${action.replaceAll("_", " ")}: ${message}`;

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

const WAIT_S = 60;

/** On the virtual clock, time passes only by moves. */
const Wait = ({ play: { isOff, wait } }: { readonly play: Play }) => {
  const [seconds, setSeconds] = useState(WAIT_S);
  return html`
    <p class="tools">
      <label class="labelled">Seconds${" "}
        <input type="number" min="1" max="86400" value=${seconds}
          onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
            setSeconds(currentTarget.valueAsNumber)} />
      </label>
      <${Button} isOff=${isOff || !(seconds > 0)} onClick=${() => void wait(seconds)}>
        Wait for a message
      <//>
    </p>
  `;
};

const News = ({ look: { events } }: Pick<SeatParts, "look">) => html`
  <${Panel} title="News">
    <p class="note">${countText(events.length, "public event")}, the newest first</p>
    <ol class="messages is-scrolled" tabindex="0">
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

const FIRST = "handbook_toc";

/** The rules of the world, which are free to read. */
const Handbook = ({ place }: { readonly place: SeatPlace }) => {
  const [asked, ask] = useState(FIRST);
  const [shown, setShown] = useState<Page | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const over = new AbortController();
    const show = async (): Promise<void> => {
      const answer = await sendSeatCommand<Page>(place, { kind: "page", page: asked }, over.signal);
      if (over.signal.aborted) return;
      if (answer.value !== null) setShown(answer.value);
      setProblem(answer.problem);
    };
    void show();
    return () => over.abort();
  }, [asked, place.run, place.agent]);
  return html`
    <${Panel} title="Handbook">
      <label class="labelled">Page${" "}
        <select value=${asked}
          onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
            ask(currentTarget.value)}>
          ${(shown?.pages ?? [FIRST]).map((id) => html`<option key=${id}>${id}</option>`)}
        </select>
      </label>
      <${Alert} problem=${problem} />
      ${shown !== null && html`<${Text} label=${shown.page} text=${shown.text} />`}
    <//>
  `;
};

type Task = SeatLook["tasks"][number];

const TASKS = [
  textColumn<Task>("task", ({ id }) => id),
  numberColumn<Task>("reward", "reward"),
  { ...textColumn<Task>("description", ({ description }) => description), isProse: true },
];

/** The auction of the mint, the seat's bids, and the open tasks. */
const Mint = ({ look, play }: SeatParts) => {
  const { mint, tasks, artifacts } = look;
  const programs = artifacts.filter(({ executable }) => executable);
  const [chosen, choose] = useState("");
  const [text, setText] = useState("");
  const id = chosen === "" ? (programs[0]?.id ?? "") : chosen;
  const amount = amountIn(text);
  const isOff = play.isOff || amount === null || id === "";
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isOff) return;
    if (await play.move({ kind: "bid", id, amount })) setText("");
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
          : html`<form class="text-form" onSubmit=${submit}>
              <label class="labelled">Program${" "}
                <select value=${id}
                  onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
                    choose(currentTarget.value)}>
                  ${programs.map((each) => html`<option key=${each.id}>${each.id}</option>`)}
                </select>
              </label>
              <${Field} label="Scrip" type="number" value=${text} set=${setText} />
              <button type="submit" aria-disabled=${isOff}>Bid</button>
            </form>`
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
