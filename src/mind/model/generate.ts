import { asSchema, generateText, type LanguageModel, Output, type Schema } from "ai";
import type { z } from "zod";
import type { FormLevel } from "./form-levels.ts";
import type { ModelRequest, ReplyForm } from "./model.ts";

/** One call as it goes to the SDK. */
export type Call = {
  readonly model: LanguageModel;
  readonly request: ModelRequest;
  readonly level: FormLevel;
};

export type Generated = Awaited<ReturnType<typeof generate>>;

/**
 * Asks once. The form only shapes the request: what comes back is not parsed here, because a reply
 * that does not fit is for the caller to mend. Rejects as the SDK does.
 */
export const generate = async ({ model, request, level }: Call, signal: AbortSignal) => {
  const { form, prompt, temperature, maxTokens } = request;
  const system = systemOf(request, level);
  const output = form === null ? null : outputFor(form, level);
  const { text, usage, finishReason, rawFinishReason, response } = await generateText({
    model,
    prompt,
    ...(system === "" ? {} : { instructions: system }),
    ...(temperature === null ? {} : { temperature }),
    ...(output === null ? {} : { output }),
    maxOutputTokens: maxTokens,
    maxRetries: 0,
    abortSignal: signal,
    include: { responseBody: true },
    // The Responses API keeps answers otherwise.
    providerOptions: { openai: { store: false } },
  });
  return { text, usage, finishReason, rawFinishReason, body: response.body };
};

const outputFor = (form: ReplyForm, level: FormLevel) => {
  if (level === "text") return null;
  const shaped =
    level === "json" ? Output.json() : Output.object({ schema: schemaOf(form[level]) });
  const parseCompleteOutput = async ({ text }: { readonly text: string }) => text;
  return { ...shaped, parseCompleteOutput };
};

const knownSchemas = new WeakMap<z.ZodType, Schema>();

/** The SDK would make JSON Schema of the same form at every call, at more cost than the call. */
const schemaOf = (type: z.ZodType): Schema => {
  const known = knownSchemas.get(type);
  if (known !== undefined) return known;
  const schema = asSchema(type);
  knownSchemas.set(type, schema);
  return schema;
};

/** Where no schema is sent, the form is told in words. Some providers insist on the word JSON. */
export const systemOf = ({ system, form }: ModelRequest, level: FormLevel): string => {
  if (form === null || level === "rich" || level === "flat") return system;
  const told = `${form.described}\n\nAnswer with one JSON object of this form and nothing else.`;
  return system === "" ? told : `${system}\n\n${told}`;
};
