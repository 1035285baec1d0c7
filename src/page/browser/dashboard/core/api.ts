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
  /** True if the page has its runs in itself. Then they cannot be controlled or continued. */
  readonly isPublished: boolean;
};

let server: Server = {
  answer: (path, init) => fetch(`/api${path}`, { headers: headers(), ...init }),
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
  askNow();
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

export type Live = {
  readonly tick: Tick | null;
  readonly isConnected: boolean;
  /** Why the server cannot read the run, or null. */
  readonly problem: string | null;
};

const NOTHING: Live = { tick: null, isConnected: true, problem: null };

/** How often a visible page asks for the tick of its run. */
const ASK_EVERY_MS = 500;

/** Tells this page from the other ones that follow a run. */
const PAGE = Math.random().toString(36).slice(2);

/** Asks for the tick at once, because a command of this page may have changed it. */
let askNow = (): void => {};

/** Follows a run while the tab is visible, until the server ends or cannot read the run. */
export const useLive = (run: string | null): Live => {
  const [live, setLive] = useState<Live>(NOTHING);
  useEffect(() => {
    setLive(NOTHING);
    if (run === null) return;
    const over = new AbortController();
    const { signal } = over;
    let shown = "";
    let wake = (): void => {};
    const follow = async (): Promise<void> => {
      while (!signal.aborted) {
        if (!document.hidden) {
          const path = `/runs/${encodeURIComponent(run)}?page=${PAGE}`;
          const { value: tick, problem } = await fetchJson<Tick>(path, { signal });
          if (signal.aborted) return;
          const isConnected = problem !== NO_ANSWER;
          const next = JSON.stringify([tick, problem]);
          if (next !== shown) {
            setLive((before) =>
              tick === null
                ? { ...before, isConnected, problem: isConnected ? problem : null }
                : { tick, isConnected, problem: null },
            );
          }
          shown = next;
          if (server.isPublished || tick?.is_over || (isConnected && problem !== null)) return;
        }
        const pause = Promise.withResolvers<void>();
        wake = pause.resolve;
        const timer = setTimeout(wake, ASK_EVERY_MS);
        await pause.promise;
        clearTimeout(timer);
      }
    };
    askNow = () => wake();
    void follow();
    document.addEventListener("visibilitychange", askNow);
    return () => {
      document.removeEventListener("visibilitychange", askNow);
      over.abort();
      wake();
    };
  }, [run]);
  return live;
};
