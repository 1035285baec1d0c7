import jsTokens, { type Token } from "js-tokens";

/** A variable that a text reads, and the field of it that it names, as `b` in `a.b`. */
export type Read = { readonly name: string; readonly field: string | null };

export type Fault = { readonly problem: string; readonly hint: string | null };
type ExpressionRead =
  | { readonly ok: true; readonly reads: readonly Read[] }
  | ({ readonly ok: false } & Fault);

export const EXPRESSION_CHARS_MAX = 2_000;
const DEPTH_MAX = 40;

const LITERALS = new Set(["true", "false", "null", "undefined", "NaN", "Infinity"]);
/** What the language offers an expression beside the methods of values. */
const EXPRESSION_GLOBALS = ["Math", "JSON", "Number", "String", "Boolean", "Array", "Object"];
const CONVERSIONS = new Set(["Number", "String", "Boolean"]);
const RESERVED = new Set(
  (
    "arguments async await break case catch class const continue debugger default delete do else " +
    "enum eval export extends finally for function if implements import in instanceof interface " +
    "let new of package private protected public return static super switch this throw try " +
    "typeof var void while with yield"
  ).split(" "),
);
/** Ways out of plain values; the sandbox would hold them as well. */
const CLOSED_PROPERTIES = new Set(
  (
    "constructor prototype __proto__ __defineGetter__ __defineSetter__ __lookupGetter__ " +
    "__lookupSetter__ caller callee arguments random"
  ).split(" "),
);
const JOINING = new Set("+ - * / % ** === !== == != < > <= >= && || ??".split(" "));
const SIGNS = new Set(["!", "-", "+"]);

/** What people write who come from another language. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ["and", "write `&&`"],
  ["or", "write `||`"],
  ["not", "write `!`"],
  ["is", "write `===`"],
  ["True", "write `true`"],
  ["False", "write `false`"],
  ["None", "write `null`"],
  ["=", "compare with `===`; an expression sets nothing"],
  ["&", "write `&&`"],
  ["|", "write `||`"],
  ["=>", "an expression makes no functions; ask an llm step, or use methods such as `includes`"],
  ["function", "an expression makes no functions; use methods such as `includes`"],
  [";", "an expression is one value, without a semicolon"],
]);
export const meantBy = (word: string): string | null => MEANT.get(word) ?? null;

/** Whether a word can name a variable. */
export const isVariableName = (word: string): boolean =>
  /^[A-Za-z][A-Za-z0-9_]*$/.test(word) &&
  !LITERALS.has(word) &&
  !RESERVED.has(word) &&
  !EXPRESSION_GLOBALS.includes(word);

/**
 * Reads a JavaScript expression of the restricted kind: values, operators, properties and method
 * calls; no statement, assignment, function, `new`, `this`, template, pattern or comment. What it
 * accepts is an expression in JavaScript too; it is never run here.
 */
export const readExpression = (text: string): ExpressionRead => {
  if (text.length > EXPRESSION_CHARS_MAX) {
    const problem = `the expression has more than ${EXPRESSION_CHARS_MAX} characters`;
    return { ok: false, problem, hint: "spread it over several code steps" };
  }
  // In brackets, so that an object at the beginning is not taken for a block.
  const signs = [...jsTokens(`(${text}\n)`)].flatMap(signOf).slice(1);
  // What is opened and never closed takes the last bracket in.
  const isWhole = signs.at(-1)?.text === ")";
  return new ExpressionReader(isWhole ? signs.slice(0, -1) : signs).read();
};

type Kind = "name" | "number" | "string" | "mark" | "refused" | "end";
type Sign = { readonly kind: Kind; readonly text: string };
const END: Sign = { kind: "end", text: "the end" };

const signOf = (token: Token): readonly Sign[] => {
  const text = token.value;
  switch (token.type) {
    case "WhiteSpace":
    case "LineTerminatorSequence":
      return [];
    case "IdentifierName":
      return [{ kind: text.includes("\\") ? "refused" : "name", text }];
    case "NumericLiteral":
      return [{ kind: /n$|^0\d/.test(text) ? "refused" : "number", text }];
    case "StringLiteral":
      return [{ kind: token.closed ? "string" : "refused", text }];
    case "Punctuator":
      return [{ kind: "mark", text }];
    default:
      return [{ kind: "refused", text }];
  }
};

/** What stands before a `.`, `[` or `(`. */
type Subject = { readonly kind: "variable" | "conversion" | "member" | "value" };
const VALUE: Subject = { kind: "value" };
const MEMBER: Subject = { kind: "member" };

/** Goes through the signs once. After a first fault it stands at the end, so that all unwinds. */
class ExpressionReader {
  readonly #signs: readonly Sign[];
  readonly #reads: Read[] = [];
  #at = 0;
  #depth = 0;
  #fault: Fault | null = null;

  constructor(signs: readonly Sign[]) {
    this.#signs = signs;
  }

  read(): ExpressionRead {
    if (this.#signs.length === 0) this.#fail("the expression is empty", null);
    this.#value();
    if (this.#next.kind !== "end") this.#unexpected();
    return this.#fault === null ? { ok: true, reads: this.#reads } : { ok: false, ...this.#fault };
  }

  get #next(): Sign {
    return this.#signs[this.#at] ?? END;
  }

  #fail(problem: string, hint: string | null): void {
    this.#fault ??= { problem, hint };
    this.#at = this.#signs.length;
  }

