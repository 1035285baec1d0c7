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

const place = (funds: Funds): string => {
  switch (funds.kind) {
    case "account":
      return funds.id;
    case "purse":
      return "this call's purse";
    case "none":
      return "a program without standing, which has only the scrip attached to the call";
  }
};

/**
 * The refusal when any place cannot cover all that is asked of it, or null. Payments to oneself
 * need the money and move nothing.
 */
export const unaffordable = (state: State, payments: readonly Payment[]): Refused | null => {
  const asked = new Map<string, { readonly funds: Funds; readonly sum: number }>();
  for (const { from, amount } of payments) {
    const key = from.kind === "account" ? from.id : from.kind;
    const sum = (asked.get(key)?.sum ?? 0) + amount;
    asked.set(key, { funds: from, sum });
  }
  for (const { funds, sum } of asked.values()) {
    const has = spendable(state, funds);
    if (sum > has || !Number.isSafeInteger(sum)) {
      return refuse(
        "insufficient_funds",
        `this takes ${sum} scrip and ${place(funds)} has ${has}`,
        { required: sum, available: has },
      );
    }
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
