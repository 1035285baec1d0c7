import { normalForm, type Sign } from "./normal-form.ts";

/** Signs that are looked at together. */
const SHINGLE_SIGNS = 5;
/** The more numbers, the closer the estimate: the standard error is at most 1 / (2 √64). */
const SKETCH_NUMBERS = 64;
const HEX_DIGITS = 8;

/** Fingerprints at hand of the codes seen last. From auction to auction most stay the same. */
const PRINTS_MAX = 2_000;
const prints = new Map<string, string>();

/**
 * A fingerprint of code by which resemblance can be estimated (MinHash: Broder, "On the resemblance
 * and containment of documents", 1997). Text of 64 numbers in hexadecimal.
 */
export const sketchOf = (code: string): string => {
  const known = prints.get(code);
  if (known !== undefined) return known;
  const print = printOf(code);
  const [oldest] = prints.keys();
  if (prints.size >= PRINTS_MAX && oldest !== undefined) prints.delete(oldest);
  prints.set(code, print);
  return print;
};

const printOf = (code: string): string => {
  const least = new Uint32Array(SKETCH_NUMBERS).fill(0xffffffff);
  for (const shingle of shinglesOf(normalForm(code))) {
    const hash = fnv1a(shingle);
    for (let i = 0; i < SKETCH_NUMBERS; i++) {
      const value = mix(hash ^ Math.imul(i + 1, 0x9e3779b9));
      if (value < (least[i] ?? 0)) least[i] = value;
    }
  }
  return [...least].map((number) => number.toString(16).padStart(HEX_DIGITS, "0")).join("");
};

/** The estimated share of what two programs have in common, from 0 to 1 (Jaccard). */
export const resemblance = (one: string, other: string): number => {
  const length = SKETCH_NUMBERS * HEX_DIGITS;
  if (one.length !== length || other.length !== length) return 0;
  let same = 0;
  for (let at = 0; at < length; at += HEX_DIGITS) {
    if (one.slice(at, at + HEX_DIGITS) === other.slice(at, at + HEX_DIGITS)) same += 1;
  }
  return same / SKETCH_NUMBERS;
};

const shinglesOf = (signs: readonly Sign[]): ReadonlySet<string> => {
  const shingles = new Set<string>();
  const last = Math.max(0, signs.length - SHINGLE_SIGNS);
  for (let at = 0; at <= last; at++) shingles.add(said(signs.slice(at, at + SHINGLE_SIGNS)));
  return shingles;
};

/** Names are told apart within a shingle and by nothing else, so that renaming changes nothing. */
const said = (signs: readonly Sign[]): string => {
  const names = new Map<string, number>();
  return signs
    .map(({ kind, text }) => {
      if (kind === "word") return text;
      const number = names.get(text) ?? names.size;
      names.set(text, number);
      return `$${number}`;
    })
    .join(" ");
};

/** FNV-1a, 32 bits (Fowler, Noll and Vo). */
const fnv1a = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
};

/** The finaliser of MurmurHash3 (Appleby): each bit of the input changes half of the output's. */
const mix = (given: number): number => {
  let hash = given;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};
