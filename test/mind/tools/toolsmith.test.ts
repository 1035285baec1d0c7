import { beforeAll, describe, expect, it } from "vitest";
import { asId } from "../../../src/kernel/index.ts";
import { type ModelRun, runModels } from "../../support/model-run.ts";
import type { RawReply } from "../../support/model-server/answer.ts";
import { askerOf, type Script } from "../../support/model-server/model-server.ts";

type Call = readonly [name: string, args: object];

/** A reply of an OpenAI-compatible server that calls tools, or that says `text`. */
const saying = (n: number, calls: readonly Call[], text = ""): RawReply => ({
  raw: JSON.stringify({
    id: `chatcmpl-${n}`,
    object: "chat.completion",
    created: 1_700_000_000,
    model: "tiny",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text,
          ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCall(n)) }),
        },
        finish_reason: calls.length === 0 ? "stop" : "tool_calls",
      },
    ],
    usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
  }),
  headers: { "content-type": "application/json" },
});

const toolCall =
  (n: number) =>
  ([name, args]: Call, at: number): object => ({
    id: `call_${n}_${at}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  });

/** The steps of an agent, each with its calls. After the last one, it waits. */
const stepsOf = (steps: readonly (readonly Call[])[]): Script => {
  let step = 0;
  return (call) => {
    if (askerOf(call) !== "smith") return undefined;
    const calls = steps[step] ?? [["wait", { for_s: 100 }]];
    step += 1;
    return saying(step, calls);
  };
};

const PATH = "drafts/half.js";
const RUN = { path: PATH, args: [8] };
const METHOD = {
  name: "run",
  description: "Returns half of a number.",
  input_schema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  examples: [{ args: [8], result: 4 }],
};

const STEPS: readonly (readonly Call[])[] = [
  [["write_file", { path: PATH, text: "function run(n) { return m / 2 }" }]],
  [["try_program", RUN]],
  [
    ["edit_file", { path: PATH, old_text: "m / 2", new_text: "n / 2" }],
    ["try_program", RUN],
  ],
  [
    [
      "write_artifact",
      {
        artifact_id: "smith_half",
        code_file: PATH,
        price: 3,
        interface: { description: "Halves numbers.", methods: [METHOD] },
      },
    ],
  ],
  [["end_turn", { summary: "published smith_half" }]],
];

const buyer = {
  mind: "script",
  script: [{ wait: 12 }, { invoke_artifact: { artifact_id: "smith_half", args: [10] } }],
};

type Given = { readonly tools?: object; readonly sets?: readonly string[] };

const run = (
  steps: readonly (readonly Call[])[],
  { tools = {}, sets = [] }: Given = {},
): Promise<ModelRun> =>
  runModels({
    agents: { smith: { mind: "tools", tools }, buyer },
    script: stepsOf(steps),
    sets: ["run.duration_s=20", ...sets],
  });

type Offer = { readonly function: { readonly name: string } };
type Message = { readonly role: string; readonly content: unknown };

/** The messages of a request of the agent. `at` counts from 0, or back from -1. */
const messagesOf = (ran: ModelRun, at: number): readonly Message[] => {
  const body: { readonly messages?: readonly Message[] } = ran.callsOf("smith").at(at)?.body ?? {};
  return body.messages ?? [];
};

const rolesOf = (ran: ModelRun, at: number): readonly string[] =>
  messagesOf(ran, at).map(({ role }) => role);

/** The results of tools in the last request of the agent. */
const resultsIn = (ran: ModelRun): readonly string[] =>
  messagesOf(ran, -1)
    .filter(({ role }) => role === "tool")
    .map(({ content }) => String(content));

describe("an agent with tools", () => {
  let ran: ModelRun;
  beforeAll(async () => {
    ran = await run(STEPS);
  });

  it("drafts a program, sees its test fail, corrects it and sells it", () => {
    const results = resultsIn(ran);
    expect(results[1]).toMatch(/^runtime_error: ReferenceError: 'm' is not defined/);
    expect(results[3]).toMatch(/^4\n\(\d+ gas\)/);
    expect(ran.of("artifact_invoked")).toMatchObject([
      { principal: "buyer", artifact_id: "smith_half", price: 3, paid_to: "smith" },
    ]);
    const workspace = ran.state.artifacts.get(asId("smith_workspace"));
    expect(workspace).toMatchObject({
      owner: "smith",
      access: "genesis_contract_private",
      content: JSON.stringify({ [PATH]: "function run(n) { return n / 2 }" }),
    });
    expect(ran.replayedHash).toBe(ran.result.stateHash);
  });

  it("offers its tools to the model, and sends the conversation as messages", () => {
    const { tools = [] }: { readonly tools?: readonly Offer[] } =
      ran.callsOf("smith")[0]?.body ?? {};
    expect(tools.map((tool) => tool.function.name)).toEqual([
      ...["look", "search_market", "read_artifact", "write_artifact", "invoke_artifact"],
      ...["wait", "end_turn", "list_files", "read_file", "search_files", "write_file"],
      ...["edit_file", "apply_patch", "delete_file", "try_program"],
    ]);
    expect(rolesOf(ran, 1)).toEqual(["system", "user", "assistant", "tool"]);
  });

  it("pays for each step and takes one action in each", () => {
    const thoughts = ran.of("thought_completed", "smith");
    const actions = [...ran.of("action_completed", "smith"), ...ran.of("action_refused", "smith")];
    expect(thoughts.length).toBe(6);
    expect(actions).toHaveLength(thoughts.length);
    for (const { usage } of thoughts) expect(usage).toMatchObject({ calls: 1, input_tokens: 20 });
  });

  it("remembers its actions, and not the steps without an action", () => {
    const texts = ran.of("memory_recorded", "smith").map(({ text }) => text);
    expect(texts).toEqual([expect.stringContaining("smith_half")]);
  });
});

describe("the calls of a step", () => {
  it("include one action in the world, and others are not done", async () => {
    const both: readonly Call[] = [
      ["read_artifact", { artifact_id: "handbook_actions" }],
      ["read_artifact", { artifact_id: "handbook_mint" }],
    ];
    const ran = await run([both]);
    expect(ran.of("artifact_read", "smith")).toMatchObject([{ artifact_id: "handbook_actions" }]);
    const [, other] = resultsIn(ran);
    expect(other).toMatch(/^not done: a step has one action in the world/);
    expect(other).toMatch(/\n\n\[\d+ s; \d+ scrip, \$\d\.\d+ of model budget\]$/);
  });

  it("cannot end the turn after an action, whose result the next step has", async () => {
    const ran = await run([
      [
        ["read_artifact", { artifact_id: "handbook_actions" }],
        ["end_turn", {}],
      ],
    ]);
    expect(rolesOf(ran, 1)).toEqual(["system", "user", "assistant", "tool", "tool"]);
    expect(resultsIn(ran)[1]).toMatch(/^not done: your turn continues with the result/);
  });

  it("are not done after the turn has ended", async () => {
    const ran = await run([
      [
        ["end_turn", {}],
        ["write_file", { path: "a.md", text: "late" }],
      ],
    ]);
    expect(resultsIn(ran)).toEqual(["your turn ends", "not done: the turn has ended"]);
    expect(ran.state.artifacts.get(asId("smith_workspace"))).toBeUndefined();
  });

  it("are answered with what would be right if they are wrong", async () => {
    const ran = await run([
      [
        ["write_fil", { path: "a", text: "" }],
        ["write_file", { path: "../a.js", text: "" }],
        ["write_file", { path: "a.js" }],
        ["invoke_artifact", { artifact_id: "no such id" }],
      ],
    ]);
    const [unknown, outside, missing, id] = resultsIn(ran);
    expect(unknown).toBe("there is no tool write_fil; did you mean `write_file`?");
    expect(outside).toContain("there is nothing outside of your workspace; omit ..");
    expect(missing).toContain("write_file.text: Invalid input: expected string");
    expect(id).toContain("an id has 1 to 128 of the characters");
    expect(ran.of("action_completed", "smith")[0]).toMatchObject({ action: "noop" });
    expect(ran.of("workspace_changed", "smith")).toEqual([]);
  });
});

describe("a draft", () => {
  const tried = async (code: string, times: number): Promise<readonly string[]> => {
    const write: Call = ["write_file", { path: "a.js", text: code }];
    const tries = Array.from({ length: times }, (): Call => ["try_program", { path: "a.js" }]);
    return resultsIn(await run([[write, ...tries]], { sets: ["sandbox.gas_max=20000"] })).slice(1);
  };

  it("can log, and gets no answer from the world", async () => {
    const [result] = await tried(
      'function run() { kernel.log("here"); try { kernel.random() } catch ({ code }) { return [code, kernel.now()] } }',
      1,
    );
    expect(result).toMatch(/^\["not_available",0\]\n\(\d+ gas\)\nlog: here/);
  });

  it("has the gas of one call together with the other drafts of its step", async () => {
    const loop = "function run() { for (let n = 0; n < 40_000; n++); return 1 }";
    const results = await tried(loop, 5);
    expect(results[0]).toMatch(/^1\n/);
    expect(results.at(-1)).toMatch(/gas/);
    expect(results.at(-1)).not.toMatch(/^1\n/);
  });
});

describe("the workspace", () => {
  const big = "x".repeat(40_000);

  it("takes no change that does not fit on the disk of the agent", async () => {
    const ran = await run([[["write_file", { path: "a.md", text: big }]]], {
      sets: ["resources.stock.disk_bytes=20000"],
    });
    expect(resultsIn(ran)[0]).toMatch(/^the workspace would take \d+ bytes, but it can have \d+/);
  });

  it("keeps its files if the quota refuses a change, which the next step says", async () => {
    const steps = ["a.md", "b.md", "c.md"].map((path): readonly Call[] => [
      ["write_file", { path, text: big }],
    ]);
    const ran = await run([...steps, [["list_files", {}]]]);
    expect(ran.of("memory_refused", "smith")).toHaveLength(1);
    expect(resultsIn(ran)[3]).toBe("a.md (40000 bytes)\nb.md (40000 bytes)");
    const told = [2, 3, 4].map((at) =>
      messagesOf(ran, at).some(({ content }) => /The world refused the changes/.test(`${content}`)),
    );
    expect(told).toEqual([false, true, false]);
  });
});

describe("a turn", () => {
  it("has a last answer without tools after its last step", async () => {
    const ran = await run([[["list_files", {}]], [["list_files", { pattern: "*" }]]], {
      tools: { max_steps: 2 },
    });
    const last = ran.callsOf("smith")[2];
    expect(last?.body.tools).toBeUndefined();
    expect(last?.prompt).toContain("This turn has used all of its steps.");
  });

  it("ends with its last answer, even if the model calls a tool in it", async () => {
    const write: Call = ["write_file", { path: "a.md", text: "late" }];
    const ran = await run([[["list_files", {}]], [write]], { tools: { max_steps: 1 } });
    expect(rolesOf(ran, 2).filter((role) => role === "user")).toHaveLength(2);
    expect(resultsIn(ran)).toContain("not done: the turn has used all of its steps");
    expect(ran.state.artifacts.get(asId("smith_workspace"))).toBeUndefined();
  });

  it("asks again after a reply without a word or a call, and does not keep the reply", async () => {
    const ran = await run([[], [["list_files", {}]]]);
    expect(rolesOf(ran, 1)).toEqual(["system", "user"]);
  });

  it("ends if the same calls have the same results three times", async () => {
    const same: readonly Call[] = [["list_files", {}]];
    const ran = await run([same, same, same, same]);
    expect(rolesOf(ran, 3).filter((role) => role === "user")).toHaveLength(2);
    expect(resultsIn(ran).join("\n")).toContain("You have made these calls 3 times");
  });
});
