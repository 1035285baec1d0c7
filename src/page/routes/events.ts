import type { HonoRequest } from "hono";
import { eventSentence, rowAt } from "../../figures/index.ts";
import { endsAction } from "../../kernel/index.ts";
import { decodeJson, type JournalRow } from "../../world/index.ts";
import type { AskedPeriod, EventFilter } from "./reader/event-index.ts";
import type { RunReader } from "./reader/run-reader.ts";
import {
  numberIn,
  parsePeriod,
  type RunAnswer,
  type RunRoute,
  seqIn,
  textIn,
} from "./served-run.ts";

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
  const period = parsePeriod(req);
  const isOfRun = period.fromMs === null && period.toMs === null;
  // The first lines of a run need no index.
  if (!isOfAll(filter) || !isOfRun) await reader.catchUp();
  const { first, last } = isOfRun
    ? { first: index.firstSeq, last: Math.min(upTo, reader.now.seq) }
    : index.between({ ...period, upTo }, journal);
  const limit = Math.min(numberIn(req.query("limit"), 100), EVENTS_MAX);
  const offset = numberIn(req.query("offset"), 0);
  if (isOfAll(filter)) {
    const total = Math.max(0, last - first + 1);
    const after = first - 1 + offset;
    return { total, rows: [...journal.events({ after, upTo: last, limit })].map(eventRow) };
  }
  const list = await reader.list(filter);
  const [start, end] = [list.total(first - 1), list.total(last)];
  const seqs = list.slice(start + offset, Math.min(end, start + offset + limit));
  const rows = seqs.map((seq) => rowAt(reader.journal, seq)).filter((row) => row !== null);
  return { total: Math.max(0, end - start), rows: rows.map(eventRow) };
};

/** How the events of a period that match a filter are spread over run time. */
export type EventDensity = Awaited<ReturnType<typeof densityOf>>;

const SLICES = 120;

type DensityQuery = AskedPeriod & { readonly filter: EventFilter; readonly upTo: number };

const densityOf = async (reader: RunReader, asked: DensityQuery) => {
  await reader.catchUp();
  const { index, journal, base } = reader;
  const { filter } = asked;
  const upTo = Math.min(asked.upTo, index.lastSeq);
  const { first, last } = index.between({ ...asked, upTo }, journal);
  const endMs = rowAt(reader.journal, upTo)?.atMs ?? base.at_ms;
  const fromMs = Math.max(base.at_ms, asked.fromMs ?? base.at_ms);
  const toMs = Math.max(fromMs, Math.min(endMs, asked.toMs ?? endMs));
  const list = isOfAll(filter) ? null : await reader.list(filter);
  const countTo = (seq: number): number => list?.total(seq) ?? seq - index.firstSeq + 1;
  const earlier = countTo(first - 1);
  const before = Array.from({ length: SLICES }, (_, slice) => {
    const startMs = fromMs + ((toMs - fromMs) * slice) / SLICES;
    const start = slice === 0 ? first : index.firstSince(startMs, journal);
    return Math.max(0, countTo(Math.min(last, start - 1)) - earlier);
  });
  return {
    from_ms: fromMs,
    to_ms: toMs,
    /**
     * The number of matching events of the period before each slice. All slices are equally long.
     */
    before,
    total: Math.max(0, countTo(last) - earlier),
    /** The number of events without the filter and outside the period too. */
    all: Math.max(0, upTo - index.firstSeq + 1),
  };
};

const density: RunAnswer = ({ reader }, { req }) =>
  densityOf(reader, {
    ...parsePeriod(req),
    filter: filterIn(req),
    upTo: seqIn(req, "at") ?? reader.now.seq,
  });

const event: RunAnswer = ({ reader }, { req }) => {
  const row = rowAt(reader.journal, numberIn(req.param("seq"), 0));
  return row === null ? "this event does not exist" : eventRow(row);
};

/** The number of latest events to search for the last action. One action has fewer events. */
const ACTION_EVENTS = 2_000;

const lastAction: RunAnswer = ({ reader }) => {
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
