import { type Event, isReserved } from "../../kernel/index.ts";
import type { Balances } from "./balances.ts";

/** Scrip that one principal has paid another. */
export type Payment = { readonly from: string; readonly to: string; readonly amount: number };

/**
 * What is no payment: capital for a child, and what the mint hands on of what its winners paid.
 */
const GIFTS: ReadonlySet<string> = new Set(["spawn", "mint_share"]);

/** What goes through its books is lent and paid back, not paid for anything. */
export const CREDITOR = "genesis_debt_contract";

/**
 * The payment that an event completes, if it does. What is handed to an artifact of genesis is only
 * on its way; what such a one hands on was paid by whoever asked it to, unless it goes back there.
 * `books` are as they were before the event.
 */
export const paymentIn = (event: Event, books: Balances): Payment | null => {
  if (event.kind !== "scrip_transferred" && event.kind !== "hold_spent") return null;
  const { to, amount, reason } = event;
  if (to === null || isReserved(to) || GIFTS.has(reason)) return null;
  const source = event.kind === "scrip_transferred" ? event.from : books.ownerOf(event.hold);
  if (source === null || source === CREDITOR) return null;
  const from = isReserved(source) ? event.principal : source;
  return from === null || from === to ? null : { from, to, amount };
};
