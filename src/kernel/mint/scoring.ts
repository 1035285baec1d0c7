import { accept, type CommandOf, type Decision, type Refused, refuse } from "../command.ts";
import type { Event } from "../event.ts";
import { rootOf } from "../family/family.ts";
import { mintable } from "../ledger/account.ts";
import { liveTotal } from "../ledger/rolling-window.ts";
import type { Id } from "../primitives/ids.ts";
import { cutText, jsonProblem } from "../primitives/json.ts";
import { liveArtifact, physicsOf, type State, worldRow } from "../state.ts";
import type { Submission } from "./mint-state.ts";
import { submissionOf } from "./status.ts";

const REASON_CHARS_MAX = 500;

type Scoring = CommandOf<"score_artifact">;

/** Scores a winner, pays out the price, mints floor(score / mint_ratio) scrip for the bidder. */
export const decideScore = (state: State, command: Scoring): Decision => {
  const { at_ms, submission: id, score, memo } = command;
  const winner = winnerOf(state, id);
  if (winner.kind !== "accepted") return winner;
  const odd = scoreRefusal(state, command);
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

const mintedFor = (state: State, score: number): number =>
  Math.min(mintable(worldRow(state).supply), Math.floor(score / physicsOf(state).mint.mint_ratio));

const scoreRefusal = (state: State, { score, memo }: Scoring): Refused | null => {
  if (!Number.isFinite(score) || score < 0 || score > 100) {
    return refuse("invalid_argument", `a score must be from 0 to 100, not ${score}`);
  }
  const problem = jsonProblem(memo, physicsOf(state).artifacts.json_depth_max);
  return problem === null ? null : refuse("invalid_argument", `memo is not plain JSON: ${problem}`);
};

export const decideFailScoring = (state: State, command: CommandOf<"fail_scoring">): Decision => {
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
    : refuse("not_found", `no winner "${id}" waits for a score`);
};

/** Shares the price among all active families except the bidder's. Burns the remainder. */
export const shareOut = (state: State, atMs: number, paid: Submission): readonly Event[] => {
  const { hold, price, artifact: artifact_id } = paid;
  const roots = familiesAt(state, atMs).filter((root) => root !== rootOf(state, paid.bidder));
  const share = roots.length === 0 ? 0 : Math.floor(price / roots.length);
  const stamp = { at_ms: atMs, principal: null, kind: "hold_spent", hold, artifact_id } as const;
  const parts = share === 0 ? [] : roots;
  const rest = price - share * parts.length;
  const shares = parts.map((to): Event => ({ ...stamp, to, amount: share, reason: "mint_share" }));
  const burned: Event = { ...stamp, to: null, amount: rest, reason: "burned" };
  return rest === 0 ? shares : [...shares, burned];
};

const familiesAt = (state: State, atMs: number): readonly Id[] => {
  if (physicsOf(state).mint.proceeds === "burn") return [];
  const roots = new Set<Id>();
  for (const { id } of state.agents.rows()) {
    if (countsAt(state, id, atMs)) roots.add(rootOf(state, id));
  }
  return [...roots].sort();
};

/** True if the agent acted in the last window and is not a newcomer. Its family is then active. */
const countsAt = (state: State, id: Id, atMs: number): boolean => {
  const { mint, resources } = physicsOf(state);
  const usage = state.usages.get(id);
  if (usage === undefined) return false;
  if (liveTotal(usage.actions, atMs, resources.window_ms) === 0) return false;
  const spawned = (state.accounts.get(id)?.parent ?? null) !== null;
  const createdAtMs = liveArtifact(state, id)?.createdAt ?? atMs;
  return !spawned || atMs - createdAtMs >= mint.newcomer_ms;
};
