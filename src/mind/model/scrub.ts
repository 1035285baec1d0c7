import { cutText } from "../../kernel/index.ts";
import { redactorOf } from "./redactor.ts";

/** What a message to people and journals must not repeat. */
export type Unspoken = {
  /** Keys, and addresses that hold some. */
  readonly secrets: readonly string[];
  /** What was sent: providers like to quote it. */
  readonly texts: readonly string[];
  /** What was told before, and may be told again although it was sent. */
  readonly heard?: readonly string[];
};

const MESSAGE_CHARS_MAX = 300;

/** Long enough that two texts do not share such a run by chance. */
const ECHO_CHARS = 40;

/** Looks like a key although we do not know it: a gateway may show its own. */
const KEY_SHAPES: readonly RegExp[] = [
  /\b(bearer|basic)\s+[\w.~+/=-]+/gi,
  /\b(sk|pk|rk|gsk|xai|key)-[\w-]{8,}/g,
  /\bAIza[\w-]{10,}/g,
  /\b(authorization|x-api-key|x-goog-api-key|api[_-]?key)["']?\s*[:=]\s*["']?[\w.~+/=*-]+/gi,
];

/**
 * One line, cut, without secrets, without what stands behind `?` in an address, without echoes.
 * Secrets go before anything is cut, so that no piece of one is left at an edge.
 */
export const scrubbed = (text: string, { secrets, texts, heard = [] }: Unspoken): string => {
  let line = redactorOf(secrets)(text);
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    if (secret !== "") line = line.replaceAll(secret, "***");
  }
  // More than this is never shown, so it need not be read.
  line = onOneLine(line).slice(0, 10 * MESSAGE_CHARS_MAX);
  line = line
    .replace(/(https?:\/\/)[^\s/@]*@/gi, "$1")
    .replace(/(https?:\/\/[^\s?#"']+)[?#][^\s"']*/gi, "$1");
  for (const shape of KEY_SHAPES) line = line.replace(shape, "***");
  line = line.slice(0, 2 * MESSAGE_CHARS_MAX);
  line = withoutEcho(line, { sent: texts.map(onOneLine), heard: heard.map(onOneLine) }).trim();
  return line.length <= MESSAGE_CHARS_MAX ? line : `${cutText(line, MESSAGE_CHARS_MAX - 1)}…`;
};

const onOneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ");

type Told = { readonly sent: readonly string[]; readonly heard: readonly string[] };

/** The text up to where it begins to repeat what was sent, but for what was heard before. */
const withoutEcho = (text: string, { sent, heard }: Told): string => {
  for (let at = 0; at + ECHO_CHARS <= text.length; at += 1) {
    const run = text.slice(at, at + ECHO_CHARS);
    const isIn = (other: string): boolean => other.includes(run);
    if (sent.some(isIn) && !heard.some(isIn)) {
      return `${text.slice(0, at)}…`;
    }
  }
  return text;
};
