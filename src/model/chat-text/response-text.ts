import { jsonIn } from "../../kernel/index.ts";

/** A value that a model can add to a reply, apart from the message that others read. */
export type ResponseAttribute = {
  /** The name of its tag: letters, digits and `-`. */
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** Empty: the example of a reply leaves the attribute out. */
  readonly example: string;
};

/** A reply in two parts. `attributes` has the values that are not empty, by name. */
type ResponseText = { readonly attributes: ReadonlyMap<string, string>; readonly text: string };

const BLOCK = "response-metadata";
const LIST = "attributes";
const MARKER = "MESSAGE TO SEND:";

/** Tells a model how to write a reply with these attributes. */
export const responseGuide = (attributes: readonly ResponseAttribute[]): string => {
  const listed = attributes.map(
    ({ name, description, required }) =>
      `- ${name} (${required ? "required" : "optional"}): ${description}`,
  );
  const shown = attributes.filter((each) => each.example !== "");
  const example = writtenResponse({
    attributes: new Map(shown.map((each) => [each.name, each.example])),
    text: "I take the next step.",
  });
  return `# RESPONSE FORMAT INSTRUCTIONS
Each of your replies has two parts: a block of metadata for the system, then the line ${MARKER}
and your message. The block has one tag for each attribute. Leave out an optional attribute that you
do not need. Write & and < as they are. The attributes are:
${listed.join("\n")}
This is a complete reply:
${example}`;
};

/** Writes a reply in the form for which `responseGuide` asks. */
export const writtenResponse = ({ attributes, text }: ResponseText): string => {
  const lines = [...attributes].map(([name, value]) => `<${name}>${value}</${name}>`);
  const block = [`<${BLOCK}>`, `<${LIST}>`, ...lines, `</${LIST}>`, `</${BLOCK}>`];
  return [...block, MARKER, text].join("\n");
};

const MARKED = "MESSAGE TO SEND\\s*:[*_]*";
const AFTER_MARKER = new RegExp(MARKED, "i");
const OPEN_FENCE = /```[\w-]*\s*$/;
const CLOSE_FENCE = /\s*```[^\S\n]*(?=\n|$)/y;
const LAST_FENCE = /\n?```\s*$/;

/**
 * Reads a reply of any model. Tags may be missing, repeated, fenced, or in another order, and the
 * marker may be missing. Of several blocks, the first one counts. The text has no part of a block.
 * Never throws.
 */
export const readResponse = (
  reply: string,
  attributes: readonly ResponseAttribute[],
): ResponseText => {
  const names = attributes.map(({ name }) => name);
  const opening = new RegExp(`<(?:${[BLOCK, LIST, ...names].join("|")})(?![\\w-])`, "gi");
  const reading = { reply, names, jsonTriesLeft: JSON_TRIES_MAX };
  const shown: string[] = [];
  let values: ResponseText["attributes"] | null = null;
  let at = 0;
  let isFenceOpen = false;
  for (;;) {
    opening.lastIndex = at;
    const found = opening.exec(reply);
    if (found === null) break;
    const block = blockAt(reading, found.index);
    values ??= block.values;
    const before = reply.slice(at, found.index);
    const unfenced = before.replace(OPEN_FENCE, "");
    shown.push(unfenced);
    at = block.end;
    if (unfenced === before) continue;
    CLOSE_FENCE.lastIndex = at;
    if (CLOSE_FENCE.test(reply)) at = CLOSE_FENCE.lastIndex;
    else isFenceOpen = true;
  }
  // A line break keeps the two sides of a block from forming a tag.
  const rest = [...shown, reply.slice(at)].join("\n");
  const marked = AFTER_MARKER.exec(rest);
  const message = marked === null ? rest : rest.slice(marked.index + marked[0].length);
  const closing = new RegExp(`</(?:${[BLOCK, LIST, ...names].join("|")})(?![\\w-])[^<>]*>?`, "gi");
  const text = message.replaceAll(closing, " ").replace(isFenceOpen ? LAST_FENCE : "", "");
  return { attributes: values ?? new Map(), text: text.trim() };
};

/** Bounds the time of a reply with many tags, because a search for JSON can read all of it. */
const JSON_TRIES_MAX = 20;

type Reading = { readonly reply: string; readonly names: readonly string[]; jsonTriesLeft: number };

/** `end` is the place after the block. */
type Block = { readonly values: ReadonlyMap<string, string>; readonly end: number };

/**
 * The block that starts at `start`. It ends with its closing tag. Without this tag, it ends before
 * the marker or the next block, else after its last complete part, else with the reply.
 */
const blockAt = (reading: Reading, start: number): Block => {
  const { reply, names } = reading;
  const tokens = tokenPattern(names);
  const values = new Map<string, string>();
  let at = start;
  let completeAt: number | null = null;
  for (;;) {
    tokens.lastIndex = at;
    const token = tokens.exec(reply);
    if (token === null) return { values, end: completeAt ?? reply.length };
    const { index } = token;
    const tag = (token.groups?.name ?? "").toLowerCase();
    const isClosing = token[0].startsWith("</");
    at = tokens.lastIndex;
    if (tag === "") return { values, end: index };
    if (tag === BLOCK && isClosing) return { values, end: at };
    if (tag === BLOCK && index !== start) return { values, end: index };
    if (isClosing) completeAt = at;
    else if (tag !== BLOCK && tag !== LIST) {
      const value = valueAt(reading, at, { name: tag, tokens });
      const name = names.find((each) => each.toLowerCase() === tag) ?? tag;
      if (value.text !== "" && !values.has(name)) values.set(name, value.text);
      at = value.end;
      completeAt = at;
    }
  }
};

/** The tags of a block, and the marker, which has no name. */
const tokenPattern = (names: readonly string[]): RegExp => {
  const tags = `</?(?<name>${[BLOCK, LIST, ...names].join("|")})(?![\\w-])[^<>]*>?`;
  return new RegExp(`${tags}|${MARKED}`, "gi");
};

const BEFORE_JSON = /\s*(?:<!\[CDATA\[)?\s*(?:```\w*)?\s*/y;
const AROUND_TEXT = /^\s*<!\[CDATA\[|\]\]>\s*$/g;

