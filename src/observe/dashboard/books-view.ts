import {
  type EventKind,
  type EventOf,
  genesisId,
  isObject,
  type Json,
  liveArtifact,
  type State,
} from "../../kernel/index.ts";
import { decodeEvent, decodeJson } from "../../world/index.ts";
import { mintReport } from "../state-report.ts";
import type { RunReader, StateAt } from "./run-reader.ts";
import { rowAt } from "./thoughts-view.ts";

/** One entry in the state of a contract. */
export type BookLine = { readonly [name: string]: Json };

/** The books of the mint and of the contracts, and all scrip set aside. */
export const booksView = (reader: RunReader, { state, seq: upTo }: StateAt) => {
  const escrow = bookOf(state, "escrow");
  const debts = bookOf(state, "debt_contract");
  return {
    mint: mintReport(state),
    scores: scoreLines(reader, upTo),
    solved: solvedLines(reader, upTo),
    counted_from: reader.base,
    escrow: { listings: linesIn(escrow.listings), closed: linesIn(escrow.closed) },
    debts: { open: linesIn(debts.open), closed: linesIn(debts.closed) },
    votes: linesIn(bookOf(state, "voting").proposals),
    holds: [...state.holds.rows()].map(({ id, owner, amount, purpose }) => ({
      id,
      owner,
      amount,
      purpose: purpose.kind,
      for: subjectOf(purpose),
    })),
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
  }
};

/** The state of a contract; empty if the world does not have it. */
const bookOf = (state: State, name: string): BookLine => {
  const kept = liveArtifact(state, genesisId(name))?.state;
  const book = kept === undefined ? null : decodeJson(kept);
  return isObject(book) ? book : {};
};

const linesIn = (list: Json | undefined): readonly BookLine[] =>
  Array.isArray(list) ? list.filter((line): line is BookLine => isObject(line)) : [];

type Reading = Pick<RunReader, "journal" | "index">;
type SeqEvent<K extends EventKind> = EventOf<K> & { readonly seq: number };

/** All events of a kind up to `upTo`, the newest first. */
const eventsOf = <K extends EventKind>(
  reader: Reading,
  kind: K,
  upTo: number,
): readonly SeqEvent<K>[] => {
  const isOfKind = (event: { readonly kind: string }): event is EventOf<K> => event.kind === kind;
  const seqs = [...reader.index.matching({ kind, principal: null }, { after: 0, upTo })];
  return seqs
    .flatMap((seq) => {
      const row = rowAt(reader, seq);
      const event = row === null ? null : decodeEvent(row);
      return event !== null && isOfKind(event) ? [{ ...event, seq }] : [];
    })
    .reverse();
};

/** All scores, the newest first. An artifact can be scored again; the `minted` values add up. */
export const scoreLines = (reader: Reading, upTo: number) => {
  const bids = new Map(
    eventsOf(reader, "bid_placed", upTo).map((bid) => [bid.submission, bid] as const),
  );
  return eventsOf(reader, "artifact_scored", upTo).map((event) => {
    const bid = bids.get(event.submission);
    return {
      seq: event.seq,
      at_ms: event.at_ms,
      artifact: event.artifact_id,
      submission: event.submission,
      // Bids from before a fork are not in its journal.
      bidder: bid?.bidder ?? null,
      auction: bid?.auction ?? null,
      score: event.score,
      minted: event.minted,
      reason: event.reason,
    };
  });
};

/** All solved tasks, the newest first. */
export const solvedLines = (reader: Reading, upTo: number) => {
  const tasks = new Map(
    eventsOf(reader, "task_posted", upTo).map((task) => [task.task, task] as const),
  );
  return eventsOf(reader, "task_solved", upTo).map((event) => ({
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
