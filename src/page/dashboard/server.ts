import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { setCookie } from "hono/cookie";
import { COMMAND_FORMS, type OperatorCommand, operatorCommand } from "../../run/index.ts";
import { isSameToken } from "../../seats/index.ts";
import { type PageBundle, pageBundle } from "../html/page-bundle.ts";
import { type RunStore, readingRoutes } from "../routes/index.ts";
import {
  cookieAt,
  isLoopback,
  type ListenPlace,
  type ListenProblem,
  listen,
  withHeaders,
  withOrigin,
  withToken,
} from "../serving/index.ts";
import { type LiveLink, liveRoutes } from "./live-feed.ts";
import { OpenRuns, RunSummaries } from "./open-runs.ts";
import { PlayedSeats } from "./played-seats.ts";

export type DashboardParts = ListenPlace & {
  readonly store: RunStore;
  /** True if only those with a token can read, also on this machine. */
  readonly isPrivate?: boolean;
  /** The run that the page can control, or null. */
  readonly live: LiveLink | null;
};

type GivenSeat = { readonly agent: string; readonly token: string };

export type Dashboard = {
  /** The URL of a run (null: of the list). Keep the URL secret, because it can contain a token. */
  readonly addressOf: (runId: string | null) => string;
  /** The URL of the experiment that made the runs. As secret as that of a run. */
  readonly experimentAddress: () => string;
  /** The URL of the page on which a person plays a seat. Opens that seat only. */
  readonly seatAddressOf: (runId: string, seat: GivenSeat) => string;
  readonly close: () => Promise<void>;
};

export type DashboardStarted =
  | { readonly ok: true; readonly dashboard: Dashboard }
  | ({ readonly ok: false } & ListenProblem);

/** Starts the dashboard's server. Returns a problem if the server cannot listen. */
export const startDashboard = async (parts: DashboardParts): Promise<DashboardStarted> => {
  const token = randomBytes(24).toString("base64url");
  const runs = new OpenRuns(parts.store, parts.live);
  const named: Named = { runId: null };
  const seats = new PlayedSeats({ store: parts.store, token });
  const summaries = new RunSummaries(parts.store);
  const app = appOf(parts, { runs, seats, summaries, token, named });
  const listening = await listen(parts, app.fetch);
  if (!listening.ok) return listening;
  const { server } = listening;
  return {
    ok: true,
    dashboard: {
      addressOf: (runId) => {
        named.runId = runId;
        return addressOf(parts, { token, view: viewOf(runId), url: server.url });
      },
      experimentAddress: () => addressOf(parts, { token, view: EXPERIMENT, url: server.url }),
      seatAddressOf: (runId, seat) => `${server.url}${seatHash(runId, seat)}`,
      close: async () => {
        seats.close();
        summaries.close();
        await Promise.race([runs.end(), setTimeout(END_FEEDS_MS, undefined, { ref: false })]);
        await server.close();
        runs.close();
      },
    },
  };
};

const END_FEEDS_MS = 500;

/** The run of the last address that this server was asked for. A page most likely shows it. */
type Named = { runId: string | null };

/** Reads the named run while the browser loads the page, which asks for it a moment later. */
const readAhead = async (runs: OpenRuns, { runId }: Named): Promise<void> => {
  try {
    // Reading first would make the page wait for its script.
    await dashboardBundle();
  } catch {
    // The page gets the problem as the answer to its own request.
    return;
  }
  if (runId === null) return;
  const opened = runs.open(runId);
  if (opened.ok) await opened.run.reader.read(() => opened.run.reader.catchUp());
};

type Served = {
  readonly named: Named;
  readonly runs: OpenRuns;
  readonly seats: PlayedSeats;
  readonly summaries: RunSummaries;
  readonly token: string;
};

