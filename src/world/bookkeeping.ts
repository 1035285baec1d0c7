import { isObject, type Json } from "../kernel/index.ts";
import type { Journal } from "./journal/index.ts";
import { decodeJson } from "./wire-codec.ts";

/** Kinds of journal events about the run itself. Agents never see them; they change no state. */
const KINDS = [
  "run_started",
  "run_resumed",
  "run_stopped",
  "checkpoint_saved",
  "alarm_raised",
  "alarm_cleared",
  "warning_raised",
] as const;
type BookkeepingKind = (typeof KINDS)[number];

export const isBookkeeping = (kind: string): boolean => KINDS.some((known) => known === kind);

export const BOOKKEEPING_KINDS: readonly string[] = KINDS;

type RunNote = {
  readonly atMs: number;
  readonly kind: BookkeepingKind;
  readonly body: { readonly [key: string]: Json };
};

export const noteRun = (journal: Journal, { atMs, kind, body }: RunNote): void => {
  const command = JSON.stringify({ kind: "note_run", at_ms: atMs, note: kind });
  const event = { atMs, kind, principal: null, body: JSON.stringify(body) };
  journal.append({ command, timedOut: false, events: [event] });
};

export const noteOf = (body: string): RunNote["body"] => {
  const note = decodeJson(body);
  return isObject(note) ? note : {};
};
