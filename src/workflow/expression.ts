import { Script } from "node:vm";
import jsTokens, { type Token } from "js-tokens";
import { cutText, isObject, type Json } from "../kernel/index.ts";
import { shortened } from "../text/index.ts";

/** A variable that a text reads, and what it reads of it: `b` and `c` in `a.b.c`. */
export type Read = {
  readonly name: string;
  readonly field: string | null;
  readonly inner: string | null;
};

type TextProblem = { readonly problem: string; readonly hint: string | null };
type ExpressionRead =
  | { readonly ok: true; readonly reads: readonly Read[] }
  | ({ readonly ok: false } & TextProblem);

export const EXPRESSION_CHARS_MAX = 2_000;

const LITERALS = new Set(["true", "false", "null", "undefined", "NaN", "Infinity"]);
const EXPRESSION_GLOBALS = ["Math", "JSON", "Number", "String", "Boolean", "Array", "Object"];
const RESERVED = new Set(
  (
    "arguments async await break case catch class const continue debugger default delete do else " +
    "enum eval export extends finally for function if implements import in instanceof interface " +
    "let new of package private protected public return static super switch this throw try " +
    "typeof var void while with yield"
  ).split(" "),
);
/** Properties that lead beyond plain data. Safety depends on the sandbox, not on this list. */
const CLOSED_PROPERTIES = new Set(
  (
    "constructor prototype __proto__ __defineGetter__ __defineSetter__ __lookupGetter__ " +
    "__lookupSetter__ caller callee arguments random"
  ).split(" "),
);
const MARKS = new Set(
  "+ - * / % ** === !== == != < > <= >= && || ?? ! ? : . ?. , ... ( ) [ ] { }".split(" "),
);

const MEANT: ReadonlyMap<string, string> = new Map([
  ["and", "write `&&`"],
  ["or", "write `||`"],
  ["not", "write `!`"],
  ["is", "write `===`"],
  ["True", "write `true`"],
  ["False", "write `false`"],
  ["None", "write `null`"],
  ["=", "compare with `===`; it cannot assign a value"],
  ["&", "write `&&`"],
  ["|", "write `||`"],
  ["=>", "an expression cannot define functions; ask an llm step or use methods like `includes`"],
  ["function", "an expression cannot define functions; use methods such as `includes`"],
  [";", "an expression is one value, without a semicolon"],
]);
export const meantBy = (word: string): string | null => MEANT.get(word) ?? null;

export const isVariableName = (word: string): boolean =>
  /^[A-Za-z][A-Za-z0-9_]*$/.test(word) &&
  !LITERALS.has(word) &&
  !RESERVED.has(word) &&
  !EXPRESSION_GLOBALS.includes(word);

/** Checks a restricted JavaScript expression and finds its variables. Does not run it. */
export const readExpression = (text: string): ExpressionRead => {
  if (text.length > EXPRESSION_CHARS_MAX) {
    const problem = `the expression has more than ${EXPRESSION_CHARS_MAX} characters`;
    return { ok: false, problem, hint: "spread it over several code steps" };
  }
  const inBrackets = `(${text}\n)`;
  const tokens = [...jsTokens(inBrackets)].filter(({ type }) => !/^White|^Line/.test(type));
  // Removes the added brackets. The added `)` is missing if `text` ends in an unclosed comment.
  const own = tokens.slice(1, tokens.at(-1)?.value === ")" ? -1 : undefined);
  const found = scan(own);
  const syntax = found.ok ? syntaxProblem(inBrackets) : null;
  if (syntax === null) return found;
  if (syntax === "Unexpected token ')'" && own.at(-1)?.value !== ")") return END;
  return refused(`this is not JavaScript: ${syntax}`, text.includes("??") ? MIXED : null);
};

const syntaxProblem = (code: string): string | null => {
  try {
    new Script(code);
    return null;
  } catch (error) {
    return error instanceof SyntaxError ? error.message : String(error);
  }
};

type Refused = Extract<ExpressionRead, { readonly ok: false }>;

const refused = (problem: string, hint: string | null = null): Refused => ({
  ok: false,
  problem,
  hint,
});

const END = refused("the expression ends too early");
const MIXED = "put brackets between `??` and `||` or `&&`";

/** The most that a message repeats of a wrong part of an expression. */
const TOKEN_CHARS_MAX = 21;

const unexpected = ({ value }: Token): Refused => {
  if (value.startsWith("`")) return refused("templates are not allowed", "join texts with `+`");
  const shown = shortened(value, TOKEN_CHARS_MAX);
  return refused(`\`${shown}\` is not allowed there in an expression`, meantBy(value));
};

const isAllowed = (token: Token): boolean => {
  const { value } = token;
  switch (token.type) {
    case "IdentifierName":
      return !value.includes("\\");
    case "NumericLiteral":
      return !/n$|^0\d/.test(value);
    case "StringLiteral":
      return token.closed;
    case "Punctuator":
      return MARKS.has(value);
    default:
      return false;
  }
};

const isAny = (token: Token | undefined, marks: string): boolean =>
  token !== undefined && marks.split(" ").includes(token.value);

/** Returns whether a value may end with this token. */
const endsValue = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.type === "Punctuator" ? isAny(token, ") ] }") : token.value !== "typeof");

