import { QdrantClient } from "@qdrant/js-client-rest";
import { delay, realTime, type Time } from "../../model/index.ts";
import { type QdrantPlace, withPort } from "./qdrant-place.ts";

const REQUEST_MS_MAX = 10_000;
const TRIES_MAX = 4;
const FIRST_WAIT_MS = 200;
/** The longest wait before a request is repeated, even if the server asks for more. */
const WAIT_MS_MAX = 3_000;

/** Creates a client. Passes the path of `url` as `prefix`: the client ignores paths in URLs. */
export const clientOf = ({ url, apiKey }: Pick<QdrantPlace, "url" | "apiKey">): QdrantClient => {
  const { origin, pathname } = new URL(withPort(url));
  const prefix = pathname.replace(/\/+$/, "");
  return new QdrantClient({
    url: origin,
    ...(prefix === "" ? {} : { prefix }),
    // As `apiKey`, the client would print a warning for each key that it sends over http.
    ...(apiKey === null ? {} : { headers: { "api-key": apiKey } }),
    timeout: REQUEST_MS_MAX,
    // The compatibility check would send a request immediately and print to the console.
    checkCompatibility: false,
  });
};

type QdrantApi = ReturnType<QdrantClient["api"]>;

/** Refuses redirects, because the client sends the server's key with each request. */
const INIT: RequestInit = { redirect: "error" };

type Answered<Given> = { readonly data: { readonly result?: Given } };

export type AskQdrant = <Given>(
  call: (api: QdrantApi, init: RequestInit) => Promise<Answered<Given>>,
) => Promise<Given>;

/**
 * Returns a function that makes a request. It repeats a request that the server is too busy for
 * (429, 503) or whose connection breaks, at most `TRIES_MAX - 1` times. A request may therefore
 * arrive twice, so it must have the same effect if it is made twice. Rejects with the last error.
 */
export const asking = (
  place: Pick<QdrantPlace, "url" | "apiKey">,
  signal: AbortSignal,
  time: Time = realTime,
): AskQdrant => {
  const api = clientOf(place).api();
  return async (call) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return resultOf(await call(api, INIT));
      } catch (error) {
        const waitMs = tries < TRIES_MAX ? waitBefore(tries, error) : null;
        if (waitMs === null || signal.aborted) throw error;
        await delay(time, waitMs, signal);
      }
    }
  };
};

const resultOf = <Given>({ data }: Answered<Given>): Given => {
  if (data.result === undefined) throw new Error("the server answered without a result");
  return data.result;
};

const BROKEN = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** The time in ms before a failed request is repeated. Null if repeating does not help. */
const waitBefore = (tries: number, reason: unknown): number | null => {
  const status = statusOf(reason);
  const isBroken = reason instanceof TypeError && BROKEN.has(codeOf(reason.cause));
  if (status !== 429 && status !== 503 && !isBroken) return null;
  const doubled = FIRST_WAIT_MS * 2 ** (tries - 1);
  return Math.min(WAIT_MS_MAX, Math.max(doubled, askedWaitMs(reason)));
};

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : "";

/** The status of a refused request, or null for another error. */
export const statusOf = (reason: unknown): number | null => {
  if (!(reason instanceof Error)) return null;
  // The client has a class without a status for an answer 429 with `Retry-After`.
  if ("retry_after" in reason) return 429;
  return "status" in reason && typeof reason.status === "number" ? reason.status : null;
};

const askedWaitMs = (reason: unknown): number => {
  if (!(reason instanceof Error)) return 0;
  const header =
    "headers" in reason && reason.headers instanceof Headers
      ? reason.headers.get("retry-after")
      : null;
  const seconds = "retry_after" in reason ? Number(reason.retry_after) : Number(header ?? 0);
  return Number.isFinite(seconds) ? seconds * 1_000 : 0;
};

/** Returns the result of a request, or null if the server has no such collection. */
export const unlessAbsent = async <Given>(asked: Promise<Given>): Promise<Given | null> => {
  try {
    return await asked;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
};
