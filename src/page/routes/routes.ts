import { Hono } from "hono";
import { type KeyFigures, momentOf, overviewOf } from "../../figures/index.ts";
import type { Result } from "../../kernel/index.ts";
import {
  COMPARED_MAX,
  type Compared,
  comparedFrom,
  compareRuns,
  messagesIn,
  reviewsIn,
  runJumps,
  threadsOf,
  withEdits,
} from "../../read/index.ts";
import { parseRunPoint, positionOf } from "../../world/index.ts";
import { AGENT_ROUTES } from "./agents.ts";
import { booksView } from "./books.ts";
import { EVENT_ROUTES } from "./events.ts";
import { MOMENT_ROUTES } from "./moments.ts";
import { PERIOD_ROUTES } from "./periods.ts";
import type { RunReader } from "./reader/run-reader.ts";
import type { RunSummary } from "./run-summary.ts";
import {
  numberIn,
  onState,
  type RunAnswer,
  type RunRoute,
  type ServedRun,
  type ServedRuns,
  seqIn,
  textIn,
} from "./served-run.ts";

const THREADS_MAX = 200;
const REVIEWED_MAX = 200;

/** What the routes tell of all runs of a folder, or of a published page. */
type RunsFolder = {
  readonly list: () => object;
  readonly summaryOf: (run: string) => Promise<Result<{ readonly summary: RunSummary }>>;
  readonly experiment: () => Result<{ readonly experiment: object }>;
  readonly trajectories: (runs: readonly string[]) => object | Promise<object>;
};

/** All routes that read runs. The routes respond to problems with status 404, 500 or 503. */
export const readingRoutes = (runs: ServedRuns, folder: RunsFolder): Hono => {
  const app = new Hono();
  app.get("/runs", (context) => context.json(folder.list()));
  app.get("/runs/:run/summary", async (context) => {
    const found = await folder.summaryOf(context.req.param("run"));
    return found.ok ? context.json(found.summary) : context.json({ problem: found.problem }, 404);
  });
  app.get("/experiment", (context) => {
    const shown = folder.experiment();
    return shown.ok
      ? context.json(shown.experiment)
      : context.json({ problem: shown.problem }, 404);
  });
  app.get("/experiment/trajectories/:runs", async (context) =>
    context.json(await folder.trajectories(context.req.param("runs").split(","))),
  );
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
      if (!found.ok) return found.problem;
      others.push(found.compared);
    }
    const one = compared(run);
    return one.ok ? compareRuns(one.compared, others) : one.problem;
  },
];

const compared = ({ id, reader, settings }: ServedRun): ReturnType<typeof comparedFrom> =>
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
  const asked = parseRunPoint(text);
  if (asked === null) {
    const wanted = "write a time such as 300s or 2:30, or an event such as event:500";
    return `"${text}" is not a moment; ${wanted}`;
  }
  const found = positionOf(reader.journal, asked);
  return found.ok ? { seq: found.position.seq, at_ms: found.position.atMs } : found.problem;
};

/** The first tick of a run does not wait until the run is read, so that a page appears at once. */
const tick: RunAnswer = async ({ reader, tick }, { req }) => {
  const { firstSeq, lastSeq } = reader.index;
  const reading = reader.catchUp();
  if (lastSeq >= firstSeq) await reading;
  // The next tick says why reading fails.
  else reading.then(undefined, () => {});
  return tick(textIn(req.query("page")));
};

const ANSWERS: readonly RunRoute[] = [
  ["", tick],
  ["/metrics", metrics],
  ["/overview", overview],
  ["/figures", figures],
  ...AGENT_ROUTES,
  ["/books", onState(books)],
  ["/messages", onState(messages)],
  ["/reviews", onState(reviews)],
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
