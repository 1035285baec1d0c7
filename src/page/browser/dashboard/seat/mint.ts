import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { SeatLook } from "../../../dashboard/index.ts";
import { Panel } from "../../parts/parts.ts";
import { numberColumn, Table, textColumn } from "../../parts/table.ts";
import { momentText, numberText } from "../../parts/text.ts";
import { amountIn, Field } from "./fields.ts";
import type { SeatParts } from "./play.ts";

type Task = SeatLook["tasks"][number];

const TASKS = [
  textColumn<Task>("task", ({ id }) => id),
  numberColumn<Task>("reward", "reward"),
  { ...textColumn<Task>("description", ({ description }) => description), isProse: true },
];

/** The auction of the mint, the seat's bids, and the open tasks. */
export const Mint = ({ look, play }: SeatParts) => {
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
