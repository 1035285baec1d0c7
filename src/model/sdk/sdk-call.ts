import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type {
  EmbeddingModelV4,
  JSONSchema7,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  ProviderV4,
  SharedV4Warning,
} from "@ai-sdk/provider";
import { asSchema, InvalidResponseDataError } from "ai";
import type { z } from "zod";
import { memoized } from "../../kernel/index.ts";
import { type ChatBlock, messagesIn, writtenBlocks } from "../chat.ts";
import type { ProviderSettings } from "../llm-settings.ts";
import { isChatForm, type ModelRequest, type ReplyForm } from "../model.ts";
import type { FormLevel, RemoteProvider } from "../providers.ts";
import { isAboutReasoning, type Reasoning } from "../reasoning.ts";
import { textsIn, writtenVectors } from "../vectors.ts";
import { CACHED_PART, callOptions } from "./call-options.ts";
import { type Delivery, type Fetch, guardedFetch } from "./guarded-fetch.ts";
import { blockOf, sdkMessages, toolsFor } from "./sdk-chat.ts";
import type { Tracing } from "./tracing.ts";

type TextCall = {
  readonly provider: RemoteProvider;
  /** The provider's name of the model. */
  readonly name: string;
  readonly model: LanguageModelV4;
  readonly request: ModelRequest;
  readonly level: FormLevel;
  readonly reasoning: Reasoning | null;
  readonly tracing: Tracing | null;
};

export type Generated = Pick<LanguageModelV4GenerateResult, "usage" | "finishReason"> & {
  readonly text: string;
  /** The text that counts as output. Empty for vectors. */
  readonly written: string;
  readonly body: unknown;
  /** True if the model does not have the reasoning setting, so that another one was sent. */
  readonly isReasoningReplaced: boolean;
};

/**
 * Makes one call with the provider's package, without `generateText`
 * (docs/dev/decisions/0015-ai-sdk.md). Sends the reply form, but does not check the reply: the caller
 * must check the reply. Rejects with the errors of the package.
 */
export const generate = async (
  { provider, name, model, request, level, reasoning, tracing }: TextCall,
  signal: AbortSignal,
): Promise<Generated> => {
  const { form, prompt, messages, temperature } = request;
  const system = systemOf(request, level);
  const isChat = isChatForm(form);
  const options: LanguageModelV4CallOptions = {
    prompt: [
      ...(system === ""
        ? []
        : [{ role: "system", content: system, providerOptions: CACHED_PART } as const]),
      ...sdkMessages(isChat ? (messages ?? messagesIn(prompt)) : [{ role: "user", text: prompt }]),
    ],
    ...(temperature === null ? {} : { temperature }),
    ...(isChat ? toolsFor(form) : {}),
    ...(form === null || isChat ? {} : await formatOf(form, level, provider)),
    ...callOptions({ provider, name, request, reasoning }),
    abortSignal: signal,
  };
  const answer = await (tracing === null
    ? model.doGenerate(options)
    : tracing.generate(model, options, request));
  const { content, structuredOutputText, usage, finishReason, response, warnings } = answer;
  const parts = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const formed = isChat ? chatText(content.flatMap(blockOf)) : structuredOutputText;
  const text = form === null ? parts : (formed ?? parts);
  const isReasoningReplaced = reasoning !== null && warnings.some(isAboutSetting);
  return { text, written: text, usage, finishReason, body: response?.body, isReasoningReplaced };
};

const isAboutSetting = (warning: SharedV4Warning): boolean =>
  "feature" in warning && isAboutReasoning(warning.feature);

const formatOf = async (
  form: ReplyForm,
  level: FormLevel,
  provider: RemoteProvider,
): Promise<Pick<LanguageModelV4CallOptions, "responseFormat">> => {
  if (level === "text") return {};
  if (level === "json") return { responseFormat: { type: "json" } };
  const { plain, forGoogle } = await schemasOf(form[level]);
  return { responseFormat: { type: "json", schema: provider === "google" ? forGoogle : plain } };
};

type Schemas = { readonly plain: JSONSchema7; readonly forGoogle: JSONSchema7 };

