import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resemblance, sketchOf } from "../../../src/world/scoring/sketch.ts";

const compare = (one: string, other: string): number => resemblance(sketchOf(one), sketchOf(other));

const MEDIAN = `function run(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}`;

describe("the resemblance of code", () => {
  it.each([
    ["other names", MEDIAN.replaceAll("sorted", "zz").replaceAll("list", "q")],
    [
      "names of what objects can do",
      MEDIAN.replaceAll("sorted", "map").replaceAll("middle", "push"),
    ],
    ["other spaces and no semicolons", MEDIAN.replaceAll(/\s+/g, " ").replaceAll(";", "\n")],
    ["comments", `// my own\n${MEDIAN.replaceAll(";", "; /* a ; b */")}`],
    ["other numbers", MEDIAN.replaceAll("2", "3")],
    ["another word for a variable", MEDIAN.replaceAll("const", "let")],
  ])("is whole with %s", (_, copy) => {
    expect(copy).not.toBe(MEDIAN);
    expect(compare(MEDIAN, copy)).toBe(1);
  });

  it("is little between programs that do different things", () => {
    const words = `function run(text) {
      const counts = {};
      for (const word of text.toLowerCase().split(" ")) counts[word] = (counts[word] ?? 0) + 1;
      return Object.entries(counts).sort((a, b) => b[1] - a[1]).slice(0, 3);
    }`;
    expect(compare(MEDIAN, words)).toBeLessThan(0.3);
  });

  it("is large where a line was added", () => {
    const longer = MEDIAN.replace(
      "const middle",
      "if (list.length === 0) return null; const middle",
    );
    expect(compare(MEDIAN, longer)).toBeGreaterThan(0.6);
    expect(compare(MEDIAN, longer)).toBeLessThan(1);
  });

  it("is none with what is no sketch", () => {
    expect(resemblance(sketchOf(MEDIAN), "")).toBe(0);
  });

  it("can be asked of any text, and is whole with itself", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: "binary" }), (text) => {
        expect(compare(text, text)).toBe(1);
      }),
    );
  });

  it.each(["`${", "(", "/*", "\\", "/[", "a=>", "<!--", "1_", "\\u{"])(
    "of a long row of %j is found without much ado",
    (piece) => {
      expect(sketchOf(piece.repeat(60_000))).toHaveLength(512);
    },
  );
});
