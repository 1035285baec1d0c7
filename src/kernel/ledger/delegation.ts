import { accept, refuse } from "../core/decision.ts";
import type { Id } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import { AMOUNT_RULE, isAmount } from "../core/money.ts";
import { physicsOf } from "../core/world.ts";
import { type Grant, grantKey, type LedgerTables } from "./account.ts";
import type { LedgerDecision, LedgerEvent } from "./events.ts";
import { accountRefusal, type Payment, paymentEvents, paymentRefusal } from "./payment.ts";
import { available } from "./rolling-window.ts";
import { type Subject, stamp } from "./subject.ts";

export const GRANTS_MAX = 100;

/** Scrip that a grant still allows in the present window. */
export const leftOf = (state: LedgerTables, grant: Grant, now: number): number => {
  const windowMs = physicsOf(state).resources.window_ms;
  return available(grant.used, { now, windowMs, quota: grant.maxPerWindow });
};

/** Checks the grant, its limit per call, then per window. The caller moves the money. */
export const useGrant = (
  state: LedgerTables,
  by: Subject,
  grantor: Id,
  contract: Id,
  amount: number,
): LedgerDecision<null> => {
  const grant = state.grants.get(grantKey(grantor, contract));
  if (grant === undefined) {
    const cure = `genesis_ledger.grant("${contract}", max_per_call, max_per_window)`;
    const problem = `${grantor} has not agreed to be charged by ${contract}`;
    return refuse("not_authorized", `${problem}; ${grantor} can call ${cure}`);
  }
  if (amount > grant.maxPerCall) {
    const bound = `${grantor} lets ${contract} charge at most ${grant.maxPerCall} per call`;
    return refuse("not_authorized", `${bound}, not ${amount}`, { max_per_call: grant.maxPerCall });
  }
  const left = leftOf(state, grant, by.atMs);
  if (amount > left) {
    const bound = `${grantor} lets ${contract} charge at most ${grant.maxPerWindow} per window`;
    const message = `${bound}; ${left} is left, less than ${amount}`;
    return refuse("rate_limited", message, { required: amount, available: left });
  }
  const used: LedgerEvent = { ...stamp(by), kind: "delegation_used", grantor, contract, amount };
  return accept([used], null);
};

export const endGivenGrants = (state: LedgerTables, grantor: Id): void => {
  for (const key of [...state.indexes.grantsBy.keysOf(grantor)]) state.grants.remove(key);
};

/** Ends all grants that a deleted artifact gave or received. */
export const endGrants = (state: LedgerTables, gone: Id): void => {
  endGivenGrants(state, gone);
  for (const key of [...state.indexes.grantsTo.keysOf(gone)]) state.grants.remove(key);
};

export type ChargeRequest = { readonly by: Subject; readonly from: Id; readonly scrip: Json };

/** Checks, in this order: the amount, the program's account, the payer, the grant, the funds. */
export const decideCharge = (
  state: LedgerTables,
  { by, from, scrip }: ChargeRequest,
): LedgerDecision => {
  if (!isAmount(scrip)) return refuse("invalid_argument", AMOUNT_RULE);
  const { actor } = by;
  const poorActor = accountRefusal(
    state,
    actor,
    " for the charge; write it with has_standing: true",
  );
  if (poorActor !== null) return poorActor;
  if (from === actor) return refuse("invalid_argument", "a program cannot charge itself");
  const use = useGrant(state, by, from, actor, scrip);
  if (use.kind !== "accepted") return use;
  const payer = { kind: "account", id: from } as const;
  const payment: Payment = { from: payer, to: actor, amount: scrip, reason: "charge" };
  const poor = paymentRefusal(state, by, [payment]);
  return (
    poor ??
    accept([...paymentEvents(by, [payment]), ...use.events], { from, to: actor, amount: scrip })
  );
};
