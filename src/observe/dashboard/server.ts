import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { setCookie } from "hono/cookie";
import { cookieAt, guarded, isLoopback, isSame, withHeaders } from "./guard.ts";
import type { LiveLink } from "./live-link.ts";
import { OpenRuns } from "./open-runs.ts";
import { orderIn } from "./order.ts";
import { dashboardBundle, ICON_SVG, PAGE_HTML } from "./page-files.ts";
import { parsedJson } from "./parsed-json.ts";
import { readingRoutes } from "./routes.ts";
import type { RunShelf } from "./run-shelf.ts";

export type DashboardParts = {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly shelf: RunShelf;
  /** A run that can be controlled; null: none. */
  readonly live: LiveLink | null;
};

/** A dashboard that can be looked at. */
export type Dashboard = {
  /**
   * Where a run is shown, or the list of all for null; with the token where it is needed: for
   * whoever may control the run, and nobody else.
   */
  readonly addressOf: (runId: string | null) => string;
  readonly close: () => Promise<void>;
};

type DashboardStarted =
  | { readonly ok: true; readonly dashboard: Dashboard }
  | ({ readonly ok: false } & DashboardTrouble);

/** Why there is no dashboard, and what of what was asked for cannot be; null: neither. */
export type DashboardTrouble = {
  readonly problem: string;
  readonly wrong: "port" | "host" | null;
};

/**
 * Serves the page of runs until it is closed, or says in a line why it cannot. The cure is for the
 * caller to name, who knows how the port and the host were asked for.
 */
export const startDashboard = async (parts: DashboardParts): Promise<DashboardStarted> => {
  const { host, port } = parts;
  const token = randomBytes(24).toString("base64url");
  const runs = new OpenRuns(parts.shelf, parts.live);
  const { fetch } = appOf(parts, { runs, token });
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false });
  const listening = Promise.withResolvers<null | NodeJS.ErrnoException>();
  server.once("error", (error) => listening.resolve(error));
  server.listen(port, host, () => listening.resolve(null));
  const trouble = await listening.promise;
  if (trouble !== null) return notStarted(parts, trouble);
  return {
    ok: true,
    dashboard: {
      addressOf: (runId) => addressOf(parts, { token, runId, bound: server.address() }),
      close: async () => {
        await Promise.race([runs.end(), setTimeout(PARTING_MS, undefined, { ref: false })]);
        await ended(server);
        runs.close();
      },
    },
  };
};

/** So long those who look on may take to hear that it is over. */
const PARTING_MS = 500;

/** What has been said goes out first; then whoever still listens is cut off. */
const ended = async (server: ReturnType<typeof createAdaptorServer>): Promise<void> => {
  const over = Promise.withResolvers<void>();
  server.close(() => over.resolve());
  if (!("closeAllConnections" in server)) return await over.promise;
  server.closeIdleConnections();
  await Promise.race([over.promise, setTimeout(PARTING_MS / 5, undefined, { ref: false })]);
  server.closeAllConnections();
  await over.promise;
};

type Secrets = { readonly runs: OpenRuns; readonly token: string };

/** All answers there are, each behind the guard. */
const appOf = (parts: DashboardParts, { runs, token }: Secrets): Hono => {
  const { host, shelf, live } = parts;
  const app = new Hono();
  app.use(withHeaders);
  app.use(
    guarded({ host, hostNames: [hostname(), host].map((name) => name.toLowerCase()), token }),
  );
  app.get("/", (context) => {
    const given = context.req.query("token");
    if (given === undefined || isLoopback(host)) return context.html(PAGE_HTML);
    if (!isSame(given, token)) return context.json({ problem: "this is not the token" }, 401);
    setCookie(context, cookieAt(context.req.header("host")), token, {
      httpOnly: true,
      sameSite: "Strict",
      path: "/",
    });
    // A browser keeps what stands behind the `#` of the address that it came from.
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
  app.get("/api/runs", (context) =>
    context.json({ runs: shelf.list(), live: live?.runId() ?? null }),
  );
  app.post("/api/order", async (context) => {
    if (live === null) return context.json({ problem: "no run is controlled from here" }, 409);
    const order = orderIn(await bodyOf(context.req.text()));
    if (order === null) return context.json({ problem: "this is no order" }, 400);
    return context.json(await live.carryOut(order));
  });
  app.route("/api", readingRoutes(runs));
  app.notFound((context) => context.json({ problem: "there is nothing here" }, 404));
  return app;
};

const ORDER_CHARS_MAX = 1_000;

/** What a request says in JSON; null for what is none. */
const bodyOf = async (reading: Promise<string>): Promise<unknown> => {
  const text = await reading;
  return text.length > ORDER_CHARS_MAX ? null : parsedJson(text);
};

type Bound = {
  readonly token: string;
  readonly runId: string | null;
  readonly bound: AddressInfo | string | null;
};

/** What is needed stands behind the `#`, which a browser tells nobody. */
const addressOf = ({ host, live }: DashboardParts, { token, runId, bound }: Bound): string => {
  const port = bound !== null && typeof bound === "object" ? bound.port : 0;
  const name = host === "0.0.0.0" || host === "::" ? hostname() : host;
  const place = `http://${name.includes(":") ? `[${name}]` : name}:${port}/`;
  const view = runId === null ? "#/" : `#/runs/${encodeURIComponent(runId)}`;
  const admission = isLoopback(host) ? "" : `?token=${token}`;
  const control = live === null ? "" : `?token=${token}`;
  return `${place}${admission}${view}${control}`;
};

const notStarted = (
  { host, port }: DashboardParts,
  { code, message }: NodeJS.ErrnoException,
): DashboardStarted => {
  switch (code) {
    case "EADDRINUSE":
      return not(`port ${port} of ${host} is taken`, "port");
    case "EACCES":
      return not(`port ${port} of ${host} may not be used, as those above 1023 may`, "port");
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return not(`${host} is no address of this machine`, "host");
    default:
      return not(`no dashboard on ${host}:${port}: ${message}`, null);
  }
};

const not = (problem: string, wrong: DashboardTrouble["wrong"]): DashboardStarted => ({
  ok: false,
  problem,
  wrong,
});
