import { type Event, isReserved } from "../../kernel/index.ts";
import { DEBT_CONTRACT } from "../../run/index.ts";
import type { JournalReader } from "../../world/index.ts";
import { descriptionOf, type Flow, type OwnerOf } from "../describe/event-descriptions.ts";
import { eventsBetween } from "../log/log.ts";

export type Movement = {
  readonly seq: number;
  readonly at_ms: number;
  /** Positive if the principal received the scrip, negative if the principal gave it. */
  readonly amount: number;
  /** The other party, or null for the world: the mint, proceeds and burned scrip. */
  readonly other: string | null;
  /** The reason in plain words, such as `loan` or `mint price`. */
  readonly what: string;
  /** The reason code of the event, or `endowment` for the starting balance. */
  readonly reason: string;
  /** The artifact that the scrip paid for, if the event names one. */
  readonly artifact: string | null;
};

/** The plain words for a flow: first for its receiver, then for its giver. */
const WORDS: {
  readonly [Kind in Flow["kind"]]: readonly [received: string, given: string];
} = {
  endowment: ["began with", "began with"],
  services: ["calls sold", "calls paid"],
  reads: ["reads sold", "reads paid"],
  fees: ["fees for access", "fees for access"],
  mint: ["minted for a score", "minted for a score"],
  proceeds: ["share of proceeds", "share of proceeds"],
  tasks: ["task solved", "task rewarded"],
  sales: ["sold through escrow", "to escrow"],
  // `withCreditWord` replaces these words by words for the call, such as `loan`.
  credit: ["from the debt contract", "to the debt contract"],
  other: ["given", "given"],
  founding: ["endowed by its parent", "endowed a child"],
  mint_price: ["mint price", "mint price"],
  compute_price: ["model budget", "model budget bought"],
  schedule: ["minted by the schedule", "taken by the schedule"],
  burned: ["burned", "fee, burned"],
};

/** The flow of an event, or null if no scrip moves. `ownerOf` is as of before the event. */
export const flowIn = (event: Event, ownerOf: OwnerOf): Flow | null =>
  descriptionOf(event)?.flow?.(event, ownerOf) ?? null;

/** The flow of an event from one principal to another, or to or from the world, or null. */
export const paidIn = (event: Event, ownerOf: OwnerOf): Flow | null => {
  const flow = flowIn(event, ownerOf);
  // The starting balance of an agent was not paid.
  const isPaid = flow !== null && flow.amount > 0 && flow.kind !== "endowment";
  return isPaid && flow.from !== flow.to ? flow : null;
};

/** How an event changes a principal's scrip, or null. Scrip in a hold is still the owner's. */
export const movementIn = (
  event: Event,
  seq: number,
  principal: string,
  ownerOf: OwnerOf,
): Movement | null => {
  const flow = flowIn(event, ownerOf);
  if (flow === null || flow.from === flow.to || flow.amount === 0) return null;
  if (flow.from !== principal && flow.to !== principal) return null;
  const isReceived = flow.to === principal;
  return {
    seq,
    at_ms: event.at_ms,
    amount: isReceived ? flow.amount : -flow.amount,
    other: partnerIn(event, isReceived ? flow.from : flow.to, principal),
    what: WORDS[flow.kind][isReceived ? 0 : 1],
    reason: flow.reason,
    artifact: flow.artifact,
  };
};

/** Returns the principal that acted through the genesis artifact `other`, or `other` itself. */
const partnerIn = (event: Event, other: string | null, principal: string): string | null => {
  const isBrokered = other !== null && isReserved(other);
  return isBrokered && event.principal !== null && event.principal !== principal
    ? event.principal
    : other;
};

/** The reasons of transfers from or to the debt contract during a call. */
const CALL_REASONS: ReadonlySet<string> = new Set(["attached", "charge", "pay"]);

const CREDIT_WORDS: ReadonlyMap<string, readonly [received: string, given: string]> = new Map([
  ["accept", ["loan", "lent"]],
  ["repay", ["repayment", "repayment"]],
  ["collect", ["repayment", "repayment"]],
]);

/** The methods that return unneeded attached scrip to the caller. */
const WITH_CHANGE: ReadonlySet<string> = new Set(["accept", "repay"]);

/**
 * Describes a movement from or to the debt contract by the called method, for example `accept` as
 * "loan". The transfer event does not name the method, but the call event after the transfer does.
 */
export const withCreditWord = (
  journal: JournalReader,
  event: Event,
  movement: Movement,
): Movement => {
  if (event.kind !== "scrip_transferred" || !CALL_REASONS.has(event.reason)) return movement;
  if (event.from !== DEBT_CONTRACT && event.to !== DEBT_CONTRACT) return movement;
  const { seq, amount } = movement;
  const upTo = journal.transactionEnd(seq) ?? seq;
  for (const later of eventsBetween(journal, { after: seq, upTo })) {
    if (later.kind !== "artifact_invoked" || later.artifact_id !== DEBT_CONTRACT) continue;
    const [received, given] = CREDIT_WORDS.get(later.method) ?? [movement.what, movement.what];
    if (amount < 0) return { ...movement, what: given };
    const isChange = event.to === later.caller && WITH_CHANGE.has(later.method);
    return { ...movement, what: isChange ? "change" : received };
  }
  return movement;
};

/** A change of a value, by the event that caused it. Positive: a rise. */
export type Jump = { readonly seq: number; readonly at_ms: number; readonly amount: number };

const OF_AGENT_MAX = 3;
const OF_PRICES_MAX = 5;

/** Keeps the `most` largest changes, and of equal ones the newer. */
export const keepLargest = <Each extends Jump>(kept: Each[], each: Each, most: number): void => {
  kept.push(each);
  if (kept.length <= most) return;
  kept.sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount) || b.seq - a.seq);
  kept.pop();
};

/** Finds the largest changes of the wealth of each principal, and of the price index. */
export class JumpCounter {
  readonly #wealth = new Map<string, Jump[]>();
  readonly #prices: Jump[] = [];

  /** Call it before the other counters count the event. `ownerOf` is as of before the event. */
  count(event: Event, seq: number, ownerOf: (hold: string) => string | null): void {
    const flow = paidIn(event, ownerOf);
    if (flow !== null) this.add(flow, { seq, at_ms: event.at_ms });
  }

  /** Counts a payment of an event. A null party is the world. */
  add(
    { from, to, amount }: Pick<Flow, "from" | "to" | "amount">,
    event: Pick<Jump, "seq" | "at_ms">,
  ): void {
    this.#note(from, { ...event, amount: -amount });
    this.#note(to, { ...event, amount });
  }

  countPrice(change: Jump): void {
    if (change.amount !== 0) keepLargest(this.#prices, change, OF_PRICES_MAX);
  }

  get prices(): readonly Jump[] {
    return this.#prices;
  }

  wealthOf(id: string): readonly Jump[] {
    return this.#wealth.get(id) ?? [];
  }

  #note(id: string | null, jump: Jump): void {
    if (id === null) return;
    const kept = this.#wealth.get(id) ?? [];
    keepLargest(kept, jump, OF_AGENT_MAX);
    this.#wealth.set(id, kept);
  }
}
