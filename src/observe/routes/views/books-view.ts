import type { State } from "../../../kernel/index.ts";
import type { JournalReader } from "../../../world/index.ts";
import { type BookLine, bookOf, linesIn, listIn } from "../../metrics/book.ts";
import { mintReport } from "../../state-report.ts";
import { eventsOf } from "../../trail/past-events.ts";
import type { RunReader, StateAt } from "../run-reader.ts";

export const booksView = (reader: RunReader, { state, seq: upTo }: StateAt) => {
  const escrow = bookOf(state, "escrow");
  const debts = bookOf(state, "debt_contract");
  return {
    mint: mintReport(state),
    scores: scoreLines(reader.journal, upTo),
    solved: solvedLines(reader.journal, upTo),
    counted_from: reader.base,
    escrow: { listings: linesIn(escrow.listings), closed: linesIn(escrow.closed) },
    debts: { open: linesIn(debts.open), closed: linesIn(debts.closed) },
    votes: linesIn(bookOf(state, "voting").proposals).map(proposalLine),
    holds: [...state.holds.rows()].map(({ id, owner, amount, purpose }) => {
      return { id, owner, amount, purpose: purpose.kind, for: subjectOf(purpose) };
    }),
  };
};
export type BooksView = ReturnType<typeof booksView>;

type Holding = ReturnType<State["holds"]["rows"]> extends Iterable<infer Hold> ? Hold : never;

const subjectOf = (purpose: Holding["purpose"]): string => {
  switch (purpose.kind) {
    case "purse":
      return purpose.artifact;
    case "bid":
      return purpose.submission;
    case "task":
      return purpose.task;
    case "compute_bid":
      return "model budget";
  }
};

/** A proposal with its votes as text, such as `yes 3, no 0`. A decided proposal has a tally. */
const proposalLine = ({ title, by, options, tally, votes, deadline_ms }: BookLine): BookLine => {
  const cast = listIn(votes).map((vote) => (Array.isArray(vote) ? vote[1] : null));
  const counts = listIn(options).map((option, at) => {
    const count = listIn(tally)[at] ?? cast.filter((choice) => choice === at).length;
    return `${String(option)} ${String(count)}`;
  });
  return {
    title: title ?? null,
    by: by ?? null,
    votes: counts.join(", "),
    deadline_ms: deadline_ms ?? null,
  };
};

/** All scores, newest first. `minted` is the scrip for one score, not the artifact's total. */
const scoreLines = (journal: JournalReader, upTo: number) => {
  const bids = new Map(
    [...eventsOf(journal, "bid_placed", { upTo })].map((bid) => [bid.submission, bid]),
  );
  const scores = [...eventsOf(journal, "artifact_scored", { upTo })].reverse();
  return scores.map((event) => {
    const bid = bids.get(event.submission);
    return {
      seq: event.seq,
      at_ms: event.at_ms,
      artifact: event.artifact_id,
      submission: event.submission,
      // Null if the bid was placed before the fork: the journal does not contain that bid.
      bidder: bid?.bidder ?? null,
      auction: bid?.auction ?? null,
      score: event.score,
      minted: event.minted,
      reason: event.reason,
    };
  });
};

const solvedLines = (journal: JournalReader, upTo: number) => {
  const tasks = new Map(
    [...eventsOf(journal, "task_posted", { upTo })].map((task) => [task.task, task]),
  );
  const solved = [...eventsOf(journal, "task_solved", { upTo })].reverse();
  return solved.map((event) => ({
    seq: event.seq,
    at_ms: event.at_ms,
    id: event.task,
    poster: tasks.get(event.task)?.poster ?? null,
    description: tasks.get(event.task)?.description ?? null,
    solver: event.solver,
    artifact: event.artifact_id,
    reward: event.reward,
  }));
};
