import { decodeEvent, emptyState } from "../../kernel/index.ts";
import { type Journal, restore } from "../../world/index.ts";
import { Balances, type CountedFrom, countedFrom, MOVING } from "../metrics/index.ts";
import { absenceOf } from "./absence.ts";
import { type Cause, causeOf, causesWithCalls } from "./cause.ts";
import { withCreditWord } from "./credit.ts";
import { type Movement, movementIn } from "./movement.ts";

/** Movements of one sort together. */
export type Stream = Pick<Movement, "what" | "reason" | "other" | "artifact"> & {
  readonly amount: number;
  readonly times: number;
};

/** Where the money of a principal comes from, in the shape of `sim explain --json`. */
export type MoneyTrail = {
  readonly principal: string;
  readonly counted_from: CountedFrom;
  /** The last event looked at. */
  readonly seq: number;
  readonly at_ms: number;
  /** Free and held; at the beginning, and now. */
  readonly began_with: number;
  readonly wealth: number;
  readonly came: number;
  readonly went: number;
  /** By reason, whom and what for: the greatest sums first, whichever way they went. */
  readonly streams: readonly Stream[];
  /** The largest movements with their causes; of equal ones the newest first. */
  readonly steps: readonly (Movement & { readonly because: Cause })[];
};

export type TrailWish = {
  readonly principal: string;
  /** The last event to look at; null: all of them. */
  readonly upTo: number | null;
  /** How many steps. */
  readonly limit: number;
  /** What whoever asks calls the run, for commands that help; without it, none are named. */
  readonly run?: string;
};

/** What is wrong, in one line, where there is no such account. */
export const moneyTrail = (journal: Journal, wish: TrailWish): MoneyTrail | string => {
  const { principal, upTo, limit } = wish;
  const base = countedFrom(journal);
  const begun = base.seq === 0 ? emptyState() : restore(journal, { upTo: base.seq }).state;
  const books = new Balances(begun);
  const movements: Movement[] = [];
  let [seq, atMs] = [base.seq, base.at_ms];
  for (const row of journal.events(upTo === null ? {} : { upTo })) {
    seq = row.seq;
    atMs = row.atMs;
    if (!MOVING.has(row.kind)) continue;
    const event = { ...decodeEvent(row), seq };
    const movement = movementIn(event, principal, books);
    books.count(event);
    if (movement !== null) movements.push(withCreditWord(journal, event, movement));
  }
  if (!books.knows(principal)) return absenceOf(journal, wish, { seq, ids: [...books.ids()] });
  const inAndOut = movements.filter(({ reason }) => reason !== "endowment");
  return {
    principal,
    counted_from: base,
    seq,
    at_ms: atMs,
    began_with: books.beganWith(principal),
    wealth: books.wealthOf(principal),
    came: inAndOut.reduce((sum, { amount }) => sum + Math.max(0, amount), 0),
    went: inAndOut.reduce((sum, { amount }) => sum + Math.max(0, -amount), 0),
    streams: streamsOf(inAndOut),
    steps: stepsOf(journal, inAndOut, limit),
  };
};

const stepsOf = (
  journal: Journal,
  movements: readonly Movement[],
  limit: number,
): MoneyTrail["steps"] => {
  const largest = [...movements]
    .sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount) || b.seq - a.seq)
    .slice(0, limit);
  const causes = causesWithCalls(
    journal,
    largest.map((movement) => causeOf(journal, movement)),
  );
  return largest.flatMap((movement, at) => {
    const because = causes[at];
    return because === undefined ? [] : [{ ...movement, because }];
  });
};

const streamsOf = (movements: readonly Movement[]): readonly Stream[] => {
  const streams = new Map<string, Stream>();
  for (const { what, reason, other, artifact, amount } of movements) {
    const way = amount > 0 ? "in" : "out";
    const key = JSON.stringify([way, what, reason, other, artifact]);
    const before = streams.get(key) ?? { amount: 0, times: 0 };
    const sum = { amount: before.amount + amount, times: before.times + 1 };
    streams.set(key, { what, reason, other, artifact, ...sum });
  }
  return [...streams.values()].sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
};
