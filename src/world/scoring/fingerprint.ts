import jsTokens, { type Token } from "js-tokens";
import { type Secret, sipHash, wordsOf } from "../../kernel/index.ts";

/** The number of hashes in a fingerprint. An estimate's standard error is at most 1 / (2 √64). */
const SKETCH_NUMBERS = 64;
const NUMBER_BYTES = 4;

export type Sketch = Uint32Array;

/**
 * A fingerprint of code, to estimate resemblance: the smallest hashes of its shingles (sequences of
 * tokens), in base64 (Broder, "On the resemblance and containment of documents", 1997). The hashes
 * depend on the secret, so agents cannot search for code whose shingles have small hashes. Compare
 * only fingerprints with the same secret.
 */
export const fingerprintOf = (code: string, secret: Secret): string => {
  const hashes = shinglesOf(code, secret).sort();
  const least = hashes.filter((hash, i) => hash !== hashes[i - 1]).subarray(0, SKETCH_NUMBERS);
  const bytes = Buffer.alloc(least.length * NUMBER_BYTES);
  for (const [i, number] of least.entries()) bytes.writeUInt32LE(number, i * NUMBER_BYTES);
  return bytes.toString("base64");
};

export const sketchIn = (print: string): Sketch => {
  const bytes = Buffer.from(print, "base64");
  const { buffer, byteOffset, length } = bytes;
  const view = new DataView(buffer, byteOffset, length);
  const sketch = new Uint32Array(Math.floor(length / NUMBER_BYTES));
  for (let i = 0; i < sketch.length; i++) sketch[i] = view.getUint32(i * NUMBER_BYTES, true);
  return sketch;
};

/** Estimated Jaccard similarity, from 0 to 1. Exact if the union has at most 64 hashes. */
export const resemblance = (one: Sketch, other: Sketch): number => {
  let i = 0;
  let j = 0;
  let both = 0;
  while (i < one.length && j < other.length && i + j - both < SKETCH_NUMBERS) {
    const a = one[i] ?? 0;
    const b = other[j] ?? 0;
    if (a === b) both += 1;
    if (a <= b) i += 1;
    if (b <= a) j += 1;
  }
  const remainder = i < one.length ? one.length - i : other.length - j;
  const all = Math.min(SKETCH_NUMBERS, i + j - both + remainder);
  return all === 0 ? 0 : both / all;
};

const SHINGLE_TOKENS = 5;

export const shinglesOf = (code: string, secret: Secret): Uint32Array => {
  const tokens = numbered(normalForm(code), secret);
  const shingle = new Int32Array(Math.min(SHINGLE_TOKENS, tokens.length));
  const hashes = new Uint32Array(tokens.length - shingle.length + 1);
  for (let at = 0; at < hashes.length; at++) {
    fillShingle(tokens, at, shingle);
    hashes[at] = sipHash(secret, shingle)[0];
  }
  return hashes;
};

/** Encodes words as 31-bit hashes, and names as negative numbers in order of appearance. */
const numbered = (tokens: readonly NormalToken[], secret: Secret): Int32Array => {
  const [words, names] = [new Map<string, number>(), new Map<string, number>()];
  const numberOf = ({ kind, text }: NormalToken): number => {
    const known = kind === "word" ? words : names;
    const number = known.get(text) ?? (kind === "name" ? -1 - names.size : hashOf(text, secret));
    known.set(text, number);
    return number;
  };
  return Int32Array.from(tokens, numberOf);
};

const hashOf = (text: string, secret: Secret): number => sipHash(secret, wordsOf(text))[0] >>> 1;

/** Copies tokens. Replaces a name by the index of its first use, so that renaming has no effect. */
const fillShingle = (tokens: Int32Array, at: number, shingle: Int32Array): void => {
  for (let i = 0; i < shingle.length; i++) {
    const token = tokens[at + i] ?? 0;
    let first = 0;
    while (tokens[at + first] !== token) first += 1;
    shingle[i] = token < 0 ? first : token;
  }
};

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
type NormalToken = { readonly kind: "word" | "name"; readonly text: string };

/** The tokens of code without comments, spaces and semicolons. Literals of one kind are equal. */
const normalForm = (code: string): readonly NormalToken[] => {
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
