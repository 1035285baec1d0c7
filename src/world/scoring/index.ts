export { dossierOf } from "./dossier.ts";
export { memoAfter, noveltyOf, proofOf } from "./examination.ts";
export type { Dossier, Scored, Scorer } from "./scorer.ts";
export { usageScorer } from "./usage-scorer.ts";
