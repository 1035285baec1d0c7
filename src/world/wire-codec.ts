import type { Event, Json } from "../kernel/index.ts";
import type { JournalEvent } from "./journal/index.ts";
import type { Request } from "./request.ts";

/** Trusted JSON: text written by our sandbox or journal. */
export const decodeJson = (text: string): Json => JSON.parse(text) as Json;

/** The arguments of a syscall; the engine always sends a list. */
export const decodeArgs = (text: string): readonly Json[] => JSON.parse(text) as readonly Json[];

export const encodeRequest = (request: Request): string => JSON.stringify(request);

/** A command from a journal whose chain has been checked. */
export const decodeRequest = (text: string): Request => JSON.parse(text) as Request;

export const encodeEvent = (event: Event): JournalEvent => {
  const { at_ms: atMs, kind, principal, ...body } = event;
  return { atMs, kind, principal, body: JSON.stringify(body) };
};

/** For rows whose chain of hashes has been checked. */
export const decodeEvent = ({ atMs, kind, principal, body }: JournalEvent): Event => {
  // Completes the parsed object instead of copying it: replaying spends most of its time here.
  const event = JSON.parse(body) as { [key: string]: Json };
  event.at_ms = atMs;
  event.kind = kind;
  event.principal = principal;
  return event as unknown as Event;
};

/** The principal that a request names as its sender, or null. */
export const senderOf = (request: Request): string | null => {
  if ("principal" in request) return request.principal;
  if ("agent" in request) return request.agent;
  return "id" in request ? request.id : null;
};
