import type { HonoRequest } from "hono";
import {
  type AgentHistories,
  type AgentMoment,
  type ArtifactThread,
  artifactThread,
  matching,
  originsOf,
  type ShownMoment,
  shownMoments,
} from "../../read/index.ts";
import { isInPeriod, type Period } from "../../text/index.ts";
import type { AskedPeriod } from "./reader/event-index.ts";
import type { RunReader } from "./reader/run-reader.ts";
import {
  numberIn,
  parsePeriod,
  type RunAnswer,
  type RunRoute,
  seqIn,
  textIn,
} from "./served-run.ts";

/** Which moments a page shows. Null or an empty text: all. */
type MomentFilter = AskedPeriod & {
  readonly agent: string | null;
  readonly artifact: string | null;
  /** Whether to show what led to the artifact, instead of all moments that touched it. */
  readonly led: boolean;
  readonly verb: string | null;
  readonly search: string;
  /** The last event. */
  readonly upTo: number;
};

/** The moments that match, oldest first, or the most similar first if the filter has words. */
const matched = async (
  reader: RunReader,
  histories: AgentHistories,
  filter: MomentFilter,
): Promise<readonly AgentMoment[]> => {
  const { artifact, led, search, upTo, toMs } = filter;
  const leads = led && artifact !== null;
  const all = leads ? originsOf(reader.journal, histories, artifact, upTo) : null;
  const asked = matching(all?.map(({ moment }) => moment) ?? histories.all, {
    ...filter,
    thing: leads ? null : artifact,
    fromSeq: null,
  });
  const moments = toMs === null ? asked : asked.filter(({ at_ms }) => at_ms <= toMs);
  return search === "" ? moments : reader.moments.similar(moments, search);
};

/** A moment in a list. Its prose is cut. */
export type MomentRow = Omit<ShownMoment, "money" | "written">;

export type MomentPage = {
  /** The number of all moments that match. `rows` has only some of them. */
  readonly total: number;
  readonly rows: readonly MomentRow[];
};

const PROSE_CHARS = 300;

type PageQuery = {
  readonly offset: number;
  readonly limit: number;
  readonly isNewestFirst: boolean;
};

const momentPage = async (
  reader: RunReader,
  filter: MomentFilter,
  { offset, limit, isNewestFirst }: PageQuery,
): Promise<MomentPage> => {
  const histories = await reader.moments.histories();
  const sorted = await matched(reader, histories, filter);
  const found = isNewestFirst ? sorted.toReversed() : sorted;
  const moments = found.slice(offset, offset + limit);
  const shown = shownMoments(reader.journal, histories, moments, filter.upTo);
  const rows = shown.map(({ money: _, written: __, prose, ...row }) => {
    return { ...row, prose: prose.slice(0, PROSE_CHARS) };
  });
  return { total: found.length, rows };
};

/** One agent in the timeline: three numbers for each mark, which are its column, the number of
 * moments, and the last of them by `seq`. */
export type LifeLine = { readonly agent: string; readonly marks: readonly number[] };

export type LifeTimeline = {
  /** The time of the first column, and that of the end of the last one. */
  readonly from_ms: number;
  readonly to_ms: number;
  readonly columns: number;
  /** The number of all agents that match. `lines` has only the first ones. */
  readonly total: number;
  readonly lines: readonly LifeLine[];
  /** All verbs of the period, with the number of their moments. */
  readonly verbs: { readonly [verb: string]: number };
};

const COLUMNS = 300;
const LINES_MAX = 100;

/** The moments of each agent over a part of run time, in columns. */
const lifeTimeline = async (
  reader: RunReader,
  filter: MomentFilter,
  span: Period,
): Promise<LifeTimeline> => {
  const histories = await reader.moments.histories();
  const verbs: { [verb: string]: number } = {};
  const { upTo } = filter;
  const period = { fromMs: filter.fromMs ?? 0, toMs: filter.toMs ?? Number.POSITIVE_INFINITY };
  for (const { seq, verb, at_ms } of histories.all) {
    if (seq <= upTo && isInPeriod(period, at_ms)) verbs[verb] = (verbs[verb] ?? 0) + 1;
  }
  const byAgent = Map.groupBy(await matched(reader, histories, filter), ({ actor }) => actor);
  const known = histories.ids.agents.filter((agent) => byAgent.has(agent));
  const lines = known.slice(0, LINES_MAX).map((agent) => {
    return { agent, marks: marksOf(byAgent.get(agent) ?? [], span) };
  });
  return {
    from_ms: span.fromMs,
    to_ms: span.toMs,
    columns: COLUMNS,
    total: known.length,
    lines,
    verbs,
  };
};