type Place = { readonly name: string; readonly tokens: RegExp };

/** The value of the attribute whose opening tag ends at `from`, and the place after the value. */
const valueAt = (
  reading: Reading,
  from: number,
  { name, tokens }: Place,
): { readonly text: string; readonly end: number } => {
  const { reply } = reading;
  BEFORE_JSON.lastIndex = from;
  BEFORE_JSON.test(reply);
  // Texts in JSON may have tags and the marker, so complete JSON is a value of its own.
  reading.jsonTriesLeft -= 1;
  const json = reading.jsonTriesLeft < 0 ? null : jsonAt(reply, BEFORE_JSON.lastIndex);
  if (json !== null) {
    const after = new RegExp(`\\s*(?:\`\`\`)?\\s*(?:\\]\\]>)?\\s*(?:</${name}\\s*>)?`, "iy");
    after.lastIndex = json.end;
    after.test(reply);
    return { text: json.text, end: after.lastIndex };
  }
  let end: number | null = null;
  tokens.lastIndex = from;
  for (let next = tokens.exec(reply); next !== null; next = tokens.exec(reply)) {
    end ??= next.index;
    const tag = next.groups?.name?.toLowerCase();
    const isClosing = next[0].startsWith("</");
    // An own closing tag wins over other tags before it, but not over the marker.
    if (tag === undefined || (tag === name && !isClosing)) break;
    if (tag !== name) continue;
    return { text: plainText(reply.slice(from, next.index)), end: tokens.lastIndex };
  }
  end ??= reply.length;
  return { text: plainText(reply.slice(from, end)), end };
};

const ENTITIES: readonly (readonly [entity: string, character: string])[] = [
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&amp;", "&"],
];

const plainText = (written: string): string =>
  ENTITIES.reduce(
    (text, [entity, character]) => text.replaceAll(entity, character),
    written.replaceAll(AROUND_TEXT, ""),
  ).trim();

/** `text` is valid JSON. `end` is the place after it in the text that was read. */
type FoundJson = { readonly text: string; readonly end: number };

const ESCAPES: { readonly [character: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const NEXT = /\s*([\]}])?/y;

/**
 * The JSON list or object that starts at `start`, or null if there is none. Corrects what models
 * write most often: line breaks and tabs within a text, and a comma after the last entry.
 */
const jsonAt = (whole: string, start: number): FoundJson | null => {
  const end = endOfJson(whole, start);
  if (end === null) return null;
  const written = whole.slice(start, end);
  if (jsonIn(written) !== undefined) return { text: written, end };
  const text = corrected(written);
  return jsonIn(text) === undefined ? null : { text, end };
};

const endOfJson = (whole: string, start: number): number | null => {
  if (whole[start] !== "[" && whole[start] !== "{") return null;
  let depth = 0;
  for (let at = start; at < whole.length; at++) {
    const mark = whole[at];
    if (mark === '"') at = endOfText(whole, at);
    else if (mark === "[" || mark === "{") depth += 1;
    else if (mark === "]" || mark === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
};

/** The place of the quote that ends the text whose first quote is at `start`. */
const endOfText = (whole: string, start: number): number => {
  let at = start + 1;
  while (at < whole.length && whole[at] !== '"') at += whole[at] === "\\" ? 2 : 1;
  return at;
};

const corrected = (written: string): string => {
  let text = "";
  for (let at = 0; at < written.length; at++) {
    const mark = written[at];
    if (mark === '"') {
      const end = endOfText(written, at);
      text += written.slice(at, end + 1).replaceAll(/[\n\r\t]/g, (found) => ESCAPES[found] ?? "");
      at = end;
    } else {
      NEXT.lastIndex = at + 1;
      const isExtra = mark === "," && NEXT.exec(written)?.[1] !== undefined;
      if (!isExtra) text += mark;
    }
  }
  return text;
};
