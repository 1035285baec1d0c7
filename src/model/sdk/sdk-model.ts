import type {
  EmbeddingModelV4,
  JSONSchema7,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  SharedV4ProviderOptions,
  SharedV4Warning,
} from "@ai-sdk/provider";
import { APICallError, asSchema, InvalidResponseDataError } from "ai";
import type { z } from "zod";
import { invariant, memoized } from "../../kernel/index.ts";
import { type ChatBlock, messagesIn, writtenBlocks } from "../port/chat.ts";
import {
  cancelled,
  type Fault,
  faultOf,
  isChatForm,
  type Model,
  type ModelReply,
  type ModelRequest,
  modelFailure,
  NO_TOKENS,
  type ReplyForm,
  type TokenUsage,
} from "../port/model.ts";
import { effortOf, outputTokensMax, type Reasoning } from "../port/reasoning.ts";
import type { Time } from "../port/time.ts";
import { estimateTokens } from "../port/units.ts";
import { estimatedUsage, usageOf } from "../port/usage.ts";
import { textsIn, VECTORS, writtenVectors } from "../port/vectors.ts";
import type { Dialect } from "./dialect.ts";
import { type FormLevel, type FormLevels, isAboutForm } from "./form-levels.ts";
import { type Delivery, type Fetch, guardedFetch, refusedReplyIn } from "./guarded-fetch.ts";
import { faultOfFinish, faultOfThrown, type ProviderFault } from "./provider-fault.ts";
import { isAboutReasoning, type ReasoningSupport } from "./reasoning-support.ts";
import { type Redact, redactorOf, scrubbed } from "./redact.ts";
import { blockOf, sdkMessages, toolsFor } from "./sdk-chat.ts";
import { streamingModel } from "./sdk-stream.ts";
import { BrokenStream } from "./stream-error.ts";
import type { Tracing } from "./tracing.ts";

/** One key of a provider, and what the calls with it share with others. */
type SdkAccess = {
  /** The name of the provider. */
  readonly name: string;
  readonly dialect: Dialect;
  readonly address: string;
  readonly key: string | null;
  readonly structuredOutputs: boolean;
  readonly fetch?: Fetch | undefined;
  readonly forms: FormLevels;
  readonly reasoning: ReasoningSupport;
  /** The keys of all providers. A reply must not contain any of these keys. */
  readonly keys: readonly string[];
  readonly time: Time;
  /** Opens the telemetry of the run. Null if the run has none. */
  readonly openTracing: (() => Promise<Tracing>) | null;
};

/**
 * Calls one provider with one key through the AI SDK, without retries. If the provider refuses the
 * reply form or the reasoning setting, the call fails with a retriable `bad_request`, and the next
 * call uses a simpler form or omits the setting.
 */
export const sdkModel = async (access: SdkAccess): Promise<Model> => {
  const { name: provider, dialect, key, forms } = access;
  /** `doStream` needs streamed replies, and `doGenerate` needs whole ones. */
  const open = (delivery: Delivery) =>
    dialect.open({
      baseURL: access.address,
      ...(key === null ? {} : { apiKey: key }),
      fetch: guardedFetch(access.fetch, delivery),
      structuredOutputs: access.structuredOutputs,
    });
  const [models, streams] = [await open("whole"), await open("stream")];
  const secrets = secretsOf(access);
  const redact = redactorOf(secrets);
  return {
    ask: (request, signal) => {
      const fits = request.model.startsWith(`${provider}/`);
      invariant(fits, `the profile of ${request.model} must match ${provider}`);
      const name = request.model.slice(provider.length + 1);
      const { form, onDelta } = request;
      const isPlain = form === VECTORS || isChatForm(form);
      const level = form === null ? "text" : isPlain ? "rich" : forms.levelOf(name);
      const reasoning = access.reasoning.settingFor(request.model, request.reasoning);
      const call = async (): Promise<Generated> => {
        const tracing = access.openTracing === null ? null : await access.openTracing();
        if (form === VECTORS) {
          return embed({ model: models.embeddingModel(name), request, tracing }, signal);
        }
        const model =
          onDelta === undefined
            ? models.languageModel(name)
            : streamingModel(streams.languageModel(name), { onDelta, secrets, redact });
        const asked = { provider, dialect, name, model, request, level, reasoning, tracing };
        return generate(asked, signal);
      };
      return replyTo({ access, redact, name, request, level, reasoning }, call(), signal);
    },
  };
};

type SdkRequest = {
  readonly access: SdkAccess;
  readonly redact: Redact;
  readonly name: string;
  readonly request: ModelRequest;
  readonly level: FormLevel;
  /** The reasoning setting that was sent, or null if none was sent. */
  readonly reasoning: Reasoning | null;
};

const replyTo = async (
  sent: SdkRequest,
  generating: Promise<Generated>,
  signal: AbortSignal,
): Promise<ModelReply> => {
  const { access, request } = sent;
  const startedMs = access.time.now();
  const latencySoFar = () => Math.max(0, access.time.now() - startedMs);
  let generated: Generated;
  try {
    generated = await generating;
  } catch (thrown) {
    const latencyMs = latencySoFar();
    // The SDK may report an aborted call as another error.
    if (signal.aborted) return cancelled(request.model, latencyMs);
    return replyOfThrown(sent, thrown, latencyMs);
  }
  const latencyMs = latencySoFar();
  return signal.aborted
    ? cancelled(request.model, latencyMs)
    : replyFrom(sent, generated, latencyMs);
};

