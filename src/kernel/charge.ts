import { AMOUNT_RULE, isAmount } from "./amount.ts";
import { accept, type Decision, refuse } from "./decision.ts";
import { useGrant } from "./delegation.ts";
import type { Id } from "./ids.ts";
import type { Json } from "./json.ts";
import { type Payment, paid, unaffordable } from "./payment.ts";
import type { State } from "./state.ts";
import type { Subject } from "./subject.ts";

/** A program takes scrip from somebody who let it. */
export type Charging = { readonly by: Subject; readonly from: Id; readonly scrip: Json };

/** amount → account to charge into → not oneself → granted, within bounds → affordable. */
export const decideCharge = (state: State, { by, from, scrip }: Charging): Decision => {
  if (!isAmount(scrip)) return refuse("invalid_argument", AMOUNT_RULE);
  const { actor } = by;
  if (!state.accounts.has(actor)) {
    const message = `${actor} has no account to charge into; write it with has_standing: true`;
    return refuse("not_authorized", message);
  }
  if (from === actor) return refuse("invalid_argument", "a program charges somebody else");
  const use = useGrant(state, by, { grantor: from, contract: actor, amount: scrip });
  if (use.kind !== "accepted") return use;
  const payment: Payment = {
    from: { kind: "account", id: from },
    to: actor,
    amount: scrip,
    reason: "charge",
  };
  const poor = unaffordable(state, by, [payment]);
  return (
    poor ?? accept([...paid(by, [payment]), ...use.events], { from, to: actor, amount: scrip })
  );
};
