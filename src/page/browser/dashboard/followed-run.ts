import type { Tick } from "../../routes/index.ts";

export type Live = {
  readonly tick: Tick | null;
  readonly isConnected: boolean;
  /** True if the server has ended the feed. */
  readonly isOver: boolean;
  /** Why the server cannot read the run any more, or null. */
  readonly problem: string | null;
};

export type SetLive = (next: Live | ((before: Live) => Live)) => void;

export const NOTHING: Live = { tick: null, isConnected: true, isOver: false, problem: null };

/**
 * The most streams of one browser. A browser has six connections to a host, and each stream keeps
 * one. With more streams, no request of any tab would have an answer.
 */
const STREAMS_MAX = 3;
/** How often a page without a stream asks for the tick. */
const ASK_EVERY_MS = 1_000;

type FollowParts = {
  /** The path of the run at the server. */
  readonly path: string;
  readonly set: SetLive;
  readonly signal: AbortSignal;
  /**
   * Asks for the present tick. `problem` says why the server cannot read the run. Both are null if
   * the server does not respond.
   */
  readonly askTick: () => Promise<Pick<Live, "tick" | "problem">>;
};

/**
 * Follows a run until `signal` aborts: by a stream, or by requests as long as other pages of this
 * browser have all streams. Resolves earlier if the server ends the stream of any of these pages.
 */
export const followRun = async (parts: FollowParts): Promise<void> => {
  const { path, set, signal, askTick } = parts;
  const ended = new AbortController();
  // A page without a stream cannot ask a server that has ended for the last tick.
  const pages = new BroadcastChannel(`catallaxy ${path}`);
  pages.addEventListener("message", ({ data }: MessageEvent<Live>) => {
    ended.abort();
    set(data);
  });
  const over = AbortSignal.any([signal, ended.signal]);
  let shown = "";
  while (!over.aborted) {
    if (await inFreeStream(() => streamed({ ...parts, signal: over }, pages))) break;
    const { tick, problem } = await askTick();
    if (over.aborted) break;
    if (problem !== null) {
      set((before) => ({ ...before, problem }));
      break;
    }
    const text = JSON.stringify(tick);
    if (tick === null) set((before) => ({ ...before, isConnected: false }));
    else if (text !== shown) set({ ...NOTHING, tick });
    shown = text;
    await pause(ASK_EVERY_MS, over);
  }
  pages.close();
};

/** Calls `use` if this browser may have one more stream. Returns whether it was called. */
const inFreeStream = async (use: () => Promise<void>): Promise<boolean> => {
  // Only secure pages have locks: those on this machine, or with HTTPS.
  if (navigator.locks === undefined) {
    await use();
    return true;
  }
  for (let place = 1; place <= STREAMS_MAX; place += 1) {
    const lock = { name: `catallaxy stream ${place}`, options: { ifAvailable: true } };
    const isUsed = await navigator.locks.request(lock.name, lock.options, async (taken) => {
      if (taken !== null) await use();
      return taken !== null;
    });
    if (isUsed) return true;
  }
  return false;
};

/** Resolves when the stream is closed. Tells `pages` the last state if the server closes it. */
const streamed = ({ path, set, signal }: FollowParts, pages: BroadcastChannel): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) return Promise.resolve();
  const source = new EventSource(`/api${path}/live`);
  let last = NOTHING;
  const close = (): void => {
    source.close();
    resolve();
  };
  const end = (live: Live): void => {
    set(live);
    pages.postMessage(live);
    close();
  };
  signal.addEventListener("abort", close, { once: true });
  source.addEventListener("tick", ({ data }) => {
    last = { ...NOTHING, tick: JSON.parse(data) };
    set(last);
  });
  source.addEventListener("problem", ({ data: problem }) => end({ ...last, problem }));
  source.addEventListener("end", () => end({ ...last, isOver: true }));
  source.addEventListener("error", () => {
    set((before) => ({ ...before, isConnected: false }));
    // The browser opens a lost stream again, but not one that the server has refused.
    if (source.readyState === EventSource.CLOSED) close();
  });
  return promise;
};

const pause = (ms: number, signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    resolve();
  };
  const timer = setTimeout(end, ms);
  signal.addEventListener("abort", end);
  return promise;
};
