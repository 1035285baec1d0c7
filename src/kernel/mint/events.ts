import type { AgentEvent } from "../agent/events.ts";
import { partiesOf } from "../artifact/owners.ts";
import type { Decision } from "../core/decision.ts";
import { invariant, must } from "../core/errors.ts";
import { EVERYONE, type EventIn, type Names, rowsOf } from "../core/event.ts";
import type { HoldId, Id } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import { type CoreEvent, changeWorld, worldRow } from "../core/world.ts";
import {
  type MintTables,
  RESULTS_KEPT_MAX,
  type Submission,
  submissionOf,
  type TaskTest,
} from "./mint.ts";

/** Commands from the clock and the scorer of the mint. */
export type MintCommands = {
  resolve_auction: { at_ms: number };
  score_artifact: { at_ms: number; submission: string; score: number; reason: string; memo: Json };
  fail_scoring: { at_ms: number; submission: string; reason: string };
  open_task: { at_ms: number } & NewTask;
};

/** An unvalidated task. */
export type TaskText = {
  readonly description: string;
  readonly public_tests: Json;
  readonly hidden_tests: Json;
};

/** An unvalidated task of the world. */
export type NewTask = TaskText & { readonly task: string; readonly reward: number };

const submission = (state: MintTables, id: string): Submission =>
  must(submissionOf(state, id), `the submission of a recorded event must be open: ${id}`);

const endSubmission = (state: MintTables, event: { readonly submission: string }): void =>
  state.submissions.remove(submission(state, event.submission).artifact);

const endTask = (state: MintTables, { task }: { readonly task: string }): void => {
  invariant(state.tasks.has(task), `the task of a recorded event must be open: ${task}`);
  state.tasks.remove(task);
};

type AboutSubmission = { readonly submission: string; readonly artifact_id: Id };

const ofSubmission = (event: AboutSubmission, state: MintTables): Names => [
  submissionOf(state, event.submission)?.bidder,
  ...partiesOf(state, event.artifact_id),
];

const row = rowsOf<MintTables>();

/**
 * Events of the mint. They move no scrip: separate events of the ledger do. `principal` is the
 * bidder, solver or poster, or null if the world itself acts.
 */
export const MINT_EVENTS = {
  bid_placed: row<{
    submission: string;
    artifact_id: Id;
    bidder: Id;
    amount: number;
    hold: HoldId;
    auction: number;
    /** The artifact's version at the time of the bid. A later version voids the bid. */
    version: number;
  }>({
    about:
      "an artifact was bid; the scrip is held, and the amount is secret until the auction ends",
    evolve: (state, event) => {
      changeWorld(state, { bidsMade: worldRow(state).bidsMade + 1 });
      const { submission: id, artifact_id: artifact, bidder, amount, hold, auction } = event;
      const bid = { id, artifact, bidder, amount, hold, auction, version: event.version };
      state.submissions.put(artifact, { ...bid, stage: "bid", price: 0 });
    },
    concerns: ({ bidder, artifact_id }, state) => [bidder, ...partiesOf(state, artifact_id)],
    // Bids are secret, so the amount is not public.
    facts: ({ artifact_id }) => ({ target: artifact_id }),
  }),

  bid_cancelled: row<AboutSubmission>({
    about:
      "a bid ended before its auction because the bid was cancelled or the artifact got a new owner",
    evolve: endSubmission,
    concerns: ofSubmission,
    facts: ({ artifact_id }) => ({ target: artifact_id }),
  }),

  auction_resolved: row<{
    auction: number;
    price: number;
    /** Ids of the winning submissions, the highest bid first. */
    won: readonly string[];
    lost: readonly string[];
    /** Ids of submissions whose artifact was deleted or changed. */
    void: readonly string[];
  }>({
    about: "an auction ended; the event has the winners and the one price that they all pay",
    evolve: (state, event) => {
      const { auctions, auctionResults } = worldRow(state);
      invariant(auctions === event.auction, "auctions must be resolved in order");
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
      changeWorld(state, {
        auctions: auction + 1,
        auctionResults: [...auctionResults, result].slice(-RESULTS_KEPT_MAX),
      });
      for (const each of won)
        state.submissions.put(each.artifact, { ...each, stage: "won", price });
      for (const id of ended) endSubmission(state, { submission: id });
    },
    concerns: ({ won, lost, void: voided }, state) => [
      EVERYONE,
      ...[...won, ...lost, ...voided].map((id) => submissionOf(state, id)?.bidder),
    ],
    facts: ({ price }) => ({ amount: price }),
  }),

  artifact_scored: row<{
    submission: string;
    artifact_id: Id;
    score: number;
    minted: number;
    reason: string;
    /** The scorer's own notes for the next time that it scores this artifact. */
    memo: Json;
  }>({
    about: "a winning artifact was scored; the event has the score (0 to 100) and the reason",
    evolve: (state, event) => {
      const { id, artifact, bidder, auction, price } = submission(state, event.submission);
      const { score, minted, reason, memo, at_ms: atMs } = event;
      const about = { artifact, submission: id, bidder, auction, atMs, price };
      state.scores.put(artifact, { ...about, score, minted, reason, memo });
      state.submissions.remove(artifact);
    },
    concerns: ofSubmission,
    facts: ({ artifact_id, score }) => ({ target: artifact_id, amount: score }),
  }),

  scoring_failed: row<AboutSubmission & { reason: string }>({
    about: "a winning artifact could not be scored; the price that the winner paid was returned",
    evolve: endSubmission,
    concerns: ofSubmission,
    facts: ({ artifact_id }) => ({ target: artifact_id }),
  }),

  task_posted: row<{
    task: string;
    /** The poster of the task. Null if the world posted the task and mints the reward. */
    poster: Id | null;
    reward: number;
    hold: HoldId | null;
    description: string;
    public_tests: readonly TaskTest[];
    hidden_tests: readonly TaskTest[];
  }>({
    about: "a task with tests and a reward was offered to all agents",
    evolve: (state, event) => {
      const { tasksMade, tasksOffered } = worldRow(state);
      const { task: id, poster, reward, hold, description, at_ms: postedAt } = event;
      changeWorld(state, {
        tasksMade: tasksMade + 1,
        tasksOffered: poster === null ? [...tasksOffered, id] : tasksOffered,
      });
      const tests = { publicTests: event.public_tests, hiddenTests: event.hidden_tests };
      state.tasks.put(id, { id, poster, reward, hold, description, ...tests, postedAt });
    },
    concerns: ({ poster }) => [EVERYONE, poster],
    facts: ({ task, reward }) => ({ target: task, amount: reward }),
  }),

  task_solved: row<{ task: string; artifact_id: Id; solver: Id; reward: number }>({
    about: "an artifact passed every test of a task, and the artifact's owner got the reward",
    evolve: endTask,
    concerns: ({ task, solver }, state) => [state.tasks.get(task)?.poster, solver],
    facts: ({ task, solver, reward }) => ({ target: task, other: solver, amount: reward }),
  }),

  task_withdrawn: row<{ task: string }>({
    about: "a task was withdrawn by its poster",
    evolve: endTask,
    concerns: ({ task }, state) => [state.tasks.get(task)?.poster],
    facts: ({ task }) => ({ target: task }),
  }),
};

/** The events that the rooms up to this one can cause. */
export type MintEvent = AgentEvent | CoreEvent | EventIn<typeof MINT_EVENTS>;
export type MintDecision<Answer = Json> = Decision<Answer, MintEvent>;
