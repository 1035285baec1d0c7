import type { Event } from "../../kernel/index.ts";
import type { Journal } from "../../world/index.ts";
import { CREDITOR } from "../metrics/index.ts";
import type { Movement } from "./movement.ts";
import { eventsBetween } from "./past-events.ts";

/** How scrip comes to the debt contract, and how it leaves it, in a call of it. */
const IN_A_CALL: ReadonlySet<string> = new Set(["attached", "charge", "pay"]);

/** By method: what comes of a call of the debt contract, and what it takes. */
const WORDS: { readonly [method: string]: readonly [came: string, went: string] } = {
  accept: ["loan", "lent"],
  repay: ["repayment", "repayment"],
  collect: ["repayment", "repayment"],
};

/** What whoever pays gets back, because more was attached than was asked for. */
const CHANGE = "change";
const WITH_CHANGE: ReadonlySet<string> = new Set(["accept", "repay"]);

/**
 * The movement with the word for what it was, where it went through the books of the debt contract:
 * the event that moved the scrip does not say, but the call in which it did ends after it.
 */
export const withCreditWord = (journal: Journal, event: Event, movement: Movement): Movement => {
  if (event.kind !== "scrip_transferred" || !IN_A_CALL.has(event.reason)) return movement;
  if (event.from !== CREDITOR && event.to !== CREDITOR) return movement;
  const { seq, amount } = movement;
  const upTo = journal.transactionEnd(seq) ?? seq;
  for (const later of eventsBetween(journal, { after: seq, upTo })) {
    if (later.kind !== "artifact_invoked" || later.artifact_id !== CREDITOR) continue;
    const [came, went] = WORDS[later.method] ?? [movement.what, movement.what];
    if (amount < 0) return { ...movement, what: went };
    const isChange = event.to === later.caller && WITH_CHANGE.has(later.method);
    return { ...movement, what: isChange ? CHANGE : came };
  }
  return movement;
};
