export { dossierOf } from "./dossier.ts";
export { memoAfter, proofOf } from "./examination.ts";
export { noveltyOf } from "./novelty.ts";
export type { Dossier, Scored, Scorer } from "./scorer.ts";
export { printOf } from "./sketch.ts";
export { usageScorer } from "./usage-scorer.ts";
