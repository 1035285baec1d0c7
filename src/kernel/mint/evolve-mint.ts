import type { EventKind, EventOf } from "../event.ts";
import { invariant, must } from "../primitives/invariant.ts";
import { type Changes, type State, worldRow } from "../state.ts";
import { RESULTS_KEPT_MAX, type Submission } from "./mint-state.ts";
import { submissionOf } from "./status.ts";

const submission = (state: State, id: string): Submission =>
  must(submissionOf(state, id), `the submission of a recorded event must be open: ${id}`);

const submissionEnded = (state: State, event: EventOf<"bid_cancelled" | "scoring_failed">): void =>
  state.submissions.remove(submission(state, event.submission).artifact);

const taskEnded = (state: State, { task }: EventOf<"task_solved" | "task_withdrawn">): void => {
  invariant(state.tasks.has(task), `the task of a recorded event must be open: ${task}`);
  state.tasks.remove(task);
};

/** Applies the events of the mint. They move no scrip: separate events of the ledger do. */
export const MINT_CHANGES = {
  bid_placed: (state, event) => {
    const world = worldRow(state);
    state.world.put("world", { ...world, bidsMade: world.bidsMade + 1 });
    const { submission: id, artifact_id: artifact, bidder, amount, hold, auction, version } = event;
    const bid = { id, artifact, bidder, amount, hold, auction, version };
    state.submissions.put(artifact, { ...bid, stage: "bid", price: 0 });
  },

  auction_resolved: (state, event) => {
    const world = worldRow(state);
    invariant(world.auctions === event.auction, "auctions must be resolved in order");
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
    state.world.put("world", {
      ...world,
      auctions: auction + 1,
      auctionResults: [...world.auctionResults, result].slice(-RESULTS_KEPT_MAX),
    });
    for (const row of won) state.submissions.put(row.artifact, { ...row, stage: "won", price });
    for (const id of ended) state.submissions.remove(submission(state, id).artifact);
  },

  artifact_scored: (state, event) => {
    const { id, artifact, bidder, auction, price } = submission(state, event.submission);
    const { score, minted, reason, memo, at_ms: atMs } = event;
    const about = { artifact, submission: id, bidder, auction, atMs, price };
    state.scores.put(artifact, { ...about, score, minted, reason, memo });
    state.submissions.remove(artifact);
  },

  task_posted: (state, event) => {
    const world = worldRow(state);
    const { tasksMade, tasksOffered } = world;
    state.world.put("world", {
      ...world,
      tasksMade: tasksMade + 1,
      tasksOffered: event.poster === null ? [...tasksOffered, event.task] : tasksOffered,
    });
    const { task: id, poster, reward, hold, description, at_ms: postedAt } = event;
    const tests = { publicTests: event.public_tests, hiddenTests: event.hidden_tests };
    state.tasks.put(id, { id, poster, reward, hold, description, ...tests, postedAt });
  },

  bid_cancelled: submissionEnded,
  scoring_failed: submissionEnded,
  task_solved: taskEnded,
  task_withdrawn: taskEnded,
} satisfies Partial<Changes<EventKind>>;

/** The fields of an artifact that a scorer sees. */
const JUDGED = ["content", "code", "interface"] as const;

/** Keeps the bid on an artifact valid if a write sets none of the `JUDGED` fields. */
export const carryBid = (state: State, event: EventOf<"artifact_written">): void => {
  const bid = state.submissions.get(event.artifact_id);
  if (bid === undefined || bid.version !== event.version - 1) return;
  if (JUDGED.some((field) => event.fields[field] !== undefined)) return;
  state.submissions.put(bid.artifact, { ...bid, version: event.version });
};
