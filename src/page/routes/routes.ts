import { type Context, Hono } from "hono";
import { asId } from "../../kernel/index.ts";
import {
  agentOverTime,
  artifactOverTime,
  artifactReport,
  COMPARED_MAX,
  type Compared,
  comparedFrom,
  compareRuns,
  type KeyFigures,
  messagesIn,
  momentIds,
  momentOf,
  moneyTrail,
  overviewOf,
  reviewsIn,
  runJumps,
  type Span,
  threadsOf,
  withEdits,
} from "../../read/index.ts";
import { parseMoment, positionOf } from "../../world/index.ts";

import { EVENT_ROUTES } from "./event-routes.ts";
import { MOMENT_ROUTES } from "./moment-routes.ts";
import { PERIOD_ROUTES, requestedPeriod } from "./period-routes.ts";
import { numberIn, rowPage, seqIn, textIn } from "./query-parameters.ts";
import type { RunReader, StateAt } from "./reader/run-reader.ts";
import type { RunAnswer, RunRoute, ServedRun, ServedRuns } from "./served-run.ts";
import { agentRows, agentView, conversationView } from "./views/agents-view.ts";
import { type ArtifactRow, artifactExtras, artifactRows } from "./views/artifacts-view.ts";
import { booksView } from "./views/books-view.ts";
import { memoryLines, thoughtLines } from "./views/thoughts-view.ts";

const THOUGHTS_MAX = 50;
const MESSAGES_MAX = 200;
const STEPS_MAX = 50;
const THREADS_MAX = 200;
const REVIEWED_MAX = 200;

/** All routes that read runs. The routes respond to problems with status 404, 500 or 503. */
export const readingRoutes = (runs: ServedRuns): Hono => {
  const app = new Hono();
  for (const [path, answer] of [...ANSWERS, comparing(runs)]) {
    app.get(`/runs/:run${path}`, async (context) => {
      const opened = runs.open(context.req.param("run") ?? "");
      if (!opened.ok) return context.json({ problem: opened.problem }, opened.unknown ? 404 : 503);
      const { run } = opened;
      const read = await run.reader.read(() => answer(run, context));
      if (!read.ok) return context.json({ problem: read.problem }, 500);
      if (typeof read.value === "string") return context.json({ problem: read.value }, 404);
      return context.json(read.value);
    });
  }
  return app;
};

/** The ids in a comparison, which are separated by commas. */
export const comparedIn = (text: string): readonly string[] =>
  [...new Set(text.split(","))].filter((id) => id !== "");

const comparing = (runs: ServedRuns): RunRoute => [
  "/compare/:others",
  async (run, { req }) => {
    const ids = comparedIn(req.param("others") ?? "").filter((id) => id !== run.id);
    if (ids.length >= COMPARED_MAX) return `compare at most ${COMPARED_MAX} runs`;
    const others: Compared[] = [];
    for (const id of ids) {
      const other = runs.open(id);
      if (!other.ok) return other.problem;
      const { reader } = other.run;
      // Reads all events of the other run, so that a problem names the right journal.
      const read = await reader.read(() => reader.catchUp());
      if (!read.ok) return read.problem;
      const found = compared(other.run);
      if (typeof found === "string") return found;
      others.push(found);
    }
    const one = compared(run);
    return typeof one === "string" ? one : compareRuns(one, others);
  },
];

const compared = ({ id, reader, settings }: ServedRun): Compared | string =>
  comparedFrom({ id, kept: settings(), journal: reader.journal, state: reader.now.state });

const metrics: RunAnswer = ({ reader }, { req }) =>
  reader.measured(seqIn(req, "at"), { name: "metrics", of: (meter) => meter.metrics() });

const overview: RunAnswer = ({ reader }, { req }) =>
  reader.measured(seqIn(req, "at"), {
    name: "overview",
    of: (meter) => {
      const timeline = meter.timeline();
      const jumps = runJumps(reader.journal, meter.jumps, timeline);
      const key = meter.keyFigures();
      return { ...overviewOf(key, timeline, reader.base), jumps, movers: moversAt(reader, key) };
    },
  });

