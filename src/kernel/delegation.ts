import { accept, type Decision, refuse } from "./decision.ts";
import type { Event, EventOf } from "./event.ts";
import type { Id } from "./ids.ts";
import { must } from "./invariant.ts";
import { available, consume, emptyWindow, type Window } from "./rate-tracker.ts";
import { physicsOf, type State } from "./state.ts";
import { type Subject, stamp } from "./subject.ts";

/** A principal lets a contract charge it: so much at once, so much in one rolling window. */
export type Grant = {
  readonly grantor: Id;
  readonly contract: Id;
  readonly maxPerCall: number;
  readonly maxPerWindow: number;
  /** What has been charged in the window. */
  readonly used: Window;
};

/** How many contracts one principal may let charge it. */
export const GRANTS_MAX = 100;

export const grantKey = (grantor: Id, contract: Id): string => `${grantor} ${contract}`;

/** What a grant still allows in the window that ends now. */
export const leftOf = (state: State, grant: Grant, now: number): number => {
  const windowMs = physicsOf(state).resources.window_ms;
  return available(grant.used, { now, windowMs, quota: grant.maxPerWindow });
};

type Use = { readonly grantor: Id; readonly contract: Id; readonly amount: number };

/**
 * May the contract take this much from the grantor? granted → within the bound of one call → within
 * the window. The event notes the use; whoever asks moves the money.
 */
export const useGrant = (state: State, by: Subject, use: Use): Decision<null> => {
  const { grantor, contract, amount } = use;
  const grant = state.grants.get(grantKey(grantor, contract));
  if (grant === undefined) {
    const cure = `genesis_ledger.grant("${contract}", max_per_call, max_per_window)`;
    const message = `${grantor} has not agreed to be charged by ${contract}; it can with ${cure}`;
    return refuse("not_authorized", message);
  }
  if (amount > grant.maxPerCall) {
    const bound = `${grantor} lets ${contract} charge ${grant.maxPerCall} at a time`;
    return refuse("not_authorized", `${bound}, not ${amount}`, { max_per_call: grant.maxPerCall });
  }
  const left = leftOf(state, grant, by.atMs);
  if (amount > left) {
    const bound = `${grantor} lets ${contract} charge ${grant.maxPerWindow} in a window`;
    const message = `${bound}, and ${left} of it is left, not ${amount}`;
    return refuse("rate_limited", message, { required: amount, available: left });
  }
  const used: Event = { ...stamp(by), kind: "delegation_used", ...use };
  return accept([used], null);
};

export const delegationGranted = (state: State, event: EventOf<"delegation_granted">): void => {
  const { grantor, contract, max_per_call: maxPerCall, max_per_window: maxPerWindow } = event;
  const key = grantKey(grantor, contract);
  const used = state.grants.get(key)?.used ?? emptyWindow();
  state.grants.put(key, { grantor, contract, maxPerCall, maxPerWindow, used });
};

export const delegationRevoked = (state: State, event: EventOf<"delegation_revoked">): void => {
  state.grants.remove(grantKey(event.grantor, event.contract));
};

export const delegationUsed = (state: State, event: EventOf<"delegation_used">): void => {
  const key = grantKey(event.grantor, event.contract);
  const grant = must(state.grants.get(key), `a charge has a delegation: ${key}`);
  const windowMs = physicsOf(state).resources.window_ms;
  const used = consume(grant.used, event.amount, { now: event.at_ms, windowMs });
  state.grants.put(key, { ...grant, used });
};

export const endGivenGrants = (state: State, grantor: Id): void => {
  for (const key of [...state.indexes.grantsBy.keysOf(grantor)]) state.grants.remove(key);
};

/** Whoever is gone neither charges nor can be charged. */
export const endGrants = (state: State, gone: Id): void => {
  endGivenGrants(state, gone);
  for (const key of [...state.indexes.grantsTo.keysOf(gone)]) state.grants.remove(key);
};
