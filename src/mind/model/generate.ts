import type {
  JSONSchema7,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from "@ai-sdk/provider";
import { asSchema } from "ai";
import type { z } from "zod";
import type { FormLevel } from "./form-levels.ts";
import type { ModelRequest, ReplyForm } from "./model.ts";
import type { ProviderName } from "./model-id.ts";

/** One call as it goes to the SDK. */
export type Call = {
  readonly provider: ProviderName;
  readonly model: LanguageModelV4;
  readonly request: ModelRequest;
  readonly level: FormLevel;
};

export type Generated = Pick<LanguageModelV4GenerateResult, "usage" | "finishReason"> & {
  readonly text: string;
  /** What of the reply counts as written: nothing where it is vectors. */
  readonly written: string;
  /** The reply as it came over the wire. */
  readonly body: unknown;
};

/**
 * Asks once. The form only shapes the request: what comes back is not parsed here, because a reply
 * that does not fit is for the caller to mend. Rejects as the provider's package does, which is
 * asked without `generateText` (docs/decisions/0015-ai-sdk.md).
 */
export const generate = async (
  { provider, model, request, level }: Call,
  signal: AbortSignal,
): Promise<Generated> => {
  const { form, prompt, temperature, maxTokens } = request;
  const system = systemOf(request, level);
  const answer = await model.doGenerate({
    prompt: [
      ...(system === "" ? [] : [{ role: "system", content: system } as const]),
      { role: "user", content: [{ type: "text", text: prompt }] },
    ],
    ...(temperature === null ? {} : { temperature }),
    ...(form === null ? {} : await formatOf(form, level, provider)),
    maxOutputTokens: maxTokens,
    abortSignal: signal,
    // The Responses API keeps answers otherwise.
    providerOptions: { openai: { store: false } },
  });
  const { content, structuredOutputText, usage, finishReason, response } = answer;
  const said = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const text = form === null ? said : (structuredOutputText ?? said);
  return { text, written: text, usage, finishReason, body: response?.body };
};

const formatOf = async (
  form: ReplyForm,
  level: FormLevel,
  provider: ProviderName,
): Promise<Pick<LanguageModelV4CallOptions, "responseFormat">> => {
  if (level === "text") return {};
  if (level === "json") return { responseFormat: { type: "json" } };
  const { plain, unwalked } = await schemaOf(form[level]);
  return {
    responseFormat: { type: "json", schema: provider === "google" ? unwalked : plain },
  };
};

type Schema = {
  readonly plain: JSONSchema7;
  /** The same for Google's package. */
  readonly unwalked: JSONSchema7;
};

const knownSchemas = new WeakMap<z.ZodType, Promise<Schema> | Schema>();

/** JSON Schema of a form is made once: it costs more than the call. */
const schemaOf = (type: z.ZodType): Promise<Schema> | Schema => {
  const known = knownSchemas.get(type);
  if (known !== undefined) return known;
  const making = madeOf(type);
  knownSchemas.set(type, making);
  return making;
};

const madeOf = async (type: z.ZodType): Promise<Schema> => {
  const plain = await asSchema(type).jsonSchema;
  const made = { plain, unwalked: unwalkedOf(plain) };
  knownSchemas.set(type, made);
  return made;
};

/**
 * Google's package copies the whole schema for every call, to write `enum` for each `const`, which
 * takes a third of the call. A schema that has no `const` is sent as it is all the same: it stands
 * in the request only when that is written.
 */
const unwalkedOf = (plain: JSONSchema7): JSONSchema7 =>
  JSON.stringify(plain).includes('"const"')
    ? plain
    : Object.assign<JSONSchema7, object>({ type: "object" }, { toJSON: () => plain });

/** Where no schema is sent, the form is told in words. Some providers insist on the word JSON. */
export const systemOf = ({ system, form }: ModelRequest, level: FormLevel): string => {
  if (form === null || level === "rich" || level === "flat") return system;
  const told = `${form.described}\n\nAnswer with one JSON object of this form and nothing else.`;
  return system === "" ? told : `${system}\n\n${told}`;
};
