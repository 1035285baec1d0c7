import { accept, type Refused, refuse } from "../core/decision.ts";
import type { EventIn, Stamp } from "../core/event.ts";
import type { Id } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import { AMOUNT_RULE, isAmount, overflows } from "../core/money.ts";
import { type LedgerTables, NO_QUOTAS } from "./account.ts";
import type { LedgerDecision, LedgerEvents } from "./events.ts";
import { type Payment, paymentEvents, paymentRefusal } from "./payment.ts";
import { fundsOf, type Subject } from "./subject.ts";

export const principalRefusal = (state: LedgerTables, id: Id): Refused | null =>
  state.accounts.has(id)
    ? null
    : refuse("not_found", `"${id}" is not a principal; genesis_store.list_principals() lists them`);

export const payeeRefusal = (state: LedgerTables, by: Subject, to: Id): Refused | null =>
  principalRefusal(state, to) ??
  (to === by.actor ? refuse("invalid_argument", "you cannot transfer to yourself") : null);

type Transfer = {
  readonly by: Subject;
  readonly to: Id;
  readonly amount: Json;
  readonly memo?: string;
  readonly fees: readonly Payment[];
  readonly reason: "transfer" | "pay";
};

/** Checks, in this order: the amount, the payee, the actor's funds, the payee's new balance. */
export const decideTransfer = (state: LedgerTables, transfer: Transfer): LedgerDecision => {
  const { by, to, amount, memo, fees, reason } = transfer;
  if (!isAmount(amount)) return refuse("invalid_argument", AMOUNT_RULE);
  const unpayable = payeeRefusal(state, by, to);
  if (unpayable !== null) return unpayable;
  const note = memo === undefined ? {} : { memo };
  const payment: Payment = { from: fundsOf(state, by), to, amount, reason, ...note };
  const poor = paymentRefusal(state, by, [payment, ...fees]);
  if (poor !== null) return poor;
  if (overflows(state.accounts.get(to)?.scrip ?? 0, amount)) {
    return refuse("invalid_argument", `the balance of ${to} would be too large`);
  }
  return accept(paymentEvents(by, [payment]), { from: by.actor, to, amount });
};

/** Returns the event that opens an account with nothing in it. */
export const emptyAccount = (
  when: Stamp,
  id: Id,
  parent: Id | null,
): EventIn<LedgerEvents, "principal_created"> => ({
  ...when,
  kind: "principal_created",
  id,
  scrip: 0,
  llm_budget_micros: 0,
  disk_quota: 0,
  quotas: NO_QUOTAS,
  parent,
});
