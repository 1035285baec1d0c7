import { expect, it } from "vitest";
import { counted, listed, shortened } from "../src/text/wording.ts";

it.each([
  [0, "0 calls"],
  [1, "1 call"],
  [2, "2 calls"],
])("counts %d as %s", (count, text) => {
  expect(counted(count, "call")).toBe(text);
});

it("shows a count as it is formatted", () => {
  expect(counted(1_234, "call", "1,234")).toBe("1,234 calls");
});

it.each([
  [[], ""],
  [["ada"], "ada"],
  [["ada", "boole"], "ada, boole"],
  [["ada", "boole", "cora", "dov"], "ada, boole and 2 more"],
])("lists %j as %s", (names, text) => {
  expect(listed(names, 2)).toBe(text);
});

it("keeps a text that fits, and marks the end of a longer one", () => {
  expect(shortened("abcd", 4)).toBe("abcd");
  expect(shortened("abcde", 4)).toBe("abc…");
});

it("does not cut a character in two", () => {
  expect(shortened("ab🙂de", 4)).toBe("ab…");
  expect(shortened("a🙂de", 4)).toBe("a🙂…");
});
