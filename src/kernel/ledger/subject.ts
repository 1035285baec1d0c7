import type { Stamp } from "../core/event.ts";
import type { HoldId, Id } from "../core/ids.ts";
import type { LedgerTables } from "./account.ts";

/**
 * Who acts. At the top of an action, `actor` and `origin` are the same principal. Inside a call,
 * the actor is the running artifact. Access contracts judge the actor, and the actor pays scrip.
 * The origin is billed for gas and bytes, and is the principal of every event.
 */
export type Subject = {
  readonly actor: Id;
  readonly origin: Id;
  /** The hold of the attached scrip. A program without standing can spend only this scrip. */
  readonly purse: HoldId | null;
  /** Artifacts now running, outermost first. */
  readonly stack: readonly Id[];
  /** True inside an access contract, because access contracts may only read. */
  readonly readOnly: boolean;
  readonly atMs: number;
};

export const principalSubject = (principal: Id, atMs: number): Subject => ({
  actor: principal,
  origin: principal,
  purse: null,
  stack: [],
  readOnly: false,
  atMs,
});

export const stamp = (by: Subject): Stamp => ({ at_ms: by.atMs, principal: by.origin });

/** Where a payer's scrip is: in the payer's account, in the purse of a call, or nowhere. */
export type Funds =
  | { readonly kind: "account"; readonly id: Id }
  | { readonly kind: "purse"; readonly hold: HoldId }
  | { readonly kind: "none" };

export const fundsOf = (state: LedgerTables, by: Subject): Funds => {
  if (state.accounts.has(by.actor)) return { kind: "account", id: by.actor };
  return by.purse === null ? { kind: "none" } : { kind: "purse", hold: by.purse };
};

export const spendable = (state: LedgerTables, funds: Funds): number => {
  switch (funds.kind) {
    case "account":
      return state.accounts.get(funds.id)?.scrip ?? 0;
    case "purse":
      return state.holds.get(funds.hold)?.amount ?? 0;
    case "none":
      return 0;
  }
};
