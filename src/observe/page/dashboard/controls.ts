import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { Tick } from "../../dashboard/index.ts";
import { tokenHere } from "./address.ts";
import { order } from "./ask.ts";
import { shown } from "./words.ts";

type ControlParts = { readonly tick: Tick; readonly isLive: boolean };

/** Whether this tab may give orders. */
export const mayOrder = ({ pace }: Tick): boolean =>
  pace !== null && pace !== "over" && tokenHere() !== null;

/** Gives orders and keeps what came of the last one. */
export const useOrders = () => {
  const [said, setSaid] = useState("");
  const give = async (wish: object): Promise<void> => setSaid(await order(wish));
  return { said, give };
};

/** Pause, resume, step, checkpoint and stop, where the run goes on in the server's own process. */
export const Controls = ({ tick, isLive }: ControlParts) => {
  const { said, give } = useOrders();
  const { pace, status } = tick;
  if (status !== "running" || pace === "over") return null;
  if (!mayOrder(tick)) return html`<p class="controls note">${whyNot(isLive)}</p>`;
  const isGoing = pace === "going";
  const button = (kind: string, title: string, isOff = false) => html`
    <button type="button" class=${`control is-${kind}`} disabled=${isOff}
      onClick=${() => give({ kind })}>${title}</button>
  `;
  return html`
    <div class="controls" role="group" aria-label="Controls of the run">
      ${isGoing ? button("pause", "Pause") : button("resume", "Resume")}
      ${button("step", "Step", pace !== "paused")}
      ${button("checkpoint", "Checkpoint")}
      ${button("stop", "Stop")}
      <span class="said" role="status">${shown(said)}</span>
    </div>
  `;
};

const whyNot = (isLive: boolean): string =>
  isLive
    ? "To control this run, open the whole address that sim run printed: it holds the token."
    : "This run is only watched. Start one with “sim run --dashboard” to pause, step and stop it.";
