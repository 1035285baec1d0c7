import type { Event, Json } from "../../kernel/index.ts";
import type { Request } from "../core/request.ts";
import type { JournalEvent } from "./chain.ts";

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
