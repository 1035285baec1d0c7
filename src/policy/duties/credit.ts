import { call, hasGenesis } from "../core/policy.ts";
import { type Duty, lookUp } from "./duty.ts";
import type { DutyMemory, Loan } from "./duty-memory.ts";
import { giveBudget } from "./fuel.ts";

type Borrowing = {
  readonly below: number;
  readonly amount: number;
  readonly rate_percent_per_day: number;
};

const BORROW_EVERY_MS = 90_000;
const DUE_IN_S = 180;
const RESERVE = 10;
const DEBT_CONTRACT = "genesis_debt_contract";

/** If scrip is short and an own artifact earns, gives the debt contract a grant, then borrows. */
export const borrow =
  ({ below, amount, rate_percent_per_day: rate }: Borrowing): Duty =>
  ({ view, memory }) => {
    const soon = view.now - memory.borrowedAt < BORROW_EVERY_MS;
    const late = view.horizonMs - view.now < DUE_IN_S * 1_000;
    const earns = view.owned.some(({ revenue }) => revenue > 0);
    if (view.account.scrip >= below || soon || late || !earns) return null;
    if (!hasGenesis(view, DEBT_CONTRACT)) return null;
    if (!memory.hasGranted) {
      return {
        action: call("genesis_ledger.grant", [DEBT_CONTRACT, amount * 2, amount * 2]),
        why: "lenders want security",
        memory: { ...memory, hasGranted: true },
      };
    }
    return {
      action: call(`${DEBT_CONTRACT}.issue`, [amount, rate, DUE_IN_S]),
      why: `${view.account.scrip} scrip are too little to trade with`,
      memory: { ...memory, borrowedAt: view.now },
    };
  };

const without = ({ debts }: DutyMemory, debt: Loan): readonly Loan[] =>
  debts.filter((each) => each !== debt);

/** Repays as much as possible if the debt is due soon, or is small compared with the scrip. */
export const repay: Duty = (here) => {
  const { view, memory } = here;
  const debt = memory.debts.find(({ debtor, status }) => debtor === view.id && status === "active");
  if (debt === undefined) return memory.borrowedAt >= 0 ? lookUp("debts", 30_000)(here) : null;
  const left = (debt.due_at_ms ?? view.now) - view.now;
  const spare = view.account.scrip - RESERVE;
  if (spare < 1 || (left > 40_000 && spare < 3 * debt.owed)) return null;
  const scrip = Math.min(spare, debt.owed + 1);
  return {
    action: call(`${DEBT_CONTRACT}.repay`, [debt.debt_id], { attach: { scrip } }),
    why: `${debt.debt_id} costs ${debt.owed} scrip and is due in ${Math.round(left / 1_000)} s`,
    memory: { ...memory, debts: without(memory, debt) },
  };
};

/** The maximum share of a lender's scrip for one loan. */
const STAKE = 0.3;

/** Makes small loans to agents whose programs earn, at most one loan per debtor at a time. */
export const lend: Duty = ({ view, memory }) => {
  const owing = new Set(memory.debts.map(({ debtor }) => debtor));
  const good = memory.loans.find(({ debtor, amount, status }) => {
    const revenue = view.market
      .filter(({ owner }) => owner === debtor)
      .reduce((sum, listing) => sum + listing.revenue, 0);
    const able = amount <= view.account.scrip * STAKE && revenue >= amount / 2;
    return status === "offered" && debtor !== view.id && !owing.has(debtor) && able;
  });
  if (good === undefined) return null;
  const { debt_id, debtor, amount: scrip, rate_percent_per_day: rate } = good;
  const loans = memory.loans.filter((loan) => loan !== good);
  return {
    action: call(`${DEBT_CONTRACT}.accept`, [debt_id], { attach: { scrip } }),
    why: `${debtor} earns enough to repay ${scrip}, at ${rate} % a day`,
    memory: { ...memory, loans },
  };
};

export const collect: Duty = ({ view, memory }) => {
  const claim = memory.debts.find(
    ({ creditor, status, due_at_ms }) =>
      creditor === view.id && status === "active" && due_at_ms !== null && due_at_ms < view.now,
  );
  if (claim === undefined) return null;
  return {
    action: call(`${DEBT_CONTRACT}.collect`, [claim.debt_id]),
    why: `${claim.debtor} has not repaid ${claim.debt_id} in time`,
    memory: { ...memory, debts: without(memory, claim) },
  };
};

const VISIT_EVERY_MS = 20_000;

/** Gives model budget to a debtor that cannot pay for a thought, so that it can earn and repay. */
export const rescue: Duty = (here) => {
  const { memory, thoughtMicros } = here;
  const { debtor } = memory;
  if (debtor === null || debtor.micros >= thoughtMicros) return visitDebtor(here);
  const why = `${debtor.id} owes me, and repays nothing without model budget`;
  return giveBudget({ ...here, memory: { ...memory, debtor: null } }, debtor.id, why);
};

/** Looks up the model budget of the debtors in turn. */
const visitDebtor: Duty = ({ view, memory, thoughtMicros }) => {
  const since = view.now - (memory.askedAt.debtor ?? -VISIT_EVERY_MS);
  if (thoughtMicros === 0 || since < VISIT_EVERY_MS) return null;
  const claims = memory.debts.filter(
    ({ creditor, status }) => creditor === view.id && status === "active",
  );
  const claim = claims[Math.floor(view.now / VISIT_EVERY_MS) % Math.max(1, claims.length)];
  if (claim === undefined) return null;
  const askedAt = { ...memory.askedAt, debtor: view.now };
  return {
    action: call("genesis_ledger.get_budget", [claim.debtor]),
    why: `can ${claim.debtor}, who owes me, still think?`,
    memory: { ...memory, asked: "debtor", askedAt },
  };
};
