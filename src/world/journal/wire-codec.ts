import { type Event, isObject, type Json } from "../../kernel/index.ts";
import { decodeJson } from "../core/json.ts";
import type { Request } from "../core/request.ts";
import type { JournalEvent } from "./chain.ts";
import type { Journal } from "./journal.ts";

export const encodeRequest = (request: Request): string => JSON.stringify(request);

/** Parses a command from a journal whose hash chain has been checked. */
export const decodeRequest = (text: string): Request => JSON.parse(text) as Request;

export const encodeEvent = (event: Event): JournalEvent => {
  const { at_ms: atMs, kind, principal, ...body } = event;
  return { atMs, kind, principal, body: JSON.stringify(body) };
};

/** Decodes a row from a journal whose hash chain has been checked. */
export const decodeEvent = ({ atMs, kind, principal, body }: JournalEvent): Event => {
  // Adds fields to the parsed object instead of copying it, because replays spend most time here.
  const event = JSON.parse(body) as { [key: string]: Json };
  event.at_ms = atMs;
  event.kind = kind;
  event.principal = principal;
  return event as unknown as Event;
};

export const senderOf = (request: Request): string | null => {
  if ("principal" in request) return request.principal;
  if ("agent" in request) return request.agent;
  return "id" in request ? request.id : null;
};

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
