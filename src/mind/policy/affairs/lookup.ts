import type { Json } from "../../../kernel/index.ts";
import { type Affairs, call, type Duty, type Lookup } from "./affairs.ts";

/** What can be looked up at any time. */
type Standing = Exclude<Lookup, "proposal" | "ballot">;

const ASKS: { readonly [L in Standing]: (affairs: Affairs) => Json } = {
  listings: ({ page }) => call("genesis_escrow.list_active", page === null ? [] : [page]),
  loans: () => call("genesis_debt_contract.list_all", ["offered"]),
  debts: () => call("genesis_debt_contract.list_debts"),
  fuel: () => call("genesis_store.list_by_type", ["fuel", 5]),
  ballots: () => call("genesis_voting.list_proposals", ["open"]),
  board: ({ heardUpTo }) => call("genesis_board.read", ["wanted", heardUpTo]),
};

const WHY: { readonly [L in Standing]: string } = {
  listings: "what is on sale in the escrow?",
  loans: "who wants to borrow?",
  debts: "who owes what?",
  fuel: "who sells model budget?",
  ballots: "what is put to the vote?",
  board: "what do customers look for in vain?",
};

/** Looks something up in the standard library, if it has not for a while. */
export const lookUp =
  (lookup: Standing, everyMs: number): Duty =>
  ({ view, memory }) => {
    const since = view.now - (memory.askedAt[lookup] ?? -everyMs);
    if (since < everyMs) return null;
    const askedAt = { ...memory.askedAt, [lookup]: view.now };
    return {
      action: ASKS[lookup](memory),
      why: WHY[lookup],
      affairs: { ...memory, asked: lookup, askedAt },
    };
  };
