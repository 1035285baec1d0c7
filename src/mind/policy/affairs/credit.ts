import { hasPart } from "../policy.ts";
import { call, type Duty, type Here } from "./affairs.ts";
import type { Loan } from "./answers.ts";
import { lookUp } from "./lookup.ts";

export type Borrowing = {
  /** Scrip below which it wants a loan. */
  readonly below: number;
  readonly amount: number;
  readonly rate_percent_per_day: number;
};

const BORROW_EVERY_MS = 90_000;
const DUE_IN_S = 180;
/** What it keeps for itself when it pays back. */
const RESERVE = 10;
const DEBT_CONTRACT = "genesis_debt_contract";

const earns = ({ view }: Here): boolean => view.owned.some(({ revenue }) => revenue > 0);

/**
 * Borrows when it runs short while its programs earn: it lets the debt contract charge it for as
 * much as it will owe, and then asks for the loan.
 */
export const borrow =
  ({ below, amount, rate_percent_per_day: rate }: Borrowing): Duty =>
  (here) => {
    const { view, memory } = here;
    const soon = view.now - memory.borrowedAt < BORROW_EVERY_MS;
    const late = view.horizonMs - view.now < DUE_IN_S * 1_000;
    if (view.account.scrip >= below || soon || late || !earns(here)) return null;
    if (!hasPart(view, DEBT_CONTRACT)) return null;
    if (!memory.hasGranted) {
      return {
        action: call("genesis_ledger.grant", [DEBT_CONTRACT, amount * 2, amount * 2]),
        why: "a lender wants to be sure of the money",
        affairs: { ...memory, hasGranted: true },
      };
    }
    return {
      action: call(`${DEBT_CONTRACT}.issue`, [amount, rate, DUE_IN_S]),
      why: `${view.account.scrip} scrip are too few to trade with`,
      affairs: { ...memory, borrowedAt: view.now },
    };
  };

const ownDebt = ({ view, memory }: Here): Loan | undefined =>
  memory.debts.find(({ debtor, status }) => debtor === view.id && status === "active");

/** Pays back what it can spare: all when it is due soon or easily paid, else nothing yet. */
export const repay: Duty = (here) => {
  const { view, memory } = here;
  const debt = ownDebt(here);
  if (debt === undefined) return memory.borrowedAt >= 0 ? lookUp("debts", 30_000)(here) : null;
  const left = (debt.due_at_ms ?? view.now) - view.now;
  const spare = view.account.scrip - RESERVE;
  if (spare < 1 || (left > 40_000 && spare < 3 * debt.owed)) return null;
  const scrip = Math.min(spare, debt.owed + 1);
  const debts = memory.debts.filter(({ debt_id }) => debt_id !== debt.debt_id);
  return {
    action: call(`${DEBT_CONTRACT}.repay`, [debt.debt_id], { attach: { scrip } }),
    why: `${debt.debt_id} takes ${debt.owed} scrip and is due in ${Math.round(left / 1_000)} s`,
    affairs: { ...memory, debts },
  };
};

/** The part of its scrip that a lender puts into one loan. */
const STAKE = 0.3;

/** Lends to those whose programs earn, a little at a time, and to nobody twice at once. */
export const lend: Duty = ({ view, memory }) => {
  const owing = new Set(memory.debts.map(({ debtor }) => debtor));
  const good = memory.loans.find(({ debtor, amount, status }) => {
    const revenue = view.market
      .filter(({ owner }) => owner === debtor)
      .reduce((sum, offering) => sum + offering.revenue, 0);
    const able = amount <= view.account.scrip * STAKE && revenue >= amount / 2;
    return status === "offered" && debtor !== view.id && !owing.has(debtor) && able;
  });
  if (good === undefined) return null;
  const { debt_id, debtor, amount: scrip, rate_percent_per_day: rate } = good;
  const loans = memory.loans.filter((loan) => loan !== good);
  return {
    action: call(`${DEBT_CONTRACT}.accept`, [debt_id], { attach: { scrip } }),
    why: `${debtor} earns enough to pay ${scrip} back, at ${rate} % a day`,
    affairs: { ...memory, loans },
  };
};

/** Collects what is due and was not paid. */
export const collect: Duty = ({ view, memory }) => {
  const claim = memory.debts.find(
    ({ creditor, status, due_at_ms }) =>
      creditor === view.id && status === "active" && due_at_ms !== null && due_at_ms < view.now,
  );
  if (claim === undefined) return null;
  const debts = memory.debts.filter((debt) => debt !== claim);
  return {
    action: call(`${DEBT_CONTRACT}.collect`, [claim.debt_id]),
    why: `${claim.debtor} has not paid ${claim.debt_id} back in time`,
    affairs: { ...memory, debts },
  };
};

/** Model budget with which a debtor who ran out of it goes on for a while, in thoughts. */
const RESCUE_THOUGHTS = 30;

/** Gives a frozen debtor what it takes to earn again: one who stands still pays nothing back. */
export const rescue: Duty = ({ view, memory, thoughtMicros }) => {
  const frozen = new Set(
    view.events.filter(({ kind }) => kind === "agent_frozen").map(({ principal }) => principal),
  );
  const debtor = memory.debts.find(
    (debt) => debt.creditor === view.id && [...frozen].some((id) => id === debt.debtor),
  )?.debtor;
  const micros = RESCUE_THOUGHTS * thoughtMicros;
  if (debtor === undefined || view.account.llmBudgetMicros < 2 * micros) return null;
  return {
    action: call("genesis_ledger.transfer_budget", [debtor, micros]),
    why: `${debtor} is frozen and owes me; frozen it pays nothing`,
    affairs: { ...memory, debts: memory.debts.filter((debt) => debt.debtor !== debtor) },
  };
};
