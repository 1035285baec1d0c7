import { type Event, isReserved } from "../../kernel/index.ts";
import { type Balances, type FlowKind, flowKindOf } from "../metrics/index.ts";

/** Scrip that came to a principal or went from it. */
export type Movement = {
  /** The event that moved it. */
  readonly seq: number;
  readonly at_ms: number;
  /** Positive: it came; negative: it went. */
  readonly amount: number;
  /** Who it came from or went to; null for the mint and for what is burned. */
  readonly other: string | null;
  /** What it was, in a plain word that goes with whom: `a loan`, `the mint price`. */
  readonly what: string;
  /** As the event names it; `endowment` is what the principal began with. */
  readonly reason: string;
  /** What it was paid for, where the event says so. */
  readonly artifact: string | null;
};

/** A flow of scrip between two, either of which may be nobody. */
type Flow = Pick<Movement, "reason" | "artifact"> & {
  readonly kind: FlowKind | "endowment";
  readonly from: string | null;
  readonly to: string | null;
  readonly amount: number;
};

/**
 * What a broker of the standard library hands on comes from whoever made it do so, as the event
 * says; what is handed to one is on its way to nobody yet.
 */
const partnerIn = (event: Event, other: string | null, principal: string): string | null => {
  const isBrokered = other !== null && isReserved(other);
  return isBrokered && event.principal !== null && event.principal !== principal
    ? event.principal
    : other;
};

const WORDS: { readonly [Kind in Flow["kind"]]: readonly [came: string, went: string] } = {
  endowment: ["began with", "began with"],
  services: ["calls sold", "calls paid"],
  reads: ["reads sold", "reads paid"],
  fees: ["fees for access", "fees for access"],
  mint: ["minted for a score", "minted for a score"],
  mint_share: ["share of a mint price", "mint price, shared out"],
  tasks: ["task solved", "task rewarded"],
  sales: ["sold through escrow", "to escrow"],
  // Which of the things that credit is, the call says in which it moved.
  credit: ["from the debt contract", "to the debt contract"],
  other: ["given", "given"],
  founding: ["endowed by its parent", "endowed a child"],
  mint_price: ["mint price", "mint price, burned"],
  burned: ["burned", "fee, burned"],
};

const wordOf = (kind: Flow["kind"], came: boolean): string => WORDS[kind][came ? 0 : 1];

/** `books` are as they were before the event. */
const flowIn = (event: Event, books: Balances): Flow | null => {
  switch (event.kind) {
    case "principal_created":
      return {
        from: null,
        to: event.id,
        amount: event.scrip,
        reason: "endowment",
        kind: "endowment",
        artifact: null,
      };
    case "scrip_transferred":
      return { ...event, kind: flowKindOf(event), artifact: event.artifact_id ?? null };
    case "scrip_minted":
      return { ...event, kind: flowKindOf(event), from: null, artifact: null };
    case "scrip_burned":
      return { ...event, kind: flowKindOf(event), to: null, artifact: null };
    case "hold_spent":
      return {
        ...event,
        kind: flowKindOf(event),
        from: books.ownerOf(event.hold),
        artifact: event.artifact_id ?? null,
      };
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
    other: partnerIn(event, came ? flow.from : flow.to, principal),
    what: wordOf(flow.kind, came),
    reason: flow.reason,
    artifact: flow.artifact,
  };
};
