import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { setCookie } from "hono/cookie";
import { jsonIn } from "../../kernel/index.ts";
import { COMMAND_FORMS, operatorCommand } from "../../run/index.ts";
import { isSameToken } from "../../seats/index.ts";
import { keptBundle } from "../html/page-bundle.ts";
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
import { type LiveLink, OpenRuns, RunSummaries } from "./open-runs.ts";
import { PlayedSeats } from "./played-seats.ts";

export type DashboardParts = ListenPlace & {
  readonly store: RunStore;
  /** True if only those with a token can read, also on this machine. */
  readonly isPrivate?: boolean;
  /** The run that the page can control, or null. */
  readonly live: LiveLink | null;
};

export type Dashboard = {
  /** The URL of a run (null: of the list). Keep the URL secret, because it can contain a token. */
  readonly addressOf: (runId: string | null) => string;
  /** The URL of the experiment that made the runs. As secret as that of a run. */
  readonly experimentAddress: () => string;
  /** The URL of the page on which a person plays a seat. Opens that seat only. */
  readonly seatAddressOf: (runId: string, seat: { agent: string; token: string }) => string;
  readonly close: () => Promise<void>;
};

export type DashboardStarted =
  | { readonly ok: true; readonly dashboard: Dashboard }
  | ({ readonly ok: false } & ListenProblem);

/** Starts the dashboard's server. Returns a problem if the server cannot listen. */
export const startDashboard = async (parts: DashboardParts): Promise<DashboardStarted> => {
  const { host, store, live, isPrivate = false } = parts;
  const token = randomBytes(24).toString("base64url");
  const runs = new OpenRuns(store, live);
  const seats = new PlayedSeats({ store, token });
  const summaries = new RunSummaries(store);
  /** The run of the last address that this server was asked for. A page most likely shows it. */
  let named: string | null = null;

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
  const file = (path: string, type: string, text: () => string | Promise<string>): void => {
    app.get(path, async (context) => context.body(await text(), 200, { "Content-Type": type }));
  };
  file(
    "/page.js",
    "text/javascript; charset=utf-8",
    async () => (await keptBundle("dashboard")).script,
  );
  file("/page.css", "text/css; charset=utf-8", async () => (await keptBundle("dashboard")).style);
  file("/icon.svg", "image/svg+xml", () => ICON_SVG);
  app.route("/api", seats.routes(COMMAND_LIMIT));
  // The files of the page contain no data of a run, and a player needs them.
  app.use(withToken(rules));
  app.post("/api/command", COMMAND_LIMIT, async (context) => {
    if (live === null) return context.json({ problem: "this dashboard cannot control a run" }, 409);
    const { data: command } = operatorCommand.safeParse(jsonIn(await context.req.text()));
    if (command === undefined)
      return context.json({ problem: `invalid command; send ${COMMAND_FORMS.join(", ")}` }, 400);
    return context.json(await live.execute(command));
  });
  const folder = {
    list: () => ({
      runs: store.list(),
      live: live?.runId() ?? null,
      experiment: store.experiment.head(),
    }),
    summaryOf: (run: string) => summaries.of(run),
    experiment: () => store.experiment.shown(),
    trajectories: (wanted: readonly string[]) => store.experiment.trajectories(wanted),
  };
  app.route("/api", readingRoutes(runs, folder));
  app.notFound((context) => context.json({ problem: "not found" }, 404));
  // Hono's own handler prints a stack trace, also when a client closes the connection.
  app.onError((error, context) => context.json({ problem: error.message }, 500));

  const listening = await listen(parts, app.fetch);
  if (!listening.ok) return listening;
  const { server } = listening;
  /** Browsers send the token in the query, but never the token in the fragment. */
  const addressOf = (view: string): string => {
    const admission = isLoopback(host) ? "" : `?token=${token}`;
    const control = live === null ? "" : `?token=${token}`;
    return `${server.url}${admission}${view}${control}`;
  };
  return {
    ok: true,
    dashboard: {
      addressOf: (runId) => {
        named = runId;
        return addressOf(runId === null ? "#/" : `#/runs/${encodeURIComponent(runId)}`);
      },
      experimentAddress: () => addressOf("#/experiment"),
      seatAddressOf: (runId, { agent, token: own }) => {
        const path = [runId, "seat", agent].map(encodeURIComponent).join("/");
        return `${server.url}#/runs/${path}?token=${own}`;
      },
      close: async () => {
        seats.close();
        summaries.close();
        await runs.end();
        await server.close();
        runs.close();
      },
    },
  };
};

/** Reads a run while the browser loads the page, which asks for the run a moment later. */
const readAhead = async (runs: OpenRuns, runId: string | null): Promise<void> => {
  try {
    // Reading first would make the page wait for its script.
    await keptBundle("dashboard");
  } catch {
    // The page gets the problem as the answer to its own request.
    return;
  }
  if (runId === null) return;
  const opened = runs.open(runId);
  if (opened.ok) await opened.run.reader.read(() => opened.run.reader.catchUp());
};

/** An edited action of 200,000 characters has fewer bytes, also with three for each character. */
const COMMAND_BYTES_MAX = 610_000;
const COMMAND_LIMIT = bodyLimit({
  maxSize: COMMAND_BYTES_MAX,
  onError: (context) =>
    context.json({ problem: `a command has at most ${COMMAND_BYTES_MAX} bytes` }, 413),
});

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
