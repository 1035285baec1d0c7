import { hostname } from "node:os";
import { Hono } from "hono";
import {
  isLoopback,
  type Listening,
  type ListenPlace,
  type ListenProblem,
  listen,
  withHeaders,
  withOrigin,
} from "../serving/index.ts";

/** What a process tells the programs that watch it. */
export type Monitored = {
  /** The metrics in the text format of Prometheus. */
  readonly metrics: () => string | Promise<string>;
  /** Why the process must be started again, in one line. Null: it works. */
  readonly whyNotAlive: () => Promise<string | null>;
  /** Why the process does not do its work now, in one line. Null: it does. */
  readonly whyNotReady: () => string | null;
};

export type MonitorStarted =
  | { readonly ok: true; readonly monitor: Listening }
  | ({ readonly ok: false } & ListenProblem);

/** The type of the text that Prometheus reads. */
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Serves `/metrics`, `/healthz` and `/readyz`. Both health checks answer 200, or 503 with one line
 * that says why. Nothing that is served has secrets, texts of agents or names of agents, so no
 * token is needed. Returns a problem if the server cannot listen.
 */
export const startMonitor = async (
  place: ListenPlace,
  monitored: Monitored,
): Promise<MonitorStarted> => {
  const listening = await listen(place, appOf(place, monitored).fetch);
  return listening.ok ? { ok: true, monitor: listening.server } : listening;
};

const appOf = ({ host }: ListenPlace, { metrics, whyNotAlive, whyNotReady }: Monitored): Hono => {
  const app = new Hono();
  app.use(withHeaders);
  // In a cluster, a probe can use any name of this host. A web page reaches only this machine.
  if (isLoopback(host)) app.use(withOrigin({ host, hostNames: [hostname()] }));
  app.get("/metrics", async (context) =>
    context.body(await metrics(), 200, { "Content-Type": METRICS_TYPE }),
  );
  app.get("/healthz", async (context) => {
    const problem = await whyNotAlive();
    return context.text(`${problem ?? "alive"}\n`, problem === null ? 200 : 503);
  });
  app.get("/readyz", (context) => {
    const problem = whyNotReady();
    return context.text(`${problem ?? "ready"}\n`, problem === null ? 200 : 503);
  });
  app.notFound((context) => context.text("see /metrics, /healthz or /readyz\n", 404));
  // Hono's own handler prints a stack trace.
  app.onError((error, context) => context.text(`${error.message}\n`, 500));
  return app;
};
