import { useEffect, useRef, useState } from "preact/hooks";
import type { SeatCommand } from "../../../dashboard/index.ts";
import type { Tick } from "../../../routes/index.ts";
import { seatTokenHere, tokenHere } from "./address.ts";

export type Answer<Value> = { readonly value: Value | null; readonly problem: string | null };

export type EventRow = {
  readonly seq: number;
  readonly at_ms: number;
  readonly kind: string;
  readonly principal: string | null;
  readonly body: unknown;
  /** The event in one sentence. */
  readonly says: string;
};

/** The minimum pause between two requests for the same path. Slow responses extend the pause. */
const COOLDOWN_MS = 1_000;
const COOLDOWN_FACTOR = 10;
const COOLDOWN_MS_MAX = 4_000;

const NO_ANSWER = "the dashboard does not respond; check that sim is still running";

const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

const headers = (): Record<string, string> => {
  const token = tokenHere();
  return token === null ? {} : bearer(token);
};

/** What answers the requests of the page. */
export type Server = {
  readonly answer: (path: string, init: RequestInit) => Promise<Response>;
  /** Pushes the ticks of a run until `signal` aborts. Resolves earlier if the feed ends. */
  readonly follow: (run: string, set: SetLive, signal: AbortSignal) => Promise<void>;
  /** True if the page has its runs in itself. Then they cannot be controlled or continued. */
  readonly isPublished: boolean;
};

let server: Server = {
  answer: (path, init) => fetch(`/api${path}`, { headers: headers(), ...init }),
  follow: (run, set, signal) => {
    const path = `/runs/${encodeURIComponent(run)}`;
    const askTick = async () => {
      const { value: tick, problem } = await fetchJson<Tick>(path, { signal });
      return { tick, problem: problem === NO_ANSWER ? null : problem };
    };
    return followRun({ path, set, signal, askTick });
  },
  isPublished: false,
};

/** Replaces the dashboard's server. Call it before the page is shown. */
export const answerBy = (other: Server): void => {
  server = other;
};

export const isPublished = (): boolean => server.isPublished;

let waiting = 0;

/** True while a request of the page has no answer yet. */
export const isWaiting = (): boolean => waiting > 0;

const fetchJson = async <Value>(path: string, init: RequestInit = {}): Promise<Answer<Value>> => {
  waiting += 1;
  try {
    const response = await server.answer(path, init);
    const body = await response.json();
    return response.ok ? { value: body, problem: null } : { value: null, problem: body.problem };
  } catch {
    return { value: null, problem: NO_ANSWER };
  } finally {
    waiting -= 1;
  }
};

export const ask = <Value>(path: string): Promise<Answer<Value>> => fetchJson(path);

type CommandOutcome = { readonly ok: boolean; readonly message: string };

/** Sends an operator command. Returns the result in one line, and whether it had an effect. */
export const sendCommand = async (command: object): Promise<CommandOutcome> => {
  const body = JSON.stringify(command);
  const sent = await fetchJson<CommandOutcome>("/command", { method: "POST", body });
  return sent.value ?? { ok: false, message: sent.problem ?? "" };
};

type SeatAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/** Sends a command of the player of a seat. An aborted request has an empty problem. */
export const sendSeatCommand = async <Value>(
  { run, agent }: { readonly run: string; readonly agent: string },
  command: SeatCommand,
  signal: AbortSignal,
): Promise<Answer<Value>> => {
  const path = `/runs/${encodeURIComponent(run)}/seats/${encodeURIComponent(agent)}`;
  const token = seatTokenHere(run, agent);
  const sent = await fetchJson<SeatAnswer<Value>>(path, {
    method: "POST",
    body: JSON.stringify(command),
    headers: token === null ? {} : bearer(token),
    signal,
  });
  if (sent.value === null) return { value: null, problem: signal.aborted ? "" : sent.problem };
  return sent.value.ok
    ? { value: sent.value.value, problem: null }
    : { value: null, problem: sent.value.problem };
};

/** `ask` requests `path`. Any calls of `ask` before the cooldown ends lead to one more request. */
const pollingOf = <Value>(path: string, receive: (answer: Answer<Value>) => void) => {
  const over = new AbortController();
  const { signal } = over;
  let isBusy = false;
  let isWanted = false;
  const ask = async (): Promise<void> => {
    isWanted = true;
    if (isBusy) return;
    isBusy = true;
    while (isWanted && !signal.aborted) {
      isWanted = false;
      const since = performance.now();
      const answer = await fetchJson<Value>(path, { signal });
      if (signal.aborted) return;
      receive(answer);
      const tookMs = performance.now() - since;
      const waitMs = Math.min(COOLDOWN_MS_MAX, Math.max(COOLDOWN_MS, tookMs * COOLDOWN_FACTOR));
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    isBusy = false;
  };
  return { ask, end: () => over.abort() };
};

/** The response for a path (null: no request). Requests the path again if `version` changes. */
export const useAnswer = <Value>(path: string | null, version: unknown = 0): Answer<Value> => {
  const [answer, setAnswer] = useState<Answer<Value>>({ value: null, problem: null });
  const polling = useRef<ReturnType<typeof pollingOf> | null>(null);
  useEffect(() => {
    if (path === null) return;
    // If the server does not respond, keeps the last response.
    const receive = (next: Answer<Value>): void =>
      setAnswer((before) => (next.problem === NO_ANSWER && before.value !== null ? before : next));
    const started = pollingOf<Value>(path, receive);
    polling.current = started;
    return () => started.end();
  }, [path]);
  useEffect(() => {
    void polling.current?.ask();
  }, [path, version]);
  return answer;
};

/** Follows a run while the tab is visible. A hidden tab keeps no connection. */
export const useLive = (run: string | null): Live => {
  const [live, setLive] = useState<Live>(NOTHING);
  useEffect(() => {
    setLive(NOTHING);
    if (run === null) return;
    let over: AbortController | null = null;
    let isEnded = false;
    const follow = async (signal: AbortSignal): Promise<void> => {
      await server.follow(run, setLive, signal);
      // Does not reconnect after the server has ended the feed.
      isEnded = !signal.aborted;
    };
    const update = (): void => {
      if (document.hidden) {
        over?.abort();
        over = null;
      } else if (over === null && !isEnded) {
        over = new AbortController();
        void follow(over.signal);
      }
    };
    update();
    document.addEventListener("visibilitychange", update);
    return () => {
      document.removeEventListener("visibilitychange", update);
      over?.abort();
    };
  }, [run]);
  return live;
};

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
const followRun = async (parts: FollowParts): Promise<void> => {
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
