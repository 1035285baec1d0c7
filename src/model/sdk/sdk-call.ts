import type {
  EmbeddingModelV4,
  JSONSchema7,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  SharedV4ProviderOptions,
  SharedV4Warning,
} from "@ai-sdk/provider";
import { asSchema, InvalidResponseDataError } from "ai";
import type { z } from "zod";
import { memoized } from "../../kernel/index.ts";
import { type ChatBlock, messagesIn, writtenBlocks } from "../port/chat.ts";
import { isChatForm, type ModelRequest, type ReplyForm } from "../port/model.ts";
import { effortOf, outputTokensMax, type Reasoning } from "../port/reasoning.ts";
import { textsIn, writtenVectors } from "../port/vectors.ts";
import type { Dialect } from "./dialect.ts";
import type { FormLevel } from "./form-levels.ts";
import { isAboutReasoning } from "./reasoning-support.ts";
import { blockOf, sdkMessages, toolsFor } from "./sdk-chat.ts";
import type { Tracing } from "./tracing.ts";

type TextCall = {
  readonly provider: string;
  readonly dialect: Dialect;
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
  { provider, dialect, name, model, request, level, reasoning, tracing }: TextCall,
  signal: AbortSignal,
): Promise<Generated> => {
  const { form, prompt, messages, temperature } = request;
  const system = systemOf(request, level);
  const isChat = isChatForm(form);
  const options: LanguageModelV4CallOptions = {
    prompt: [
      ...(system === ""
        ? []
        : [
            {
              role: "system",
              content: system,
              ...optionsAt(provider, dialect.systemOptions),
            } as const,
          ]),
      ...sdkMessages(isChat ? (messages ?? messagesIn(prompt)) : [{ role: "user", text: prompt }]),
    ],
    ...(temperature === null ? {} : { temperature }),
    ...(isChat ? toolsFor(form) : {}),
    ...(form === null || isChat ? {} : await formatOf(form, level, dialect)),
    ...callOptions(provider, dialect, name, request, reasoning),
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
  { schema = (plain) => plain }: Dialect,
): Promise<Pick<LanguageModelV4CallOptions, "responseFormat">> => {
  if (level === "text") return {};
  if (level === "json") return { responseFormat: { type: "json" } };
  return { responseFormat: { type: "json", schema: schema(await schemaOf(form[level])) } };
};

/** The JSON Schema of a form. Cached, because creating it costs more than a call. */
const schemaOf = memoized(
  async (type: z.ZodType): Promise<JSONSchema7> => asSchema(type).jsonSchema,
  new WeakMap(),
);

/** The options of a call for reasoning, token limit and cache. */
const callOptions = (
  provider: string,
  dialect: Dialect,
  name: string,
  request: ModelRequest,
  reasoning: Reasoning | null,
) => {
  const { effort, options, addedTokens = 0 } = reasoningOptions(dialect, name, reasoning);
  return {
    maxOutputTokens: outputTokensMax(request) - addedTokens,
    ...(effort === undefined ? {} : { reasoning: effort }),
    ...optionsAt(provider, { ...options, ...dialect.options?.(request) }),
  };
};

const reasoningOptions = (
  dialect: Dialect,
  name: string,
  reasoning: Reasoning | null,
): ReturnType<Dialect["reasoning"]> => {
  if (reasoning === null) return {};
  if (reasoning === "off") return { effort: "none" };
  return dialect.reasoning(name, reasoning, effortOf(reasoning));
};

const optionsAt = (provider: string, options: SharedV4ProviderOptions[string] = {}) =>
  Object.keys(options).length === 0 ? {} : { providerOptions: { [provider]: options } };

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
