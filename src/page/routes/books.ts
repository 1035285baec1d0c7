import { type BookLine, bookOf, eventsOf, linesIn, listIn } from "../../figures/index.ts";
import type { State } from "../../kernel/index.ts";
import { mintReport } from "../../read/index.ts";
import type { JournalReader } from "../../world/index.ts";

import type { RunReader, StateAt } from "./reader/run-reader.ts";

export const booksView = (reader: RunReader, { state, seq: upTo, atMs: nowMs }: StateAt) => {
  const escrow = bookOf(state, "escrow");
  const debts = bookOf(state, "debt_contract");
  return {
    mint: mintReport(state),
    scores: scoreLines(reader.journal, upTo),
    solved: solvedLines(reader.journal, upTo),
    counted_from: reader.base,
    escrow: { listings: linesIn(escrow.listings), closed: linesIn(escrow.closed) },
    debts: { open: linesIn(debts.open), closed: linesIn(debts.closed) },
    votes: linesIn(bookOf(state, "voting").proposals).map((proposal) =>
      proposalLine(proposal, nowMs),
    ),
    holds: holdLines(state),
  };
};
export type BooksView = ReturnType<typeof booksView>;

const holdLines = (state: State) => {
  const submissions = [...state.submissions.rows()];
  const bids = new Map(submissions.map(({ id, artifact }) => [id, artifact]));
  return [...state.holds.rows()].map(({ id, owner, amount, purpose }) => {
    return { id, owner, amount, ...useOf(purpose, bids) };
  });
};

type Purpose = NonNullable<ReturnType<State["holds"]["get"]>>["purpose"];
/** `artifact` is null if the scrip is not for an artifact. */
type Use = { readonly purpose: string; readonly artifact: string | null };

/** What held scrip is for. `bids` has the artifact of each submission. */
const useOf = (purpose: Purpose, bids: ReadonlyMap<string, string>): Use => {
  switch (purpose.kind) {
    case "purse":
      return { purpose: "attached to a call", artifact: purpose.artifact };
    case "bid":
      return { purpose: "bid", artifact: bids.get(purpose.submission) ?? null };
    case "task":
      return { purpose: `reward of ${purpose.task}`, artifact: null };
    case "compute_bid":
      return { purpose: "bid for model budget", artifact: null };
  }
};

/** A proposal with its votes as text, such as `yes 3, no 0`, and whether it can get more votes. */
const proposalLine = (proposal: BookLine, nowMs: number): BookLine => {
  const { title, by, options, quorum, tally, votes, voters, deadline_ms: deadline } = proposal;
  const cast = listIn(votes).map((vote) => (Array.isArray(vote) ? vote[1] : null));
  const counts = listIn(options).map((option, at) => {
    const count = listIn(tally)[at] ?? cast.filter((choice) => choice === at).length;
    return `${String(option)} ${String(count)}`;
  });
  const haveAllVoted = Array.isArray(voters) && cast.length === voters.length;
  return {
    title: title ?? null,
    by: by ?? null,
    votes: counts.join(", "),
    quorum: quorum ?? null,
    deadline_ms: deadline ?? null,
    status: votes === undefined || haveAllVoted || nowMs >= Number(deadline) ? "closed" : "open",
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
