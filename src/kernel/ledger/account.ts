import { ARTIFACT_ROW, type ArtifactTables } from "../artifact/tables.ts";
import { type HoldId, type Id, isReserved } from "../core/ids.ts";
import { perResource, QUOTAS, type Quotas, RESOURCES } from "../core/physics.ts";
import * as is from "../core/shape.ts";
import { type Table, TableIndex } from "../core/tables.ts";
import { type Usage, type Window, WRITTEN_WINDOW } from "./rolling-window.ts";

/** Total scrip = endowed + minted - burned. */
const SUPPLY = is.record({ endowed: is.amount, minted: is.amount, burned: is.amount });
export type Supply = is.Of<typeof SUPPLY>;

/**
 * The model budget of all accounts = endowed + issued - spent, in micro-dollars. `spent` includes
 * what the schedule has taken.
 */
const BUDGET_SUPPLY = is.record({ endowed: is.amount, issued: is.amount, spent: is.amount });
export type BudgetSupply = is.Of<typeof BUDGET_SUPPLY>;

export const LEDGER_ROW = {
  ...ARTIFACT_ROW,
  supply: SUPPLY,
  /** Proceeds that wait for the next sharing, because they could not be divided evenly. */
  undistributed: is.amount,
  budget: BUDGET_SUPPLY,
  holdsMade: is.amount,
};
export type LedgerRow = is.RecordOf<typeof LEDGER_ROW>;

export interface LedgerTables extends ArtifactTables {
  readonly world: Table<"world", LedgerRow>;
  readonly accounts: Table<Id, Account>;
  readonly usages: Table<Id, Usage>;
  readonly holds: Table<HoldId, Hold>;
  readonly grants: Table<string, Grant>;
  /** What each account has paid each other account in total. */
  readonly flows: Table<string, Flow>;
  readonly indexes: ArtifactTables["indexes"] & ReturnType<typeof ledgerIndexes>;
}

/** The group of the index `principals`. */
export const ALL = "all";

export const ledgerIndexes = (
  accounts: Table<Id, Account>,
  grants: Table<string, Grant>,
  families: Table<Id, Id>,
) => ({
  /** All principals except artifacts of the world. */
  principals: new TableIndex(accounts, { groupOf: ({ id }) => (isReserved(id) ? null : ALL) }),
  children: new TableIndex(accounts, { groupOf: ({ parent }) => parent }),
  // A family never changes after the account is opened, so an index may group accounts by it.
  accountsOfFamily: new TableIndex(accounts, { groupOf: ({ id }) => families.get(id) ?? null }),
  grantsBy: new TableIndex(grants, { groupOf: ({ grantor }) => grantor }),
  grantsTo: new TableIndex(grants, { groupOf: ({ contract }) => contract }),
});

export const ACCOUNT = is.record({
  id: is.id,
  scrip: is.amount,
  /** Scrip in holds. The principal still owns this scrip. */
  held: is.amount,
  llmBudgetMicros: is.amount,
  diskUsed: is.amount,
  diskQuota: is.amount,
  quotas: QUOTAS,
  /** Number of live artifacts that the principal owns, not counting itself. */
  owned: is.amount,
  /** The parent, or null for principals that the world started with. */
  parent: is.nullable(is.id),
});
export type Account = is.Of<typeof ACCOUNT>;

/** The quotas that can be transferred: one per window, and the disk. */
export const QUOTA_NAMES = [...RESOURCES, "disk"] as const;
export type QuotaName = (typeof QUOTA_NAMES)[number];

export const quotaOf = (account: Account, name: QuotaName): number =>
  name === "disk" ? account.diskQuota : account.quotas[name];

export const NO_QUOTAS: Quotas = perResource(() => 0);

/**
 * What a hold is for. `purse`: scrip attached to a call of a program without standing. `bid`: a bid
 * at the mint, or a winner's price until the artifact is scored. `task`: a task's reward.
 * `compute_bid`: a bid for model budget.
 */
const PURPOSE = is.either("a known purpose", [
  is.record({ kind: is.oneOf(["purse"]), artifact: is.id }),
  is.record({ kind: is.oneOf(["bid"]), submission: is.text }),
  is.record({ kind: is.oneOf(["task"]), task: is.text }),
  is.record({ kind: is.oneOf(["compute_bid"]), bidder: is.id }),
]);
export type Purpose = is.Of<typeof PURPOSE>;

/** Scrip of `owner` that is reserved for a purpose. */
export const HOLD = is.record({ id: is.holdId, owner: is.id, amount: is.amount, purpose: PURPOSE });
export type Hold = is.Of<typeof HOLD>;

/** The scrip that can still be minted while all totals stay safe integers. */
export const mintable = ({ endowed, minted }: Supply): number =>
  Number.MAX_SAFE_INTEGER - endowed - minted;

/** The model budget that can still be issued while all totals stay safe integers. */
export const issuable = ({ endowed, issued }: BudgetSupply): number =>
  Number.MAX_SAFE_INTEGER - endowed - issued;

/** Lets a contract charge a principal, up to a limit per call and per rolling window. */
const GRANT = { grantor: is.id, contract: is.id, maxPerCall: is.amount, maxPerWindow: is.amount };
export type Grant = is.RecordOf<typeof GRANT> & { readonly used: Window };
export const WRITTEN_GRANT = is.record({ ...GRANT, used: WRITTEN_WINDOW });
export type WrittenGrant = is.Of<typeof WRITTEN_GRANT>;

export const grantKey = (grantor: Id, contract: Id): string => `${grantor} ${contract}`;

/** If money goes back and forth, the sum may exceed a safe integer. */
export const FLOW = is.record({ from: is.id, to: is.id, amount: is.finite });
export type Flow = is.Of<typeof FLOW>;

export const flowKey = (from: Id, to: Id): string => `${from} ${to}`;

/** Returns free plus held scrip; 0 without an account. Held scrip alone would reveal bids. */
export const publicBalance = (state: LedgerTables, id: Id): number => {
  const { scrip = 0, held = 0 } = state.accounts.get(id) ?? {};
  return scrip + held;
};
