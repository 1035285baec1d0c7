import type { Event } from "../../kernel/index.ts";
import type { Balances } from "../metrics/index.ts";

/** Scrip that came to a principal or went from it. */
export type Movement = {
  /** The event that moved it. */
  readonly seq: number;
  readonly at_ms: number;
  /** Positive: it came; negative: it went. */
  readonly amount: number;
  /** Who it came from or went to; null for the mint and for what is burned. */
  readonly other: string | null;
  /** As the event names it; `endowment` is what the principal began with. */
  readonly reason: string;
  /** What it was paid for, where the event says so. */
  readonly artifact: string | null;
};

/** A flow of scrip between two, either of which may be nobody. */
type Flow = Pick<Movement, "reason" | "artifact"> & {
  readonly from: string | null;
  readonly to: string | null;
  readonly amount: number;
};

/** `books` are as they were before the event. */
const flowIn = (event: Event, books: Balances): Flow | null => {
  switch (event.kind) {
    case "principal_created":
      return {
        from: null,
        to: event.id,
        amount: event.scrip,
        reason: "endowment",
        artifact: null,
      };
    case "scrip_transferred":
      return { ...event, artifact: event.artifact_id ?? null };
    case "scrip_minted":
      return { ...event, from: null, artifact: null };
    case "scrip_burned":
      return { ...event, to: null, artifact: null };
    case "hold_spent":
      return { ...event, from: books.ownerOf(event.hold), artifact: event.artifact_id ?? null };
    default:
      return null;
  }
};

/** What an event does to the scrip of one principal; null: nothing. What is set aside stays its. */
export const movementIn = (
  event: Event & { readonly seq: number },
  principal: string,
  books: Balances,
): Movement | null => {
  const flow = flowIn(event, books);
  if (flow === null || flow.from === flow.to || flow.amount === 0) return null;
  if (flow.from !== principal && flow.to !== principal) return null;
  const came = flow.to === principal;
  return {
    seq: event.seq,
    at_ms: event.at_ms,
    amount: came ? flow.amount : -flow.amount,
    other: came ? flow.from : flow.to,
    reason: flow.reason,
    artifact: flow.artifact,
  };
};
