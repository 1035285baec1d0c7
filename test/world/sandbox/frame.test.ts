import { expect, test } from "vitest";
import { plainJsonProblem } from "../../../src/world/sandbox/frame.ts";

const problemOf = (json: string): string | null => plainJsonProblem(Buffer.from(json));

test.each([
  '""',
  "1",
  "null",
  "[]",
  '{"a":[1,"x"]}',
  '"\\n\\t\\u0001\\u001f"',
  '"\\\\ud800"',
  '"\\"__proto__\\":"',
  '["__proto__"]',
  '{"a":"__proto__"}',
  '"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["',
  `${"[".repeat(32)}${"]".repeat(32)}`,
])("plain: %s", (json) => {
  expect(problemOf(json)).toBe(null);
});

test.each([
  ['"\\ud800"', "text must be well-formed Unicode (it has a lone surrogate)"],
  ['"\\\\\\udfff"', "text must be well-formed Unicode (it has a lone surrogate)"],
  ['{"\\udc00":1}', "text must be well-formed Unicode (it has a lone surrogate)"],
  ['"a\\u0000"', "text must not contain the character NUL"],
  ['{"__proto__":1}', 'the key "__proto__" is not allowed'],
  ['[{"x":{"__proto__":{}}}]', 'the key "__proto__" is not allowed'],
  [`${"[".repeat(33)}${"]".repeat(33)}`, "it is nested more than 32 levels deep"],
  [`${'{"a":'.repeat(33)}1${"}".repeat(33)}`, "it is nested more than 32 levels deep"],
])("not plain: %s", (json, problem) => {
  expect(problemOf(json)).toBe(problem);
});
