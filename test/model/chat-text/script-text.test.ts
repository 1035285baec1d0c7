import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksOfScript, scriptOfBlocks } from "../../../src/model/chat-text/script-text.ts";
import type { ChatBlock } from "../../../src/model/index.ts";

const blocksOf = (text: string): readonly ChatBlock[] => blocksOfScript([{ type: "text", text }]);

const read = (reply: string) => {
  const blocks = blocksOf(reply);
  const [text = ""] = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const [args] = blocks.flatMap((block) => (block.type === "tool_call" ? [block.args] : []));
  return args === undefined ? { text } : { text, args };
};

describe("a reply with a script", () => {
  const args = { code: "return 1" };
  const CASES: readonly (readonly [what: string, reply: string, expected: object])[] = [
    ["no block", "Hello.", { text: "Hello." }],
    ["an empty block", "Hi<execution-code>\n</execution-code>", { text: "Hi" }],
    ["a block", "Hi\n<execution-code>\nreturn 1\n</execution-code>", { text: "Hi", args }],
    ["text after it", "<execution-code>return 1</execution-code>\nHi", { text: "Hi", args }],
    ["no end", "Hi\n<execution-code>\nreturn 1\n", { text: "Hi", args }],
    ["a stray end", "Hi</execution-code>", { text: "Hi" }],
    [
      "a fence in it",
      "Hi<execution-code>\n```js\nreturn 1\n```\n</execution-code>",
      { text: "Hi", args },
    ],
    [
      "a fence around it",
      "Hi\n```xml\n<execution-code>return 1</execution-code>\n```",
      { text: "Hi", args },
    ],
    [
      "several blocks",
      "<execution-code>return 1</execution-code>and<execution-code>2</execution-code>",
      { text: "and", args: { ...args, blocks: 2 } },
    ],
  ];
  for (const [what, reply, expected] of CASES) {
    it(`is read with ${what}`, () => expect(read(reply)).toEqual(expected));
  }

  it("is the same after it was written for the model and read again", () => {
    const line = fc.stringMatching(/^[a-z0-9 ();<>&"'.,{}]{1,30}$/);
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
        const code = lines.join("\n").trimEnd();
        fc.pre(code.trim() !== "" && (lines[0] ?? "").trim() !== "");
        const blocks: readonly ChatBlock[] = [
          { type: "text", text: "I try." },
          { type: "tool_call", id: "", name: "run_code", args: { code } },
        ];
        expect(blocksOf(scriptOfBlocks(blocks))).toEqual(blocks);
      }),
    );
  });

  it("never has a tag of a script in its text", () => {
    const piece = fc.constantFrom("<execution-code>", "</execution-code>", "```", "\n", "<", ">");
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 5 }))), (pieces) => {
        expect(read(pieces.join("")).text).not.toMatch(/<\/?execution-code(?![\w-])/i);
      }),
    );
  });

  it("shows calls that the agent made in another way as lines of a script", () => {
    const blocks: readonly ChatBlock[] = [
      { type: "tool_call", id: "a", name: "read_file", args: { path: "a.js" } },
    ];
    expect(scriptOfBlocks(blocks)).toBe(
      '<execution-code>\nprint(read_file({"path":"a.js"}))\n</execution-code>',
    );
    const args = { path: "a\n", more: [true, null, { is_new: false }] };
    expect(scriptOfBlocks([{ type: "tool_call", id: "a", name: "look", args }], "python")).toBe(
      "<execution-code>\n" +
        'print(look(**{"path": "a\\n", "more": [True, None, {"is_new": False}]}))\n' +
        "</execution-code>",
    );
  });
});
