import type { EventOf, MintEvent } from "../event.ts";
import { invariant, must, unreachable } from "../invariant.ts";
import { type State, wholeOf } from "../state.ts";
import { RESULTS_KEPT_MAX, type Submission, submissionOf } from "./submission.ts";

/** Applies what happened at the mint. The money itself moves by events of the books. */
export const evolveMint = (state: State, event: MintEvent): void => {
  switch (event.kind) {
    case "bid_placed":
      return bidPlaced(state, event);
    case "bid_cancelled":
    case "scoring_failed":
      return state.submissions.remove(submission(state, event.submission).artifact);
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
  must(submissionOf(state, id), `a recorded submission is open: ${id}`);

const bidPlaced = (state: State, event: EventOf<"bid_placed">): void => {
  const whole = wholeOf(state);
  state.whole.put("world", { ...whole, bidsMade: whole.bidsMade + 1 });
  state.submissions.put(event.artifact_id, {
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
  const { auction, price, at_ms: atMs } = event;
  const won = event.won.map((id) => submission(state, id));
  const ended = [...event.lost, ...event.void];
  const result = {
    auction,
    atMs,
    price,
    bids: won.length + ended.length,
    won: won.map(({ id, artifact, bidder }) => ({ id, artifact, bidder })),
  };
  state.whole.put("world", {
    ...whole,
    auctions: auction + 1,
    auctionResults: [...whole.auctionResults, result].slice(-RESULTS_KEPT_MAX),
  });
  for (const row of won) state.submissions.put(row.artifact, { ...row, stage: "won", price });
  for (const id of ended) state.submissions.remove(submission(state, id).artifact);
};

const artifactScored = (state: State, event: EventOf<"artifact_scored">): void => {
  const { id, artifact, bidder, auction, price } = submission(state, event.submission);
  const { score, minted, reason, memo, at_ms: atMs } = event;
  const about = { artifact, submission: id, bidder, auction, atMs, price };
  state.scores.put(artifact, { ...about, score, minted, reason, memo });
  state.submissions.remove(artifact);
};

/** What a scorer looks at; a write that leaves it alone leaves a bid alone. */
const JUDGED = ["content", "code", "interface"] as const;

/** A bid goes along where a write, of a price for instance, changes nothing of what is judged. */
export const carryBid = (state: State, event: EventOf<"artifact_written">): void => {
  const bid = state.submissions.get(event.artifact_id);
  if (bid === undefined || bid.version !== event.version - 1) return;
  if (JUDGED.some((field) => event.fields[field] !== undefined)) return;
  state.submissions.put(bid.artifact, { ...bid, version: event.version });
};

const taskPosted = (state: State, event: EventOf<"task_posted">): void => {
  const whole = wholeOf(state);
  const { tasksMade, tasksOffered } = whole;
  state.whole.put("world", {
    ...whole,
    tasksMade: tasksMade + 1,
    tasksOffered: event.poster === null ? [...tasksOffered, event.task] : tasksOffered,
  });
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
