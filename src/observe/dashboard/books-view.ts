import { genesisId, isObject, type Json, liveArtifact, type State } from "../../kernel/index.ts";
import { decodeJson } from "../../world/index.ts";
import { mintReport } from "../mint-report.ts";
import { scoreLines, solvedLines } from "./mint-lines.ts";
import type { Moment, RunReader } from "./run-reader.ts";

/** One line of a contract's own book, as the contract keeps it. */
export type BookLine = { readonly [name: string]: Json };

/** The books of the mint, of the standard library's brokers, and what is set aside. */
export const booksView = (reader: RunReader, { state, seq: upTo }: Moment) => {
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
      for: about(purpose),
    })),
  };
};
export type BooksView = ReturnType<typeof booksView>;

type Holding = ReturnType<State["holds"]["rows"]> extends Iterable<infer Hold> ? Hold : never;

const about = (purpose: Holding["purpose"]): string => {
  switch (purpose.kind) {
    case "purse":
      return purpose.artifact;
    case "bid":
      return purpose.submission;
    case "task":
      return purpose.task;
  }
};

/** What a contract of the standard library keeps; nothing where the world has it not. */
const bookOf = (state: State, name: string): BookLine => {
  const kept = liveArtifact(state, genesisId(name))?.state;
  const book = kept === undefined ? null : decodeJson(kept);
  return isObject(book) ? book : {};
};

const linesIn = (list: Json | undefined): readonly BookLine[] =>
  Array.isArray(list) ? list.filter((line): line is BookLine => isObject(line)) : [];
