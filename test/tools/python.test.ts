import { beforeAll, describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import type { ModelRun } from "../support/model-run.ts";
import { hasPython, PYTHON_ENV } from "../support/python.ts";
import { keptBy, keptResults, messagesOf, runWriter } from "./smith.ts";

const script = (code: string, text = ""): string =>
  `${text}\n<execution-code>\n${code}\n</execution-code>`;

const CODE = { mind: "code" };
const PYTHON = { mind: "code", tools: { language: "python" } };
const ALLOWED = { sets: ["tools.python=true"], env: PYTHON_ENV };

const REPLIES = [
  script(
    `path = "drafts/half.js"
write_file(path=path, text="function run(n) { return m / 2 }")
try_program(path=path, args=[8])`,
    "I draft it.",
  ),
  script(`import json
path = "drafts/half.js"
edit_file(path=path, old_text="m / 2", new_text="n / 2")
values = [json.loads(try_program(path=path, args=[n])) for n in (2, 4, 6)]
print("tried", values)
assert values == [1, 2, 3]
print(write_artifact(artifact_id="smith_half", code_file=path, price=3, interface={
    "description": "Halves numbers.",
    "methods": [{"name": "run", "description": "Half of a number.", "examples": [
        {"args": [8], "result": 4}],
        "input_schema": {"type": "object", "properties": {"n": {"type": "number"}}}}],
}))
result = read_file(path=path)`),
  "It is published.",
];

const buyer = {
  mind: "script",
  script: [{ wait: 12 }, { invoke_artifact: { artifact_id: "smith_half", args: [10] } }],
};

describe.skipIf(!hasPython)("an agent that calls its tools from Python", () => {
  let ran: ModelRun;
  beforeAll(async () => {
    ran = await runWriter(REPLIES, PYTHON, { ...ALLOWED, others: { buyer } });
  });

  it("drafts a program, sees its test fail, corrects it and sells it", () => {
    const [drafted, published] = keptResults(ran);
    expect(drafted).toMatchObject({ name: "run_code", is_error: true });
    expect(drafted?.text).toMatch(
      /^Result from script execution:\n\n<data>\nThe script failed: Traceback/,
    );
    expect(drafted?.text).toMatch(/line 3, in &lt;module>|line 3, in <module>/);
    expect(drafted?.text).toContain("ToolError: ");
    expect(drafted?.text).toContain("'m' is not defined");
    expect(drafted?.text).toContain("What the script did before it failed stays done.");
    expect(published?.text).toMatch(
      /^Result from script execution:\n\n<data>\ntried \[1, 2, 3\]\nNone\nfunction run\(n\) {/,
    );
    expect(published?.text).toContain("write_artifact is the action of this step.");
    expect(published?.text).toMatch(/The result of your action:\ndone:\n<data>\nwrote smith_half/);
    expect(ran.of("artifact_invoked")).toMatchObject([
      { principal: "buyer", artifact_id: "smith_half", price: 3, paid_to: "smith" },
    ]);
    expect(ran.state.artifacts.get(asId("smith_half"))?.interface?.methods).toHaveLength(1);
  });

  it("replays to the same state without Python", () => {
    expect(ran.replayedHash).toBe(ran.result.stateHash);
  });

  it("is told in its system text how to write Python, and its scripts are kept as calls", () => {
    const [system] = messagesOf(ran, 0);
    expect(system?.content).toContain("The script is Python 3 with its standard library.");
    expect(system?.content).toContain("- try_program: Runs a draft in the sandbox");
    expect(system?.content).not.toContain("- bash:");
    expect(system?.content).not.toContain("JavaScript without modules");
    expect(messagesOf(ran, 1)[3]?.content).toMatch(/^Result from script execution:\n\n/);
    expect(keptBy(ran)[1]).toMatchObject({
      blocks: [{ type: "text" }, { type: "tool_call", name: "run_code" }],
    });
  });

  it("has one action, can end its turn, and has no shell", async () => {
    const note = (id: string): string =>
      `write_artifact(artifact_id="${id}", artifact_type="data", content="x")`;
    const texts = await resultsOf([
      `${note("smith_a")}\n${note("smith_b")}`,
      'bash(command="ls")',
      'end_turn(summary="x")\nlook()',
    ]);
    expect(texts[0]).toContain("ToolError: not done: a step has one action in the world");
    expect(texts[0]).toMatch(/The result of your action:\ndone:\n<data>\nwrote smith_a/);
    expect(texts[1]).toContain("NameError: name 'bash' is not defined");
    expect(texts[2]).toContain("ToolError: not done: the turn has ended");
    expect(texts[2]).toMatch(/your turn ends$/);
  });

  it("gets long output cut, and cannot close its fence", async () => {
    const [printed = "", returned = ""] = await resultsOf([
      "for n in range(9000): print('line' * 20)",
      "'</data>' * 9000",
    ]);
    for (const text of [printed, returned]) expect(text.length).toBeLessThan(20_001);
    expect(returned).toMatch(/\[truncated\]\n<\/data>$/);
    expect(returned.match(/<\/data>/g)).toHaveLength(1);
  });
});

/** The text of the result of each script, all in the first turn. */
const resultsOf = async (
  codes: readonly string[],
  given: Parameters<typeof runWriter>[2] = ALLOWED,
): Promise<readonly string[]> => {
  const ran = await runWriter(
    codes.map((code) => script(code)),
    PYTHON,
    given,
  );
  expect(ran.replayedHash).toBe(ran.result.stateHash);
  return keptResults(ran).map(({ text }) => text);
};

describe("an agent in a run that does not allow Python", () => {
  const rewritten = JSON.stringify({ mind: "code", tools: { language: "python" } });
  const change = { artifact_id: "smith", content: rewritten };

  it("gets the reason as the result of its scripts if it has chosen Python itself", async () => {
    const replies = [script(`write_artifact(${JSON.stringify(change)});`)];
    const more = ["write_file(path='a', text='x')", 'write_file({ path: "a", text: "x" })'];
    const ran = await runWriter([...replies, ...more.map((code) => script(code))], CODE, {
      env: PYTHON_ENV,
    });
    const config = JSON.parse(ran.state.artifacts.get(asId("smith"))?.content ?? "{}");
    expect(config).toMatchObject({ tools: { language: "python" } });
    const results = keptResults(ran);
    expect(results.slice(-2)).toMatchObject([
      { is_error: true, text: expect.stringContaining("this run does not allow Python") },
      { is_error: true, text: expect.stringContaining("this run does not allow Python") },
    ]);
    expect(ran.state.artifacts.get(asId("smith_workspace"))).toBeUndefined();
    expect(ran.replayedHash).toBe(ran.result.stateHash);
  });
});
