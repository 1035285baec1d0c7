import { cutText, type Dice, isObject, type Json, type JsonObject } from "../../kernel/index.ts";

/** Where values come from: texts are taken from the prompt, and the dice choose. */
type ValueSource = { readonly prompt: string; readonly dice: Dice };

type Place = ValueSource & {
  readonly name: string;
  readonly depth: number;
  /** The whole schema, for references. */
  readonly root: Json;
};

/** Deeper values of a recursive schema are null. */
const DEPTH_MAX = 12;

/** Returns a value that fits a JSON Schema. The names of fields determine the kind of text. */
export const schemaValue = (schema: Json, source: ValueSource): Json =>
  valueAt(schema, { ...source, name: "", depth: 0, root: schema });

const valueAt = (given: Json, place: Place): Json => {
  const { dice, depth } = place;
  if (!isObject(given) || depth > DEPTH_MAX) return null;
  const schema = resolved(given, place.root);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return dice.choose(schema.enum) ?? null;
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return valueAt(choiceOf(choices, place), deeper(place));
  if (Array.isArray(schema.allOf)) return allOf(schema.allOf, place);
  switch (typeOf(schema)) {
    case "object":
      return objectOf(schema, place);
    case "array":
      return listOf(schema, place);
    case "integer":
    case "number":
      return numberOf(schema, place);
    case "boolean":
      return /addresses_judge/.test(place.name)
        ? /\b(judge|marks?)\b/i.test(dataIn(place.prompt))
        : dice.chance(0.5);
    case "string":
      return textOf(schema, place);
    default:
      return null;
  }
};

const deeper = (place: Place, name = place.name): Place => ({
  ...place,
  name,
  depth: place.depth + 1,
});

const REFERENCES_MAX = 20;

const resolved = (schema: JsonObject, root: Json): JsonObject => {
  let found = schema;
  for (let count = 0; count < REFERENCES_MAX && typeof found.$ref === "string"; count += 1) {
    let target: Json | undefined = root;
    for (const key of found.$ref.split("/").slice(1)) {
      target = isObject(target) ? target[key] : undefined;
    }
    if (!isObject(target)) return {};
    found = target;
  }
  return found;
};

/** In deep places, prefers a choice without inner values, so that recursive schemas end. */
const choiceOf = (choices: readonly Json[], { dice, depth }: Place): Json => {
  const simple = choices.filter(
    (each) => isObject(each) && !["object", "array"].includes(typeOf(each)) && !("$ref" in each),
  );
  return dice.choose(depth > DEPTH_MAX / 2 && simple.length > 0 ? simple : choices) ?? null;
};

const allOf = (parts: readonly Json[], place: Place): Json => {
  const values = parts.map((part) => valueAt(part, deeper(place)));
  const objects = values.filter(isObject);
  return objects.length === 0 ? (values[0] ?? null) : Object.assign({}, ...objects);
};

const typeOf = ({ type, properties, items }: JsonObject): string => {
  const [first] = Array.isArray(type) ? type : [type];
  if (typeof first === "string") return first;
  return properties !== undefined ? "object" : items !== undefined ? "array" : "null";
};

/** Optional fields of deep places are omitted, so that recursive schemas end. */
const objectOf = ({ properties, required }: JsonObject, place: Place): Json => {
  const needed = Array.isArray(required) ? required : [];
  const entries = Object.entries(isObject(properties) ? properties : {}).filter(
    ([name]) => place.depth <= DEPTH_MAX / 2 || needed.includes(name),
  );
  return Object.fromEntries(
    entries.map(([name, each]) => [name, valueAt(each, deeper(place, name))]),
  );
};

const LIST_LENGTH = 2;

const listOf = ({ items, prefixItems, minItems, maxItems }: JsonObject, place: Place): Json => {
  if (Array.isArray(prefixItems)) return prefixItems.map((each) => valueAt(each, deeper(place)));
  const least = typeof minItems === "number" ? minItems : 0;
  const most = typeof maxItems === "number" ? maxItems : Number.POSITIVE_INFINITY;
  const usual = place.depth > DEPTH_MAX / 2 ? 0 : LIST_LENGTH;
  const length = Math.min(most, Math.max(least, usual));
  return Array.from({ length }, () => valueAt(items ?? {}, deeper(place)));
};

