import { describe, expect, it } from "vitest";
import { isReserved, parseId } from "../../../src/kernel/index.ts";

describe("an id", () => {
  it.each(["a", "9", "A-b_c.d", "x".repeat(128), "genesis_ledger"])("may be %s", (text) => {
    expect(parseId(text)).toBe(text);
  });

  it.each([
    ["is empty", ""],
    ["is one character too long", "x".repeat(129)],
    ["starts with an underscore", "_a"],
    ["starts with a dot", ".a"],
    ["starts with a dash", "-a"],
    ["holds a space", "a b"],
    ["ends with a line break", "a\n"],
    ["holds a slash", "a/b"],
    ["holds a letter outside ASCII", "ａ"],
    ["holds a letter whose lower case is ASCII", "\u212a"],
    ["holds NUL", "a\u0000"],
    ["is a number", 5],
    ["is null", null],
    ["is missing", undefined],
    ["is a list of one id", ["a"]],
    ["is an object that prints as an id", { toString: () => "a" }],
  ])("is invalid if it %s", (_, given) => {
    expect(parseId(given)).toBeNull();
  });

  it("contains only letters, digits, underscores, dots and dashes", () => {
    // All characters of the scripts of Europe.
    for (let code = 0; code < 0x530; code++) {
      const id = `a${String.fromCharCode(code)}b`;
      expect(parseId(id), id).toBe(/^[A-Za-z0-9_.-]+$/.test(id) ? id : null);
    }
  });
});

describe("the prefixes genesis and handbook", () => {
  const cased = ["genesis", "GENESIS", "Genesis", "gEnEsIs", "handbook", "HandBook"];
  const names = cased.flatMap((word) => ["_", "-", "."].map((mark) => `${word}${mark}x`));

  it.each([...names, "genesis", "handbook", "genesis_"])("reserve %s for the world", (id) => {
    expect(isReserved(id)).toBe(true);
  });

  it.each(["genesisx", "my_genesis_x", "hand_book", "genesi_s", "ahandbook", "handbooks_x"])(
    "do not reserve %s",
    (id) => {
      expect(isReserved(id)).toBe(false);
    },
  );
});
