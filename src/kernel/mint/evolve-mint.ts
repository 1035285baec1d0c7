import type { EventOf, MintEvent } from "../event.ts";
import { invariant, must, unreachable } from "../invariant.ts";
import { type State, wholeOf } from "../state.ts";
import type { Submission } from "./submission.ts";

/** Applies what happened at the mint. The money itself moves by events of the books. */
export const evolveMint = (state: State, event: MintEvent): void => {
  switch (event.kind) {
    case "bid_placed":
      return bidPlaced(state, event);
    case "bid_cancelled":
    case "scoring_failed":
      return state.submissions.remove(submission(state, event.submission).id);
    case "auction_resolved":
      return auctionResolved(state, event);
    case "artifact_scored":
      return artifactScored(state, event);
    case "task_posted":
      return taskPosted(state, event);
    case "task_solved":
    case "task_withdrawn":
      invariant(state.tasks.has(event.task), `a recorded task is open: ${event.task}`);
      return state.tasks.remove(event.task);
    default:
      return unreachable(event);
  }
};

const submission = (state: State, id: string): Submission =>
  must(state.submissions.get(id), `a recorded submission is open: ${id}`);

const bidPlaced = (state: State, event: EventOf<"bid_placed">): void => {
  const whole = wholeOf(state);
  state.whole.put("world", { ...whole, bidsMade: whole.bidsMade + 1 });
  state.submissions.put(event.submission, {
    id: event.submission,
    artifact: event.artifact_id,
    bidder: event.bidder,
    amount: event.amount,
    hold: event.hold,
    auction: event.auction,
    version: event.version,
    stage: "bid",
    price: 0,
  });
};

const auctionResolved = (state: State, event: EventOf<"auction_resolved">): void => {
  const whole = wholeOf(state);
  invariant(whole.auctions === event.auction, "auctions are resolved one after the other");
  state.whole.put("world", { ...whole, auctions: event.auction + 1 });
  for (const id of event.won) {
    const won = submission(state, id);
    state.submissions.put(id, { ...won, stage: "won", price: event.price });
  }
  for (const id of [...event.lost, ...event.void]) {
    state.submissions.remove(submission(state, id).id);
  }
};

const artifactScored = (state: State, event: EventOf<"artifact_scored">): void => {
  const { id, artifact, bidder, auction, price } = submission(state, event.submission);
  const { score, reason, memo, at_ms: atMs } = event;
  const minted = Math.floor(score / wholeOf(state).physics.mint.mint_ratio);
  const about = { artifact, submission: id, bidder, auction, atMs, price };
  state.scores.put(artifact, { ...about, score, minted, reason, memo });
  state.submissions.remove(id);
};

const taskPosted = (state: State, event: EventOf<"task_posted">): void => {
  const whole = wholeOf(state);
  state.whole.put("world", { ...whole, tasksMade: whole.tasksMade + 1 });
  state.tasks.put(event.task, {
    id: event.task,
    poster: event.poster,
    reward: event.reward,
    hold: event.hold,
    description: event.description,
    publicTests: event.public_tests,
    hiddenTests: event.hidden_tests,
    postedAt: event.at_ms,
  });
};
