import { expect, it } from "vitest";
import { numberText, signedText } from "../../src/text/index.ts";

it.each([
  [999_999_999_999_999, "999,999,999,999,999"],
  [1e15, "1e15"],
  [-1.23456e298, "-1.23e298"],
  [Number.MAX_VALUE, "1.8e308"],
  [0.000_001, "0.000001"],
  [4.56789e-300, "4.57e-300"],
  [0, "0"],
])("shows %d in a few characters", (value, text) => {
  expect(numberText(value)).toBe(text);
});

it("shows the sign of a number with an exponent", () => {
  expect(signedText(-2e20)).toBe("−2e20");
});
