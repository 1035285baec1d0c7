import jsTokens from "js-tokens";
import { cutText } from "../../kernel/index.ts";
import { fenced } from "../prompt/index.ts";

const CODE_CHARS_MAX = 12_000;
const CONTENT_CHARS_MAX = 4_000;
const LITERAL_CHARS_MAX = 60;
const NAME_CHARS_MAX = 40;

/**
 * A program as a judge may see it: no comments, and of each text and each long name in it only the
 * beginning. Names that begin alike are told apart by a number.
 */
export const plainCode = (code: string): string => {
  const parts: string[] = [];
  const longNames = new Map<string, string>();
  const shortName = (name: string): string => {
    const short = longNames.get(name) ?? `${cutText(name, NAME_CHARS_MAX)}…${longNames.size + 1}`;
    longNames.set(name, short);
    return short;
  };
  for (const { type, value } of jsTokens(code)) {
    if (type === "SingleLineComment" || type === "MultiLineComment") parts.push(" ");
    else if (NAMES.has(type) && value.length > NAME_CHARS_MAX) parts.push(shortName(value));
    else parts.push(value.length > LITERAL_CHARS_MAX && isText(type) ? shortened(value) : value);
  }
  const lines = parts.join("").split("\n");
  return cutText(lines.filter((line) => line.trim() !== "").join("\n"), CODE_CHARS_MAX);
};

const NAMES: ReadonlySet<string> = new Set(["IdentifierName", "PrivateIdentifier"]);

const TEXTS: ReadonlySet<string> = new Set([
  "StringLiteral",
  "NoSubstitutionTemplate",
  "TemplateHead",
  "TemplateMiddle",
  "TemplateTail",
  "RegularExpressionLiteral",
]);

const isText = (type: string): boolean => TEXTS.has(type);

const shortened = (literal: string): string =>
  `${cutText(literal, LITERAL_CHARS_MAX)}…${literal.at(-1) ?? ""}`;

/** What is judged, as data that nothing in it can leave. */
export const exhibit = ({
  code,
  content,
}: {
  readonly code: string;
  readonly content: string;
}): string => {
  const program = code === "" ? "(no code)" : plainCode(code);
  const text = content === "" ? "(no content)" : cutText(content, CONTENT_CHARS_MAX);
  return `Code, without its comments:\n${fenced(program)}\n\nContent:\n${fenced(text)}`;
};
