import type { Json } from "../../kernel/index.ts";
import { currentCode, noveltyOf } from "./novelty.ts";
import {
  type Candidate,
  countedIn,
  countedKey,
  fingerprintsIn,
  memoJson,
  type NetSales,
  type Scored,
  type Scorer,
} from "./scorer.ts";

/** The `use` factor is 0.5 if the sum of √(net sales in scrip) over all families has this value. */
const HALF_SCORE_SALES = 10;

/**
 * The offline judge. The score depends on the payments of unrelated families since the last
 * scoring, the number of these families, the novelty of the code, and how many declared examples
 * hold. Content and comments do not matter.
 */
export const usageScorer: Scorer = { score: (candidate) => scoreByUse(candidate) };

const scoreByUse = async (candidate: Candidate): Promise<Scored> => {
  const { run, passed } = candidate.examples;
  const fresh = unscoredSales(candidate);
  const weight = fresh.reduce((sum, { net }) => sum + Math.sqrt(net), 0);
  const use = weight / (weight + HALF_SCORE_SALES);
  const [novelty, proof] = [await noveltyOf(candidate), proofOf(candidate)];
  const scrip = fresh.reduce((sum, { net }) => sum + net, 0);
  const reason =
    `${fresh.length} unrelated families paid ${scrip} scrip net since it was last scored ` +
    `(${use.toFixed(2)}); novelty ${novelty.toFixed(2)}; ` +
    `${passed} of ${run} declared examples hold (${proof.toFixed(2)})`;
  // If nothing new was sold, the fingerprint of this code is not added to the memo.
  const memo = memoAfter(candidate, { keeps: fresh.length > 0 });
  return { ok: true, score: Math.round(100 * use * novelty * proof), reason, memo };
};

/** The proof factor if none of the declared examples holds, or if no example is declared. */
const UNPROVEN_PART = 0.5;
const PRINTS_MAX = 8;

const unscoredSales = ({ netSales, memo }: Candidate): readonly NetSales[] => {
  const counted = countedIn(memo);
  return netSales
    .map((row) => {
      const before = row.paid.reduce((sum, paid) => sum + (counted.get(countedKey(paid)) ?? 0), 0);
      return { ...row, net: Math.max(0, row.net - before) };
    })
    .filter(({ net }) => net > 0);
};

/** A factor from 0.5 to 1, which grows with the share of declared examples that hold. */
export const proofOf = ({ examples: { run, passed } }: Candidate): number => {
  const proven = run === 0 ? 0 : passed / run;
  return UNPROVEN_PART + (1 - UNPROVEN_PART) * proven;
};

/** The next memo: the old memo plus the new sales and, if `keeps`, this code's fingerprint. */
export const memoAfter = (candidate: Candidate, { keeps }: { readonly keeps: boolean }): Json => {
  const prints = fingerprintsIn(candidate.memo);
  const counted = countedAfter(candidate);
  if (!keeps) return memoJson({ counted, prints });
  const present = currentCode(candidate);
  const others = prints.filter(({ print }) => print !== present.print);
  return memoJson({ counted, prints: [...others, present].slice(-PRINTS_MAX) });
};

/** Adds each family's unscored sales to the counts of its payments, up to each payment's amount. */
const countedAfter = (candidate: Candidate): ReadonlyMap<string, number> => {
  const counted = new Map(countedIn(candidate.memo));
  for (const { net, paid } of unscoredSales(candidate)) {
    let left = net;
    for (const payment of paid) {
      const key = countedKey(payment);
      const before = counted.get(key) ?? 0;
      const now = Math.min(left, Math.max(0, payment.amount - before));
      if (now > 0) counted.set(key, before + now);
      left -= now;
    }
  }
  return counted;
};
