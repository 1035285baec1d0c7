import { must } from "../../src/kernel/index.ts";
import { type Candidate, candidateOf, type Scored, usageScorer } from "../../src/world/index.ts";
import { closing, opening } from "./mint.ts";
import type { TestWorld } from "./test-world.ts";

/** Goes to the window of an auction, bids these programs there and ends it. */
export const auctioned = (
  testWorld: TestWorld,
  auction: number,
  programs: readonly (readonly [owner: string, program: string])[],
): void => {
  testWorld.atMs = opening(auction);
  for (const [owner, program] of programs) {
    testWorld.must(testWorld.calls(owner, "genesis_mint.bid", [program], { attach: { scrip: 2 } }));
  }
  testWorld.atMs = closing(auction);
  testWorld.must(testWorld.submit({ kind: "resolve_auction", at_ms: testWorld.atMs }));
};

export const candidateOn = ({ world, state, atMs }: TestWorld, program: string): Candidate => {
  const winner = [...state.submissions.rows()].find(({ artifact }) => artifact === program);
  return candidateOf(world, must(winner, `${program} has won`), atMs);
};

/** The program wins the auction and is scored by use. */
export const scoredIn = (
  world: TestWorld,
  auction: number,
  [owner, program]: readonly [string, string] = ["alice", "tool"],
): ReturnType<typeof scored> => {
  auctioned(world, auction, [[owner, program]]);
  return scored(world, program);
};

/** Has a winner scored by use, and tells the world. */
export const scored = async (
  testWorld: TestWorld,
  program: string,
): Promise<Extract<Scored, { readonly ok: true }>> => {
  const candidate = candidateOn(testWorld, program);
  const judged = await usageScorer.score(candidate, AbortSignal.any([]));
  if (!judged.ok) throw new Error(judged.reason);
  const { score, reason, memo } = judged;
  const about = { submission: candidate.submission, score, reason, memo };
  testWorld.must(testWorld.submit({ kind: "score_artifact", at_ms: testWorld.atMs, ...about }));
  return judged;
};
