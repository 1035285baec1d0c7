import { mintable } from "../account.ts";
import { accept, type Decision, type Refused, refuse } from "../decision.ts";
import type { Event } from "../event.ts";
import { cutText, type Json, jsonProblem } from "../json.ts";
import { physicsOf, type State, wholeOf } from "../state.ts";
import { shareOut } from "./proceeds.ts";
import { type Submission, submissionOf } from "./submission.ts";

const REASON_CHARS_MAX = 500;

type Scoring = {
  readonly at_ms: number;
  readonly submission: string;
  readonly score: number;
  readonly reason: string;
  readonly memo: Json;
};

/** The price is paid out, and new scrip goes to the bidder: the score divided by the mint ratio. */
export const decideScore = (state: State, command: Scoring): Decision => {
  const { at_ms, submission: id, score, memo } = command;
  const winner = winnerOf(state, id);
  if (winner.kind !== "accepted") return winner;
  const odd = scoreProblem(state, command);
  if (odd !== null) return odd;
  const { artifact: artifact_id, bidder, hold } = winner.answer;
  const stamp = { at_ms, principal: null };
  const reason = cutText(command.reason, REASON_CHARS_MAX);
  const minted = mintedFor(state, score);
  const events: readonly Event[] = [
    { ...stamp, kind: "artifact_scored", submission: id, artifact_id, score, minted, reason, memo },
    ...shareOut(state, at_ms, winner.answer),
    { ...stamp, kind: "hold_released", hold, into: null },
  ];
  if (minted === 0) return accept(events, { submission: id, minted });
  const made: Event = {
    ...stamp,
    kind: "scrip_minted",
    to: bidder,
    amount: minted,
    reason: "mint",
  };
  return accept([...events, made], { submission: id, minted });
};

/** Never more than can be counted together with all there is. */
const mintedFor = (state: State, score: number): number =>
  Math.min(mintable(wholeOf(state).supply), Math.floor(score / physicsOf(state).mint.mint_ratio));

const scoreProblem = (state: State, { score, memo }: Scoring): Refused | null => {
  if (!Number.isFinite(score) || score < 0 || score > 100) {
    return refuse("invalid_argument", `a score is from 0 to 100, not ${score}`);
  }
  const problem = jsonProblem(memo, physicsOf(state).artifacts.json_depth_max);
  return problem === null ? null : refuse("invalid_argument", `the scorer's memo: ${problem}`);
};

/** The price goes back in full: what could not be scored is not paid for. */
export const decideFailScoring = (
  state: State,
  command: { readonly at_ms: number; readonly submission: string; readonly reason: string },
): Decision => {
  const { at_ms, submission: id } = command;
  const winner = winnerOf(state, id);
  if (winner.kind !== "accepted") return winner;
  const { artifact: artifact_id, hold, price } = winner.answer;
  const stamp = { at_ms, principal: null };
  const reason = cutText(command.reason, REASON_CHARS_MAX);
  const events: readonly Event[] = [
    { ...stamp, kind: "scoring_failed", submission: id, artifact_id, reason },
    { ...stamp, kind: "hold_released", hold, into: null },
  ];
  return accept(events, { submission: id, refunded: price });
};

const winnerOf = (state: State, id: string): Decision<Submission> => {
  const submission = submissionOf(state, id);
  return submission?.stage === "won"
    ? accept([], submission)
    : refuse("not_found", `no winner "${id}" awaits a score`);
};