const replyOfThrown = async (
  sent: SdkRequest,
  thrown: unknown,
  latencyMs: number,
): Promise<ModelReply> => {
  const { access, request } = sent;
  const received = thrown instanceof BrokenStream ? thrown.received : "";
  const error = thrown instanceof BrokenStream ? thrown.cause : thrown;
  const fault = await faultOfThrown(error, access.time.wallMs());
  const isWritten =
    received !== "" || fault.fault === "bad_reply" || refusedReplyIn(error) !== null;
  const isBilled = isWritten && fault.fault !== "bad_request";
  const tokens = estimateTokens(received) + unreadTokens(error, request);
  const usage = isBilled ? estimatedUsage(request, tokens) : NO_TOKENS;
  return modelFailure(request.model, redacted(withNextTry(fault, sent), sent), {
    usage,
    latencyMs,
  });
};

const unreadTokens = (error: unknown, request: ModelRequest): number => {
  if (APICallError.isInstance(error)) return estimateTokens(error.responseBody ?? "");
  return refusedReplyIn(error) === null ? 0 : outputTokensMax(request);
};

const replyFrom = async (
  sent: SdkRequest,
  generated: Generated,
  latencyMs: number,
): Promise<ModelReply> => {
  const { request, level, access, reasoning } = sent;
  if (generated.isReasoningReplaced && reasoning !== null) {
    access.reasoning.replaced(request.model, reasoning);
  }
  const { finishReason: reason, body, written } = generated;
  const text = sent.redact(generated.text);
  const input = `${systemOf(request, level)}\n${request.prompt}`;
  const usage = usageOf(generated.usage, request, { input, output: written });
  const { form } = request;
  const maxTokens = outputTokensMax(request);
  const atLimit = !usage.estimated && usage.output >= maxTokens;
  const callsTools = isChatForm(form);
  const formed = form !== null && form !== VECTORS && !callsTools;
  const finish = { reason, text, body, formed, callsTools, maxTokens, atLimit };
  const found = tooLong(written, request) ?? (await faultOfFinish(finish));
  const fault = found?.fault === "reply_cut_off" ? withReasoning(found, usage) : found;
  const servedBy = request.model;
  return fault === null
    ? { ok: true, text, servedBy, usage, latencyMs }
    : modelFailure(servedBy, redacted(fault, sent), { usage, latencyMs });
};

const withReasoning = (fault: ProviderFault, { output, reasoning }: TokenUsage): ProviderFault => {
  if (reasoning === 0) return fault;
  const message = `${fault.message}; ${reasoning} of ${output} tokens were reasoning`;
  return { ...fault, message };
};

/** The maximum length of a token. The longest tokens are runs of spaces. */
const TOKEN_UNITS_MAX = 64;
/** Texts up to this length are always accepted, because some servers exceed the token limit. */
const TEXT_UNITS_ALWAYS = 16_000;

/** Returns a fault if the text is too long for the limit. Protects the journal and prompts. */
const tooLong = (text: string, { maxTokens }: ModelRequest): Fault | null => {
  const unitsMax = Math.max(TEXT_UNITS_ALWAYS, maxTokens * TOKEN_UNITS_MAX);
  if (text.length <= unitsMax) return null;
  return faultOf("bad_reply", `the answer has more text than ${maxTokens} tokens can hold`);
};

const withNextTry = (fault: ProviderFault, sent: SdkRequest): ProviderFault => {
  const { access, name, request, level, reasoning } = sent;
  if (fault.fault !== "bad_request" || request.form === VECTORS) return fault;
  if (isChatForm(request.form)) return fault;
  const { message } = redacted(fault, sent);
  if (reasoning !== null && isAboutReasoning(message)) {
    access.reasoning.refused(request.model, reasoning);
    return { ...fault, retriable: true };
  }
  if (level === "text" || !isAboutForm(message)) return fault;
  const next = access.forms.refused(name, level);
  return next === null ? fault : { ...fault, retriable: true };
};

const redacted = (fault: ProviderFault, { access, request }: SdkRequest): Fault => {
  const texts = fault.quotes === true ? [request.system, request.prompt] : [];
  const { reportedFaults = [] } = request;
  const message = scrubbed(fault.message, { secrets: secretsOf(access), texts, reportedFaults });
  return { ...fault, message };
};

const secretsOf = ({ key, keys, address }: SdkAccess): readonly string[] => {
  const url = URL.parse(address);
  const texts = [key, ...keys, url?.password, url?.search.slice(1)];
  return texts.flatMap((text) => (text ? [text] : []));
};

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

type Generated = Pick<LanguageModelV4GenerateResult, "usage" | "finishReason"> & {
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
const generate = async (
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
const systemOf = ({ system, form }: ModelRequest, level: FormLevel): string => {
  if (form === null || isChatForm(form) || level === "rich" || level === "flat") return system;
  const words = `${form.described}\n\nAnswer with one JSON object of this form and nothing else.`;
  return system === "" ? words : `${system}\n\n${words}`;
};

type EmbedCall = {
  readonly model: EmbeddingModelV4;
  readonly request: ModelRequest;
  readonly tracing: Tracing | null;
};

const embed = async (
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