  #unexpected(): void {
    const { kind, text } = this.#next;
    const shown = text.length > 20 ? `${text.slice(0, 20)}…` : text;
    if (kind === "end") this.#fail("the expression ends too early", null);
    else if (text.startsWith("`")) this.#fail("a template is no value here", "join texts with `+`");
    else this.#fail(`\`${shown}\` cannot stand there in an expression`, meantBy(text));
  }

  #takes(mark: string): boolean {
    const { kind, text } = this.#next;
    if (kind !== "mark" || text !== mark) return false;
    this.#at += 1;
    return true;
  }

  #expect(mark: string): void {
    if (!this.#takes(mark)) this.#unexpected();
  }

  #value(): void {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) this.#fail("the expression is nested too deeply", null);
    this.#joined();
    if (this.#takes("?")) {
      this.#value();
      this.#expect(":");
      this.#value();
    }
    this.#depth -= 1;
  }

  #joined(): void {
    const used = new Set<string>();
    let signed = this.#operand();
    while (this.#next.kind === "mark" && JOINING.has(this.#next.text)) {
      const mark = this.#next.text;
      if (mark === "**" && signed) {
        this.#fail("a sign before `**` is ambiguous", "put the signed value in brackets");
      }
      used.add(mark);
      this.#at += 1;
      signed = this.#operand();
    }
    if (used.has("??") && (used.has("||") || used.has("&&"))) {
      this.#fail("`??` beside `||` or `&&` is ambiguous", "put one of them in brackets");
    }
  }

  /** Whether a sign stood before it. */
  #operand(): boolean {
    const start = this.#at;
    while (
      (this.#next.kind === "mark" && SIGNS.has(this.#next.text)) ||
      (this.#next.kind === "name" && this.#next.text === "typeof")
    ) {
      this.#at += 1;
    }
    const signed = this.#at > start;
    this.#suffixes(this.#primary());
    return signed;
  }

  #primary(): Subject {
    const { kind, text } = this.#next;
    if (kind === "name") return this.#word(text);
    if (kind === "number" || kind === "string") {
      this.#at += 1;
    } else if (this.#takes("(")) {
      this.#value();
      this.#expect(")");
    } else if (this.#takes("[")) this.#items("]");
    else if (this.#takes("{")) this.#entries();
    else this.#unexpected();
    return VALUE;
  }

  #word(text: string): Subject {
    if (RESERVED.has(text)) {
      this.#unexpected();
      return VALUE;
    }
    this.#at += 1;
    if (CONVERSIONS.has(text)) return { kind: "conversion" };
    if (LITERALS.has(text) || EXPRESSION_GLOBALS.includes(text)) return VALUE;
    this.#reads.push({ name: text, field: null });
    return { kind: "variable" };
  }

  #suffixes(first: Subject): void {
    let subject = first;
    for (;;) {
      if (this.#takes("(")) {
        if (subject.kind !== "member" && subject.kind !== "conversion") {
          this.#fail("only methods can be called, as in `my_artifacts.includes(x)`", null);
        }
        this.#items(")");
        subject = VALUE;
      } else if (this.#takes("[")) {
        this.#value();
        this.#expect("]");
        subject = MEMBER;
      } else if (this.#takes(".")) {
        this.#property(subject);
        subject = MEMBER;
      } else if (this.#takes("?.")) {
        const opens = this.#next.kind === "mark" && /^[([]$/.test(this.#next.text);
        if (!opens) this.#property(subject);
        subject = MEMBER;
      } else return;
    }
  }

  #property(subject: Subject): void {
    const { kind, text } = this.#next;
    if (kind !== "name") {
      this.#unexpected();
      return;
    }
    if (CLOSED_PROPERTIES.has(text)) {
      this.#fail(`the property \`${text}\` is closed to expressions`, null);
      return;
    }
    this.#at += 1;
    const read = this.#reads.at(-1);
    if (subject.kind !== "variable" || read === undefined) return;
    this.#reads[this.#reads.length - 1] = { name: read.name, field: text };
  }

  /** Values with commas between them, up to the closing mark. */
  #items(closing: string): void {
    while (this.#fault === null && !this.#takes(closing)) {
      this.#takes("...");
      this.#value();
      if (!this.#takes(",")) {
        this.#expect(closing);
        return;
      }
    }
  }

  #entries(): void {
    while (this.#fault === null && !this.#takes("}")) {
      if (this.#takes("...")) this.#value();
      else this.#entry();
      if (!this.#takes(",")) {
        this.#expect("}");
        return;
      }
    }
  }

  #entry(): void {
    const { kind, text } = this.#next;
    if (kind === "name" && CLOSED_PROPERTIES.has(text)) {
      this.#fail(`the key \`${text}\` is closed to expressions`, null);
    } else if (kind === "name" || kind === "string" || kind === "number") {
      this.#at += 1;
      if (this.#takes(":")) this.#value();
      else if (kind === "name" && !RESERVED.has(text))
        this.#reads.push({ name: text, field: null });
      else this.#unexpected();
    } else this.#unexpected();
  }
}
