import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readExpression } from "../../src/workflow/expression.ts";
import { evaluate } from "./sandbox-evaluate.ts";

const VARIABLES = {
  a: 3,
  b: null,
  name: "ada",
  list: [1, 2, 3],
  review: { decision: "pivot", score: 0.5, items: ["x"] },
};

const problemOf = (text: string): string => {
  const found = readExpression(text);
  return found.ok ? "" : `${found.problem} (${found.hint})`;
};

describe("valid expressions", () => {
  test.each([
    ["a + 1", 4],
    ["-a ** 2", undefined],
    ["(-a) ** 2", 9],
    ["a > 2 && !b", true],
    ["b ?? 'none'", "none"],
    ["b?.field ?? 7", 7],
    ["review.decision === 'pivot' ? 1 : 2", 1],
    ["review['score'] * 2", 1],
    ["list.includes(a)", true],
    ["list.length - list.indexOf(2)", 2],
    ["list.slice(-1)[0]", 3],
    ["Math.max(...list, 9)", 9],
    ["Number('12') + String(a).length", 13],
    ["Object.keys(review).join('+')", "decision+score+items"],
    ["{ a, twice: a * 2, 'k': [1, ...list], ...review }.twice", 6],
    ["name.toUpperCase().startsWith('A')", true],
    ["typeof b === 'object'", true],
    ["JSON.stringify([a])", "[3]"],
    ["list?.[1]", 2],
    ["list?.includes?.(2)", true],
    ["1e3 + 0x10 + .5", 1016.5],
  ])("%s", (text, value) => {
    if (value === undefined) expect(readExpression(text).ok).toBe(false);
    else {
      expect(problemOf(text)).toBe("");
      expect(evaluate(text, VARIABLES)).toEqual({ ok: true, value });
    }
  });

  test("finds the variables that it reads, and their fields", () => {
    expect(readExpression("review.score > a && list.length > steps?.plan.goal")).toEqual({
      ok: true,
      reads: [
        { name: "review", field: "score", inner: null },
        { name: "a", field: null, inner: null },
        { name: "list", field: "length", inner: null },
        { name: "steps", field: "plan", inner: "goal" },
      ],
    });
  });

  test("keys and properties are not variables", () => {
    const found = readExpression("{ key: a, b }.other.more");
    expect(found.ok && found.reads.map(({ name }) => name)).toEqual(["a", "b"]);
  });
});

describe("invalid expressions, with the fix", () => {
  test.each([
    ["", "empty"],
    ["a +", "ends too early"],
    ["(a", "ends too early"],
    ["a b", "`b` is not allowed there"],
    ["a and b", "write `&&`"],
    ["a = 3", "compare with `===`"],
    ["a += 3", "`+=`"],
    ["a++", "`++`"],
    ["a; b", "without a semicolon"],
    ["a, b", "`,`"],
    ["x => x", "cannot define functions"],
    ["function () {}", "cannot define functions"],
    ["new Map()", "`new`"],
    ["this.a", "`this`"],
    ["`a`", "join texts with `+`"],
    ["/a/.test(name)", "is not allowed there"],
    ["a // b", "is not allowed there"],
    ["a /* b */", "is not allowed there"],
    ["10n", "`10n`"],
    ["'open", "is not allowed there"],
    ["name.constructor", "`constructor` is closed"],
    ["name.__proto__", "`__proto__` is closed"],
    ["Math.random()", "`random` is closed"],
    ["a(1)", "only methods can be called"],
    ["(a)(1)", "only methods can be called"],
    ["import('fs')", "`import`"],
    ["a ?? b || 1", "put brackets between `??`"],
    ["a) + (b", "`)`"],
    ["if (a) 1", "`if`"],
    ["{ __proto__: a }", "closed"],
    ["a & 1", "write `&&`"],
    ["a ? b", "ends too early"],
    ["[a,,b]", "`,`"],
    ["await a", "`await`"],
    ["delete a.b", "`delete`"],
    ["a\\u0062c", "is not allowed there"],
    ["#a", "is not allowed there"],
  ])("%s", (text, words) => {
    expect(problemOf(text)).toContain(words);
  });

  test("nesting and length are bounded", () => {
    expect(problemOf(`${"(".repeat(100_000)}a`)).toContain("more than");
    expect(problemOf(`${"(".repeat(500)}a${")".repeat(500)}`)).toContain("nested too deeply");
    expect(problemOf(`${"!".repeat(1_500)}a`)).toBe("");
  });
});

test("every accepted expression is JavaScript for the sandbox", () => {
  const word = fc.constantFrom(
    ..."a b list review .decision 1 's' + - * ** ( ) [ ]".split(" "),
    ...["{", "}", ":", ",", "?", "?.", "??", "&&", "||", "!", "...", " ", "typeof ", "=", "=>"],
    ...["/", "`", "//", "===", ".length", "in", "Math", "\n", ";", "'", "new ", "#", "\\"],
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 10 }), (words) => {
      const text = words.join("");
      if (!readExpression(text).ok) return;
      const result = evaluate(text, VARIABLES);
      expect(result.ok ? "" : result.problem).not.toContain("syntax_error");
    }),
    { numRuns: 3_000 },
  );
});
