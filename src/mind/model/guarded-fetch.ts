import { type Fault, final, passing } from "./failure.ts";
import type { Fetch } from "./language-model.ts";

/** Of the body of a reply, unpacked. The longest that a model may write is a good deal shorter. */
const BODY_BYTES_MAX = 4_000_000;
/** Of a body that tells an error. What comes behind is not read, since the status says enough. */
const ERROR_BYTES_MAX = 64_000;
const HOST_CHARS_MAX = 100;
/** The last one that there is; no reply can be made with another. */
const STATUS_MAX = 599;

/** What keeps a reply from being taken, although the provider was reached. */
export class RefusedReply extends Error {
  override readonly name = "RefusedReply";
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super(fault.message, options);
    this.fault = fault;
  }
}

/** The refusal in what a package throws: some take what lies beneath for a broken connection. */
export const refusedReplyIn = (thrown: unknown): RefusedReply | null => {
  const cause = thrown instanceof Error ? thrown.cause : null;
  return [thrown, cause].find((error) => error instanceof RefusedReply) ?? null;
};

/**
 * A fetch for those who may be hostile or broken. It follows no redirect, because the key and the
 * prompt would go along to wherever that leads; and it reads no more of a body than a reply can
 * need, however much is sent and however well it is packed. Rejects with `RefusedReply`, or as the
 * fetch beneath it does.
 */
export const guardedFetch =
  (inner: Fetch | undefined): Fetch =>
  async (address, init) => {
    const response = await (inner ?? globalThis.fetch)(address, { ...init, redirect: "manual" });
    const { status, statusText, headers } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      throw new RefusedReply(final("bad_request", leadsAway(response, address)));
    }
    if (status > STATUS_MAX) {
      await response.body?.cancel();
      throw new RefusedReply(passing("provider_error", `HTTP ${status}`));
    }
    const body = response.ok ? await wholeBody(response) : await beginning(response);
    // What was unpacked here is not packed any more.
    const told = new Headers(headers);
    told.delete("content-encoding");
    told.delete("content-length");
    const answer = { status, statusText, headers: told };
    return new Response(body === null ? null : streamOf(body), answer);
  };

/** To make a reply of a stream takes a third of what it takes to make one of bytes. */
const streamOf = (bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> =>
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
  return `HTTP ${status}: the provider's address leads ${where}, and no key follows it there`;
};

const addressOf = (from: Parameters<Fetch>[0]): string =>
  from instanceof Request ? from.url : String(from);

/** Rejects where there is more of it than a reply can need; then the connection is closed. */
const wholeBody = async (response: Response): Promise<Uint8Array<ArrayBuffer> | null> => {
  if (response.body === null) return null;
  const { bytes, isWhole, error } = await read(response.body, BODY_BYTES_MAX);
  if (error !== null) throw brokenOff(error);
  if (isWhole) return bytes;
  const most = `${BODY_BYTES_MAX / 1_000_000} MB`;
  throw new RefusedReply(passing("bad_reply", `the reply is longer than ${most}`));
};

const brokenOff = (error: unknown): RefusedReply => {
  const fault = passing("connection", "the connection broke in the middle of the reply");
  return new RefusedReply(fault, { cause: error });
};

/** As much of it as is there: of an error every word is welcome. */
const beginning = async (response: Response): Promise<Uint8Array<ArrayBuffer> | null> =>
  response.body === null ? null : (await read(response.body, ERROR_BYTES_MAX)).bytes;

type BodyRead = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isWhole: boolean;
  /** What ended it before its end. */
  readonly error: unknown;
};

const read = async (
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  bytesMax: number,
): Promise<BodyRead> => {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let sizeBytes = 0;
  // A reader takes a good part less time than a loop over the body does.
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
  } catch (error) {
    return { bytes: joined(chunks, bytesMax), isWhole: false, error };
  }
  return { bytes: joined(chunks, bytesMax), isWhole: sizeBytes <= bytesMax, error: null };
};

const joined = (
  chunks: readonly Uint8Array<ArrayBuffer>[],
  bytesMax: number,
): Uint8Array<ArrayBuffer> => {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only.subarray(0, bytesMax);
  return new Uint8Array(Buffer.concat(chunks).subarray(0, bytesMax));
};