/** The overview without its timeline, which is large and is the same at all moments. */
const figures: RunAnswer = ({ reader }, { req }) =>
  reader.measured(seqIn(req, "at"), {
    name: "figures",
    of: (meter) => {
      const key = meter.keyFigures();
      return { ...momentOf(key, reader.base), movers: moversAt(reader, key) };
    },
  });

const moversAt = ({ priceChanges }: RunReader, { money, last_seq: last }: KeyFigures) =>
  withEdits(
    money.price_movers,
    priceChanges.filter(({ seq }) => seq <= last),
  );

/** Wraps `answer`. Returns a problem if the world does not exist yet at the requested event. */
const onState =
  (answer: RunAnswer): RunAnswer =>
  (run, context) =>
    run.reader.at(seqIn(context.req, "at")).state.world.has("world")
      ? answer(run, context)
      : "the world does not exist yet at this event";

const agents: RunAnswer = ({ reader }, { req }) => {
  const moment = reader.at(seqIn(req, "at"));
  const rows = agentRows(moment, reader.earlier);
  const page = rowPage(rows, req, ({ id, status, reason }) => `${id} ${status} ${reason}`);
  return { ...page, at_ms: moment.atMs };
};

const agent: RunAnswer = ({ reader }, { req }) => {
  const name = req.param("agent") ?? "";
  const moment = reader.at(seqIn(req, "at"));
  return agentView(moment, name, reader.earlier) ?? "this agent does not exist at this event";
};

const turn: RunAnswer = (run, { req }) => run.turnOf(req.param("agent") ?? "");

const thoughts: RunAnswer = async ({ reader }, { req }) => {
  await reader.catchUp();
  return { thoughts: await thoughtLines(reader, thoughtQueryIn(req)) };
};

const memories: RunAnswer = async ({ reader }, { req }) => {
  await reader.catchUp();
  return { memories: memoryLines(reader, thoughtQueryIn(req)) };
};

const thoughtQueryIn = (req: Context["req"]) => ({
  agent: req.param("agent") ?? "",
  before: (seqIn(req, "at") ?? Infinity) + 1,
  limit: Math.min(numberIn(req.query("limit"), 10), THOUGHTS_MAX),
});

const conversation: RunAnswer = ({ reader }, { req }) => {
  const agent = reader.at(seqIn(req, "at")).state.agents.get(asId(req.param("agent") ?? ""));
  const limit = Math.min(numberIn(req.query("limit"), 10), MESSAGES_MAX);
  return conversationView(agent?.mind ?? null, limit);
};

const artifacts: RunAnswer = ({ reader }, { req }) => {
  const moment = reader.at(seqIn(req, "at"));
  const rows = artifactRows(moment, reader.earlier);
  const textOf = ({ id, type, owner, deleted }: ArtifactRow): string =>
    `${id} ${type} ${owner} ${deleted ? "deleted" : "live"}`;
  return { ...rowPage(rows, req, textOf), at_ms: moment.atMs };
};

const artifact: RunAnswer = ({ reader }, { req }) => {
  const moment = reader.at(seqIn(req, "at"));
  const id = req.param("artifact") ?? "";
  const version = numberIn(req.query("version"), 0) || null;
  const report = artifactReport(reader.journal, moment.state, { id, version, upTo: moment.seq });
  if (typeof report === "string") return report;
  const versions = report.versions.filter((each) => each.version <= report.last_version);
  return { ...report, versions, ...artifactExtras(moment, id) };
};

const spanOf = ({ base }: RunReader, { seq: upTo, atMs: toMs }: StateAt): Span => {
  return { after: base.seq, upTo, fromMs: base.at_ms, toMs };
};

