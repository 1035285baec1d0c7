import { z } from "zod";
import { cutText, type Json, type JsonObject } from "../kernel/index.ts";
import type { ReadResult } from "../mind/index.ts";
import { extractJson, type ReplyForm } from "../model/index.ts";

export const FIELD_TYPES = ["string", "number", "integer", "boolean", "list"] as const;
type FieldType = (typeof FIELD_TYPES)[number];

/** The fields that an llm step returns, each with its type or its list of allowed words. */
export type AnswerFields = { readonly [field: string]: FieldType | readonly string[] };

export const isWords = (given: unknown): given is readonly string[] => Array.isArray(given);

const TEXT_CHARS_MAX = 1_500;

/** Describes a field to a model and reads its value. `read` returns undefined for a bad value. */
type FieldKind = {
  readonly schema: z.ZodType;
  readonly words: string;
  readonly example: Json;
  readonly read: (given: unknown) => Json | undefined;
};

const isScalar = (given: unknown): given is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof given);

const textOf = (given: unknown, charsMax: number): string | undefined =>
  isScalar(given) ? cutText(plainText(String(given)).trim(), charsMax) : undefined;

const numberOf = (given: unknown): number | undefined => {
  const number = typeof given === "string" && given.trim() !== "" ? Number(given) : given;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
};

const KINDS: { readonly [T in FieldType]: FieldKind } = {
  string: {
    schema: z.string(),
    words: "text",
    example: "…",
    read: (given) => textOf(given, TEXT_CHARS_MAX),
  },
  number: { schema: z.number(), words: "a number", example: 0.5, read: numberOf },
  integer: {
    schema: z.int(),
    words: "a whole number",
    example: 1,
    read: (given) => {
      const number = numberOf(given);
      return Number.isSafeInteger(number) ? number : undefined;
    },
  },
  boolean: {
    schema: z.boolean(),
    words: "true or false",
    example: true,
    read: (given) => {
      const word = typeof given === "string" ? given.trim().toLowerCase() : given;
      if (word === true || word === "true") return true;
      return word === false || word === "false" ? false : undefined;
    },
  },
  list: {
    schema: z.array(z.string()),
    words: "a list of texts",
    example: ["…"],
    read: (given) => {
      if (!Array.isArray(given)) return undefined;
      const items = given.slice(0, 30).map((item: unknown) => textOf(item, 300));
      return items.every((item) => item !== undefined) ? items : undefined;
    },
  },
};

const choiceOf = (words: readonly string[]): FieldKind => ({
  schema: z.enum(words),
  words: `one of ${words.join(", ")}`,
  example: words[0] ?? "",
  read: (given) => {
    const answer = textOf(given, TEXT_CHARS_MAX)?.toLowerCase();
    return words.find((word) => word.toLowerCase() === answer);
  },
});

const kindsOf = (fields: AnswerFields): readonly (readonly [string, FieldKind])[] =>
  Object.entries(fields).map(([field, type]) => [
    field,
    typeof type === "string" ? KINDS[type] : choiceOf(type),
  ]);

/** Returns the reply form of an answer. Answers are flat, so `rich` and `flat` are one schema. */
export const answerForm = (name: string, fields: AnswerFields): ReplyForm => {
  const kinds = kindsOf(fields);
  const schema = z.object(Object.fromEntries(kinds.map(([field, kind]) => [field, kind.schema])));
  const example = Object.fromEntries(kinds.map(([field, kind]) => [field, kind.example]));
  const lines = kinds.map(([field, { words }]) => `"${field}" is ${words}.`);
  const head = "Answer with one JSON object and nothing else:";
  const described = [head, JSON.stringify(example), ...lines].join("\n");
  return { name, rich: schema, flat: schema, described };
};

/** Reads a JSON answer, alone or in prose. Accepts quoted numbers, and drops unknown fields. */
export const readAnswer = (text: string, fields: AnswerFields): ReadResult<JsonObject> => {
  const found = extractJson(text);
  if (found === undefined) {
    const problem = "the reply contains no JSON object; answer with one and nothing else";
    return { ok: false, problem };
  }
  const given: ReadonlyMap<string, unknown> = new Map(Object.entries(found));
  const value: { [field: string]: Json } = {};
  for (const [field, kind] of kindsOf(fields)) {
    const read = kind.read(given.get(field));
    if (read === undefined) {
      const why = given.has(field) ? "is invalid" : "is missing";
      return { ok: false, problem: `"${field}" ${why}; it must be ${kind.words}` };
    }
    value[field] = read;
  }
  return { ok: true, value };
};

/** Makes a text safe to store. Removes NUL and replaces lone surrogates. */
export const plainText = (text: string): string =>
  text.replaceAll("\u0000", "").replace(/\p{Surrogate}/gu, "\uFFFD");
