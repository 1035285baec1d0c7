import type { Event } from "../kernel/index.ts";

/**
 * `service`: a paid call. `read`: a paid read. `sale`: an artifact bought through the escrow.
 * `loan`: a loan paid out. `task`: a task rewarded. What is merely given counts as nothing.
 */
export type TradeKind = "service" | "read" | "sale" | "loan" | "task";

/** The kind of trade that an event completes, if it does. */
export const tradeIn = (event: Event): TradeKind | null => {
  switch (event.kind) {
    case "artifact_invoked":
      if (event.paid_to !== null) return "service";
      return BROKERED[`${event.artifact_id}.${event.method}`] ?? null;
    case "artifact_read":
      return event.price > 0 ? "read" : null;
    case "task_solved":
      return "task";
    default:
      return null;
  }
};

/** Calls of the standard library that end in a trade between two others. */
export const BROKERED: { readonly [call: string]: TradeKind } = {
  "genesis_escrow.purchase": "sale",
  "genesis_debt_contract.accept": "loan",
};
