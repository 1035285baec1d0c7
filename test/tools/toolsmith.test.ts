import { beforeAll, describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import type { ModelRun } from "../support/model-run.ts";
import { type Call, resultsIn, rolesOf, runSmith } from "./smith.ts";

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

type Offer = { readonly function: { readonly name: string } };
describe("an agent with tools", () => {
  let ran: ModelRun;
  beforeAll(async () => {
    ran = await runSmith(STEPS, { others: { buyer } });
  });

  it("drafts a program, sees its test fail, corrects it and sells it", () => {
    const results = resultsIn(ran);
    expect(results[1]).toMatch(/^<data>\nruntime_error: ReferenceError: 'm' is not defined/);
    expect(results[3]).toMatch(/^\d+ gas\n<data>\n4\n<\/data>/);
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
      ...["send_message", "hand_on", "wait", "end_turn"],
      ...["list_files", "read_file", "search_files", "write_file"],
      ...["edit_file", "apply_patch", "delete_file", "note", "try_program", "bash"],
      ...["start_helper", "wait_for_helper"],
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
