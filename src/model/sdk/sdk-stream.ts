import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
  SharedV4Warning,
} from "@ai-sdk/provider";
import { blocksIn, writtenBlocks } from "../port/chat.ts";
import type { ReplyDelta } from "../port/model.ts";
import { type Redact, type StreamRedact, streamRedactorOf } from "./redact.ts";
import { blockOf } from "./sdk-chat.ts";
import {
  BrokenStream,
  endedEarly,
  errorOfOpening,
  errorOfPart,
  errorOfReading,
} from "./stream-error.ts";

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
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doStream: (options) => model.doStream(options),
    doGenerate: async (options) => {
      const reply = new StreamedReply(options, shown);
      const reader = await model.doStream(options).then(
        ({ stream }) => stream.getReader(),
        (error) => {
          throw errorOfOpening(error);
        },
      );
      let isOpen = true;
      while (isOpen && reply.error === null) {
        try {
          const { done, value } = await reader.read();
          if (done) isOpen = false;
          else reply.add(value);
        } catch (error) {
          reply.fail(errorOfReading(error));
        }
      }
      // Some streams end their cancellation only much later, so nothing waits for it.
      if (isOpen) {
        reader.cancel().catch(() => {
          // The reply has its own fault.
        });
      }
      return reply.whole();
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
};

class StreamedReply {
  readonly #options: LanguageModelV4CallOptions;
  readonly #shown: Shown;
  readonly #content: (Block | Part<"tool-call">)[] = [];
  /** The blocks that may still grow, by their ids. A provider may use an id again. */
  readonly #open = new Map<string, Block>();
  /** Readers see the blocks of one type without a gap, so a key can start in one block. */
  readonly #redacts: { readonly [type in Block["type"]]: StreamRedact };
  #warnings: SharedV4Warning[] = [];
  #finish: Part<"finish"> | null = null;
  #error: unknown = null;

  constructor(options: LanguageModelV4CallOptions, shown: Shown) {
    this.#options = options;
    this.#shown = shown;
    const { secrets } = shown;
    this.#redacts = { text: streamRedactorOf(secrets), reasoning: streamRedactorOf(secrets) };
  }

  /** The error of the stream, or null. What follows an error does not count. */
  get error(): unknown {
    return this.#error;
  }

  fail(error: unknown): void {
    this.#error = error;
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
        this.#open.delete(part.id);
        return;
      case "tool-call":
        this.#content.push(part);
        return this.#showCall(part);
      case "error":
        return this.fail(errorOfPart(part.error));
      case "finish":
        this.#finish = part;
        return;
      default:
        return;
    }
  }

  /** Returns the reply. Throws if the stream failed or ended before the reply was complete. */
  whole(): LanguageModelV4GenerateResult {
    const finish = this.#finish;
    if (this.#error !== null) throw new BrokenStream(this.#error, this.#received());
    if (finish === null || finish.finishReason.unified === "interrupted") {
      throw new BrokenStream(endedEarly(), this.#received());
    }
    for (const type of ["reasoning", "text"] as const) {
      this.#show({ type, text: this.#redacts[type].end() });
    }
    const { usage, finishReason } = finish;
    const content = this.#content.map(contentOf);
    const final = this.#finalAnswer();
    const structured = final === undefined ? {} : { structuredOutputText: final };
    return { content, ...structured, usage, finishReason, warnings: this.#warnings };
  }

  #received(): string {
    return this.#content.map((part) => ("text" in part ? part.text : part.input)).join("");
  }

  #begin(type: Block["type"], { id, providerMetadata }: Part<"text-start" | "reasoning-start">) {
    const block: Block = { type, text: "", meta: providerMetadata };
    this.#open.set(id, block);
    this.#content.push(block);
  }

  #grow({ id, providerMetadata }: Pick<Part<"text-delta">, "id" | "providerMetadata">, by: string) {
    const block = this.#open.get(id);
    if (block === undefined) return;
    block.text += by;
    block.meta = providerMetadata ?? block.meta;
    this.#show({ type: block.type, text: this.#redacts[block.type].push(by) });
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
