import { type Refused, refuse } from "./decision.ts";
import type { Event, Reason } from "./event.ts";
import type { Id } from "./ids.ts";
import type { State } from "./state.ts";
import { type Funds, type Subject, spendable, stamp } from "./subject.ts";

/** One sum from one place to one account, or to nobody when it is burned. */
export type Payment = {
  readonly from: Funds;
  readonly to: Id | null;
  readonly amount: number;
  readonly reason: Reason | "burned";
  readonly artifact?: Id;
  readonly memo?: string;
};

const place = (funds: Exclude<Funds, { kind: "account" }>): string =>
  funds.kind === "purse"
    ? "this call's purse"
    : "a program without standing, which has only the scrip attached to the call";

/**
 * The refusal when any place cannot cover all that is asked of it, or null. The actor's payments to
 * itself need the money and move nothing; those of others to themselves are not looked at, so that
 * what another has free is not told.
 */
export const unaffordable = (
  state: State,
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
    return refuse("insufficient_funds", `${asked} and ${from} has ${has}`, {
      required: sum,
      available: has,
    });
  }
  return null;
};

/** The events of payments already found affordable. */
export const paid = (by: Subject, payments: readonly Payment[]): readonly Event[] =>
  payments.map((payment) => paymentEvent(by, payment)).filter((event) => event !== null);

const paymentEvent = (by: Subject, payment: Payment): Event | null => {
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
