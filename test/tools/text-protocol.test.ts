import { beforeAll, describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import { type ChatMessage, writtenMessages } from "../../src/model/index.ts";
import { estimateTokens } from "../../src/model/port/units.ts";
import { withMessages } from "../../src/tools/conversation/conversation.ts";
import { messagesOf as kept } from "../../src/tools/index.ts";
import { BUILT_IN_TOOLS } from "../../src/tools/plugin/plugins.ts";
import { fittedFor, type Protocol, protocolFor } from "../../src/tools/protocol.ts";
import type { ModelRun } from "../support/model-run.ts";
import { EMPTY } from "./conversation/conversations.ts";
import { keptBy, keptResults, messagesOf, rolesOf, runWriter } from "./smith.ts";

const PATH = "drafts/half.js";

const writing = (text: string, ...calls: readonly (readonly [tool: string, args: object])[]) => {
  const list = JSON.stringify(calls.map(([tool, args]) => ({ tool, args })));
  return [
    `<response-metadata><attributes><calls>${list}</calls></attributes></response-metadata>`,
    `MESSAGE TO SEND:\n${text}`,
  ].join("\n");
};

const METHOD = {
  name: "run",
  description: "Returns half of a number.",
  input_schema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  examples: [{ args: [8], result: 4 }],
};

const REPLIES = [
  writing(
    "I draft it.",
    ["write_file", { path: PATH, text: "function run(n) {\n  return n < 0 ? m : m / 2;\n}" }],
    ["try_program", { path: PATH, args: [8] }],
  ),
  writing(
    "It fails, so I correct it.",
    ["edit_file", { path: PATH, old_text: "m : m / 2", new_text: "n : n / 2" }],
    ["try_program", { path: PATH, args: [8] }],
  ),
  writing("I publish it.", [
    "write_artifact",
    {
      artifact_id: "smith_half",
      code_file: PATH,
      price: 3,
      interface: { description: "Halves numbers.", methods: [METHOD] },
    },
  ]),
  "MESSAGE TO SEND:\nIt is published.",
];

const buyer = {
  mind: "script",
  script: [{ wait: 12 }, { invoke_artifact: { artifact_id: "smith_half", args: [10] } }],
};

const TEXT = { mind: "tools", tools: { protocol: "text" } };

describe("an agent that writes its calls into its replies", () => {
  let ran: ModelRun;
  beforeAll(async () => {
    ran = await runWriter(REPLIES, TEXT, { others: { buyer } });
  });

  it("drafts a program, sees its test fail, corrects it and sells it", () => {
    const results = keptResults(ran);
    expect(results.map(({ name, is_error }) => [name, is_error])).toEqual([
      ["write_file", false],
      ["try_program", true],
      ["edit_file", false],
      ["try_program", false],
      ["write_artifact", false],
      ["wait", false],
    ]);
    expect(results[1]?.text).toMatch(/^<data>\nruntime_error: ReferenceError: 'm' is not defined/);
    expect(results[3]?.text).toMatch(/^\d+ gas\n<data>\n4\n<\/data>/);
    expect(ran.of("artifact_invoked")).toMatchObject([
      { principal: "buyer", artifact_id: "smith_half", price: 3, paid_to: "smith" },
    ]);
    const program = ran.state.artifacts.get(asId("smith_half"));
    expect(program?.interface?.methods).toMatchObject([{ examples: [{ args: [8], result: 4 }] }]);
    expect(ran.replayedHash).toBe(ran.result.stateHash);
  });

  it("is told of the tools in its system text, and sends no tools and only texts", () => {
    const body: { readonly tools?: unknown } = ran.callsOf("smith")[0]?.body ?? {};
    expect(body.tools).toBeUndefined();
    const [system] = messagesOf(ran, 0);
    expect(system?.content).toContain("# RESPONSE FORMAT INSTRUCTIONS");
    expect(system?.content).toContain("- read_file: Reads a file of your workspace");
    expect(rolesOf(ran, 2)).toEqual(["system", "user", "assistant", "user", "assistant", "user"]);
    const [, , said, told] = messagesOf(ran, 1);
    expect(said?.content).toContain('<calls>[{"tool":"write_file","args":{"path":"drafts/half.js"');
    expect(said?.content).toMatch(/\nMESSAGE TO SEND:\nI draft it\.$/);
    expect(told?.content).toMatch(
      /^\[write_file\]\nwrote [\s\S]*\n\[try_program, failed\]\n<data>/,
    );
  });

  it("keeps the same conversation as with calls of tools, without metadata", () => {
    expect(keptBy(ran)[1]).toMatchObject({
      role: "assistant",
      blocks: [
        { type: "text", text: "I draft it." },
        { type: "tool_call", name: "write_file" },
        { type: "tool_call", name: "try_program" },
      ],
    });
    const reasons = ran.of("thought_completed", "smith").map(({ reasoning }) => reasoning);
    expect(reasons.slice(0, 4)).toEqual([
      "I draft it.",
      "It fails, so I correct it.",
      "I publish it.",
      "It is published.",
    ]);
  });
});

it("calls that cannot be read are answered, and the turn continues", async () => {
  const broken = "<response-metadata><calls>read_file(a.js)</calls>\nMESSAGE TO SEND: I look.";
  const replies = [
    broken,
    writing("", ["raed_file", { path: PATH }]),
    '<calls>{"tool": "list_files", "args": {"__proto__": {"pattern": "x"}}}</calls>',
    writing("", ["list_files", {}]),
  ];
  const ran = await runWriter(replies, TEXT);
  const texts = keptResults(ran).map(({ text }) => text);
  expect(texts[0]).toMatch(/^nothing was called: the attribute calls is not JSON; it takes/);
  expect(texts[1]).toMatch(/^there is no tool raed_file; did you mean `read_file`\?/);
  expect(texts[3]).toContain("no files");
  expect(messagesOf(ran, 1)[2]?.content).toContain("<calls>read_file(a.js)</calls>");
  expect(ran.of("thought_completed", "smith")[0]).toMatchObject({ reasoning: "I look." });
  expect(ran.replayedHash).toBe(ran.result.stateHash);
});

it("the last answer of a turn does no calls", async () => {
  const look = writing("I look.", ["list_files", {}]);
  const other = writing("I look again.", ["list_files", { pattern: "a*" }]);
  const tools = { protocol: "text", max_steps: 1 };
  const ran = await runWriter([look, other], { ...TEXT, tools });
  expect(messagesOf(ran, 1).at(-1)?.content).toContain("This turn has used all of its steps.");
  expect(keptResults(ran)[1]?.text).toBe("not done: the turn has used all of its steps");
});

it("a conversation is cut by the length that it has for the model", () => {
  const text = 'const a = "\\n";\n'.repeat(60);
  const turn = (n: number): readonly ChatMessage[] => [
    { role: "user", text: `turn ${n}` },
    {
      role: "assistant",
      blocks: [
        { type: "tool_call", id: `call_${n}`, name: "write_file", args: { path: "a", text } },
      ],
    },
    {
      role: "tool",
      results: [{ id: `call_${n}`, name: "write_file", text: "ok", is_error: false }],
    },
  ];
  const whole = withMessages(EMPTY, Array.from({ length: 30 }, (_, n) => turn(n)).flat());
  const sent = (protocol: Protocol): number =>
    estimateTokens(writtenMessages(protocol.encode(kept(fittedFor(protocol, whole, 5_000)))));
  for (const name of ["calls", "text", "javascript", "python"] as const) {
    const protocol = protocolFor(name, BUILT_IN_TOOLS);
    expect(sent(protocol)).toBeLessThanOrEqual(5_000);
    expect(sent(protocol)).toBeGreaterThan(2_500);
  }
});

it("other attributes are asked for in the system text, and are not calls", () => {
  const to = { name: "to", description: "who gets it", required: false, example: "bob" };
  const offered = { ...BUILT_IN_TOOLS, attributes: [to] };
  const { guide, decode, attributes } = protocolFor("text", offered);
  expect(guide).toContain("- to (optional): who gets it");
  const said = [{ type: "text", text: "<to>bob</to>\nMESSAGE TO SEND: Hi" }] as const;
  expect(decode(said)).toEqual([{ type: "text", text: "Hi" }]);
  expect(attributes(said)).toEqual({ to: "bob" });
});
