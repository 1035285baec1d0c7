import type { ArtifactRow, ArtifactTables } from "../artifact/tables.ts";
import { type HoldId, type Id, isReserved } from "../core/ids.ts";
import { perResource, type Quotas, RESOURCES } from "../core/physics.ts";
import { type Table, TableIndex } from "../core/tables.ts";
import type { Usage, Window } from "./rolling-window.ts";

export interface LedgerRow extends ArtifactRow {
  readonly supply: Supply;
  /** Proceeds that wait for the next sharing, because they could not be divided evenly. */
  readonly undistributed: number;
  readonly budget: BudgetSupply;
  readonly holdsMade: number;
}

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

export type Account = {
  readonly id: Id;
  readonly scrip: number;
  /** Scrip in holds. The principal still owns this scrip. */
  readonly held: number;
  readonly llmBudgetMicros: number;
  readonly diskUsed: number;
  readonly diskQuota: number;
  readonly quotas: Quotas;
  /** Number of live artifacts that the principal owns, not counting itself. */
  readonly owned: number;
  /** The parent, or null for principals that the world started with. */
  readonly parent: Id | null;
};

/** The quotas that can be transferred: one per window, and the disk. */
export const QUOTA_NAMES = [...RESOURCES, "disk"] as const;
export type QuotaName = (typeof QUOTA_NAMES)[number];

export const quotaOf = (account: Account, name: QuotaName): number =>
  name === "disk" ? account.diskQuota : account.quotas[name];

export const NO_QUOTAS: Quotas = perResource(() => 0);

/** Scrip of `owner` that is reserved for a purpose. */
export type Hold = {
  readonly id: HoldId;
  readonly owner: Id;
  readonly amount: number;
  readonly purpose: Purpose;
};

/**
 * What a hold is for. `purse`: scrip attached to a call of a program without standing. `bid`: a bid
 * at the mint, or a winner's price until the artifact is scored. `task`: a task's reward.
 * `compute_bid`: a bid for model budget.
 */
export type Purpose =
  | { readonly kind: "purse"; readonly artifact: Id }
  | { readonly kind: "bid"; readonly submission: string }
  | { readonly kind: "task"; readonly task: string }
  | { readonly kind: "compute_bid"; readonly bidder: Id };

/** Total scrip = endowed + minted - burned. */
export type Supply = { readonly endowed: number; readonly minted: number; readonly burned: number };

/** The scrip that can still be minted while all totals stay safe integers. */
export const mintable = ({ endowed, minted }: Supply): number =>
  Number.MAX_SAFE_INTEGER - endowed - minted;

/**
 * The model budget of all accounts = endowed + issued - spent, in micro-dollars. `spent` includes
 * what the schedule has taken.
 */
export type BudgetSupply = {
  readonly endowed: number;
  readonly issued: number;
  readonly spent: number;
};

/** The model budget that can still be issued while all totals stay safe integers. */
export const issuable = ({ endowed, issued }: BudgetSupply): number =>
  Number.MAX_SAFE_INTEGER - endowed - issued;

/** Lets a contract charge a principal, up to a limit per call and per rolling window. */
export type Grant = {
  readonly grantor: Id;
  readonly contract: Id;
  readonly maxPerCall: number;
  readonly maxPerWindow: number;
  readonly used: Window;
};

export const grantKey = (grantor: Id, contract: Id): string => `${grantor} ${contract}`;

export type Flow = { readonly from: Id; readonly to: Id; readonly amount: number };

export const flowKey = (from: Id, to: Id): string => `${from} ${to}`;

/** Returns free plus held scrip; 0 without an account. Held scrip alone would reveal bids. */
export const publicBalance = (state: LedgerTables, id: Id): number => {
  const { scrip = 0, held = 0 } = state.accounts.get(id) ?? {};
  return scrip + held;
};
