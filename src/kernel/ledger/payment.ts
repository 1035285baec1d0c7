import type { Artifact } from "../artifact/artifact.ts";
import { accept, type Refused, refuse } from "../core/decision.ts";
import type { EventIn, Stamp } from "../core/event.ts";
import { asHoldId, type HoldId, type Id } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import { AMOUNT_RULE, isAmount, overflows } from "../core/money.ts";
import { worldRow } from "../core/world.ts";
import { type LedgerTables, NO_QUOTAS, type Purpose } from "./account.ts";
import type { LedgerDecision, LedgerEvent, LedgerEvents, Reason } from "./events.ts";
import { type Funds, fundsOf, type Subject, spendable, stamp } from "./subject.ts";

/** A payment of scrip to the account `to`. If `to` is null, the scrip is burned. */
export type Payment = {
  readonly from: Funds;
  readonly to: Id | null;
  readonly amount: number;
  readonly reason: Reason | "burned";
  readonly artifact?: Id;
  readonly memo?: string;
};

/** Returns the payment for reading or invoking an artifact. The artifact's owner pays 0. */
export const priceOf = (
  state: LedgerTables,
  by: Subject,
  artifact: Artifact,
  reason: "price" | "read_price",
): Payment => {
  const { id, owner, price, readPrice } = artifact;
  const asked = reason === "price" ? price : readPrice;
  const amount = by.actor === owner ? 0 : asked;
  return { from: fundsOf(state, by), to: owner, amount, reason, artifact: id };
};

const place = (funds: Exclude<Funds, { kind: "account" }>): string =>
  funds.kind === "purse"
    ? "this call's purse"
    : "a program without standing, which has only the scrip attached to the call";

/**
 * Refuses payments if a source has less scrip than the sum of its payments. The sum includes
 * payments of the actor to itself. If another account pays itself, the sum omits this payment,
 * because a refusal would reveal the free balance of this account.
 */
export const paymentRefusal = (
  state: LedgerTables,
  by: Subject,
  payments: readonly Payment[],
): Refused | null => {
  const sums = new Map<string, { readonly funds: Funds; readonly sum: number }>();
  for (const { from, to, amount } of payments) {
    if (from.kind === "account" && from.id === to && to !== by.actor) continue;
    const key = from.kind === "account" ? from.id : from.kind;
    const sum = (sums.get(key)?.sum ?? 0) + amount;
    sums.set(key, { funds: from, sum });
  }
  for (const { funds, sum } of sums.values()) {
    const has = spendable(state, funds);
    if (sum <= has && Number.isSafeInteger(sum)) continue;
    const asked = `this takes ${sum} scrip`;
    if (funds.kind === "account" && funds.id !== by.actor) {
      const message = `${asked}, which ${funds.id} cannot pay now`;
      return refuse("insufficient_funds", message, { required: sum });
    }
    const from = funds.kind === "account" ? funds.id : place(funds);
    return refuse("insufficient_funds", `${asked}, but ${from} has ${has}`, {
      required: sum,
      available: has,
    });
  }
  return null;
};

export const budgetRefusal = (state: LedgerTables, giver: Id, micros: number): Refused | null => {
  const has = state.accounts.get(giver)?.llmBudgetMicros ?? 0;
  if (micros <= has) return null;
  const message = `${giver} has ${has} micro-dollars of llm_budget, less than ${micros}`;
  return refuse("insufficient_funds", message, { required: micros, available: has });
};

/** Returns the events of payments that `paymentRefusal` accepted. */
export const paymentEvents = (by: Subject, payments: readonly Payment[]): readonly LedgerEvent[] =>
  payments.map((payment) => paymentEvent(by, payment)).filter((event) => event !== null);

const paymentEvent = (by: Subject, payment: Payment): LedgerEvent | null => {
  const { from, to, amount, reason, artifact, memo } = payment;
  if (amount === 0 || from.kind === "none") return null;
  const about = artifact === undefined ? {} : { artifact_id: artifact };
  if (from.kind === "purse") {
    return { ...stamp(by), kind: "hold_spent", hold: from.hold, to, amount, reason, ...about };
  }
  if (from.id === to) return null;
  if (to === null || reason === "burned") {
    const why = memo ?? "burned";
    return { ...stamp(by), kind: "scrip_burned", from: from.id, amount, reason: why };
  }
  const note = memo === undefined ? {} : { memo };
  const move = { from: from.id, to, amount, reason, ...about, ...note };
  return { ...stamp(by), kind: "scrip_transferred", ...move };
};

/** Returns the next unused hold id. `before` counts the earlier holds in the same decision. */
const nextHold = (state: LedgerTables, purpose: Purpose, before = 0): HoldId =>
  asHoldId(`${purpose.kind}:${worldRow(state).holdsMade + 1 + before}`);

/** Returns a new hold on scrip of the actor. Callers must check the balance first. */
export const holdFor = (
  state: LedgerTables,
  by: Subject,
  purpose: Purpose,
  amount: number,
): { readonly hold: HoldId; readonly event: LedgerEvent } => {
  const hold = nextHold(state, purpose);
  const held = { from: by.actor, amount, purpose };
  return { hold, event: { ...stamp(by), kind: "scrip_held", hold, ...held } };
};

/** Returns a new hold on a part of `from`. `before` counts the earlier holds in the decision. */
export const splitFor = (
  state: LedgerTables,
  when: Stamp,
  from: HoldId,
  purpose: Purpose,
  amount: number,
  before = 0,
): { readonly hold: HoldId; readonly event: LedgerEvent } => {
  const into = nextHold(state, purpose, before);
  return { hold: into, event: { ...when, kind: "hold_split", hold: from, into, purpose, amount } };
};

export const priceRefusal = (asked: number, limit: number | null): Refused | null =>
  limit === null || asked <= limit
    ? null
    : refuse("price_exceeded", `this costs ${asked} scrip now, more than max_price ${limit}`, {
        price: asked,
      });

export const principalRefusal = (state: LedgerTables, id: Id): Refused | null =>
  state.accounts.has(id)
    ? null
    : refuse("not_found", `"${id}" is not a principal; genesis_store.list_principals() lists them`);

/** Refuses an actor without an account. `why` continues the sentence "it has no account". */
export const accountRefusal = (state: LedgerTables, actor: Id, why: string): Refused | null =>
  state.accounts.has(actor) ? null : refuse("not_authorized", `${actor} has no account${why}`);

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
