import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Tick } from "../../dashboard/index.ts";
import { type Address, tokenHere } from "./address.ts";
import { ask, order } from "./ask.ts";
import type { EventRow } from "./event-pages.ts";
import { fieldsOf, shown, timeText } from "./words.ts";

type ControlParts = {
  readonly tick: Tick;
  readonly isLive: boolean;
  readonly address: Address;
  readonly path: string;
};

let isStoppedHere = false;

/** Whether this tab has stopped the run. */
export const hasStopped = (): boolean => isStoppedHere;

/** Whether this tab may give orders. */
export const mayOrder = ({ pace }: Tick): boolean =>
  pace !== null && pace !== "over" && tokenHere() !== null;

/** Gives orders and keeps what came of the last one. */
export const useOrders = () => {
  const [said, setSaid] = useState("");
  const give = async (wish: object): Promise<void> => {
    setSaid("");
    setSaid(await order(wish));
  };
  return { said, setSaid, give };
};

/** Pause, resume, step, checkpoint and stop, where the run goes on in the server's own process. */
export const Controls = ({ tick, isLive, address, path }: ControlParts) => {
  const { said, setSaid, give } = useOrders();
  useEffect(() => setSaid(""), [address.view, address.item]);
  useStepTold(tick, { path, say: setSaid });
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
      <${StopButton} stop=${() => {
        isStoppedHere = true;
        void give({ kind: "stop" });
      }} />
      <span class="said" role="status">${shown(said)}</span>
    </div>
  `;
};

/** Stops when it is asked a second time. */
const StopButton = ({ stop }: { readonly stop: () => void }) => {
  const [isAsking, setAsking] = useState(false);
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsking) yes.current?.focus();
  }, [isAsking]);
  if (!isAsking) {
    return html`<button type="button" class="control is-stop"
      onClick=${() => setAsking(true)}>Stop</button>`;
  }
  const leave = (): void => setAsking(false);
  return html`
    <span class="asking" role="group" aria-label="End the run?"
      onKeyDown=${({ key }: KeyboardEvent) => (key === "Escape" ? leave() : undefined)}>
      <button type="button" ref=${yes} class="control is-stop"
        onClick=${() => {
          leave();
          stop();
        }}>Yes, end the run</button>
      <button type="button" class="control" onClick=${leave}>Go on</button>
    </span>
  `;
};

type Telling = { readonly path: string; readonly say: (text: string) => void };

const DEEDS: { readonly [action: string]: string } = {
  noop: "did nothing",
  read_artifact: "read",
  write_artifact: "wrote",
  invoke_artifact: "invoked",
};

/** Says after a step what was done in it. */
const useStepTold = ({ pace }: Tick, { path, say }: Telling): void => {
  const before = useRef(pace);
  useEffect(() => {
    const wasStepping = before.current === "stepping";
    before.current = pace;
    if (!wasStepping || pace !== "paused") return;
    void ask<EventRow>(`${path}/last-action`).then(({ value }) => {
      if (value === null) return;
      const { action, target, method } = fieldsOf(value.body);
      const what = [target, method].filter(Boolean).join(".");
      const deed = `${DEEDS[String(action)] ?? action} ${what}`.trimEnd();
      say(`paused at ${timeText(value.at_ms / 1_000)}: ${value.principal ?? "nobody"} ${deed}`);
    });
  }, [pace]);
};

const whyNot = (isLive: boolean): string =>
  isLive
    ? "To control this run, open the whole address that sim run printed: it holds the token."
    : "This run is only watched. Start one with “sim run --dashboard” to pause, step and stop it.";
