import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
  SharedV4Warning,
} from "@ai-sdk/provider";
import { AISDKError, APICallError, InvalidResponseDataError, TypeValidationError } from "ai";
import { isObject, jsonIn } from "../../../kernel/index.ts";
import { blocksIn, writtenBlocks } from "../chat.ts";
import { faultOf, type ReplyDelta } from "../model.ts";
import { RefusedReply, refusedReplyIn } from "./guarded-fetch.ts";
import { type Redact, type StreamRedact, streamRedactorOf } from "./redact.ts";
import { blockOf } from "./sdk-chat.ts";

/** A stream that failed. The cause is an error as buffered calls throw it. */
export class BrokenStream extends Error {
  override readonly name = "BrokenStream";
  /** What the model had written before the failure. */
  readonly received: string;

  constructor(cause: unknown, received: string) {
    super("the stream of the reply broke", { cause });
    this.received = received;
  }
}

type Shown = {
  readonly onDelta: (delta: ReplyDelta) => void;
  readonly secrets: readonly string[];
  readonly redact: Redact;
};

/**
 * A model whose `doGenerate` streams the reply. It returns what `model.doGenerate` would return for
 * the same reply, and shows each part to `onDelta`, without secrets. Rejects with `BrokenStream` if
 * the reply fails after its beginning.
 */
export const streamingModel = (model: LanguageModelV4, shown: Shown): LanguageModelV4 => {
  const { specificationVersion, provider, modelId, supportedUrls } = model;
  return {
    ...{ specificationVersion, provider, modelId, supportedUrls },
    doStream: (options) => model.doStream(options),
    doGenerate: async (options) => {
      const reply = new StreamedReply(options, shown);
      const [opened] = await Promise.allSettled([model.doStream(options)]);
      if (opened.status === "rejected") throw asThrown(opened.reason);
      const reader = opened.value.stream.getReader();
      try {
        for (let next = await reader.read(); !next.done; next = await reader.read()) {
          reply.add(next.value);
        }
        return reply.whole();
      } catch (thrown) {
        // Some streams end their cancellation only much later, so nothing waits for it.
        reader.cancel().catch(() => {});
        const cause = asThrown(thrown);
        // An error of the package is about the reply, because the request was sent.
        const isKnown = cause instanceof RefusedReply || AISDKError.isInstance(cause);
        throw new BrokenStream(isKnown ? cause : protocolError({}), reply.received);
      }
    },
  };
};

type Part<Type extends LanguageModelV4StreamPart["type"]> = Extract<
  LanguageModelV4StreamPart,
  { readonly type: Type }
>;

type Block = {
  readonly type: "text" | "reasoning";
  text: string;
  meta: SharedV4ProviderMetadata | undefined;
  readonly redact: StreamRedact;
};

/** An error that a stream reported as a part of the reply. */
class ErrorPart extends Error {
  override readonly name = "ErrorPart";
}

class StreamedReply {
  readonly #options: LanguageModelV4CallOptions;
  readonly #shown: Shown;
  readonly #content: (Block | Part<"tool-call">)[] = [];
  /** The blocks that may still grow, by their ids. A provider may use an id again. */
  readonly #open = new Map<string, Block>();
  #warnings: SharedV4Warning[] = [];
  #finish: Part<"finish"> | null = null;

  constructor(options: LanguageModelV4CallOptions, shown: Shown) {
    this.#options = options;
    this.#shown = shown;
  }

