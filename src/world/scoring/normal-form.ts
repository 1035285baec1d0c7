import jsTokens, { type Token } from "js-tokens";

/** The maximum number of tokens, without comments. Later tokens are ignored. */
const TOKENS_MAX = 20_000;

/** Reserved words. `const` and `var` are missing, because they become `let`. */
const RESERVED = new Set(
  (
    "await break case catch class continue debugger default delete do else enum export " +
    "extends false finally for function if import in instanceof let new null return super " +
    "switch this throw true try typeof void while with yield"
  ).split(" "),
);

/** Names of properties of built-in objects and of the kernel. */
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

/** A token. The author of the code chose a `name`, but not a `word`. */
export type NormalToken = { readonly kind: "word" | "name"; readonly text: string };

/** The tokens of code without comments, spaces and semicolons. Literals of one kind are equal. */
export const normalForm = (code: string): readonly NormalToken[] => {
  const tokens: NormalToken[] = [];
  let before = "";
  for (const token of jsTokens(code)) {
    const normal = normalToken(token, before);
    if (normal === null) continue;
    tokens.push(normal);
    before = token.value;
    if (tokens.length >= TOKENS_MAX) break;
  }
  return tokens;
};

const normalToken = ({ type, value }: Token, before: string): NormalToken | null => {
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

const nameOrWord = (value: string, before: string): NormalToken => {
  if (before === "." || before === "?.") {
    return { kind: PROPERTIES.has(value) ? "word" : "name", text: value };
  }
  if (value === "const" || value === "var") return { kind: "word", text: "let" };
  return { kind: RESERVED.has(value) ? "word" : "name", text: value };
};