const appOf = (parts: DashboardParts, { runs, seats, summaries, token, named }: Served): Hono => {
  const { host, store, live, isPrivate = false } = parts;
  const app = new Hono();
  const hostNames = [hostname(), host].map((name) => name.toLowerCase());
  const rules = { host, hostNames, token, isPrivate };
  app.use(withHeaders);
  app.use(withOrigin(rules));
  app.get("/", (context) => {
    const given = context.req.query("token");
    if (given === undefined || isLoopback(host)) {
      void readAhead(runs, named);
      return context.html(PAGE_HTML);
    }
    if (!isSameToken(given, token))
      return context.json({ problem: "wrong token; open the address that sim printed" }, 401);
    setCookie(context, cookieAt(context.req.header("host")), token, {
      httpOnly: true,
      sameSite: "Strict",
      path: "/",
    });
    // Removes the token from the query. Browsers keep the fragment when they follow a redirect.
    return context.redirect("/", 303);
  });
  app.get("/page.js", async (context) => {
    const { script } = await dashboardBundle();
    return context.body(script, 200, { "Content-Type": "text/javascript; charset=utf-8" });
  });
  app.get("/page.css", async (context) => {
    const { style } = await dashboardBundle();
    return context.body(style, 200, { "Content-Type": "text/css; charset=utf-8" });
  });
  app.get("/icon.svg", (context) =>
    context.body(ICON_SVG, 200, { "Content-Type": "image/svg+xml" }),
  );
  app.route("/api", seats.routes(COMMAND_LIMIT));
  // The files of the page contain no data of a run, and a player needs them.
  app.use(withToken(rules));
  app.route("/api", listRoutes(parts, summaries));
  app.get("/api/experiment", (context) => {
    const shown = store.experiment.shown();
    if (shown.ok) return context.json(shown.experiment);
    return context.json({ problem: shown.problem }, 404);
  });
  app.get("/api/experiment/trajectories/:runs", (context) =>
    context.json(store.experiment.trajectories(context.req.param("runs").split(","))),
  );
  app.post("/api/command", COMMAND_LIMIT, async (context) => {
    if (live === null) return context.json({ problem: "this dashboard cannot control a run" }, 409);
    const command = commandIn(await context.req.text());
    if (command === null)
      return context.json({ problem: `invalid command; send ${COMMAND_FORMS.join(", ")}` }, 400);
    return context.json(await live.execute(command));
  });
  app.route("/api", readingRoutes(runs));
  app.route("/api", liveRoutes(runs));
  app.notFound((context) => context.json({ problem: "not found" }, 404));
  // Hono's own handler prints a stack trace, also when a client closes the connection.
  app.onError((error, context) => context.json({ problem: error.message }, 500));
  return app;
};

/** The list of runs, with the figures of one run at a time. */
const listRoutes = ({ store, live }: DashboardParts, summaries: RunSummaries): Hono => {
  const app = new Hono();
  app.get("/runs", (context) =>
    context.json({
      runs: store.list(),
      live: live?.runId() ?? null,
      experiment: store.experiment.head(),
    }),
  );
  app.get("/runs/:run/summary", async (context) => {
    const found = await summaries.of(context.req.param("run"));
    return found.ok ? context.json(found.summary) : context.json({ problem: found.problem }, 404);
  });
  return app;
};

/** An edited action of 200,000 characters has fewer bytes, also with three for each character. */
const COMMAND_BYTES_MAX = 610_000;
const COMMAND_LIMIT = bodyLimit({
  maxSize: COMMAND_BYTES_MAX,
  onError: (context) =>
    context.json({ problem: `a command has at most ${COMMAND_BYTES_MAX} bytes` }, 413),
});

/** Parses a command sent by the page. Returns null if the command is invalid. */
const commandIn = (text: string): OperatorCommand | null => {
  try {
    return operatorCommand.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

type Bound = {
  readonly token: string;
  /** The part of the URL after the place of the server. */
  readonly view: string;
  /** The URL of the server. */
  readonly url: string;
};

const EXPERIMENT = "#/experiment";

const viewOf = (runId: string | null): string =>
  runId === null ? "#/" : `#/runs/${encodeURIComponent(runId)}`;

/** Returns a URL. Browsers send the token in its query, but never the token in its fragment. */
const addressOf = ({ host, live }: DashboardParts, { token, view, url }: Bound): string => {
  const admission = isLoopback(host) ? "" : `?token=${token}`;
  const control = live === null ? "" : `?token=${token}`;
  return `${url}${admission}${view}${control}`;
};

const seatHash = (runId: string, { agent, token }: GivenSeat): string =>
  `#/runs/${[runId, "seat", agent].map(encodeURIComponent).join("/")}?token=${token}`;

const PAGE_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>catallaxy</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page.css">
<script src="/page.js" defer></script>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript. \`sim report\` prints the same figures.</noscript>
</body>
</html>
`;

const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<g fill="none" stroke="#3b7a6b" stroke-width="2.5">
<path d="M9 10 22 8M9 10l4 13M22 8l3 13M13 23l12-2M9 10l16 11"/></g>
<g fill="#3b7a6b"><circle cx="9" cy="10" r="4"/><circle cx="22" cy="8" r="3"/>
<circle cx="13" cy="23" r="3"/><circle cx="25" cy="21" r="4"/></g></svg>
`;

let bundle: Promise<PageBundle> | null = null;

const dashboardBundle = (): Promise<PageBundle> => {
  bundle ??= pageBundle("dashboard");
  return bundle;
};