const columnOf = (atMs: number, { fromMs, toMs }: Period): number =>
  Math.min(COLUMNS - 1, Math.floor(((atMs - fromMs) / Math.max(1, toMs - fromMs)) * COLUMNS));

const marksOf = (moments: readonly AgentMoment[], span: Period): readonly number[] => {
  const marks = new Map<number, { count: number; last: number }>();
  for (const { at_ms, seq } of moments) {
    const column = columnOf(at_ms, span);
    const mark = marks.get(column) ?? { count: 0, last: 0 };
    marks.set(column, { count: mark.count + 1, last: Math.max(mark.last, seq) });
  }
  return [...marks].flatMap(([column, { count, last }]) => [column, count, last]);
};

/** A chosen moment: its whole text, what came before and after, and where its artifacts lead. */
export type MomentView = ShownMoment & {
  readonly next: number | null;
  readonly threads: readonly ArtifactThread[];
};

const THREADS_SHOWN = 8;

/** Null if no moment ended with event `seq`, or not yet. */
const momentView = async (
  reader: RunReader,
  seq: number,
  upTo: number,
): Promise<MomentView | null> => {
  const histories = await reader.moments.histories();
  const moment = histories.at(seq);
  if (moment === null || seq > upTo) return null;
  const [shown] = shownMoments(reader.journal, histories, [moment], upTo);
  if (shown === undefined) return null;
  const next = histories.all.find(({ previous, seq: own }) => previous === seq && own <= upTo);
  const threads = moment.things
    .slice(0, THREADS_SHOWN)
    .map((artifact) => artifactThread(histories.all, artifact, upTo));
  return { ...shown, next: next?.seq ?? null, threads };
};

const MOMENTS_MAX = 200;

const momentFilterIn = (req: HonoRequest): MomentFilter => ({
  agent: textIn(req.query("agent")),
  artifact: textIn(req.query("artifact")),
  led: req.query("led") === "true",
  verb: textIn(req.query("verb")),
  ...parsePeriod(req),
  search: req.query("search") ?? "",
  upTo: seqIn(req, "at") ?? Number.MAX_SAFE_INTEGER,
});

const moments: RunAnswer = ({ reader }, { req }) => {
  const limit = Math.min(numberIn(req.query("limit"), 100), MOMENTS_MAX);
  return momentPage(reader, momentFilterIn(req), {
    offset: numberIn(req.query("offset"), 0),
    limit,
    isNewestFirst: req.query("order") === "newest",
  });
};

const timeline: RunAnswer = ({ reader }, { req }) => {
  const filter = momentFilterIn(req);
  const { base } = reader;
  const nowMs = reader.at(seqIn(req, "at")).atMs;
  const fromMs = Math.max(base.at_ms, filter.fromMs ?? base.at_ms);
  const toMs = Math.max(fromMs, Math.min(nowMs, filter.toMs ?? nowMs));
  return lifeTimeline(reader, filter, { fromMs, toMs });
};

const chosenMoment: RunAnswer = async ({ reader }, { req }) => {
  const upTo = seqIn(req, "at") ?? Number.MAX_SAFE_INTEGER;
  const found = await momentView(reader, numberIn(req.param("seq"), 0), upTo);
  return found ?? "no moment ended with this event";
};

/** The routes of the lives of agents. Nothing is read for them before the first request. */
export const MOMENT_ROUTES: readonly RunRoute[] = [
  ["/moments", moments],
  ["/moments/:seq", chosenMoment],
  ["/lives", timeline],
];
