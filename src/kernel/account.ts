import type { HoldId, Id } from "./ids.ts";
import { type Quotas, RESOURCES } from "./physics.ts";

/** A principal's books. There is one for each artifact with standing, and for nothing else. */
export type Account = {
  readonly id: Id;
  readonly scrip: number;
  /** Scrip set aside in holds; it is still this principal's. */
  readonly held: number;
  readonly llmBudgetMicros: number;
  readonly diskUsed: number;
  readonly diskQuota: number;
  readonly quotas: Quotas;
  /** How many live artifacts it owns, itself not counted. */
  readonly owned: number;
  /** Who created it, null for those the world began with. */
  readonly parent: Id | null;
};

/** What can be handed on by right: the size of each window, and of the disk. */
export const QUOTA_NAMES = [...RESOURCES, "disk"] as const;
export type QuotaName = (typeof QUOTA_NAMES)[number];

export const quotaOf = (account: Account, name: QuotaName): number =>
  name === "disk" ? account.diskQuota : account.quotas[name];

/** What the account of a program begins with. */
export const NO_QUOTAS: Quotas = {
  actions: 0,
  llm_calls: 0,
  llm_tokens: 0,
  cpu_gas: 0,
  bytes_written: 0,
};

/** Money of `owner` that is promised to something. Every hold says what for. */
export type Hold = {
  readonly id: HoldId;
  readonly owner: Id;
  readonly amount: number;
  readonly purpose: Purpose;
};

/**
 * `purse`: scrip attached to a call of a program without standing, spent by that call only.
 * `bid`: a bid at the mint, or the price that a winner pays once it is scored. `task`: a reward.
 */
export type Purpose =
  | { readonly kind: "purse"; readonly artifact: Id }
  | { readonly kind: "bid"; readonly submission: string }
  | { readonly kind: "task"; readonly task: string };

/** All the scrip there is = endowed + minted - burned; checked against the sum of the accounts. */
export type Supply = {
  readonly endowed: number;
  readonly minted: number;
  readonly burned: number;
};

/** How much scrip can still be made, so that all there ever was stays countable. */
export const mintable = ({ endowed, minted }: Supply): number =>
  Number.MAX_SAFE_INTEGER - endowed - minted;
