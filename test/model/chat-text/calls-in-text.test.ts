import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/kernel/index.ts";
import {
  attributesWithCalls,
  blocksOfResponse,
  readToolCalls,
  responseOfBlocks,
} from "../../../src/model/chat-text/calls-in-text.ts";
import type { ChatBlock } from "../../../src/model/index.ts";

const call = (name: string, args: Json): ChatBlock => ({ type: "tool_call", id: "", name, args });
const blocksOf = (text: string): readonly ChatBlock[] =>
  blocksOfResponse([{ type: "text", text }], attributesWithCalls([]));

describe("calls in a reply", () => {
  const path = { path: "a.js" };
  const CASES: readonly (readonly [given: string, calls: readonly object[]])[] = [
    ["", []],
    ["[]", []],
    ["none", []],
    ["null", []],
    ['[{"tool": "look"}]', [{ name: "look", args: {} }]],
    ['{"tool": "read_file", "args": {"path": "a.js"}}', [{ name: "read_file", args: path }]],
    ['[{"name": "read_file", "arguments": {"path": "a.js"}}]', [{ name: "read_file", args: path }]],
    ['[{"tool": "look", "args": "x"}]', [{ name: "look", args: "x" }]],
    ['[{"tool": "__proto__", "args": {}}]', [{ name: "__proto__", args: {} }]],
  ];
  for (const [given, calls] of CASES) {
    it(`are read: ${given}`, () => expect(readToolCalls(given)).toEqual({ ok: true, calls }));
  }

  const WRONG: readonly (readonly [given: string, problem: RegExp])[] = [
    ["look()", /the attribute calls is not JSON; it takes a JSON list such as \[\{"tool"/],
    ['[{"tool": "look"}', /is not JSON/],
    ["7", /has no tool in entry 1/],
    ['[{"tool": "look"}, "look"]', /has no tool in entry 2/],
    ['[{"tool": 7}]', /has no tool in entry 1/],
    [`[{"tool": "look", "args": ${"[".repeat(200)}${"]".repeat(200)}}]`, /nested too deeply/],
  ];
  for (const [given, problem] of WRONG) {
    it(`are refused with what is right: ${given.slice(0, 40)}`, () => {
      expect(readToolCalls(given)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
    });
  }

  it("that cannot be read become a call with the text, so that it is answered", () => {
    expect(blocksOf("<calls>look()</calls>MESSAGE TO SEND: I look.")).toEqual([
      { type: "text", text: "I look." },
      call("calls", "look()"),
    ]);
  });
});

describe("a reply", () => {
  it("keeps its reasoning, and joins its texts", () => {
    const said: readonly ChatBlock[] = [
      { type: "reasoning", text: "I think." },
      { type: "text", text: '<calls>[{"tool": ' },
      { type: "text", text: '"look"}]</calls>' },
    ];
    expect(blocksOfResponse(said, attributesWithCalls([]))).toEqual([said[0], call("look", {})]);
  });

  it("without a word or a call gets a text", () => {
    expect(blocksOf("MESSAGE TO SEND:")).toEqual([
      { type: "text", text: "I have completed my task." },
    ]);
  });

  it("is the same after it was written for the model and read again", () => {
    const text = fc.stringMatching(/^\w[\w <>&"'{}.]{0,20}$/).map((given) => given.trim());
    const calls = fc.array(fc.tuple(fc.stringMatching(/^[a-z_]{3,10}$/), fc.jsonValue()), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(text, calls, (said, called) => {
        const given: readonly Json[] = JSON.parse(JSON.stringify(called.map(([, args]) => args)));
        fc.pre(!called.some(([name]) => name === "calls"));
        const blocks: readonly ChatBlock[] = [
          { type: "text", text: said },
          ...called.map(([name], at) => call(name, given[at] ?? {})),
        ];
        expect(blocksOf(responseOfBlocks(blocks))).toEqual(blocks);
      }),
    );
  });
});