const agentHistory: RunAnswer = async ({ reader }, { req }) => {
  const period = await requestedPeriod(reader, req);
  const { journal, earlier } = reader;
  const span = spanOf(reader, reader.at(seqIn(req, "at")));
  const agent = req.param("agent") ?? "";
  return agentOverTime(journal, agent, span, earlier, period);
};

const artifactHistory: RunAnswer = ({ reader }, { req }) => {
  const { journal, earlier } = reader;
  const span = spanOf(reader, reader.at(seqIn(req, "at")));
  return artifactOverTime(journal, req.param("artifact") ?? "", span, earlier);
};

const trail: RunAnswer = async ({ reader }, { req }) =>
  moneyTrail(reader.journal, {
    principal: req.param("agent") ?? "",
    upTo: seqIn(req, "at"),
    limit: Math.min(numberIn(req.query("limit"), 5), STEPS_MAX),
    payment: seqIn(req, "payment"),
    momentIdOf: momentIds(reader.journal, await reader.moments.histories()),
  });

const books: RunAnswer = async ({ reader }, { req }) => {
  await reader.catchUp();
  return booksView(reader, reader.at(seqIn(req, "at")));
};

const messages: RunAnswer = async ({ reader }, { req }) => {
  await reader.catchUp();
  const { state, seq: upTo } = reader.at(seqIn(req, "at"));
  const all = messagesIn(reader.journal, { state, upTo, inherited: reader.earlier });
  const limit = Math.min(numberIn(req.query("limit"), 20), THREADS_MAX);
  return threadsOf(all, textIn(req.query("of")), limit);
};

const reviews: RunAnswer = async ({ reader }, { req }) => {
  await reader.catchUp();
  const { state, seq: upTo } = reader.at(seqIn(req, "at"));
  const limit = Math.min(numberIn(req.query("limit"), 20), REVIEWED_MAX);
  return reviewsIn(reader.journal, { state, upTo, inherited: reader.earlier, limit });
};

/** The ids of all agents, including agents that have stopped. */
const names: RunAnswer = ({ reader }) => ({
  agents: [...reader.now.state.agents.rows()].map(({ id }) => id),
});

const marks: RunAnswer = async ({ reader }) => {
  await reader.catchUp();
  return reader.marks.marks(reader.base.at_ms, reader.now.atMs);
};

const moment: RunAnswer = ({ reader }, { req }) => {
  const text = req.query("at") ?? "";
  const asked = parseMoment(text);
  if (asked === null) {
    const wanted = "write a time such as 300s or 2:30, or an event such as event:500";
    return `"${text}" is not a moment; ${wanted}`;
  }
  const found = positionOf(reader.journal, asked);
  return found.ok ? { seq: found.position.seq, at_ms: found.position.atMs } : found.problem;
};

const ANSWERS: readonly RunRoute[] = [
  ["", ({ tick }) => tick()],
  ["/metrics", metrics],
  ["/overview", overview],
  ["/figures", figures],
  ["/agents", onState(agents)],
  ["/agents/:agent", onState(agent)],
  ["/agents/:agent/turn", turn],
  ["/agents/:agent/thoughts", thoughts],
  ["/agents/:agent/memories", memories],
  ["/agents/:agent/conversation", onState(conversation)],
  ["/agents/:agent/trail", trail],
  ["/artifacts", onState(artifacts)],
  ["/artifacts/:artifact", onState(artifact)],
  ["/books", onState(books)],
  ["/messages", onState(messages)],
  ["/reviews", onState(reviews)],
  ["/agents/:agent/history", agentHistory],
  ["/artifacts/:artifact/history", artifactHistory],
  ...MOMENT_ROUTES,
  ...PERIOD_ROUTES,
  ["/names", names],
  ["/marks", marks],
  ["/moment", moment],
  ...EVENT_ROUTES,
  [
    "/calls/:call",
    async ({ reader }, { req }) =>
      (await reader.calls.text(numberIn(req.param("call"), 0))) ?? "this call does not exist",
  ],
];
