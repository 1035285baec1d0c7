import { expect, test } from "vitest";
import { LogText } from "../../../src/world/sandbox/log-text.ts";

const logged = (bytesMax: number, ...lines: readonly string[]): string => {
  const log = new LogText(bytesMax);
  for (const line of lines) log.add(line);
  return log.text;
};

test("lines are kept in order", () => {
  expect(logged(100, "a", "b")).toBe("a\nb");
});

test.each([
  [3, "abc"],
  [4, "abc"],
  [5, "abcü"],
  [6, "abcü"],
  [9, "abcü😀"],
])("%i bytes hold %s of abcü😀: no character is cut in two", (bytesMax, kept) => {
  expect(logged(bytesMax, "abcü😀")).toBe(kept);
});

test("after a line that was cut nothing follows", () => {
  expect(logged(5, "abü😀", "x")).toBe("abü");
});
