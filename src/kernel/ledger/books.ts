import { invariant, must } from "../core/errors.ts";
import type { Stamp } from "../core/event.ts";
import type { HoldId, Id } from "../core/ids.ts";
import { perResource, type Quotas } from "../core/physics.ts";
import { changeWorld, physicsOf, worldRow } from "../core/world.ts";
import {
  type Account,
  type BudgetSupply,
  flowKey,
  type Hold,
  type LedgerTables,
  type Supply,
} from "./account.ts";
import { consume } from "./rolling-window.ts";

/** Only this file writes accounts, holds, usages and supply. A missing row is a bug and throws. */
const account = (state: LedgerTables, id: Id): Account =>
  must(state.accounts.get(id), `the principal of a recorded event must have an account: ${id}`);

export const enter = (state: LedgerTables, row: Account): void => {
  const isValid = row.scrip >= 0 && row.held >= 0 && row.llmBudgetMicros >= 0 && row.diskUsed >= 0;
  invariant(isValid, `no balance of ${row.id} may be negative`);
  const sums = [row.scrip + row.held, row.llmBudgetMicros, row.diskUsed, row.diskQuota];
  const safe = sums.every((sum) => Number.isSafeInteger(sum));
  invariant(safe, `every balance of ${row.id} must be a safe integer`);
  state.accounts.put(row.id, row);
};

export const addScrip = (state: LedgerTables, id: Id, amount: number): void => {
  const row = account(state, id);
  enter(state, { ...row, scrip: row.scrip + amount });
};

export const changeSupply = (state: LedgerTables, change: Partial<Supply>): void => {
  const { endowed, minted, burned } = worldRow(state).supply;
  changeWorld(state, {
    supply: {
      endowed: endowed + (change.endowed ?? 0),
      minted: minted + (change.minted ?? 0),
      burned: burned + (change.burned ?? 0),
    },
  });
};

export const changeBudget = (state: LedgerTables, change: Partial<BudgetSupply>): void => {
  const { endowed, issued, spent } = worldRow(state).budget;
  changeWorld(state, {
    budget: {
      endowed: endowed + (change.endowed ?? 0),
      issued: issued + (change.issued ?? 0),
      spent: spent + (change.spent ?? 0),
    },
  });
};

/** Adds model budget to an account, or takes it from there if `micros` is negative. */
export const addBudget = (state: LedgerTables, id: Id, micros: number): void => {
  const row = account(state, id);
  enter(state, { ...row, llmBudgetMicros: row.llmBudgetMicros + micros });
};

/** Adds new model budget of the world to an account. */
export const issueBudget = (state: LedgerTables, id: Id, micros: number): void => {
  addBudget(state, id, micros);
  changeBudget(state, { issued: micros });
};

export const addQuota = (
  state: LedgerTables,
  id: Id,
  resource: keyof Quotas | "disk",
  amount: number,
): void => {
  const row = account(state, id);
  const quota = (resource === "disk" ? row.diskQuota : row.quotas[resource]) + amount;
  invariant(quota >= 0 && Number.isSafeInteger(quota), `no quota of ${id} may be negative`);
  if (resource === "disk") enter(state, { ...row, diskQuota: quota });
  else enter(state, { ...row, quotas: { ...row.quotas, [resource]: quota } });
};

/** Adds to the proceeds that wait for the next sharing. */
export const collect = (state: LedgerTables, amount: number): void => {
  const undistributed = worldRow(state).undistributed + amount;
  invariant(undistributed >= 0, "more proceeds cannot be shared than were collected");
  changeWorld(state, { undistributed });
};

/** Moves scrip of an account to the proceeds, from a hold if given, otherwise from free scrip. */
export const payProceeds = (
  state: LedgerTables,
  payer: Id,
  from: HoldId | null,
  amount: number,
): void => {
  if (from === null) addScrip(state, payer, -amount);
  else {
    const owner = spendHold(state, from, amount);
    invariant(owner === payer, `hold ${from} must belong to ${payer}`);
  }
  collect(state, amount);
};

export const closeAccount = (state: LedgerTables, id: Id): void => {
  const { scrip, held, llmBudgetMicros, diskUsed, owned } = account(state, id);
  const empty = scrip + held + llmBudgetMicros + diskUsed + owned === 0;
  invariant(empty, `an account must be empty before it is closed: ${id}`);
  state.accounts.remove(id);
  state.usages.remove(id);
};

/** Records the total that one account paid another, including shares of prices paid at the mint. */
export const noteFlow = (state: LedgerTables, from: Id, to: Id | null, amount: number): void => {
  if (to === null || to === from) return;
  const key = flowKey(from, to);
  const before = state.flows.get(key)?.amount ?? 0;
  state.flows.put(key, { from, to, amount: before + amount });
};

export const holdNamed = (state: LedgerTables, id: HoldId): Hold =>
  must(state.holds.get(id), `the hold of a recorded event must exist: ${id}`);

export const openHold = (state: LedgerTables, row: Hold): void => {
  changeWorld(state, { holdsMade: worldRow(state).holdsMade + 1 });
  state.holds.put(row.id, row);
};

/** Sets scrip of an account aside. */
export const holdScrip = (state: LedgerTables, row: Hold): void => {
  const owner = account(state, row.owner);
  enter(state, { ...owner, scrip: owner.scrip - row.amount, held: owner.held + row.amount });
  openHold(state, row);
};

/** Takes scrip from a hold, and returns the owner of the hold. */
export const takeFromHold = (state: LedgerTables, id: HoldId, amount: number): Id => {
  const row = holdNamed(state, id);
  invariant(row.amount >= amount, `hold ${id} must cover what is taken from it`);
  state.holds.put(id, { ...row, amount: row.amount - amount });
  return row.owner;
};

/** Takes scrip from a hold and from its owner, and returns the owner. */
export const spendHold = (state: LedgerTables, id: HoldId, amount: number): Id => {
  const owner = takeFromHold(state, id, amount);
  const row = account(state, owner);
  enter(state, { ...row, held: row.held - amount });
  return owner;
};

/** Returns the remainder to the hold `into` if given, otherwise to the account of the owner. */
export const releaseHold = (state: LedgerTables, id: HoldId, into: HoldId | null): void => {
  const { amount, owner } = holdNamed(state, id);
  state.holds.remove(id);
  if (into === null) {
    const row = account(state, owner);
    enter(state, { ...row, scrip: row.scrip + amount, held: row.held - amount });
  } else {
    const row = holdNamed(state, into);
    state.holds.put(into, { ...row, amount: row.amount + amount });
  }
};

export const chargeDisk = (state: LedgerTables, owner: Id, bytes: number, owned: number): void => {
  const row = state.accounts.get(owner);
  if (row === undefined) return;
  enter(state, { ...row, diskUsed: row.diskUsed + bytes, owned: row.owned + owned });
};

/** Charges model budget and renewable resources. */
export const useUp = (
  state: LedgerTables,
  event: Stamp,
  used: Partial<Quotas> & { readonly micros?: number },
): void => {
  const id = must(event.principal, "only a principal can use resources");
  const usage = must(state.usages.get(id), `a principal must have windows: ${id}`);
  const window = { now: event.at_ms, windowMs: physicsOf(state).resources.window_ms };
  const after = perResource((name) => consume(usage[name], used[name] ?? 0, window));
  state.usages.put(id, after);
  const spent = Math.min(used.micros ?? 0, account(state, id).llmBudgetMicros);
  if (spent === 0) return;
  addBudget(state, id, -spent);
  changeBudget(state, { spent });
};
