import { APICallError } from "ai";
import { type Fault, faultOf } from "../port/model.ts";

export type Fetch = typeof globalThis.fetch;

/** The maximum size of a decompressed body. The longest valid reply is much shorter. */
const BODY_BYTES_MAX = 4_000_000;
/** A stream wraps each token in an event of about 300 bytes. */
const STREAM_BYTES_MAX = 20_000_000;
const ERROR_BYTES_MAX = 64_000;
const HOST_CHARS_MAX = 100;
const STATUS_MAX = 599;

export class RefusedReply extends Error {
  override readonly name = "RefusedReply";
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super(fault.message, options);
    this.fault = fault;
  }
}

/** Returns the `RefusedReply` that is `thrown` or its cause. Some packages wrap thrown errors. */
export const refusedReplyIn = (thrown: unknown): RefusedReply | null => {
  const cause = thrown instanceof Error ? thrown.cause : null;
  return [thrown, cause].find((error) => error instanceof RefusedReply) ?? null;
};

const CLOSED = faultOf("connection", "the connection closed before the reply was complete");

/** How the body of a reply is passed on: after its end, or while it arrives. */
export type Delivery = "whole" | "stream";

/**
 * Wraps fetch for hostile servers: no redirects, a bounded body. Rejects with `RefusedReply`. A
 * streamed body fails with `RefusedReply` too.
 */
export const guardedFetch =
  (inner: Fetch = globalThis.fetch, delivery: Delivery = "whole"): Fetch =>
  async (address, init) => {
    const response = await inner(address, { ...init, redirect: "manual" });
    const { status } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      throw new RefusedReply(faultOf("bad_request", leadsAway(response, address)));
    }
    if (status > STATUS_MAX) {
      await response.body?.cancel();
      throw new RefusedReply(faultOf("provider_error", `HTTP ${status}`));
    }
    if (delivery === "stream" && response.ok && response.body !== null) {
      if (isEventStream(response)) return withBody(response, boundedStream(response.body));
      throw await notStreamed(response, address);
    }
    const body = response.ok ? await wholeBody(response) : await beginning(response);
    return withBody(response, body === null ? null : streamOf(body));
  };

const withBody = (
  { status, statusText, headers }: Response,
  body: ReadableStream<Bytes> | null,
): Response => {
  // These two headers describe the compressed body, but `body` is decompressed.
  const kept = new Headers(headers);
  kept.delete("content-encoding");
  kept.delete("content-length");
  return new Response(body, { status, statusText, headers: kept });
};

/** Some servers send a stream without its type. Errors come as JSON, and as pages of gateways. */
const isEventStream = ({ headers }: Response): boolean =>
  !/json|html/i.test(headers.get("content-type") ?? "");

/** The error of a reply in one piece. It is as the packages would report it. */
const notStreamed = async (
  response: Response,
  address: Parameters<Fetch>[0],
): Promise<APICallError> => {
  const bytes = await wholeBody(response);
  return new APICallError({
    message: "the provider did not stream its reply",
    url: addressOf(address),
    requestBodyValues: {},
    statusCode: response.status,
    responseBody: Buffer.from(bytes ?? []).toString(),
  });
};
/** Returns the bytes as a stream. A stream makes `new Response` three times as fast as bytes. */
const streamOf = (bytes: Bytes): ReadableStream<Bytes> =>
  new ReadableStream({
    start: (controller) => {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });

const leadsAway = ({ status, headers }: Response, from: Parameters<Fetch>[0]): string => {
  const location = headers.get("location");
  const target = location === null ? null : URL.parse(location, addressOf(from));
  const where = target === null ? "elsewhere" : `to ${target.host.slice(0, HOST_CHARS_MAX)}`;
  return `HTTP ${status}: the provider redirects ${where}; set base_url to the final address`;
};

const addressOf = (from: Parameters<Fetch>[0]): string =>
  from instanceof Request ? from.url : String(from);

const wholeBody = async (response: Response): Promise<Bytes | null> => {
  if (response.body === null) return null;
  const { bytes, isWhole, error } = await read(response.body, BODY_BYTES_MAX);
  if (error !== null) throw brokenBy(error);
  if (isWhole) return bytes;
  throw longerThan(BODY_BYTES_MAX);
};

const brokenBy = (error: unknown): RefusedReply =>
  new RefusedReply(brokenReply(error) ?? CLOSED, { cause: error });

const longerThan = (bytesMax: number): RefusedReply => {
  const most = `${bytesMax / 1_000_000} MB`;
  return new RefusedReply(faultOf("bad_reply", `the reply is longer than ${most}`));
};

/** Passes a body on while it arrives. */
const boundedStream = (body: ReadableStream<Bytes>): ReadableStream<Bytes> => {
  const reader = body.getReader();
  let sizeBytes = 0;
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        sizeBytes += value.byteLength;
        if (sizeBytes <= STREAM_BYTES_MAX) return controller.enqueue(value);
      } catch (error) {
        return controller.error(brokenBy(error));
      }
      controller.error(longerThan(STREAM_BYTES_MAX));
      await reader.cancel();
    },
    cancel: (reason) => reader.cancel(reason),
  });
};

const CAUSES_MAX = 5;

/** Returns the errors that led to an error, first this error. */
export const causesOf = (error: unknown): readonly Error[] => {
  const causes: Error[] = [];
  let cause = error;
  while (cause instanceof Error && causes.length < CAUSES_MAX) {
    causes.push(cause);
    cause = cause.cause;
  }
  return causes;
};

/** Returns the fault of a reply that arrived but breaks HTTP or its own compression, or null. */
export const brokenReply = (error: unknown): Fault | null => {
  for (const cause of causesOf(error)) {
    if (cause.name === "HTTPParserError")
      return faultOf("bad_reply", "the reply is not valid HTTP");
    const code = "code" in cause ? String(cause.code) : "";
    if (/^Z_|BROTLI|ZSTD/.test(code)) {
      return faultOf("bad_reply", `the reply cannot be decompressed (${code})`);
    }
  }
  return null;
};

const beginning = async (response: Response): Promise<Bytes | null> =>
  response.body === null ? null : (await read(response.body, ERROR_BYTES_MAX)).bytes;

type Bytes = Uint8Array<ArrayBuffer>;

const read = async (body: ReadableStream<Bytes>, bytesMax: number) => {
  const chunks: Bytes[] = [];
  let sizeBytes = 0;
  let error: unknown = null;
  // A reader is faster than `for await`.
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
      sizeBytes += next.value.byteLength;
      if (sizeBytes > bytesMax) {
        await reader.cancel();
        break;
      }
    }
  } catch (thrown) {
    error = thrown;
  }
  const bytes = new Uint8Array(Buffer.concat(chunks).subarray(0, bytesMax));
  return { bytes, isWhole: error === null && sizeBytes <= bytesMax, error };
};
