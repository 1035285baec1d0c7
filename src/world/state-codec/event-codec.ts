import type { Event, Json } from "../../kernel/index.ts";

/** One event as a journal keeps it. */
export type EncodedEvent = {
  readonly atMs: number;
  readonly kind: string;
  readonly principal: string | null;
  readonly body: string;
};

export const encodeEvent = (event: Event): EncodedEvent => {
  const { at_ms: atMs, kind, principal, ...body } = event;
  return { atMs, kind, principal, body: JSON.stringify(body) };
};

/** For rows whose chain of hashes has been checked. */
export const decodeEvent = ({ atMs, kind, principal, body }: EncodedEvent): Event => {
  // Put into what was parsed, and not both into a third: replaying does little else.
  const event = JSON.parse(body) as { [key: string]: Json };
  event.at_ms = atMs;
  event.kind = kind;
  event.principal = principal;
  return event as unknown as Event;
};
