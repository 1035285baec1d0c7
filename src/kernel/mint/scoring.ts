import { accept, type Decision, type Refused, refuse } from "../core/decision.ts";
import { cutText, jsonProblem } from "../core/json.ts";
import { physicsOf, worldRow } from "../core/world.ts";
import { mintable } from "../ledger/account.ts";
import type { MintCommands, MintDecision, MintEvent } from "./events.ts";
import { type MintTables, type Submission, submissionOf } from "./mint.ts";
import { sharingOf } from "./proceeds.ts";

const REASON_CHARS_MAX = 500;

type Scoring = MintCommands["score_artifact"];

/** Scores a winner, shares its price, mints floor(score / mint_ratio) scrip for the bidder. */
export const decideScore = (state: MintTables, command: Scoring): MintDecision => {
  const { at_ms, submission: id, score, memo } = command;
  const winner = winnerOf(state, id);
  if (winner.kind !== "accepted") return winner;
  const odd = scoreRefusal(state, command);
  if (odd !== null) return odd;
  const { artifact: artifact_id, bidder, hold, price } = winner.answer;
  const { proceeds: use } = physicsOf(state).mint;
  const stamp = { at_ms, principal: null };
  const reason = cutText(command.reason, REASON_CHARS_MAX);
  const minted = mintedFor(state, score);
  const events: readonly MintEvent[] = [
    { ...stamp, kind: "artifact_scored", submission: id, artifact_id, score, minted, reason, memo },
    { ...stamp, kind: "proceeds_collected", hold, amount: price, artifact_id },
    ...sharingOf(state, at_ms, price, use, bidder),
    { ...stamp, kind: "hold_released", hold, into: null },
  ];
  if (minted === 0) return accept(events, { submission: id, minted });
  const made: MintEvent = {
    ...stamp,
    kind: "scrip_minted",
    to: bidder,
    amount: minted,
    reason: "mint",
  };
  return accept([...events, made], { submission: id, minted });
};

const mintedFor = (state: MintTables, score: number): number =>
  Math.min(mintable(worldRow(state).supply), Math.floor(score / physicsOf(state).mint.mint_ratio));

const scoreRefusal = (state: MintTables, { score, memo }: Scoring): Refused | null => {
  if (!Number.isFinite(score) || score < 0 || score > 100) {
    return refuse("invalid_argument", `a score must be from 0 to 100, not ${score}`);
  }
  const problem = jsonProblem(memo, physicsOf(state).artifacts.json_depth_max);
  return problem === null ? null : refuse("invalid_argument", `memo is not plain JSON: ${problem}`);
};

export const decideFailScoring = (
  state: MintTables,
  command: MintCommands["fail_scoring"],
): MintDecision => {
  const { at_ms, submission: id } = command;
  const winner = winnerOf(state, id);
  if (winner.kind !== "accepted") return winner;
  const { artifact: artifact_id, hold, price } = winner.answer;
  const stamp = { at_ms, principal: null };
  const reason = cutText(command.reason, REASON_CHARS_MAX);
  const events: readonly MintEvent[] = [
    { ...stamp, kind: "scoring_failed", submission: id, artifact_id, reason },
    { ...stamp, kind: "hold_released", hold, into: null },
  ];
  return accept(events, { submission: id, refunded: price });
};

const winnerOf = (state: MintTables, id: string): Decision<Submission> => {
  const submission = submissionOf(state, id);
  return submission?.stage === "won"
    ? accept([], submission)
    : refuse("not_found", `no winner "${id}" waits for a score`);
};