const NUMBER_MAX = 10;
const SHARE_LEAST = 0.3;
const SHARE_SPREAD = 0.5;
const DECIMALS = 100;

/** Returns a number within the bounds, from the middle if both bounds are near each other. */
const numberOf = (schema: JsonObject, { dice }: Place): number => {
  const isInteger = typeOf(schema) === "integer";
  const { multipleOf } = schema;
  const unit = typeof multipleOf === "number" ? multipleOf : isInteger ? 1 : 1 / DECIMALS;
  const bound = (inclusive: string, exclusive: string, sign: number): number | null => {
    const [own, open] = [schema[inclusive], schema[exclusive]];
    if (typeof open === "number") return open + sign * unit;
    return typeof own === "number" && Number.isFinite(own) ? own : null;
  };
  const least = bound("minimum", "exclusiveMinimum", 1);
  const most = bound("maximum", "exclusiveMaximum", -1);
  const low =
    least !== null && Math.abs(least) < Number.MAX_SAFE_INTEGER ? least : Math.min(0, most ?? 0);
  const high = Math.max(low, Math.min(most ?? low + NUMBER_MAX, low + DECIMALS));
  const wanted = low + (high - low) * (SHARE_LEAST + SHARE_SPREAD * dice.next());
  const steps = Math.floor(wanted / unit);
  const fitting = steps * unit < low ? (steps + 1) * unit : steps * unit;
  return isInteger ? Math.round(fitting) : Number(fitting.toFixed(10));
};

const FORMATS: { readonly [format: string]: string } = {
  "date-time": "2026-01-01T00:00:00Z",
  date: "2026-01-01",
  time: "12:00:00Z",
  email: "agent@example.com",
  uri: "https://example.com/",
  url: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
  ipv4: "127.0.0.1",
};

const textOf = ({ format, minLength, maxLength }: JsonObject, place: Place): string => {
  const fixed = typeof format === "string" ? FORMATS[format] : undefined;
  if (fixed !== undefined) return fixed;
  const text = sentenceFor(place.name, place.prompt, place.dice);
  const padded = typeof minLength === "number" ? text.padEnd(minLength, ".") : text;
  return typeof maxLength === "number" ? cutText(padded, maxLength) : padded;
};

const SAID: readonly (readonly [about: RegExp, said: readonly string[]])[] = [
  [
    /goal|objective/,
    ["Sell small programs that others call again.", "End with more scrip than I have now."],
  ],
  [
    /step|plan|action|next/,
    [
      "Call a program of the market that I can afford.",
      "Write a small program with an interface and an example.",
      "Bid at the mint with my best program.",
    ],
  ],
  [
    /strategy|approach/,
    ["Offer many cheap programs and raise the price of what sells.", "Buy first, then improve."],
  ],
  [/not_working|problem|risk|lesson|fail/, ["A program without callers earns nothing."]],
  [/working|strength|success/, ["My programs run without errors, and their examples hold."]],
  [/reason|why|rationale/, ["It does what its interface says, and its example is right."]],
];

const SENTENCE_CHARS_MAX = 160;
const SENTENCES_MAX = 40;

/** Returns a sentence that suits the name of a field, or else one from the prompt. */
export const sentenceFor = (name: string, prompt: string, dice: Dice): string => {
  const said = SAID.find(([about]) => about.test(name))?.[1];
  const from = said ?? sentencesIn(prompt);
  return dice.choose(from) ?? "I look at the market and act.";
};

const sentencesIn = (prompt: string): readonly string[] =>
  prompt
    .slice(-8_000)
    .split(/\n|(?<=[.!?])\s/)
    .map((line) => cutText(line.replace(/^[-#\s]+/, "").trim(), SENTENCE_CHARS_MAX))
    .filter((line) => /\w{3}/.test(line) && !line.includes("<"))
    .slice(0, SENTENCES_MAX);

const dataIn = (prompt: string): string =>
  prompt.slice(prompt.indexOf("<data>") + 1, Math.max(0, prompt.lastIndexOf("</data>")));
