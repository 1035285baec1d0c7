import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { momentText } from "../../../../text/index.ts";
import type { Tick } from "../../../routes/index.ts";
import { Button } from "../../parts/parts.ts";
import { fieldsOf, wordsText } from "../../parts/text.ts";
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
  const [result, show] = useState("");
  const changes = useRef(0);
  const setResult = (text: string): void => {
    changes.current += 1;
    show(text);
  };
  /** Returns whether the command had an effect. */
  const send = async (command: object): Promise<boolean> => {
    setResult("");
    const sent = changes.current;
    const { ok, message } = await sendCommand(command);
    // An answer that comes late does not replace the result of a later event.
    if (changes.current === sent) setResult(message);
    return ok;
  };
  return { result, setResult, send };
};

/** Buttons to pause, resume, step, checkpoint and stop a run that this server executes. */
export const Controls = ({ tick, isLive, address, path }: ControlParts) => {
  const { result, setResult, send } = useCommands();
  const stepped = useRef<number | null>(null);
  useEffect(() => setResult(""), [address.view, address.item]);
  useStepResult(tick, { path, stepped, setResult });
  const { pace, status } = tick;
  if (status !== "running" || pace === "over") return null;
  if (!canCommand(tick)) return html`<p class="controls note">${whyNot(isLive)}</p>`;
  const command = (kind: string): void => {
    stepped.current = kind === "step" ? tick.steps : null;
    void send({ kind });
  };
  const button = (kind: string, title: string, isOff = false) => html`
    <${Button} class=${`control is-${kind}`} isOff=${isOff}
      onClick=${() => command(kind)}>${title}<//>
  `;
  const stop = (): void => {
    isStoppedHere = true;
    command("stop");
  };
  return html`
    <div class="controls" role="group" aria-label="Controls of the run">
      ${pace === "going" ? button("pause", "Pause") : button("resume", "Resume")}
      ${button("step", "Step", pace !== "paused")}
      ${button("checkpoint", "Checkpoint")}
      <${StopButton} stop=${stop} />
    </div>
    <p class="said" role="status">${result}</p>
  `;
};

/** Asks in a dialog, so that a second click in the same place does not end the run. */
const StopButton = ({ stop }: { readonly stop: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = (): void => dialog.current?.close();
  return html`
    <button type="button" class="control is-stop"
      onClick=${() => dialog.current?.showModal()}>Stop</button>
    <dialog class="asking" ref=${dialog} aria-labelledby="end-question">
      <h2 id="end-question">End the run?</h2>
      <p class="note">It stops after the current action and saves a checkpoint.</p>
      <button type="button" class="control" autofocus onClick=${close}>Cancel</button>
      <button type="button" class="control is-stop"
        onClick=${() => {
          close();
          stop();
        }}>Yes, end the run</button>
    </dialog>
  `;
};

type StepParts = {
  readonly path: string;
  /** The number of ended steps before the last command, if that is a step. */
  readonly stepped: { readonly current: number | null };
  readonly setResult: (text: string) => void;
};

const useStepResult = (
  { pace, seq, steps }: Tick,
  { path, stepped, setResult }: StepParts,
): void => {
  const shownSeq = useRef(0);
  useEffect(() => {
    const before = stepped.current;
    if (pace !== "paused" || before === null || steps <= before) return;
    // The journal can get the action after the pause. Then `seq` grows, and this asks again.
    void ask<{ action: EventRow | null }>(`${path}/last-action`).then(({ value }) => {
      const row = value?.action ?? null;
      if (row === null || row.seq <= shownSeq.current || stepped.current !== before) return;
      shownSeq.current = row.seq;
      const { action, target, method } = fieldsOf(row.body);
      const done = wordsText(row.principal, action, target, method);
      setResult(`paused at ${momentText(row.at_ms)}: ${done}`);
    });
  }, [pace, seq, steps]);
};

const whyNot = (isLive: boolean): string =>
  isLive
    ? "To control this run, open the full address that sim run printed: it contains the token."
    : "This run is read-only. Only a run started with “sim run --dashboard” can be controlled.";