/** Returns the JSON Schemas of a form. Cached, because creating them costs more than a call. */
const schemasOf = memoized((type: z.ZodType) => schemasFrom(type), new WeakMap());

/**
 * To replace `const` by `enum`, Google's package copies the schema: a third of each call's time.
 * Instead of a schema without `const`, the package gets a stub. Its `toJSON` returns the schema.
 */
const schemasFrom = async (type: z.ZodType): Promise<Schemas> => {
  const plain = await asSchema(type).jsonSchema;
  const hidden = Object.assign<JSONSchema7, object>({ type: "object" }, { toJSON: () => plain });
  return { plain, forGoogle: JSON.stringify(plain).includes('"const"') ? plain : hidden };
};

/** The blocks as JSON. Empty if the model has neither written a word nor called a tool. */
const chatText = (blocks: readonly ChatBlock[]): string => {
  const saysSomething = blocks.some(
    (block) => block.type === "tool_call" || (block.type === "text" && block.text.trim() !== ""),
  );
  return saysSomething ? writtenBlocks(blocks) : "";
};

/** Describes the form in words if no schema is sent. Some providers require the word `JSON`. */
export const systemOf = ({ system, form }: ModelRequest, level: FormLevel): string => {
  if (form === null || isChatForm(form) || level === "rich" || level === "flat") return system;
  const words = `${form.described}\n\nAnswer with one JSON object of this form and nothing else.`;
  return system === "" ? words : `${system}\n\n${words}`;
};

type EmbedCall = {
  readonly model: EmbeddingModelV4;
  readonly request: ModelRequest;
  readonly tracing: Tracing | null;
};

export const embed = async (
  { model, request, tracing }: EmbedCall,
  signal: AbortSignal,
): Promise<Generated> => {
  const values = [...textsIn(request.prompt)];
  const { embeddings, usage } = await (tracing === null
    ? model.doEmbed({ values, abortSignal: signal })
    : tracing.embed(model, values, { request, signal }));
  const text = embeddings.length === values.length ? writtenVectors(embeddings) : null;
  if (text === null) throw new InvalidResponseDataError({ data: null });
  return {
    text,
    written: "",
    usage: {
      inputTokens: { ...NONE, total: usage?.tokens },
      outputTokens: { total: 0, text: undefined, reasoning: undefined },
    },
    finishReason: { unified: "stop", raw: undefined },
    body: undefined,
    isReasoningReplaced: false,
  };
};

const NONE = { noCache: undefined, cacheRead: undefined, cacheWrite: undefined };

export type Access = {
  readonly provider: RemoteProvider;
  readonly settings: ProviderSettings;
  readonly key: string | null;
  readonly fetch?: Fetch | undefined;
};

/** The default addresses. Without an address, a package would read the process environment. */
const OWN_ADDRESS: { readonly [P in RemoteProvider]: string } = {
  google: "https://generativelanguage.googleapis.com/v1beta",
  anthropic: "https://api.anthropic.com/v1",
  openai: "https://api.openai.com/v1",
  "openai-compatible": "http://127.0.0.1:11434/v1",
};

/** `delivery`: `doStream` needs streamed replies, and `doGenerate` needs whole ones. */
export const sdkProvider = (
  access: Access,
  delivery: Delivery = "whole",
): Pick<ProviderV4, "languageModel" | "embeddingModel"> => {
  const { provider, settings, key, fetch } = access;
  const common = {
    baseURL: settings.base_url ?? OWN_ADDRESS[provider],
    ...(key === null ? {} : { apiKey: key }),
    fetch: guardedFetch(fetch, delivery),
  };
  switch (provider) {
    case "google":
      return createGoogle(common);
    case "anthropic":
      return createAnthropic(common);
    case "openai":
      return createOpenAI(common);
    case "openai-compatible":
      return createOpenAICompatible({
        ...common,
        name: provider,
        // Otherwise, streams have no token counts.
        includeUsage: true,
        supportsStructuredOutputs: settings.structured_outputs,
      });
  }
};
