import { invariant } from "../../kernel/index.ts";
import { cancelled, type Fault, failed, passing } from "./failure.ts";
import { faultOfThrown } from "./fault.ts";
import { faultOfFinish } from "./finish.ts";
import { type FormLevel, type FormLevels, isAboutForm } from "./form-levels.ts";
import { type Call, type Generated, generate, systemOf } from "./generate.ts";
import { type Access, languageModels } from "./language-model.ts";
import { type Model, type ModelReply, NO_TOKENS } from "./model.ts";
import { parseModelId } from "./model-id.ts";
import { scrubbed } from "./scrub.ts";
import type { Time } from "./time.ts";
import { usageOf } from "./usage.ts";

export type SdkAccess = Access & {
  /** Shared by all keys of the provider. */
  readonly forms: FormLevels;
  readonly time: Time;
  /** Ms since 1970, against which a provider's dates are read. */
  readonly wallMs: () => number;
};

/**
 * One provider, asked with one key through the AI SDK, once for each call: asking again is for
 * those who stand before it. A request that is refused for its form fails with a `bad_request` that
 * is retriable: the next one will be told the form in a way that asks less of the provider.
 */
export const sdkModel = (access: SdkAccess): Model => {
  const modelNamed = languageModels(access);
  return {
    ask: (request, signal) => {
      const parsed = parseModelId(request.model);
      const fits = parsed.ok && parsed.provider === access.provider;
      invariant(fits, `${access.provider} was asked for ${request.model}: profiles must fit`);
      const { model: name } = parsed;
      const level = request.form === null ? "text" : access.forms.levelOf(name);
      return asked({ access, name, call: { model: modelNamed(name), request, level } }, signal);
    },
  };
};

type Asking = { readonly access: SdkAccess; readonly name: string; readonly call: Call };

const asked = async (asking: Asking, signal: AbortSignal): Promise<ModelReply> => {
  const { access, call } = asking;
  const { request } = call;
  const startedMs = access.time.now();
  const outcome = await attempted(call, signal);
  const latencyMs = Math.max(0, access.time.now() - startedMs);
  // Whatever the SDK says of a call that was given up, it was given up.
  if (signal.aborted) return cancelled(request.model, latencyMs);
  if (outcome.ok) return replyFrom(asking, outcome.generated, latencyMs);
  const fault = await faultOfThrown(outcome.error, access.wallMs());
  return failed(request.model, told(afterForm(fault, asking), asking), {
    usage: NO_TOKENS,
    latencyMs,
  });
};

type Attempt =
  | { readonly ok: true; readonly generated: Generated }
  | { readonly ok: false; readonly error: unknown };

const attempted = async (call: Call, signal: AbortSignal): Promise<Attempt> => {
  try {
    return { ok: true, generated: await generate(call, signal) };
  } catch (error) {
    return { ok: false, error };
  }
};

const replyFrom = async (
  asking: Asking,
  generated: Generated,
  latencyMs: number,
): Promise<ModelReply> => {
  const { request, level } = asking.call;
  const { text, finishReason: reason, body } = generated;
  const input = `${systemOf(request, level)}\n${request.prompt}`;
  const usage = usageOf(generated.usage, { input, output: text });
  const finish = { reason, text, body, formed: request.form !== null };
  const fault = await faultOfFinish(finish);
  const servedBy = request.model;
  return fault === null
    ? { ok: true, text, servedBy, usage, latencyMs }
    : failed(servedBy, told(fault, asking), { usage, latencyMs });
};

/** Learns from a refusal of the form, and says that it is worth asking again while it is. */
const afterForm = (fault: Fault, { access, name, call }: Asking): Fault => {
  const isForm = fault.fault === "bad_request" && call.level !== "text";
  if (!isForm || !isAboutForm(told(fault, { access, name, call }).message)) return fault;
  const next: FormLevel | null = access.forms.refused(name, call.level);
  return next === null ? fault : passing("bad_request", fault.message);
};

/** The fault as it may be shown and kept. */
const told = (fault: Fault, { access, call }: Asking): Fault => {
  const { key, settings } = access;
  const address = settings.base_url === null ? null : URL.parse(settings.base_url);
  const secrets = [key, address?.password, address?.search.slice(1)].filter(isText);
  const texts = [call.request.system, call.request.prompt];
  return { ...fault, message: scrubbed(fault.message, { secrets, texts }) };
};

const isText = (text: string | null | undefined): text is string =>
  text !== null && text !== undefined && text !== "";
