import { bias, type Json } from "../../kernel/index.ts";

import { call, type Move, possible, type Situation } from "../core/policy.ts";
import type { DutyMemory, Lookup } from "./duty-memory.ts";

export type DutySituation = Situation<DutyMemory>;
export type DutyMove = Move<DutyMemory>;

/** A task in addition to a policy's main work. Returns null if there is nothing to do now. */
export type Duty = (here: DutySituation) => DutyMove | null;

export const performDuty = <Memory extends { readonly duties: DutyMemory }>(
  here: Situation<Memory>,
  duties: readonly Duty[],
): Move<Memory> | null => {
  const own = { ...here, memory: here.memory.duties };
  for (const duty of duties) {
    const move = possible(here.view, duty(own));
    if (move !== null) return withDuties(here.memory, move);
  }
  return null;
};

export const withDuties = <Memory extends { readonly duties: DutyMemory }>(
  memory: Memory,
  move: DutyMove,
): Move<Memory> => ({ ...move, memory: { ...memory, duties: move.memory } });

/** Returns how much an agent values a thing, in [0.4, 1.4). Different values lead to trade. */
export const valuation = (agent: string, thing: string): number => 0.4 + bias(`${agent}*${thing}`);

type Listed = Exclude<Lookup, "proposal" | "ballot" | "debtor">;

type Question = { readonly why: string; readonly action: (memory: DutyMemory) => Json };

const QUESTIONS: { readonly [L in Listed]: Question } = {
  listings: {
    why: "what is on sale in the escrow?",
    action: ({ page }) => call("genesis_escrow.list_active", page === null ? [] : [page]),
  },
  loans: {
    why: "who wants to borrow?",
    action: () => call("genesis_debt_contract.list_all", ["offered"]),
  },
  debts: { why: "who owes what?", action: () => call("genesis_debt_contract.list_debts") },
  fuel: {
    why: "who sells model budget?",
    action: () => call("genesis_store.list_by_type", ["fuel", 5]),
  },
  ballots: {
    why: "which proposals are open?",
    action: () => call("genesis_voting.list_proposals", ["open"]),
  },
  board: {
    why: "what do customers look for and not find?",
    action: ({ boardReadTo }) => call("genesis_board.read", ["wanted", boardReadTo]),
  },
};

/** Asks the standard library a question, at most once in each period of `everyMs`. */
export const lookUp =
  (lookup: Listed, everyMs: number): Duty =>
  ({ view, memory }) => {
    const since = view.now - (memory.askedAt[lookup] ?? -everyMs);
    if (since < everyMs) return null;
    const { action, why } = QUESTIONS[lookup];
    const askedAt = { ...memory.askedAt, [lookup]: view.now };
    return { action: action(memory), why, memory: { ...memory, asked: lookup, askedAt } };
  };
