import type { HonoRequest } from "hono";
import { endsAction } from "../../kernel/index.ts";
import { decodeJson, type JournalRow } from "../../world/index.ts";
import { eventSentence } from "../trail/event-sentence.ts";
import type { EventFilter } from "./event-index.ts";
import { numberIn, seqIn, textIn } from "./query-parameters.ts";
import type { RunReader } from "./run-reader.ts";
import type { RunAnswer, RunRoute } from "./served-run.ts";
import { rowAt } from "./views/thoughts-view.ts";

const EVENTS_MAX = 500;

const eventRow = (row: JournalRow) => {
  const { seq, atMs: at_ms, kind, principal, body } = row;
  return { seq, at_ms, kind, principal, body: decodeJson(body), says: eventSentence(row) };
};

const kinds: RunAnswer = async ({ reader }) => {
  await reader.catchUp();
  return Object.fromEntries([...reader.index.counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

const filterIn = (req: HonoRequest): EventFilter => ({
  kind: textIn(req.query("kind")),
  principal: textIn(req.query("principal")),
  text: req.query("text") ?? "",
});

const isOfAll = ({ kind, principal, text }: EventFilter): boolean =>
  kind === null && principal === null && text === "";

const events: RunAnswer = async ({ reader }, { req }) => {
  const { index, journal } = reader;
  const upTo = seqIn(req, "at") ?? reader.now.seq;
  const filter = filterIn(req);
  const limit = Math.min(numberIn(req.query("limit"), 100), EVENTS_MAX);
  const offset = numberIn(req.query("offset"), 0);
  if (isOfAll(filter)) {
    const total = Math.max(0, Math.min(upTo, reader.now.seq) - index.firstSeq + 1);
    const after = index.firstSeq - 1 + offset;
    return { total, rows: [...journal.events({ after, upTo, limit })].map(eventRow) };
  }
  await reader.catchUp();
  const list = await reader.list(filter);
  const total = list.total(upTo);
  const seqs = list.slice(offset, Math.min(total, offset + limit));
  const rows = seqs.map((seq) => rowAt(reader, seq)).filter((row) => row !== null);
  return { total, rows: rows.map(eventRow) };
};

/** How the events that match a filter are spread over run time. */
export type EventDensity = Awaited<ReturnType<typeof densityOf>>;

const SLICES = 120;

const densityOf = async (reader: RunReader, filter: EventFilter, asked: number) => {
  await reader.catchUp();
  const { index, journal, base } = reader;
  const upTo = Math.min(asked, index.lastSeq);
  const fromMs = base.at_ms;
  const toMs = rowAt(reader, upTo)?.atMs ?? fromMs;
  const list = isOfAll(filter) ? null : await reader.list(filter);
  const countTo = (seq: number): number => list?.total(seq) ?? seq - index.firstSeq + 1;
  const before = Array.from({ length: SLICES }, (_, slice) => {
    const startMs = fromMs + ((toMs - fromMs) * slice) / SLICES;
    const first = slice === 0 ? index.firstSeq : index.firstSince(startMs, journal);
    return countTo(Math.min(upTo, first - 1));
  });
  return {
    from_ms: fromMs,
    to_ms: toMs,
    /** The number of matching events before each slice. All slices are equally long. */
    before,
    total: countTo(upTo),
    /** The number of events without the filter. */
    all: Math.max(0, upTo - index.firstSeq + 1),
  };
};

const density: RunAnswer = ({ reader }, { req }) =>
  densityOf(reader, filterIn(req), seqIn(req, "at") ?? reader.now.seq);

const event: RunAnswer = ({ reader }, { req }) => {
  const row = rowAt(reader, numberIn(req.param("seq"), 0));
  return row === null ? "this event does not exist" : eventRow(row);
};

/** The number of latest events to search for the last action. One action has fewer events. */
const ACTION_EVENTS = 2_000;

const lastAction: RunAnswer = async ({ reader }) => {
  await reader.catchUp();
  const after = Math.max(0, reader.now.seq - ACTION_EVENTS);
  const row = [...reader.journal.events({ after, upTo: reader.now.seq })].findLast(endsAction);
  return { action: row === undefined ? null : eventRow(row) };
};

export const EVENT_ROUTES: readonly RunRoute[] = [
  ["/kinds", kinds],
  ["/density", density],
  ["/events", events],
  ["/events/:seq", event],
  ["/last-action", lastAction],
];
