import { describe, expect, it } from "vitest";
import { mindWith } from "../support/persona-lab.ts";
import { jsonOf, makeRun, sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

/** A module that says what its artifacts are worth, and whether it sees a value of another. */
const TELLS = mindWith(`
    const own = Object.entries(view.agent.values).join(" ");
    const sees = JSON.stringify(view).includes("4711");
    return { action: { noop: {} }, reasoning: own + (sees ? ": and 4711" : ""), sleep: { for_s: 60 } };`);

const SLEEPS = "mind: script\nscript: [{ sleep: { for_s: 60 } }]\n";

const reasonOf = (cwd: string, run: string, agent: string): string => {
  const flags = ["--principal", agent, "--kind", "thought_completed", "--limit", "1"];
  const { out } = sim(cwd, "events", run, ...flags, "--json");
  return JSON.parse(out.trim()).reasoning;
};

/** The values of each agent, by the order of creation. */
const valuesIn = (cwd: string, run: string) =>
  sim(cwd, "events", run, "--kind", "agent_created", "--json")
    .out.trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map(({ id, values = null }) => [id, values]);

describe("the private values of an agent", () => {
  it("are seen by its module, and by no other agent", () => {
    const cwd = folderWith({
      "agents/ann/agent.yaml": "id: ann\nmind: ./mind.ts\nvalues: { painting: 4711, vase: 2 }\n",
      "agents/ann/mind.ts": TELLS,
      "agents/bob/agent.yaml": "id: bob\nmind: ./mind.ts\nvalues: { painting: 5 }\n",
      "agents/bob/mind.ts": TELLS,
    });
    makeRun(cwd, { name: "two", seconds: 30 });
    expect(reasonOf(cwd, "two", "ann")).toBe("painting,4711 vase,2: and 4711");
    expect(reasonOf(cwd, "two", "bob")).toBe("painting,5");
  });

  it("stand in the system prompt of a language model, at the end of its own text", () => {
    const persona = "id: ann\nsystem_prompt: You buy art.\n";
    const cwd = folderWith({
      "agents/ann/agent.yaml": `${persona}values: { painting: 60 }\n`,
      "agents/bob/agent.yaml": "id: bob\nmind: tools\nvalues: { painting: 30, vase: 2 }\n",
    });
    const systemOf = (id: string): string => jsonOf(cwd, "agents", "preview", id).sections[0].text;
    expect(systemOf("ann")).toContain(
      "You buy art.\n\nTo you, painting is worth 60 scrip. No one else knows this.",
    );
    expect(systemOf("bob")).toContain(
      "To you, these artifacts are worth: painting 30 scrip, vase 2 scrip. No one else knows this.",
    );
  });

  it("differ in a population, and are not inherited by children", () => {
    const spawn = '{ artifact_id: genesis_ledger, method: spawn_principal, args: ["kid"] }';
    const cwd = folderWith({
      "agents/ann/agent.yaml": `id: ann
count: 2
mind: script
script: [{ sleep: { for_s: 60 } }]
values: { painting: 1 }
vary: { values.painting: { list: [40, 50] } }
`,
      "agents/sam/agent.yaml": `id: sam
mind: script
script: [{ invoke_artifact: ${spawn} }, { sleep: { for_s: 60 } }]
values: { painting: 7 }
`,
    });
    makeRun(cwd, { name: "born", seconds: 30 });
    expect(valuesIn(cwd, "born")).toEqual([
      ["ann_1", { painting: 40 }],
      ["ann_2", { painting: 50 }],
      ["sam", { painting: 7 }],
      ["kid", null],
    ]);
  });

  it("come with an agent that the schedule adds, also after a resume", () => {
    const cwd = folderWith({
      "agents/sam/agent.yaml": `id: sam\n${SLEEPS}`,
      "late/agent.yaml": `id: late\n${SLEEPS}values: { painting: 9 }\n`,
      "config.yaml": "schedule: [{ at: 20s, add: ./late }]\n",
    });
    makeRun(cwd, { name: "on", seconds: 10 });
    expect(sim(cwd, "resume", "on", "--duration", "30").code).toBe(0);
    expect(valuesIn(cwd, "on")).toEqual([
      ["sam", null],
      ["late", { painting: 9 }],
    ]);
    expect(sim(cwd, "verify", "on").code).toBe(0);
    const { artifacts } = jsonOf(cwd, "report", "on").metrics.gains_from_trade;
    expect(artifacts).toMatchObject([{ artifact: "painting", maker: null, possible: 0 }]);
  });

  it.each([
    ["{ painting: -1 }", /`values\.painting` must be at least 0/],
    ["{ painting: 1.5 }", /`values\.painting` must be a whole number/],
    ["{ my painting: 3 }", /`values\.my painting`.* is not an id/],
    ["60", /`values` must be a map/],
  ])("must be whole scrip of an artifact, unlike %s", (values, reason) => {
    const cwd = folderWith({ "agents/sam/agent.yaml": `id: sam\n${SLEEPS}values: ${values}\n` });
    expectRefusal(sim(cwd, "run", "--duration", "1"), 2, reason);
  });
});
