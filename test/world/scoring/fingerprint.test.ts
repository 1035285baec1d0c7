import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Secret } from "../../../src/kernel/index.ts";
import { fingerprintOf } from "../../../src/world/index.ts";
import { resemblance, shinglesOf, sketchIn } from "../../../src/world/scoring/fingerprint.ts";

const SECRET = [3, 4] as const;
const sketchOf = (code: string) => sketchIn(fingerprintOf(code, SECRET));
const compare = (one: string, other: string): number => resemblance(sketchOf(one), sketchOf(other));

const MEDIAN = `function run(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}`;

describe("the resemblance of code", () => {
  it.each([
    ["other names", MEDIAN.replaceAll("sorted", "zz").replaceAll("list", "q")],
    ["names of methods", MEDIAN.replaceAll("sorted", "map").replaceAll("middle", "push")],
    ["other whitespace and no semicolons", MEDIAN.replaceAll(/\s+/g, " ").replaceAll(";", "\n")],
    ["comments", `// my own\n${MEDIAN.replaceAll(";", "; /* a ; b */")}`],
    ["other numbers", MEDIAN.replaceAll("2", "3")],
    ["another word for a variable", MEDIAN.replaceAll("const", "let")],
  ])("is 1 with %s", (_, copy) => {
    expect(copy).not.toBe(MEDIAN);
    expect(compare(MEDIAN, copy)).toBe(1);
  });

  it("is small between different programs", () => {
    const words = `function run(text) {
      const counts = {};
      for (const word of text.toLowerCase().split(" ")) counts[word] = (counts[word] ?? 0) + 1;
      return Object.entries(counts).sort((a, b) => b[1] - a[1]).slice(0, 3);
    }`;
    expect(compare(MEDIAN, words)).toBeLessThan(0.3);
  });

  it("is large if a line was added", () => {
    const check = "if (list.length === 0) return null;";
    const longer = MEDIAN.replace("const middle", `${check} const middle`);
    expect(compare(MEDIAN, longer)).toBeGreaterThan(0.6);
    expect(compare(MEDIAN, longer)).toBeLessThan(1);
  });

  it("is exact if both fit into a fingerprint", () => {
    const [one, other] = ["f(1, 2, 3)", "f(1, 2, 3, 4)"];
    const said = [one, other].map((code) => new Set(shinglesOf(code, SECRET)));
    const [less = new Set(), more = new Set()] = said;
    const both = [...less].filter((hash) => more.has(hash)).length;
    const share = both / (less.size + more.size - both);
    expect(share).toBeGreaterThan(0);
    expect(compare(one, other)).toBe(share);
    expect(compare(other, one)).toBe(share);
  });

  it("is 0 with an empty sketch", () => {
    expect(resemblance(sketchOf(MEDIAN), sketchIn(""))).toBe(0);
  });

  it("is defined for any text, and 1 with itself", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: "binary" }), (text) => {
        expect(compare(text, text)).toBe(1);
      }),
    );
  });

  it.each(["`${", "(", "/*", "\\", "/[", "a=>", "<!--", "1_", "\\u{"])(
    "of a long repetition of %j is computed quickly",
    (piece) => {
      const print = fingerprintOf(piece.repeat(60_000), SECRET);
      expect(resemblance(sketchIn(print), sketchIn(print))).toBe(1);
    },
  );
});

/** Names of built-in methods, which a fingerprint does not rename. */
const NAMES = (
  "map filter reduce slice concat sort join push pop shift splice every some find fill flat keys " +
  "values entries includes indexOf split trim repeat replace match search test round floor ceil"
).split(" ");

const deadCode = (names: readonly string[]): string =>
  `\nfunction dead(a) { return a.${names.join(".")} }`;

const CHAINS = NAMES.flatMap((a) => NAMES.flatMap((b) => NAMES.map((c) => [a, b, c])));
const CHAINED = 64;

/** The chains of three names with the smallest hashes under this secret. */
const minedFor = (secret: Secret): string => {
  const hashed = NAMES.flatMap((a) => {
    const chains = CHAINS.filter(([first]) => first === a);
    const hashes = shinglesOf(`.${chains.flat().join(".")}`, secret);
    // A chain has six signs, of which the first is a dot.
    return chains.map((names, n) => ({ names, hash: hashes[6 * n + 1] ?? 0 }));
  });
  hashed.sort((a, b) => a.hash - b.hash);
  return deadCode(hashed.slice(0, CHAINED).flatMap(({ names }) => names));
};

/** The same number of chains, not searched for. */
const PLAIN = deadCode(
  CHAINS.filter((_, n) => n % 401 === 0)
    .slice(0, CHAINED)
    .flat(),
);

describe("padding searched for small hashes", () => {
  const address = new URL("../../../genesis/debt_contract.js", import.meta.url);
  const original = readFileSync(address, "utf8");
  const novelty = (padding: string, secret: Secret): number => {
    const [one, other] = [original, original + padding].map((code) => fingerprintOf(code, secret));
    return 1 - resemblance(sketchIn(one ?? ""), sketchIn(other ?? ""));
  };
  const mined = minedFor(SECRET);

  it("makes a copy look new if the author knows the secret", () => {
    expect(novelty(mined, SECRET)).toBeGreaterThan(0.8);
  });

  it("works like any padding if the author does not know the secret", () => {
    const others = [1, 2, 4, 5, 6, 7, 8, 9].map((n) => [n, 4] as const);
    const mean = (padding: string): number =>
      others.reduce((sum, secret) => sum + novelty(padding, secret), 0) / others.length;
    expect(mean(mined)).toBeLessThan(0.4);
    expect(mean(mined) - mean(PLAIN)).toBeLessThan(0.1);
  });
});
