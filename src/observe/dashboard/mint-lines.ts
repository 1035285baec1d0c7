import { decodeEvent, type EventKind, type EventOf } from "../../kernel/index.ts";
import type { RunReader } from "./run-reader.ts";
import { rowAt } from "./thoughts-view.ts";

type Reading = Pick<RunReader, "journal" | "index">;
type Seen<K extends EventKind> = EventOf<K> & { readonly seq: number };

/** All events of a kind up to one of them, the newest first. */
const eventsOf = <K extends EventKind>(
  reader: Reading,
  kind: K,
  upTo: number,
): readonly Seen<K>[] => {
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

/**
 * Every score that was given, the newest first: an artifact that is bid again is scored again. What
 * was minted for them adds up to what the mint has minted by auctions.
 */
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
      // A bid from before the state that a run goes on from is not among its events.
      bidder: bid?.bidder ?? null,
      auction: bid?.auction ?? null,
      score: event.score,
      minted: event.minted,
      reason: event.reason,
    };
  });
};

/** Every task that was solved, the newest first. */
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
