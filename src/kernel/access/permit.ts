import { isAmountOrZero } from "../primitives/amount.ts";
import { type Id, parseId } from "../primitives/ids.ts";
import { cutText, isObject, type Json } from "../primitives/json.ts";

export const ACCESS_VERBS = ["read", "write", "invoke", "delete"] as const;
export type AccessVerb = (typeof ACCESS_VERBS)[number];

/** The argument of `check_permission` of a custom contract. */
export type PermissionRequest = {
  readonly caller: Id;
  readonly verb: AccessVerb;
  readonly target: Id;
  readonly owner: Id;
  readonly method: string | null;
  readonly args: readonly Json[];
};

/** The answer of an access contract. */
export type Permit = {
  readonly contract: Id;
  readonly allowed: boolean;
  readonly reason: string;
  readonly cost: number;
  /** Null if the caller pays. */
  readonly payer: Id | null;
  /** Null if the target's owner receives the payment. */
  readonly recipient: Id | null;
};

/** Parses the result of `check_permission`. An invalid result denies access. */
export const parsePermit = (contract: Id, answer: Json): Permit => {
  const deny = (reason: string): Permit => ({
    contract,
    allowed: false,
    reason,
    cost: 0,
    payer: null,
    recipient: null,
  });
  if (!isObject(answer)) {
    return deny("the contract did not return {allowed, reason?, cost?, payer?, recipient?}");
  }
  const { allowed, reason, cost, payer, recipient } = answer;
  const why = typeof reason === "string" ? cutText(reason, 300) : "";
  if (allowed !== true) return deny(why === "" ? "the contract denied it" : why);
  const price = cost ?? 0;
  if (!isAmountOrZero(price)) {
    return deny("the contract returned a cost that is not a whole number of scrip");
  }
  const [from, to] = [parseId(payer), parseId(recipient)];
  if (
    (from === null && (payer ?? null) !== null) ||
    (to === null && (recipient ?? null) !== null)
  ) {
    return deny("the contract returned a payer or recipient that is not an id");
  }
  return { contract, allowed: true, reason: why, cost: price, payer: from, recipient: to };
};
