import { APICallError } from "ai";
import { invariant } from "../../../kernel/index.ts";
import { estimateTokens } from "../../units.ts";
import { cancelled, type Fault, failed, transientFault } from "../fault.ts";
import { type Model, type ModelReply, type ModelRequest, NO_TOKENS } from "../model.ts";
import { type FormLevel, type FormLevels, isAboutForm, parseModelId } from "../providers.ts";
import type { Time } from "../time.ts";
import { estimatedUsage, usageOf } from "../usage.ts";
import { VECTORS } from "../vectors.ts";
import { refusedReplyIn } from "./guarded-fetch.ts";
import { faultOfFinish, faultOfThrown } from "./provider-fault.ts";
import { type Redact, redactorOf, scrubbed } from "./redact.ts";
import {
  type Access,
  embed,
  embeddingModels,
  type Generated,
  generate,
  languageModels,
  systemOf,
} from "./sdk-call.ts";

export type SdkAccess = Access & {
  /** Shared by all keys of the provider. */
  readonly forms: FormLevels;
  /** The keys of all providers; no answer may contain one. */
  readonly keys: readonly string[];
  readonly time: Time;
};

/**
 * One provider with one key through the AI SDK, without retries. A request that is refused for its
 * form fails with a retriable `bad_request`: the next one uses a simpler form level.
 */
export const sdkModel = (access: SdkAccess): Model => {
  const modelNamed = languageModels(access);
  const redact = redactorOf(secretsOf(access));
  return {
    ask: (request, signal) => {
      const parsed = parseModelId(request.model);
      const fits = parsed.ok && parsed.provider === access.provider;
      invariant(fits, `${access.provider} was asked for ${request.model}: profiles must match`);
      const { model: name } = parsed;
      if (request.form === VECTORS) {
        const attempt = (): Promise<Generated> =>
          embed(embeddingModels(access)(name), request, signal);
        return asked({ access, redact, name, request, level: "rich", attempt }, signal);
      }
      const level = request.form === null ? "text" : access.forms.levelOf(name);
      const attempt = (): Promise<Generated> =>
        generate({ provider: access.provider, model: modelNamed(name), request, level }, signal);
      return asked({ access, redact, name, request, level, attempt }, signal);
    },
  };
};

type Asking = {
  readonly access: SdkAccess;
  readonly redact: Redact;
  readonly name: string;
  readonly request: ModelRequest;
  readonly level: FormLevel;
  readonly attempt: () => Promise<Generated>;
};

const asked = async (asking: Asking, signal: AbortSignal): Promise<ModelReply> => {
  const { access, request } = asking;
  const startedMs = access.time.now();
  const outcome = await attempted(asking);
  const latencyMs = Math.max(0, access.time.now() - startedMs);
  // The SDK may report an aborted call as another error.
  if (signal.aborted) return cancelled(request.model, latencyMs);
  if (outcome.ok) return replyFrom(asking, outcome.generated, latencyMs);
  const { error } = outcome;
  const fault = await faultOfThrown(error, access.time.wallMs());
  const written = fault.fault === "bad_reply" || refusedReplyIn(error) !== null;
  const isBilled = written && fault.fault !== "bad_request";
  const usage = isBilled ? estimatedUsage(request, unreadTokens(error, request)) : NO_TOKENS;
  return failed(request.model, told(afterForm(fault, asking), asking), { usage, latencyMs });
};

/** An estimate of the output that could not be read. */
const unreadTokens = (error: unknown, { maxTokens }: ModelRequest): number => {
  if (APICallError.isInstance(error)) return estimateTokens(error.responseBody ?? "");
  return refusedReplyIn(error) === null ? 0 : maxTokens;
};

type Attempted =
  | { readonly ok: true; readonly generated: Generated }
  | { readonly ok: false; readonly error: unknown };

const attempted = async ({ attempt }: Asking): Promise<Attempted> => {
  try {
    return { ok: true, generated: await attempt() };
  } catch (error) {
    return { ok: false, error };
  }
};

const replyFrom = async (
  asking: Asking,
  generated: Generated,
  latencyMs: number,
): Promise<ModelReply> => {
  const { request, level } = asking;
  const { finishReason: reason, body, written } = generated;
  const text = asking.redact(generated.text);
  const input = `${systemOf(request, level)}\n${request.prompt}`;
  const usage = usageOf(generated.usage, request, { input, output: written });
  const finish = { reason, text, body, formed: request.form !== null };
  const fault = tooLong(written, request) ?? (await faultOfFinish(finish));
  const servedBy = request.model;
  return fault === null
    ? { ok: true, text, servedBy, usage, latencyMs }
    : failed(servedBy, told(fault, asking), { usage, latencyMs });
};

/** The longest tokens are rows of blanks. */
const TOKEN_UNITS_MAX = 64;
/** Some servers treat the token limit as a hint. */
const TEXT_UNITS_ALWAYS = 16_000;

/** Rejects impossible lengths, to protect the journal and prompts. */
const tooLong = (text: string, { maxTokens }: ModelRequest): Fault | null => {
  const unitsMax = Math.max(TEXT_UNITS_ALWAYS, maxTokens * TOKEN_UNITS_MAX);
  if (text.length <= unitsMax) return null;
  return transientFault("bad_reply", `the answer is longer than ${maxTokens} tokens can be`);
};

/** Notes a refused form level; the fault is retriable while another level is left. */
const afterForm = (fault: Fault, asking: Asking): Fault => {
  const { access, name, request, level } = asking;
  const isForm = fault.fault === "bad_request" && level !== "text" && request.form !== VECTORS;
  if (!isForm || !isAboutForm(told(fault, asking).message)) return fault;
  const next: FormLevel | null = access.forms.refused(name, level);
  return next === null ? fault : { ...fault, retriable: true };
};

/** The fault without secrets and echoes. */
const told = (fault: Fault, { access, request }: Asking): Fault => {
  const isQuote = fault.quotes === true;
  const texts = isQuote ? [request.system, request.prompt] : [];
  const { toldFaults = [] } = request;
  const message = scrubbed(fault.message, { secrets: secretsOf(access), texts, toldFaults });
  return { ...fault, message };
};

/** Texts that no answer or fault may contain. */
const secretsOf = ({ key, keys, settings }: SdkAccess): readonly string[] => {
  const address = settings.base_url === null ? null : URL.parse(settings.base_url);
  return [key, ...keys, address?.password, address?.search.slice(1)].filter(isText);
};

const isText = (text: string | null | undefined): text is string =>
  text !== null && text !== undefined && text !== "";
