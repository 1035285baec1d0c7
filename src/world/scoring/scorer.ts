import {
  type CodeVersion,
  type Id,
  type Interface,
  isObject,
  type Json,
} from "../../kernel/index.ts";

/** What `family` paid the bidder's family for an artifact, minus returns (see `netSalesOf`). */
export type NetSales = {
  readonly family: Id;
  readonly net: number;
  readonly paid: readonly PaidSum[];
};

/** The sum that one principal paid for an artifact to one family. `payee` is the family's root. */
export type PaidSum = { readonly payer: Id; readonly payee: Id; readonly amount: number };

/** A winning artifact to score, as it was when its auction ended. */
export type Candidate = {
  readonly submission: string;
  readonly artifact: Id;
  readonly bidder: Id;
  readonly content: string;
  readonly code: string;
  /** The fingerprint of the code, or empty if the artifact is not a program. */
  readonly fingerprint: string;
  /** The code's position in the order in which all code versions of the world were written. */
  readonly codeOrdinal: number;
  /** The known earlier versions of the code, oldest first. */
  readonly pastCodes: readonly CodeVersion[];
  readonly interface: Interface | null;
  /** The net sales to each family that is not related to the bidder, sorted by family. */
  readonly netSales: readonly NetSales[];
  readonly examples: { readonly run: number; readonly passed: number };
  /** The memo of the artifact's last scoring. Null if the artifact was never scored. */
  readonly memo: Json;
  readonly others: readonly Rival[];
};

export type Rival = {
  readonly artifact: Id;
  /** The memo of the artifact's last scoring. Null if the artifact was never scored. */
  readonly memo: Json;
  readonly codes: readonly CodeVersion[];
};

export type Scored =
  | {
      readonly ok: true;
      /** A score from 0 to 100. */
      readonly score: number;
      readonly reason: string;
      readonly memo: Json;
    }
  | { readonly ok: false; readonly reason: string };

/** Scores a winner. Never throws or rejects. The texts of a candidate are untrusted. */
export type Scorer = { score(candidate: Candidate, signal: AbortSignal): Promise<Scored> };

export type CodeFingerprint = { readonly print: string; readonly ordinal: number };

/** The scored sums by payer and payee. New owners of the payer or the artifact reset no sums. */
type CountedSales = ReadonlyMap<string, number>;

type Memo = { readonly counted: CountedSales; readonly prints: readonly CodeFingerprint[] };

export const countedKey = ({ payer, payee }: Omit<PaidSum, "amount">): string =>
  `${payer} ${payee}`;

/** Reads the counted sales from a memo. Ignores memos of other scorers. */
export const countedIn = (memo: Json): CountedSales => {
  const { counted = null } = isObject(memo) ? memo : {};
  const sums = isObject(counted) ? Object.entries(counted) : [];
  return new Map(
    sums.flatMap(([key, sum]) => (typeof sum === "number" ? [[key, sum] as const] : [])),
  );
};

export const fingerprintsIn = (memo: Json): readonly CodeFingerprint[] => {
  const { prints = null } = isObject(memo) ? memo : {};
  return (Array.isArray(prints) ? prints : []).flatMap((row) => {
    const [print, ordinal] = Array.isArray(row) ? row : [];
    return typeof print === "string" && typeof ordinal === "number" ? [{ print, ordinal }] : [];
  });
};

export const memoJson = ({ counted, prints }: Memo): Json => ({
  counted: Object.fromEntries(counted),
  prints: prints.map(({ print, ordinal }) => [print, ordinal]),
});
