import { shortened } from "../../text/index.ts";

type Redaction = {
  readonly secrets: readonly string[];
  readonly texts: readonly string[];
  readonly reportedFaults?: readonly string[];
};

const MESSAGE_CHARS_MAX = 300;

/** Two texts share this many characters in a row only if one text repeats the other. */
const ECHO_CHARS = 40;

/** Patterns of other keys. For example, a gateway may include its own key in an error message. */
const KEY_SHAPES: readonly RegExp[] = [
  /\b(bearer|basic)\s+[\w.~+/=-]+/gi,
  /\b(sk|pk|rk|gsk|xai|key)-[\w-]{8,}/g,
  /\bAIza[\w-]{10,}/g,
  /\b(authorization|x-api-key|x-goog-api-key|api[_-]?key)["']?\s*[:=]\s*["']?[\w.~+/=*-]+/gi,
];

/**
 * Returns one short line without secrets, query strings, or text from the request. Removes secrets
 * before it truncates anything, so that no part of a secret remains.
 */
export const scrubbed = (
  text: string,
  { secrets, texts, reportedFaults = [] }: Redaction,
): string => {
  let line = redactorOf(secrets)(text);
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    if (secret !== "") line = line.replaceAll(secret, "***");
  }
  line = onOneLine(line).slice(0, 10 * MESSAGE_CHARS_MAX);
  line = line
    .replace(/(https?:\/\/)[^\s/@]*@/gi, "$1")
    .replace(/(https?:\/\/[^\s?#"']+)[?#][^\s"']*/gi, "$1");
  for (const shape of KEY_SHAPES) line = line.replace(shape, "***");
  line = line.slice(0, 2 * MESSAGE_CHARS_MAX);
  line = withoutEcho(line, texts.map(onOneLine), reportedFaults.map(onOneLine)).trim();
  return shortened(line, MESSAGE_CHARS_MAX);
};

const onOneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ");

/** Cuts `text` where it begins to repeat one of `sent`, unless `allowed` has the same words. */
const withoutEcho = (text: string, sent: readonly string[], allowed: readonly string[]): string => {
  for (let at = 0; at + ECHO_CHARS <= text.length; at += 1) {
    const run = text.slice(at, at + ECHO_CHARS);
    const isIn = (other: string): boolean => other.includes(run);
    if (sent.some(isIn) && !allowed.some(isIn)) return `${text.slice(0, at)}…`;
  }
  return text;
};

export type Redact = (text: string) => string;

/** A prefix of a secret is removed if the prefix has at least this length. */
const PIECE_UNITS = 12;
/** Shorter secrets are not removed, because words such as `ollama` or `EMPTY` occur in any text. */
const SECRET_UNITS_MIN = 8;
const INSTEAD = "***";

/**
 * Returns a function that removes secrets and their prefixes in plain, URL-encoded and base64 form.
 * The function prevents only accidental leaks, because a provider could encode a key in other ways.
 */
export const redactorOf = (secrets: readonly string[]): Redact => {
  const search = searchFor(secrets);
  return search === null ? (text) => text : (text) => search(text, { isWhole: true }).clean;
};

/** Takes a text in pieces, and returns what can be shown so far. */
export type StreamRedact = {
  push(piece: string): string;
  /** Returns the rest. The next piece then begins another text. */
  end(): string;
};

/**
 * Redacts a text that arrives in pieces. The pieces that `push` and `end` return form what
 * `redactorOf` makes of the whole text. Holds back an end of the text that may begin a secret.
 */
export const streamRedactorOf = (secrets: readonly string[]): StreamRedact => {
  const search = searchFor(secrets);
  let held = "";
  const take = (piece: string, isWhole: boolean): string => {
    const text = held + piece;
    const found = search?.(text, { isWhole }) ?? { clean: text, held: "" };
    // A piece can end within a character.
    const isHalf = !isWhole && HIGH_SURROGATE.test(found.clean);
    const clean = isHalf ? found.clean.slice(0, -1) : found.clean;
    held = found.clean.slice(clean.length) + found.held;
    return clean;
  };
  return { push: (piece) => take(piece, false), end: () => take("", true) };
};

const HIGH_SURROGATE = /[\uD800-\uDBFF]$/;

type Found = {
  readonly clean: string;
  /** The end of the text that may begin a secret. Empty if the text is whole. */
  readonly held: string;
};
type Search = (text: string, end: { readonly isWhole: boolean }) => Found;

/** Returns null if no secret is long enough to be removed. */
const searchFor = (secrets: readonly string[]): Search | null => {
  const long = secrets.filter((secret) => secret.length >= SECRET_UNITS_MIN);
  const forms = [...new Set(long.flatMap(formsOf))].filter((form) => form.length > 0);
  if (forms.length === 0) return null;
  const pieces = forms.map((form) => form.slice(0, PIECE_UNITS));
  const start = new RegExp([...new Set(pieces)].map(literal).join("|"), "g");
  const longest = Math.max(...forms.map(({ length }) => length));
  const mayBegin = (end: string): boolean =>
    forms.some((form) => form.length > end.length && form.startsWith(end));
  /** Where an end of the text starts that may begin a secret. */
  const heldFrom = (text: string, from: number): number => {
    let at = Math.max(from, text.length - longest);
    while (at < text.length && !mayBegin(text.slice(at))) at += 1;
    return at;
  };
  return (text, { isWhole }) => {
    let clean = "";
    let from = 0;
    for (;;) {
      const end = isWhole ? text.length : heldFrom(text, from);
      start.lastIndex = from;
      const index = start.exec(text)?.index ?? end;
      if (index >= end) return { clean: clean + text.slice(from, end), held: text.slice(end) };
      clean += `${text.slice(from, index)}${INSTEAD}`;
      from = index + Math.max(...forms.map((form) => sharedUnits(form, text, index)));
    }
  };
};

const formsOf = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret.toWellFormed()),
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  Buffer.from(secret).toString("base64url"),
];

/** Returns how many characters of `form` stand in `text` at `at`, or 0 if they are too few. */
const sharedUnits = (form: string, text: string, at: number): number => {
  let units = 0;
  while (units < form.length && text[at + units] === form[units]) units += 1;
  return units >= Math.min(PIECE_UNITS, form.length) ? units : 0;
};

const literal = (text: string): string => text.replace(/[$()*+./?[\\\]^{|}-]/g, "\\$&");
