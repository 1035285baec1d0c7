import { type Context, Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { errorMessage } from "../../kernel/index.ts";
import type { OpenRuns } from "./open-runs.ts";

/** The route that pushes the ticks of a run. */
export const liveRoutes = (runs: OpenRuns): Hono => {
  const app = new Hono();
  app.get("/runs/:run/live", (context) => feedResponse(runs, context));
  return app;
};

const feedResponse = (runs: OpenRuns, context: Context): Response => {
  const opened = runs.open(context.req.param("run") ?? "");
  if (!opened.ok) return context.json({ problem: opened.problem }, opened.unknown ? 404 : 503);
  const { feed } = opened.run;
  // Without this check, a HEAD request would open a stream that never ends.
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
          send: (tick) => stream.writeSSE({ event: "tick", data: JSON.stringify(tick) }),
          end: () => stream.writeSSE({ event: "end", data: "" }),
        },
        over.signal,
      );
    },
    async (error, stream) => {
      await stream.writeSSE({ event: "problem", data: errorMessage(error) });
      await stream.close();
    },
  );
};
