import type { EventOf } from "./event.ts";
import type { Id } from "./ids.ts";
import { must } from "./invariant.ts";
import { consume, emptyWindow, type Window } from "./rate-tracker.ts";
import { physicsOf, type State } from "./state.ts";

/** A principal lets a contract charge it: so much at once, so much in one rolling window. */
export type Grant = {
  readonly grantor: Id;
  readonly contract: Id;
  readonly maxPerCall: number;
  readonly maxPerWindow: number;
  /** What has been charged in the window. */
  readonly used: Window;
};

export const grantKey = (grantor: Id, contract: Id): string => `${grantor} ${contract}`;

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
