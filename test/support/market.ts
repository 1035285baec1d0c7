import { must } from "../../src/kernel/index.ts";
import { type Candidate, candidateOf, type Scored, usageScorer } from "../../src/world/index.ts";
import { closing, opening } from "./mint.ts";
import type { Village } from "./world.ts";

/** Goes to the window of an auction, bids these programs there and ends it. */
export const auctioned = (
  village: Village,
  auction: number,
  programs: readonly (readonly [owner: string, program: string])[],
): void => {
  village.atMs = opening(auction);
  for (const [owner, program] of programs) {
    village.must(village.calls(owner, "genesis_mint.bid", [program], { attach: { scrip: 2 } }));
  }
  village.atMs = closing(auction);
  village.must(village.submit({ kind: "resolve_auction", at_ms: village.atMs }));
};

export const candidateOn = ({ world, state, atMs }: Village, program: string): Candidate => {
  const winner = [...state.submissions.rows()].find(({ artifact }) => artifact === program);
  return candidateOf(world, must(winner, `${program} has won`), atMs);
};

/** Has a winner scored by use, and tells the world. */
export const scored = async (
  village: Village,
  program: string,
): Promise<Extract<Scored, { readonly ok: true }>> => {
  const candidate = candidateOn(village, program);
  const judged = await usageScorer.score(candidate, AbortSignal.any([]));
  if (!judged.ok) throw new Error(judged.reason);
  const { score, reason, memo } = judged;
  const about = { submission: candidate.submission, score, reason, memo };
  village.must(village.submit({ kind: "score_artifact", at_ms: village.atMs, ...about }));
  return judged;
};
