import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LibraryError, loadLibrary } from "../../../src/policy/index.ts";

import { folderWith } from "../../support/temporary-folder.ts";

const libraryOf = (files: Readonly<Record<string, string>>) => loadLibrary(folderWith(files));

const GOOD = `/* ---
title: Double
topic: sums
takes: number
gives: number
worth: 2
description: Twice a number.
methods:
  - name: run
    description: Twice a number, or as often as you ask.
    input_schema:
      type: object
      properties:
        number: { type: number }
        times: { type: integer }
      required: [number]
    examples:
      - args: [2]
        result: 4
      - args: [2, 5]
        result: 10
      - args: [0]
        result: 0
variants:
  - name: triple
    title: Triple
    bind: { times: 3 }
    examples:
      - args: [2]
        result: 6
--- */
function run(number, times = 2) {
  return number * times;
}
`;

describe("loading a library", () => {
  it("returns recipes without their front matter, sorted by name", () => {
    const other = GOOD.replace("topic: sums", "topic: arts");
    const files = { "sums/double-it.js": GOOD, "arts/again.js": other, "notes.md": "x" };
    const recipes = libraryOf(files);
    expect(recipes.map(({ name, topic }) => [name, topic])).toEqual([
      ["again", "arts"],
      ["double_it", "sums"],
    ]);
    expect(recipes[1]).toMatchObject({
      title: "Double",
      takes: "number",
      worth: 2,
      code: "function run(number, times = 2) {\n  return number * times;\n}",
      interface: { description: "Twice a number.", methods: [{ name: "run" }] },
    });
    expect(recipes[1]?.interface.methods[0]).not.toHaveProperty("output_schema");
  });

  it.each([
    ["no front matter", GOOD.replace("/* ---", "/*"), "a comment that contains YAML"],
    ["bad YAML", GOOD.replace("title: Double", "title: [Double"), ":3:1: not valid YAML"],
    ["a key twice", GOOD.replace("worth: 2", "worth: 2\nworth: 3"), ":7:1: not valid YAML"],
    ["an unknown key", GOOD.replace("worth: 2", "worth: 2\nprice: 3"), ":7:1: unknown key `price`"],
    ["a missing key", GOOD.replace("title: Double\n", ""), "title"],
    ["an unknown kind", GOOD.replace("takes: number", "takes: numbr"), "takes"],
    ["too little worth", GOOD.replace("worth: 2", "worth: 1"), "worth"],
    [
      "an unknown word in a schema",
      GOOD.replace("{ type: integer }", "{ typ: integer }"),
      ":15:18: unknown key `methods[0].input_schema.properties.times.typ`",
    ],
    ["no run", GOOD.replace("name: run", "name: walk"), "there must be a method named run"],
    ["too few examples", GOOD.replace("      - args: [0]\n        result: 0\n", ""), "3 examples"],
    [
      "too many args",
      GOOD.replace("args: [2, 5]", "args: [2, 5, 7]"),
      "does not allow an example with 3 args",
    ],
    ["required out of order", GOOD.replace("[number]", "[times]"), "first properties in order"],
    ["a variant of another argument", GOOD.replace("{ times:", "{ often:"), "other than number"],
    ["a variant of the first argument", GOOD.replace("{ times:", "{ number:"), "other than number"],
    ["another topic", GOOD.replace("topic: sums", "topic: products"), "but the folder says sums"],
    ["other parameters", GOOD.replace("run(number,", "run(amount,"), "function run(number, times)"],
  ])("refuses %s and names the file", (_, source, reason) => {
    const load = () => libraryOf({ "sums/double.js": source });
    expect(load).toThrow(LibraryError);
    expect(load).toThrow(join("sums", "double.js"));
    expect(load).toThrow(reason);
  });

  it("refuses two programs with the same name", () => {
    const other = GOOD.replace("topic: sums", "topic: arts");
    expect(() => libraryOf({ "sums/a.js": GOOD, "arts/a.js": other })).toThrow("rename one");
  });

  it("refuses a program in the wrong place", () => {
    expect(() => libraryOf({ "double.js": GOOD })).toThrow("<topic>/<name>.js");
  });
});
