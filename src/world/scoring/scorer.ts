import type { DatedCode, Id, Interface, Json } from "../../kernel/index.ts";

/** What one family has paid for an artifact to its bidder's, less what it got back for anything. */
export type Custom = {
  readonly family: Id;
  readonly net: number;
  /** Of what it was made before anything was taken off. */
  readonly paid: readonly Paid[];
};

/** What one principal ever paid for an artifact, by the first ancestor of those who got it. */
export type Paid = { readonly payer: Id; readonly payee: Id; readonly amount: number };

/** All that a scorer gets to know of a winner, as it is when its auction ends. */
export type Dossier = {
  readonly submission: string;
  readonly artifact: Id;
  readonly bidder: Id;
  readonly content: string;
  readonly code: string;
  /** By which the code is compared with others; empty where it is no program. */
  readonly print: string;
  /** Counts the codes of the world in the order in which they were first written. */
  readonly codeOrdinal: number;
  /** The codes that it had before, oldest first, as far as they are known. */
  readonly pastCodes: readonly DatedCode[];
  readonly interface: Interface | null;
  /** Families that have nothing to do with the bidder, in the order of their ids. */
  readonly custom: readonly Custom[];
  /** Of the examples that its interface declares, as far as they were run. */
  readonly examples: { readonly run: number; readonly passed: number };
  /** What the scorer noted of this artifact the last time; null where it is new. */
  readonly memo: Json;
  /** Every other artifact that was ever scored or sold. */
  readonly others: readonly Rival[];
};

/** What is known of an artifact that was there before, or may have been. */
export type Rival = {
  readonly artifact: Id;
  /** What the scorer noted of it the last time; null where it was never scored. */
  readonly memo: Json;
  readonly codes: readonly DatedCode[];
};

export type Scored =
  | {
      readonly ok: true;
      /** From 0 to 100. */
      readonly score: number;
      readonly reason: string;
      /** What it wants to know of this artifact the next time. */
      readonly memo: Json;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Says what a winner is worth. It may take its time, and must neither throw nor reject: what cannot
 * be scored is a value. Text in a dossier was written by agents, who would like a high score.
 */
export type Scorer = {
  score(dossier: Dossier, signal: AbortSignal): Promise<Scored>;
};
