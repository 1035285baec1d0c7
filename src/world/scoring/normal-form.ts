import jsTokens, { type Token } from "js-tokens";

/** Code is looked at as far as this; a comment of any length is no token. */
const TOKENS_MAX = 20_000;

/** Words that cannot name a variable. `let`, `const` and `var` are one. */
const RESERVED = new Set(
  (
    "await break case catch class continue debugger default delete do else enum export " +
    "extends false finally for function if import in instanceof let new null return super " +
    "switch this throw true try typeof void while with yield"
  ).split(" "),
);

/** What objects of the language and of the kernel can do, by the names that code has for it. */
const PROPERTIES = new Set(
  (
    "abs add at balance ceil charAt charCodeAt charge clear codePointAt concat create " +
    "endsWith entries every exec fail fill filter find findIndex findLast flat flatMap floor " +
    "forEach from fromEntries get give has hypot includes indexOf invoke isArray isFinite " +
    "isInteger isNaN isSafeInteger join keys lastIndexOf length localeCompare log log10 log2 " +
    "map match matchAll max min normalize now of padEnd padStart parse pay pop pow push query " +
    "quota random read reduce reduceRight repeat replace replaceAll reverse round search set " +
    "shift sign size slice some sort splice split sqrt startsWith stringify substring test " +
    "toFixed toLowerCase toString toUpperCase trim trimEnd trimStart trunc unshift values " +
    "write"
  ).split(" "),
);

/** A token without what its author could have written otherwise; a `name` is the author's own. */
export type Sign =
  | { readonly kind: "word"; readonly text: string }
  | { readonly kind: "name"; readonly text: string };

/**
 * Code as a row of signs: without comments, white space and semicolons, with all literals of one
 * kind alike. Names that an author chooses are marked as such.
 */
export const normalForm = (code: string): readonly Sign[] => {
  const signs: Sign[] = [];
  let before = "";
  for (const token of jsTokens(code)) {
    const sign = signOf(token, before);
    if (sign === null) continue;
    signs.push(sign);
    before = token.value;
    if (signs.length >= TOKENS_MAX) break;
  }
  return signs;
};

const signOf = ({ type, value }: Token, before: string): Sign | null => {
  switch (type) {
    case "WhiteSpace":
    case "LineTerminatorSequence":
    case "MultiLineComment":
    case "SingleLineComment":
    case "HashbangComment":
      return null;
    case "IdentifierName":
    case "PrivateIdentifier":
      return nameOrWord(value, before);
    case "Punctuator":
      return value === ";" ? null : { kind: "word", text: value };
    default:
      return { kind: "word", text: type };
  }
};

const nameOrWord = (value: string, before: string): Sign => {
  if (before === "." || before === "?.") {
    return { kind: PROPERTIES.has(value) ? "word" : "name", text: value };
  }
  if (value === "const" || value === "var") return { kind: "word", text: "let" };
  return { kind: RESERVED.has(value) ? "word" : "name", text: value };
};
