import { type Context, Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { errorMessage } from "../../kernel/index.ts";
import type { OperatorCommand, OperatorOutcome, Pace } from "../../run/index.ts";
import {
  type RunOpened,
  type RunReader,
  type RunStore,
  type ServedRun,
  type Tick,
  tickOf,
} from "../routes/index.ts";

/** The connection to a run that this process executes. */
export type LiveLink = {
  /** Returns the id of the run, or null before the run has started. */
  readonly runId: () => string | null;
  readonly pace: () => Pace;
  /** Calls `listener` on each change of pace. Returns a function that removes the listener. */
  readonly onPace: (listener: (pace: Pace) => void) => () => void;
  readonly execute: (order: OperatorCommand) => Promise<OperatorOutcome>;
};

const POLL_EVERY_MS = 500;
/** The minimum time between two reads of the status. Each read opens a file of the run. */
const STATUS_EVERY_MS = 2_000;

type FeedViewer = {
  readonly send: (tick: Tick) => Promise<void>;
  readonly end: () => Promise<void>;
};

type FeedParts = {
  readonly runId: string;
  readonly reader: RunReader;
  readonly store: RunStore;
  readonly live: LiveLink | null;
};

/** Pushes the ticks of one run to its followers. */
export class LiveFeed {
  readonly #parts: FeedParts;
  readonly #followers = new Set<() => void>();
  readonly #unlisten: () => void;
  #status: Tick["status"] = "unknown";
  #isEnding = false;
  #onEmpty: (() => void) | null = null;
  #statusAtMs = Number.NEGATIVE_INFINITY;
  #isStepping = false;
  #steps = 0;

  constructor(parts: FeedParts) {
    this.#parts = parts;
    this.#unlisten = parts.live?.onPace((pace) => this.#paceChanged(pace)) ?? (() => {});
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    if (this.#followers.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEmpty = resolve;
    for (const wake of this.#followers) wake();
    await promise;
  }

  close(): void {
    this.#unlisten();
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  tick(): Tick {
    const pace = this.#link()?.pace() ?? null;
    return tickOf(this.#parts.reader, { status: this.#statusNow(), pace, steps: this.#steps });
  }

  /** Sends new ticks until `signal` aborts or the feed ends. Calls `end` only if the feed ends. */
  async follow({ send, end }: FeedViewer, signal: AbortSignal): Promise<void> {
    let endPause = (): void => {};
    const wake = (): void => endPause();
    this.#followers.add(wake);
    signal.addEventListener("abort", wake, { once: true });
    try {
      // Without followers, nothing has read the last events.
      if (this.#parts.reader.isBehind) await this.#parts.reader.catchUp();
      let sent = "";
      while (!signal.aborted && !this.#isEnding) {
        const tick = this.tick();
        const text = JSON.stringify(tick);
        if (text !== sent) await send(tick);
        sent = text;
        if (!signal.aborted && !this.#isEnding) {
          const pause = Promise.withResolvers<void>();
          endPause = pause.resolve;
          const timer = setTimeout(endPause, POLL_EVERY_MS);
          await pause.promise;
          clearTimeout(timer);
        }
        await this.#parts.reader.catchUp();
      }
      if (signal.aborted) return;
      this.#statusAtMs = Number.NEGATIVE_INFINITY;
      await send(this.tick());
      await end();
    } finally {
      this.#followers.delete(wake);
      if (this.#followers.size === 0) this.#onEmpty?.();
    }
  }

  /** Counts the steps, because a step can end before a tick shows its beginning. */
  #paceChanged(pace: Pace): void {
    if (this.#isStepping && pace === "paused") this.#steps += 1;
    this.#isStepping = pace === "stepping";
    for (const wake of this.#followers) wake();
  }

  /** Returns the live link if it is for this run, else null. The run may start after the feed. */
  #link(): LiveLink | null {
    const { live, runId } = this.#parts;
    return live?.runId() === runId ? live : null;
  }

  #statusNow(): Tick["status"] {
    const { store, runId } = this.#parts;
    const link = this.#link();
    if (link !== null && link.pace() !== "over") return "running";
    const now = performance.now();
    if (now - this.#statusAtMs < STATUS_EVERY_MS) return this.#status;
    this.#statusAtMs = now;
    this.#status = store.statusOf(runId);
    return this.#status;
  }
}

type FedRuns = {
  readonly open: (id: string) => RunOpened<ServedRun & { readonly feed: LiveFeed }>;
};

/** The route that pushes the ticks of a run. */
export const liveRoutes = (runs: FedRuns): Hono => {
  const app = new Hono();
  app.get("/runs/:run/live", (context) => feedResponse(runs, context));
  return app;
};

const feedResponse = (runs: FedRuns, context: Context): Response => {
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
