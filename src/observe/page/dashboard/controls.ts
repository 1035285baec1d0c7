import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Tick } from "../../dashboard/index.ts";
import { fieldsOf, shown, timeText, wordsText } from "../parts/text.ts";
import { type Address, tokenHere } from "./address.ts";
import { ask, type EventRow, sendCommand } from "./api.ts";

type ControlParts = {
  readonly tick: Tick;
  readonly isLive: boolean;
  readonly address: Address;
  readonly path: string;
};

let isStoppedHere = false;

export const hasStopped = (): boolean => isStoppedHere;

export const canCommand = ({ pace }: Tick): boolean =>
  pace !== null && pace !== "over" && tokenHere() !== null;

/** Returns a function that sends commands, and the result of the last command. */
export const useCommands = () => {
  const [result, setResult] = useState("");
  const send = async (command: object): Promise<void> => {
    setResult("");
    setResult(await sendCommand(command));
  };
  return { result, setResult, send };
};

/** Buttons to pause, resume, step, checkpoint and stop a run that this server executes. */
export const Controls = ({ tick, isLive, address, path }: ControlParts) => {
  const { result, setResult, send } = useCommands();
  useEffect(() => setResult(""), [address.view, address.item]);
  useStepResult(tick, { path, setResult });
  const { pace, status } = tick;
  if (status !== "running" || pace === "over") return null;
  if (!canCommand(tick)) return html`<p class="controls note">${whyNot(isLive)}</p>`;
  const button = (kind: string, title: string, isOff = false) => html`
    <button type="button" class=${`control is-${kind}`} disabled=${isOff}
      onClick=${() => send({ kind })}>${title}</button>
  `;
  return html`
    <div class="controls" role="group" aria-label="Controls of the run">
      ${pace === "going" ? button("pause", "Pause") : button("resume", "Resume")}
      ${button("step", "Step", pace !== "paused")}
      ${button("checkpoint", "Checkpoint")}
      <${StopButton} stop=${() => {
        isStoppedHere = true;
        void send({ kind: "stop" });
      }} />
      <span class="said" role="status">${shown(result)}</span>
    </div>
  `;
};

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
      <button type="button" class="control" onClick=${leave}>Cancel</button>
    </span>
  `;
};

type StepParts = { readonly path: string; readonly setResult: (text: string) => void };

const useStepResult = ({ pace }: Tick, { path, setResult }: StepParts): void => {
  const before = useRef(pace);
  useEffect(() => {
    const wasStepping = before.current === "stepping";
    before.current = pace;
    if (!wasStepping || pace !== "paused") return;
    void ask<EventRow>(`${path}/last-action`).then(({ value }) => {
      if (value === null) return;
      const { action, target, method } = fieldsOf(value.body);
      const done = wordsText(value.principal, action, target, method);
      setResult(`paused at ${timeText(value.at_ms)}: ${done}`);
    });
  }, [pace]);
};

const whyNot = (isLive: boolean): string =>
  isLive
    ? "To control this run, open the full address that sim run printed: it contains the token."
    : "This run is read-only. Only a run started with “sim run --dashboard” can be controlled.";
