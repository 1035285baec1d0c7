import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { acting } from "../support/model-run.ts";
import type { Answer } from "../support/model-server/answer.ts";
import {
  type ModelServer,
  type ServedCall,
  startModelServer,
} from "../support/model-server/model-server.ts";
import { emptyFolder, setFlags, sim, startSimWith } from "../support/sim.ts";

/** The example of a workflow in the specification of agents, without a change. */
const WORKFLOW = `workflow:
  steps:
    - name: "observe"
      type: "llm"
      prompt: "Analyze current world state"
    - name: "decide"
      type: "llm"
      prompt: "Based on observations, choose an action"
    - name: "act"
      type: "code"
      action: "execute_decision"
  error_handling:
    on_step_failure: "continue"  # or "abort"
`;

const KEYS = { OPENAI_COMPATIBLE_API_KEY: "gateway-some-secret" };

const open: ModelServer[] = [];
afterAll(() => Promise.all(open.map((server) => server.close())));

const thought = z.looseObject({
  action: z.unknown(),
  reasoning: z.string(),
  usage: z.object({ calls: z.number() }),
});

const isObserving = ({ prompt }: ServedCall): boolean =>
  prompt.endsWith("## This step\nAnalyze current world state");

const READ = { read_artifact: { artifact_id: "handbook_toc" } };
const OBSERVED = acting(READ, { thought_process: "No agent sells adders." });

/** Writes ann with the workflow, and runs it with a model that gives these answers. */
const ranWith = async (workflow: string, decides: Answer) => {
  const folder = emptyFolder();
  const ann = join(folder, "agents/ann");
  mkdirSync(ann, { recursive: true });
  writeFileSync(join(ann, "agent.yaml"), `id: ann\n${workflow}`);
  const server = await startModelServer((call) => (isObserving(call) ? OBSERVED : decides));
  open.push(server);
  const settings = setFlags(
    `llm.providers.openai-compatible.base_url=${server.baseUrl("openai-compatible")}`,
    "virtual.think_ms.llm=[1000,1000]",
    "llm.repair_attempts=0",
    "memory.backend=none",
  );
  const words = ["run", "--clock", "virtual", "--duration", "3", "--name", "first"];
  const model = ["--model", "openai-compatible/tiny"];
  const said = await startSimWith(KEYS, folder, [...words, ...model, ...settings]).ended;
  expect(said.code).toBe(0);
  const events = (kind: string) => {
    const { out } = sim(folder, "events", "first", "--json", "--kind", kind);
    const lines = out.split("\n").filter((line) => line !== "");
    return lines.map((line): unknown => JSON.parse(line));
  };
  return { folder, server, events };
};

const CODE = "function run(a, b) { return a + b }";
const WRITE = { write_artifact: { artifact_id: "adder", code: CODE } };

describe("the workflow observe, decide, act", () => {
  it("decides on what it observed, and executes the last decision", async () => {
    const { folder, server, events } = await ranWith(
      WORKFLOW,
      acting(WRITE, { thought_process: "Sell one." }),
    );
    const [observe, decide] = server.calls;
    expect(observe?.prompt).not.toContain("## Earlier steps");
    const earlier =
      "## Earlier steps\n" +
      "The results of the earlier steps. No action was executed yet.\n\n" +
      "### observe\nNo agent sells adders.\n" +
      `Proposed action: ${JSON.stringify(READ)}\n\n` +
      "## This step\nBased on observations, choose an action";
    expect(decide?.prompt.endsWith(earlier)).toBe(true);
    const [first] = events("thought_completed").map((each) => thought.parse(each));
    expect(first).toMatchObject({ action: WRITE, reasoning: "Sell one.", usage: { calls: 2 } });
    expect(events("action_completed")[0]).toMatchObject({ target: "adder" });
    expect(events("thought_failed")).toEqual([]);
    expect(sim(folder, "verify", "first").code).toBe(0);
  });

  it("executes the decision of the first step if the second one fails", async () => {
    const { events } = await ranWith(WORKFLOW, { text: "I cannot decide." });
    expect(events("thought_completed")[0]).toMatchObject({ action: READ });
    expect(events("action_completed")[0]).toMatchObject({ target: "handbook_toc" });
  });

  it("fails with the step's failure if on_step_failure is abort", async () => {
    const aborting = WORKFLOW.replace('"continue"', '"abort"');
    const { events } = await ranWith(aborting, { text: "I cannot decide." });
    expect(events("thought_failed")[0]).toMatchObject({
      reason: "llm_error",
      fault: "unreadable_reply",
      message: expect.stringMatching(/^step decide: unreadable_reply: /),
    });
    expect(events("action_completed")).toEqual([]);
  });

  it("can name the observation in a prompt", async () => {
    const named = WORKFLOW.replace("Based on observations,", "You saw: {steps.observe.reasoning}");
    const { server } = await ranWith(named, acting(WRITE));
    const asked = "## This step\nYou saw: No agent sells adders. choose an action";
    expect(server.calls[1]?.prompt.endsWith(asked)).toBe(true);
    expect(server.calls[1]?.prompt).not.toContain("## Earlier steps");
  });

  it("is valid, with a note that observe rarely acts", async () => {
    const { folder } = await ranWith(WORKFLOW, acting(WRITE));
    const valid = sim(folder, "agents", "validate");
    expect(valid.code).toBe(0);
    expect(valid.err).toMatch(
      /^note: .*ann\/agent\.yaml:4:13: `decide` replaces the action of `observe`, unless `deci/,
    );
    const { warnings } = JSON.parse(sim(folder, "agents", "validate", "--json").out);
    expect(warnings).toMatchObject([{ line: 4, column: 13 }]);
  });
});
