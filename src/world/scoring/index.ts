export { dossierOf } from "./dossier.ts";
export type { Dossier, Scored, Scorer } from "./scorer.ts";
export { usageScorer } from "./usage-scorer.ts";
