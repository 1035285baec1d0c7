import { keyedHash, type Secret, wordsOf } from "../../kernel/index.ts";
import { normalForm, type Sign } from "./normal-form.ts";

/** Signs that are looked at together. */
const SHINGLE_SIGNS = 5;

/** Hashes of all that a code says: of every row of a few signs that there is in it. */
export const shinglesOf = (code: string, secret: Secret): Uint32Array => {
  const signs = numbered(normalForm(code), secret);
  const shingle = new Int32Array(Math.min(SHINGLE_SIGNS, signs.length));
  const hashes = new Uint32Array(signs.length - shingle.length + 1);
  for (let at = 0; at < hashes.length; at++) {
    say(signs, at, shingle);
    hashes[at] = keyedHash(secret, shingle)[0];
  }
  return hashes;
};

/** Words as their hashes, of 31 bits; names as negative numbers, in the order of their coming. */
const numbered = (signs: readonly Sign[], secret: Secret): Int32Array => {
  const [words, names] = [new Map<string, number>(), new Map<string, number>()];
  const numberOf = ({ kind, text }: Sign): number => {
    const known = kind === "word" ? words : names;
    const number = known.get(text) ?? (kind === "name" ? -1 - names.size : hashOf(text, secret));
    known.set(text, number);
    return number;
  };
  return Int32Array.from(signs, numberOf);
};

const hashOf = (text: string, secret: Secret): number => keyedHash(secret, wordsOf(text))[0] >>> 1;

/**
 * Fills in the shingle that begins at a sign. Names are told apart within it and by nothing else,
 * so that renaming changes nothing: each is the place where it comes first.
 */
const say = (signs: Int32Array, at: number, shingle: Int32Array): void => {
  for (let i = 0; i < shingle.length; i++) {
    const sign = signs[at + i] ?? 0;
    let first = 0;
    while (signs[at + first] !== sign) first += 1;
    shingle[i] = sign < 0 ? first : sign;
  }
};
