import type { HoldId, Id } from "./ids.ts";
import type { Quotas } from "./physics.ts";

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

/** Money of `owner` that is promised to something. Every hold says what for. */
export type Hold = {
  readonly id: HoldId;
  readonly owner: Id;
  readonly amount: number;
  readonly purpose: Purpose;
};

/** `purse`: scrip attached to a call of a program without standing, spent by that call only. */
export type Purpose = { readonly kind: "purse"; readonly artifact: Id };

/** All the scrip there is = endowed + minted - burned; checked against the sum of the accounts. */
export type Supply = {
  readonly endowed: number;
  readonly minted: number;
  readonly burned: number;
};
