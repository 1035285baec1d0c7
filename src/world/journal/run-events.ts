import { isObject, type Json } from "../../kernel/index.ts";
import { decodeJson } from "../core/json.ts";
import type { Journal } from "./journal.ts";

/** Kinds of events about the run itself. These events change no state. Agents never see them. */
const KINDS = [
  "run_started",
  "run_resumed",
  "run_stopped",
  "checkpoint_saved",
  "alarm_raised",
  "alarm_cleared",
  "warning_raised",
] as const;
type RunEventKind = (typeof KINDS)[number];

export const isRunEvent = (kind: string): boolean => KINDS.some((known) => known === kind);

export const RUN_EVENT_KINDS: readonly string[] = KINDS;

type RunEvent = {
  readonly atMs: number;
  readonly kind: RunEventKind;
  readonly body: { readonly [key: string]: Json };
};

export const appendRunEvent = (journal: Journal, { atMs, kind, body }: RunEvent): void => {
  const command = JSON.stringify({ kind: "note_run", at_ms: atMs, note: kind });
  const event = { atMs, kind, principal: null, body: JSON.stringify(body) };
  journal.append({ command, timedOut: false, events: [event] });
};

export const runEventBody = (body: string): RunEvent["body"] => {
  const note = decodeJson(body);
  return isObject(note) ? note : {};
};
