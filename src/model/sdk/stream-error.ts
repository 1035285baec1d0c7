import { AISDKError, APICallError, InvalidResponseDataError, TypeValidationError } from "ai";
import { isObject, jsonIn } from "../../kernel/index.ts";
import { faultOf } from "../port/model.ts";
import { RefusedReply, refusedReplyIn } from "./guarded-fetch.ts";

/** A stream that failed. The cause is the error that a buffered call would have thrown. */
export class BrokenStream extends Error {
  override readonly name = "BrokenStream";
  /** What the model had written before the failure. */
  readonly received: string;

  constructor(cause: unknown, received: string) {
    super("the stream of the reply broke", { cause });
    this.received = received;
  }
}

/** The error of a stream whose reply is not complete. */
export const endedEarly = (cause?: unknown): RefusedReply =>
  new RefusedReply(faultOf("bad_reply", "the stream ended before the reply was complete"), {
    cause,
  });

/** The error of a call whose stream could not be opened, as a buffered call would throw it. */
export const errorOfOpening = (error: unknown): unknown => {
  const known = knownError(error);
  if (known !== null) return known;
  // Anthropic's package throws a plain error if the first event of a stream is invalid.
  return error instanceof Error && error.name === "Error" ? protocolError({}) : error;
};

/** The error of reading an open stream. It is about the reply, because the request was sent. */
export const errorOfReading = (error: unknown): unknown =>
  knownError(error) ?? (AISDKError.isInstance(error) ? error : protocolError({}));

/** The error that the provider or its package reported as a part of the stream. */
export const errorOfPart = (error: unknown): unknown => {
  const known = knownError(error);
  if (known !== null) return known;
  if (InvalidResponseDataError.isInstance(error)) return endedEarly(error);
  if (TypeValidationError.isInstance(error)) return protocolError(error.value);
  if (error instanceof Error) return protocolError({});
  return protocolError({ error: isObject(error) ? { ...errorFields(error), ...error } : error });
};

const knownError = (error: unknown): unknown => {
  const refused = refusedReplyIn(error);
  if (refused !== null || !APICallError.isInstance(error)) return refused;
  // The packages invent a status for an error that is the first event of a stream.
  const isEvent = error.responseHeaders?.["content-type"]?.includes("event-stream") ?? false;
  return isEvent ? protocolError(error.data ?? jsonIn(error.responseBody ?? "")) : error;
};

/** Some packages keep the provider's own error in `data`. It has more fields. */
const errorFields = ({ data }: { readonly data?: unknown }): object => (isObject(data) ? data : {});

/** `data` is the body of the reply. It may have an error in the words of the provider. */
const protocolError = (data: unknown): APICallError =>
  new APICallError({
    message: "the stream is not a reply",
    url: "",
    requestBodyValues: {},
    statusCode: 200,
    data,
  });
