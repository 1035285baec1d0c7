import { type Context, Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { endsAction } from "../../kernel/index.ts";
import { decodeJson, type JournalRow } from "../../world/index.ts";
import { artifactReport } from "../artifact-report.ts";
import { moneyTrail } from "../trail/index.ts";
import { agentRows, agentView } from "./agents-view.ts";
import { artifactExtras, artifactRows } from "./artifacts-view.ts";
import { booksView } from "./books-view.ts";
import { comparisonOf } from "./comparing.ts";
import type { OpenRun, OpenRuns } from "./open-runs.ts";
import { overviewOf } from "./overview.ts";
import { rowPage } from "./row-page.ts";
import { memoryLines, rowAt, thoughtLines } from "./thoughts-view.ts";
import { numberIn, rowWishIn, seqIn, textIn } from "./wishes.ts";

const EVENTS_MAX = 500;
const THOUGHTS_MAX = 50;
const STEPS_MAX = 50;

/** An object, or in one line why there is none. */
type Answer = (run: OpenRun, context: Context) => Promise<object | string> | object | string;
type Route = readonly [path: string, answer: Answer];

/** Everything that can be read of runs. What cannot be told is said in a line. */
export const readingRoutes = (runs: OpenRuns): Hono => {
  const app = new Hono();
  for (const [path, answer] of [...ANSWERS, comparing(runs)]) {
    app.get(`/runs/:run${path}`, async (context) => {
      const opened = runs.open(context.req.param("run"));
      if (!opened.ok) {
        return context.json({ problem: opened.problem }, opened.unknown ? 404 : 503);
      }
      const answered = await answer(opened.run, context);
      if (typeof answered === "string") return context.json({ problem: answered }, 404);
      return context.json(answered);
    });
  }
  app.get("/runs/:run/live", (context) => {
    const opened = runs.open(context.req.param("run"));
    return opened.ok
      ? fed(context, opened.run)
      : context.json({ problem: opened.problem }, opened.unknown ? 404 : 503);
  });
  app.onError((error, context) => context.json({ problem: error.message }, 500));
  return app;
};

/** Says when there is something new, for as long as somebody listens. */
const fed = (context: Context, { feed }: OpenRun): Response => {
  // Whoever asks for the head alone never ends what would be streamed.
  if (context.req.method === "HEAD") {
    return context.body(null, 200, { "Content-Type": "text/event-stream" });
  }
  return streamSSE(
    context,
    async (stream) => {
      const over = new AbortController();
      stream.onAbort(() => over.abort());
      await feed.follow(
        {
          tell: (tick) => stream.writeSSE({ event: "tick", data: JSON.stringify(tick) }),
          end: () => stream.writeSSE({ event: "end", data: "" }),
        },
        over.signal,
      );
    },
    // A journal that is damaged ends the feed; the answers to questions say what is wrong.
    async (_, stream) => stream.close(),
  );
};

const comparing = (runs: OpenRuns): Route => [
  "/compare/:other",
  ({ id }, { req }) => comparisonOf(runs, id, req.param("other") ?? ""),
];

/** For what is read of the world, which has to be there. */
const onState =
  (answer: Answer): Answer =>
  (run, context) =>
    run.reader.at(seqIn(context.req, "at")).state.whole.has("world")
      ? answer(run, context)
      : "the world was not created yet";

const agents: Answer = ({ reader }, { req }) =>
  rowPage(
    agentRows(reader.at(seqIn(req, "at")), reader.earlier),
    rowWishIn(req),
    ({ id, standing, reason }) => [id, standing, reason].join(" "),
  );

const agent: Answer = ({ reader }, { req }) => {
  const name = req.param("agent") ?? "";
  const moment = reader.at(seqIn(req, "at"));
  return agentView(moment, name, reader.earlier) ?? "there is no such agent at this moment";
};

const thoughts: Answer = async ({ reader }, { req }) => {
  await reader.catchUp();
  return { thoughts: thoughtLines(reader, wishOf(req)) };
};

const memories: Answer = async ({ reader }, { req }) => {
  await reader.catchUp();
  return { memories: memoryLines(reader, wishOf(req)) };
};

const wishOf = (req: Context["req"]) => ({
  agent: req.param("agent") ?? "",
  before: Math.min(seqIn(req, "before") ?? Infinity, (seqIn(req, "at") ?? Infinity) + 1),
  limit: Math.min(numberIn(req.query("limit"), 10), THOUGHTS_MAX),
});

const artifacts: Answer = ({ reader }, { req }) =>
  rowPage(artifactRows(reader.at(seqIn(req, "at")), reader.earlier), rowWishIn(req), (row) =>
    [row.id, row.type, row.owner, row.deleted ? "deleted" : "live"].join(" "),
  );

const artifact: Answer = ({ reader }, { req }) => {
  const moment = reader.at(seqIn(req, "at"));
  const id = req.param("artifact") ?? "";
  const asked = numberIn(req.query("version"), 0);
  const wanted = { id, version: asked === 0 ? null : asked, upTo: moment.seq };
  const report = artifactReport(reader.journal, moment.state, wanted);
  if (typeof report === "string") return report;
  const versions = report.versions.filter(({ version }) => version <= report.last_version);
  return { ...report, versions, ...artifactExtras(moment, id) };
};

/** How many events there are of each kind. */
const kinds: Answer = async ({ reader }) => {
  await reader.catchUp();
  return Object.fromEntries([...reader.index.counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

const events: Answer = async ({ reader }, { req }) => {
  const { index, journal } = reader;
  const upTo = seqIn(req, "at") ?? reader.now.seq;
  const wish = {
    kind: textIn(req.query("kind")),
    principal: textIn(req.query("principal")),
    text: req.query("text") ?? "",
  };
  const limit = Math.min(numberIn(req.query("limit"), 100), EVENTS_MAX);
  const offset = numberIn(req.query("offset"), 0);
  if (wish.kind === null && wish.principal === null && wish.text === "") {
    const total = Math.max(0, Math.min(upTo, reader.now.seq) - index.firstSeq + 1);
    const after = index.firstSeq - 1 + offset;
    const rows = [...journal.events({ after, upTo, limit })].map(eventOf);
    return { total, events: rows };
  }
  await reader.catchUp();
  const list = await reader.list(wish);
  const total = list.total(upTo);
  const seqs = list.slice(offset, Math.min(total, offset + limit));
  const rows = seqs.map((seq) => rowAt(reader, seq)).filter((row) => row !== null);
  return { total, events: rows.map(eventOf) };
};

const eventOf = ({ seq, atMs, kind, principal, body }: JournalRow) => ({
  seq,
  at_ms: atMs,
  kind,
  principal,
  body: decodeJson(body),
});

const metrics: Answer = ({ reader }, { req }) => reader.metrics(seqIn(req, "at"));

const overview: Answer = async ({ reader }, { req }) =>
  overviewOf(await reader.metrics(seqIn(req, "at")), reader.base);

const trail: Answer = ({ reader }, { req }) =>
  moneyTrail(reader.journal, {
    principal: req.param("agent") ?? "",
    upTo: seqIn(req, "at"),
    limit: Math.min(numberIn(req.query("limit"), 5), STEPS_MAX),
  });

const books: Answer = async ({ reader }, { req }) => {
  await reader.catchUp();
  return booksView(reader, reader.at(seqIn(req, "at")));
};

/** Who is an agent: agents stay, so that those of now are all there ever were. */
const names: Answer = ({ reader }) => ({
  agents: [...reader.now.state.agents.rows()].map(({ id }) => id),
});

const event: Answer = ({ reader }, { req }) => {
  const row = rowAt(reader, numberIn(req.param("seq"), 0));
  return row === null ? "there is no such event" : eventOf(row);
};

/** So far back an action is looked for: a call of many programs has so many events at most. */
const ACTION_EVENTS = 2_000;

const lastAction: Answer = async ({ reader }) => {
  await reader.catchUp();
  const after = Math.max(0, reader.now.seq - ACTION_EVENTS);
  const row = [...reader.journal.events({ after, upTo: reader.now.seq })].findLast(endsAction);
  return row === undefined ? "nobody has done anything yet" : eventOf(row);
};

const call: Answer = ({ reader }, { req }) =>
  reader.calls.text(numberIn(req.param("call"), 0)) ?? "there is no such call";

const ANSWERS: readonly Route[] = [
  ["", ({ feed }) => feed.tick()],
  ["/metrics", metrics],
  ["/overview", overview],
  ["/agents", onState(agents)],
  ["/agents/:agent", onState(agent)],
  ["/agents/:agent/thoughts", thoughts],
  ["/agents/:agent/memories", memories],
  ["/agents/:agent/trail", trail],
  ["/artifacts", onState(artifacts)],
  ["/artifacts/:artifact", onState(artifact)],
  ["/books", onState(books)],
  ["/names", names],
  ["/kinds", kinds],
  ["/events", events],
  ["/events/:seq", event],
  ["/last-action", lastAction],
  ["/calls/:call", call],
];