  get received(): string {
    return this.#content.map((part) => ("text" in part ? part.text : part.input)).join("");
  }

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "stream-start":
        this.#warnings = part.warnings;
        return;
      case "text-start":
        return this.#begin("text", part);
      case "reasoning-start":
        return this.#begin("reasoning", part);
      case "text-delta":
      case "reasoning-delta":
        return this.#grow(part, part.delta);
      case "text-end":
      case "reasoning-end":
        this.#grow(part, "");
        return this.#close(part.id);
      case "tool-call":
        this.#content.push(part);
        return this.#showCall(part);
      case "error":
        throw new ErrorPart("the stream has an error", { cause: part.error });
      case "finish":
        this.#finish = part;
        return;
      default:
        return;
    }
  }

  /** Returns the reply. Throws if the stream ended before the reply was complete. */
  whole(): LanguageModelV4GenerateResult {
    for (const id of [...this.#open.keys()]) this.#close(id);
    const finish = this.#finish;
    if (finish === null || finish.finishReason.unified === "interrupted") {
      throw new RefusedReply(ENDED);
    }
    const { usage, finishReason } = finish;
    const content = this.#content.map(contentOf);
    const final = this.#finalAnswer();
    const structured = final === undefined ? {} : { structuredOutputText: final };
    return { content, ...structured, usage, finishReason, warnings: this.#warnings };
  }

  #begin(type: Block["type"], { id, providerMetadata }: Part<"text-start" | "reasoning-start">) {
    const redact = streamRedactorOf(this.#shown.secrets);
    const block: Block = { type, text: "", meta: providerMetadata, redact };
    this.#open.set(id, block);
    this.#content.push(block);
  }

  #grow({ id, providerMetadata }: Pick<Part<"text-delta">, "id" | "providerMetadata">, by: string) {
    const block = this.#open.get(id);
    if (block === undefined) return;
    block.text += by;
    block.meta = providerMetadata ?? block.meta;
    this.#show({ type: block.type, text: block.redact.push(by) });
  }

  #close(id: string): void {
    const block = this.#open.get(id);
    if (block === undefined) return;
    this.#open.delete(id);
    this.#show({ type: block.type, text: block.redact.end() });
  }

  /** Shows the call as the final reply will have it. */
  #showCall(part: Part<"tool-call">): void {
    const written = this.#shown.redact(writtenBlocks(blockOf(part)));
    for (const block of blocksIn(written) ?? []) {
      if (block.type !== "tool_call") continue;
      const { type, id, name, args } = block;
      this.#show({ type, id, name, args });
    }
  }

  #show(delta: ReplyDelta): void {
    if (this.#options.abortSignal?.aborted === true) return;
    if (delta.type === "tool_call" || delta.text !== "") this.#shown.onDelta(delta);
  }

  /** OpenAI marks the message that has the requested form. Other messages are comments. */
  #finalAnswer(): string | undefined {
    if (this.#options.responseFormat?.type !== "json") return undefined;
    const isFinal = (part: Block | Part<"tool-call">): part is Block =>
      part.type === "text" && part.meta?.openai?.phase === "final_answer";
    return this.#content.findLast(isFinal)?.text;
  }
}

const contentOf = (part: Block | Part<"tool-call">): LanguageModelV4Content => {
  if (part.type === "tool-call") return part;
  const { type, text, meta } = part;
  return { type, text, ...(meta === undefined ? {} : { providerMetadata: meta }) };
};

/** Returns the error that a buffered call would have thrown for the same failure. */
const asThrown = (thrown: unknown): unknown => {
  const error = thrown instanceof ErrorPart ? thrown.cause : thrown;
  const refused = refusedReplyIn(error);
  if (refused !== null) return refused;
  if (APICallError.isInstance(error)) {
    // The packages invent a status for an error that is the first event of a stream.
    const type = error.responseHeaders?.["content-type"] ?? "";
    const isEvent = type.includes("event-stream");
    return isEvent ? protocolError(error.data ?? jsonIn(error.responseBody ?? "")) : error;
  }
  if (InvalidResponseDataError.isInstance(error)) {
    return thrown instanceof ErrorPart ? new RefusedReply(ENDED, { cause: error }) : error;
  }
  if (TypeValidationError.isInstance(error)) return protocolError(error.value);
  if (thrown instanceof ErrorPart) {
    if (error instanceof Error) return protocolError({});
    return protocolError({ error: isObject(error) ? { ...errorData(error), ...error } : error });
  }
  // Anthropic's package throws a plain error if the first event of a stream is invalid.
  return error instanceof Error && error.name === "Error" ? protocolError({}) : error;
};

const ENDED = faultOf("bad_reply", "the stream ended before the reply was complete");

/** Some packages give the provider's own error in `data`, with more fields. */
const errorData = ({ data }: { readonly data?: unknown }): object => (isObject(data) ? data : {});

/** `data` is the body of the reply. It may have an error in the words of the provider. */
const protocolError = (data: unknown): APICallError =>
  new APICallError({
    message: "the stream is not a reply",
    url: "",
    requestBodyValues: {},
    statusCode: 200,
    data,
  });
