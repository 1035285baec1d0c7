import type { Context, HonoRequest } from "hono";
import type { FollowedExperiment } from "../../experiment/index.ts";
import { type Result, waitingProposals } from "../../kernel/index.ts";
import type { Pace, RunRecord, RunStatus } from "../../run/index.ts";
import { parseTimeMs } from "../../text/index.ts";
import type { AskedPeriod } from "./reader/event-index.ts";
import type { RunReader } from "./reader/run-reader.ts";

/** For the browser, whose files import only this folder. */
export type { RunRecord };

export type RunStore = {
  /** Lists the readable runs, newest first. */
  readonly list: () => readonly RunRecord[];
  /** The experiment that makes the runs, if one does. */
  readonly experiment: FollowedExperiment;
  readonly folderOf: (runId: string) => string | null;
  readonly statusOf: (runId: string) => RunStatus | "unknown";
};

/** The data that the server pushes to a page. The page requests all other data. */
export type Tick = {
  readonly first_seq: number;
  /** The run time at which the run starts: 0, or that of the fork. */
  readonly first_ms: number;
  readonly seq: number;
  readonly at_ms: number;
  readonly agents: number;
  /** The number of landmarks, as in `/marks`. */
  readonly marks: number;
  /** The number of actions that wait for a reviewer. */
  readonly waiting: number;
  readonly status: RunStatus | "unknown";
  /** Null if this server cannot control the run. */
  readonly pace: Pace | null;
  /** The number of steps that have ended while this feed was open. */
  readonly steps: number;
  /** True if the server ends, so that no other tick follows. */
  readonly is_over: boolean;
};

export const tickOf = (
  { base, index, marks, now }: RunReader,
  served: Pick<Tick, "status" | "pace" | "steps" | "is_over">,
): Tick => ({
  first_seq: index.firstSeq,
  first_ms: base.at_ms,
  seq: now.seq,
  at_ms: now.atMs,
  agents: now.state.agents.size,
  marks: marks.total,
  waiting: waitingProposals(now.state).length,
  ...served,
});

/** A run that the routes read: from its folder, or from a published page. */
export type ServedRun = {
  readonly id: string;
  readonly reader: RunReader;
  /** The tick for a page that follows the run, or for another client. */
  readonly tick: (page: string | null) => Tick;
  /** The configuration, by dotted key, as JSON texts. */
  readonly settings: () => Result<{ readonly settings: ReadonlyMap<string, string> }>;
  /** What the program of a coding agent does now, as `turn`. Null between turns. */
  readonly turnOf: (agent: string) => Promise<object>;
};

export type RunOpened<Run extends ServedRun = ServedRun> =
  | { readonly ok: true; readonly run: Run }
  | { readonly ok: false; readonly problem: string; readonly unknown: boolean };

export type ServedRuns = { readonly open: (id: string) => RunOpened };

/** Returns a response object, or a problem in one line. */
export type RunAnswer = (
  run: ServedRun,
  context: Context,
) => Promise<object | string> | object | string;
export type RunRoute = readonly [path: string, answer: RunAnswer];

/** Parses a whole number of at least 0. Returns `otherwise` for any other text. */
export const numberIn = (text: string | undefined, otherwise: number): number => {
  const number = Number(text);
  return text !== undefined && text !== "" && Number.isSafeInteger(number) && number >= 0
    ? number
    : otherwise;
};

/** Parses an event number. Returns null if the parameter is absent, 0 or invalid. */
export const seqIn = (req: HonoRequest, name: string): number | null => {
  const seq = numberIn(req.query(name), 0);
  return seq === 0 ? null : seq;
};

export const textIn = (text: string | undefined): string | null =>
  text === undefined || text === "" ? null : text;

/** Parses a time such as `2:30` or `300s` into ms. Returns null for any other text. */
const timeIn = (text: string | undefined): number | null =>
  text === undefined ? null : parseTimeMs(text.trim());

/** Parses the query parameters `from` and `to`. */
export const parsePeriod = (req: HonoRequest): AskedPeriod => ({
  fromMs: timeIn(req.query("from")),
  toMs: timeIn(req.query("to")),
});

const ROWS_MAX = 2_000;

export type RowPage<Row> = {
  /** The number of all matching rows. `rows` contains only the first matching rows. */
  readonly total: number;
  readonly rows: readonly Row[];
};

/** The first `limit` rows that contain `query`, sorted by column `sort` (`-`: descending). */
export const rowPage = <Row extends { readonly [column: string]: unknown }>(
  rows: readonly Row[],
  req: HonoRequest,
  textOf: (row: Row) => string,
): RowPage<Row> => {
  const text = (req.query("query") ?? "").toLowerCase();
  const sort = req.query("sort") ?? "";
  const limit = Math.min(numberIn(req.query("limit"), 200), ROWS_MAX);
  const matching = rows.filter((row) => text === "" || textOf(row).toLowerCase().includes(text));
  const [column, direction] = sort.startsWith("-") ? [sort.slice(1), -1] : [sort, 1];
  const sorted = matching.toSorted((a, b) => direction * compared(a[column], b[column]));
  return { total: matching.length, rows: sorted.slice(0, limit) };
};

const compared = (a: unknown, b: unknown): number => {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return a === b ? 0 : a === null || a === undefined ? -1 : 1;
};

/** Wraps `answer`. Returns a problem if the world does not exist yet at the requested event. */
export const onState =
  (answer: RunAnswer): RunAnswer =>
  (run, context) =>
    run.reader.at(seqIn(context.req, "at")).state.world.has("world")
      ? answer(run, context)
      : "the world does not exist yet at this event";
