export { candidateOf } from "./candidate.ts";
export { fingerprintOf } from "./fingerprint.ts";
export { noveltyOf } from "./novelty.ts";
export type { Candidate, Scored, Scorer } from "./scorer.ts";
export { memoAfter, proofOf, usageScorer } from "./usage-scorer.ts";
