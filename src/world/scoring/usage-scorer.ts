import { freshCustom, memoAfter, proofOf } from "./examination.ts";
import { noveltyOf } from "./novelty.ts";
import type { Dossier, Scored, Scorer } from "./scorer.ts";

/** So much custom is half of what any could be worth; √scrip, summed over families. */
const HALF_CUSTOM = 10;

/**
 * The offline judge. It asks what others have really paid since the last time, how many of them,
 * how unlike the code is to everything sold or scored before, and whether the declared examples
 * hold. It reads no prose: neither content nor comments change anything.
 */
export const usageScorer: Scorer = {
  score: (dossier) => judged(dossier),
};

const judged = async (dossier: Dossier): Promise<Scored> => {
  const { run, passed } = dossier.examples;
  const fresh = freshCustom(dossier);
  const weight = fresh.reduce((sum, { net }) => sum + Math.sqrt(net), 0);
  const use = weight / (weight + HALF_CUSTOM);
  const [novelty, proof] = [await noveltyOf(dossier), proofOf(dossier)];
  const scrip = fresh.reduce((sum, { net }) => sum + net, 0);
  const reason =
    `${fresh.length} unrelated families paid ${scrip} scrip net since it was last scored ` +
    `(${use.toFixed(2)}); novelty ${novelty.toFixed(2)}; ` +
    `${passed} of ${run} declared examples hold (${proof.toFixed(2)})`;
  // What nobody used leaves no fingerprint.
  const memo = memoAfter(dossier, { keeps: fresh.length > 0 });
  return { ok: true, score: Math.round(100 * use * novelty * proof), reason, memo };
};