/** Returns whether the tokens before `(` name a method or a conversion. */
const isCallable = (last: Token | undefined, before: Token | undefined): boolean =>
  isAny(last, "] Number String Boolean") || isAny(before, ". ?.");

/** Returns the name after the mark `.` or `?.` at this index, or null. */
const fieldAt = (tokens: readonly Token[], at: number): string | null => {
  const name = tokens[at + 1];
  return isAny(tokens[at], ". ?.") && name?.type === "IdentifierName" ? name.value : null;
};

/** Refuses JavaScript that is not allowed here. Finds the variables that the expression reads. */
const scan = (tokens: readonly Token[]): ExpressionRead => {
  const reads: Read[] = [];
  let depth = 0;
  if (tokens.length === 0) return refused("the expression is empty");
  for (const [at, token] of tokens.entries()) {
    const { type, value } = token;
    const [before, last, next] = [-2, -1, 1].map((by) => tokens[at + by]);
    if (!isAllowed(token)) return unexpected(token);
    if (value === "(" && endsValue(last) && !isCallable(last, before)) {
      return refused("only methods can be called, as in `my_artifacts.includes(x)`");
    }
    if (type === "Punctuator" && value !== "{") {
      if (isAny(token, "( [")) depth += 1;
      if (isAny(token, ") ] }")) depth -= 1;
      const isStray = value === "," && (depth === 0 || last?.value === ",");
      if (depth < 0 || isStray) return unexpected(token);
    } else if (endsValue(last)) return unexpected(token);
    if (value === "{") depth += 1;
    if (depth > 40) return refused("the expression is nested too deeply");
    if (type !== "IdentifierName") continue;
    const isKey = next?.value === ":" && isAny(last, "{ ,");
    if (isKey || isAny(last, ". ?.")) {
      if (!CLOSED_PROPERTIES.has(value)) continue;
      return refused(`the ${isKey ? "key" : "property"} \`${value}\` is closed to expressions`);
    }
    if (value === "typeof" || LITERALS.has(value) || EXPRESSION_GLOBALS.includes(value)) continue;
    if (RESERVED.has(value)) return unexpected(token);
    const field = fieldAt(tokens, at + 1);
    reads.push({ name: value, field, inner: field === null ? null : fieldAt(tokens, at + 3) });
  }
  return depth > 0 ? END : { ok: true, reads };
};

/** A placeholder for a value: `{name}` or `{name.field.0}`. */
export type Slot = { readonly name: string; readonly path: readonly string[] };
type TemplatePart = string | Slot;

type TemplateRead =
  | { readonly ok: true; readonly parts: readonly TemplatePart[] }
  | ({ readonly ok: false } & TextProblem);

const VALUE_CHARS_MAX = 6_000;
const FILLED_CHARS_MAX = 40_000;

const SLOT_MARKS = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;
const SLOT = /^\s*([A-Za-z_]\w*)((?:\.\w+)*)\s*$/;
const BRACES = "for a literal brace, write it twice: `{{` or `}}`";

/** Parses a variable with its path, such as `review.decision`. Returns null for other texts. */
export const readSlot = (text: string): Slot | null => {
  const [, name, rest = ""] = SLOT.exec(text) ?? [];
  return name === undefined ? null : { name, path: rest.split(".").slice(1) };
};

/** Parses a text with slots such as `{name}`. `{{` stands for `{`, and `}}` stands for `}`. */
export const readTemplate = (text: string): TemplateRead => {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of text.matchAll(SLOT_MARKS)) {
    const [mark, inside] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + mark.length;
    if (mark === "{{" || mark === "}}") parts.push(mark.charAt(0));
    else if (inside === undefined) {
      const which = mark === "{" ? "opened and never closed" : "closed and was never opened";
      return {
        ok: false,
        problem: `a brace is ${which} near "${near(text, match.index)}"`,
        hint: BRACES,
      };
    } else {
      const slot = readSlot(inside);
      if (slot === null) {
        return { ok: false, problem: `"${cutText(mark, 40)}" names no variable`, hint: BRACES };
      }
      parts.push(slot);
    }
  }
  parts.push(text.slice(end));
  return { ok: true, parts: parts.filter((part) => part !== "") };
};

const near = (text: string, at: number): string =>
  text
    .slice(at, at + 20)
    .replace(/\s+/g, " ")
    .trim();

export const valueIn = (value: Json, path: readonly string[]): Json =>
  path.reduce<Json>((here, key) => {
    if (Array.isArray(here)) return /^\d+$/.test(key) ? (here[Number(key)] ?? null) : null;
    return isObject(here) && Object.hasOwn(here, key) ? (here[key] ?? null) : null;
  }, value);

/** Formats a prompt value: text as it is, null as `none`, the rest as JSON. Cuts long text. */
export const shownValue = (value: Json): string => {
  const text = typeof value === "string" ? value : value === null ? "none" : JSON.stringify(value);
  return cutMarked(text, VALUE_CHARS_MAX);
};

export const cutMarked = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${cutText(text, charsMax)} [cut]`;

export const fillTemplate = (
  parts: readonly TemplatePart[],
  shown: (slot: Slot) => string,
): string =>
  cutMarked(
    parts.map((part) => (typeof part === "string" ? part : shown(part))).join(""),
    FILLED_CHARS_MAX,
  );
