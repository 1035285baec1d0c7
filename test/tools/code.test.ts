import { beforeAll, describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import type { ModelRun } from "../support/model-run.ts";
import { keptBy, keptResults, messagesOf, rolesOf, runWriter } from "./smith.ts";

const script = (code: string, text = ""): string =>
  `${text}\n<execution-code>\n${code}\n</execution-code>`;

const CODE = { mind: "code" };

const METHOD = {
  name: "run",
  description: "Returns half of a number.",
  input_schema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  examples: [{ args: [8], result: 4 }],
};

const PUBLISHED = {
  artifact_id: "smith_half",
  code_file: "drafts/half.js",
  price: 3,
  interface: { description: "Halves numbers.", methods: [METHOD] },
};

const REPLIES = [
  script(
    `const path = "drafts/half.js";
write_file({ path, text: "function run(n) { return m / 2 }" });
const value = try_program({ path, args: [8] });
return value;`,
    "I draft it.",
  ),
  script(`const path = "drafts/half.js";
edit_file({ path, old_text: "m / 2", new_text: "n / 2" });
const values = [2, 4, 6].map((n) => try_program({ path, args: [n] }));
print("tried", values.length);
if (values.join() !== "1,2,3") throw new Error("wrong");
print(write_artifact(${JSON.stringify(PUBLISHED)}));
return read_file({ path });`),
  "It is published.",
];

const buyer = {
  mind: "script",
  script: [{ wait: 12 }, { invoke_artifact: { artifact_id: "smith_half", args: [10] } }],
};

describe("an agent that calls its tools from scripts", () => {
  let ran: ModelRun;
  beforeAll(async () => {
    ran = await runWriter(REPLIES, CODE, { others: { buyer } });
  });

  it("drafts a program, sees its test fail, corrects it and sells it", () => {
    const [drafted, published] = keptResults(ran);
    expect(drafted).toMatchObject({ name: "run_code", is_error: true });
    expect(drafted?.text).toMatch(/^Result from script execution:\n\n<data>\nThe script failed: /);
    expect(drafted?.text).toContain("ReferenceError: 'm' is not defined");
    expect(drafted?.text).toContain("(line 3)");
    expect(drafted?.text).toContain("What the script did before it failed stays done.");
    expect(published?.is_error).toBe(false);
    expect(published?.text).toMatch(
      /^Result from script execution:\n\n<data>\ntried 3\nnull\nfunction run\(n\) { return n/,
    );
    expect(published?.text).toContain("write_artifact is the action of this step.");
    expect(published?.text).toMatch(/The result of your action:\ndone:\n<data>\nwrote smith_half/);
    expect(ran.of("artifact_invoked")).toMatchObject([
      { principal: "buyer", artifact_id: "smith_half", price: 3, paid_to: "smith" },
    ]);
    const program = ran.state.artifacts.get(asId("smith_half"));
    expect(program?.interface?.methods).toMatchObject([{ examples: [{ args: [8], result: 4 }] }]);
    expect(ran.replayedHash).toBe(ran.result.stateHash);
  });

  it("is told of its functions in its system text, and sends only texts", () => {
    const body: { readonly tools?: unknown } = ran.callsOf("smith")[0]?.body ?? {};
    expect(body.tools).toBeUndefined();
    const [system] = messagesOf(ran, 0);
    expect(system?.content).toContain("<execution-code>");
    expect(system?.content).toContain("- try_program: Runs a draft in the sandbox");
    expect(system?.content).not.toContain("- bash:");
    expect(rolesOf(ran, 1)).toEqual(["system", "user", "assistant", "user"]);
    const [, , said, told] = messagesOf(ran, 1);
    expect(`\n${said?.content}`).toBe(REPLIES[0]?.replace("I draft it.", "\nI draft it."));
    expect(told?.content).toMatch(/^Result from script execution:\n\n/);
  });

  it("keeps each script as a call of one tool", () => {
    expect(keptBy(ran)[1]).toMatchObject({
      blocks: [
        { type: "text", text: "I draft it." },
        { type: "tool_call", name: "run_code", args: { code: /^const path/ } },
      ].map((block) =>
        "args" in block
          ? { ...block, args: { code: expect.stringMatching(/^const path/) } }
          : block,
      ),
    });
    expect(ran.of("thought_completed", "smith")[2]).toMatchObject({
      reasoning: "It is published.",
    });
  });
});

describe("a script", () => {
  /** The text of the result of each script, all in the first turn. */
  const resultsOf = async (codes: readonly string[]): Promise<readonly string[]> => {
    const ran = await runWriter(
      codes.map((code) => script(code)),
      CODE,
    );
    expect(ran.replayedHash).toBe(ran.result.stateHash);
    return keptResults(ran).map(({ text }) => text);
  };

  it("keeps what it did before it failed, and learns why a tool fails", async () => {
    const [failed = "", caught = "", files = ""] = await resultsOf([
      'write_file({ path: "a.js", text: "1" });\nread_file({ path: "b.js" });',
      'try { read_file({ path: "b.js" }) } catch (e) { return e instanceof Error && e.message }',
      "return list_files();",
    ]);
    expect(failed).toMatch(
      /The script failed: runtime_error: KernelError .*b\.js; your files are: a\.js \(line 2\)/,
    );
    expect(caught).toMatch(/^Result [^\n]*\n\n<data>\nthere is \S+ b\.js/);
    expect(files).toContain("a.js (1 bytes)");
  });

  it("has one action, and takes it also if it fails later", async () => {
    const note = (id: string): string =>
      `write_artifact({ artifact_id: "${id}", artifact_type: "data", content: "x" })`;
    const [acted = "", again = ""] = await resultsOf([
      `${note("smith_a")}; ${note("smith_b")};`,
      `return ${note("smith_c")} === null;`,
    ]);
    expect(acted).toContain("not done: a step has one action in the world");
    expect(acted).toMatch(/The result of your action:\ndone:\n<data>\nwrote smith_a/);
    expect(again).toMatch(/<data>\ntrue\n[\s\S]*wrote smith_c/);
  });

  it("can end the turn, and not in the same step as an action", async () => {
    const replies = [
      script('look(); read_artifact({ artifact_id: "handbook_toc" }); end_turn();'),
      script('end_turn({ summary: "x" }); look();'),
    ];
    const ran = await runWriter(replies, CODE);
    const [acted, ended] = keptResults(ran).map(({ text }) => text);
    expect(acted).toContain("not done: your turn continues with the result of your action");
    expect(acted).toContain("The result of your action:\ndone:");
    expect(ended).toContain("not done: the turn has ended");
    expect(ended).toMatch(/your turn ends$/);
    expect(rolesOf(ran, 2)).toEqual([
      ...["system", "user", "assistant", "user", "assistant", "user"],
    ]);
    expect(messagesOf(ran, 2).at(-1)?.content).toMatch(
      /your turn ends\n\nA new turn starts at 2 s.\n\n## Time/,
    );
  });

  it("is one for each reply: the first one runs", async () => {
    const [text = ""] = await resultsOf([
      "return 1;\n</execution-code>\n<execution-code>\nreturn 2;",
    ]);
    expect(text).toBe(
      "Result from script execution:\n\n<data>\n1\n</data>\n" +
        "Only the first of your 2 scripts was run.",
    );
  });

  it("has no world, no clock and no shell", async () => {
    const [world = "", shell = "", clock = "", nothing = ""] = await resultsOf([
      'return kernel.pay("genesis_store", 1);',
      'return bash({ command: "ls" });',
      "return [typeof Date, typeof Math.random, kernel.now()].join();",
      "1 + 1;",
    ]);
    expect(world).toContain("a script has no kernel; call your tools as functions");
    expect(shell).toContain("ReferenceError: 'bash' is not defined");
    expect(clock).toContain("undefined,undefined,0");
    expect(nothing).toContain("(it printed and returned nothing)");
  });

  it("is bounded in time, memory, stack, calls and output", async () => {
    const [loop = "", memory = "", stack = "", calls = "", printed = "", returned = ""] =
      await resultsOf([
        "for (;;) {}",
        "const all = []; for (;;) all.push(new Array(1000).fill(0));",
        "const f = () => f() + 1; return f();",
        "for (;;) { try { list_files() } catch (e) {} }",
        'for (let n = 0; n < 9000; n++) print("line".repeat(20));',
        'return "</data>".repeat(9000);',
      ]);
    expect(loop).toContain("The script failed: gas_exhausted");
    expect(memory).toMatch(/The script failed: (gas|memory)_exhausted/);
    expect(stack).toMatch(/The script failed: stack_exhausted/);
    expect(calls).toContain("The script failed: syscalls_exhausted");
    for (const text of [printed, returned]) expect(text.length).toBeLessThan(20_001);
    expect(returned).toMatch(/\[truncated\]\n<\/data>$/);
    expect(returned.match(/<\/data>/g)).toHaveLength(1);
  });

  it("cannot trick the host with names, prototypes or text around it", async () => {
    const texts = await resultsOf([
      'return read_file(JSON.parse(\'{"__proto__": {"path": "a"}}\'));',
      'return kernel.invoke("tools", "__proto__", {});',
      'return kernel.invoke("tools", "constructor");',
      'return kernel.invoke("genesis_store", "search", ["x"]);',
      'Object.prototype.path = "a.js"; Array.prototype[0] = "x"; return list_files();',
      'read_file = () => "mine"; kernel.invoke = null; return read_file({});',
      "return 1 } while (false) {} function run() { return 2",
      "return globalThis.constructor.constructor('return 1')();",
      "return list_files({ pattern: '\\ud800' });",
    ]);
    const expected = [
      /the key "__proto__" is not allowed/,
      /there is no function __proto__/,
      /there is no function constructor/,
      /a script has no kernel/,
      /no files/,
      /mine/,
      /\n2\n/,
      /code cannot be made from text here/,
      /lone surrogate/,
    ];
    for (const [at, pattern] of expected.entries()) expect(texts[at]).toMatch(pattern);
  });
});
