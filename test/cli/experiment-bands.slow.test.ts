import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ExperimentResult } from "../../src/index.ts";
import { jsonOf, sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

const PERSONA = "id: ada\nmind: script\nscript: [{ noop: {} }, { noop: {} }]\n";

/** The actions of each arm are known: the script has two. */
const FILE = `name: known
source: "Doe (1999), Known Results"
base: { duration: 5s, agents: agents }
seeds: 1..4
arms:
  few: {}
  many: { agents: more }
model_arms:
  talk: { agents: talk, label: talkers }
factors: { mint.slots: [1, 3] }
measures:
  - { name: actions, bands: { few: [2, 2], many: [0, 1], talk: [0, 9] }, published: { many: 1.5 } }
  - gini
`;

const folder = (file = FILE): string =>
  folderWith({
    "e.yaml": file,
    "agents/ada/agent.yaml": PERSONA,
    "more/ada/agent.yaml": PERSONA.replace("[", "[{ noop: {} }, "),
    "talk/ada/agent.yaml": "id: ada\nmind: llm\n",
  });

describe("an experiment with bands", () => {
  it("says for each cell whether its mean is inside the band of its arm", () => {
    const cwd = folder();
    const result: ExperimentResult = jsonOf(cwd, "experiment", "e.yaml", "--seeds", "1..1");
    const rows = result.bands.map(({ cell, mean, published, low, high, inside }) => {
      return [cell, mean, published, low, high, inside];
    });
    expect(rows).toEqual([
      ["few {mint.slots=1}", 2, null, 2, 2, true],
      ["few {mint.slots=3}", 2, null, 2, 2, true],
      ["many {mint.slots=1}", 3, 1.5, 0, 1, false],
      ["many {mint.slots=3}", 3, 1.5, 0, 1, false],
    ]);
    expect(result.bands[3]).toMatchObject({
      measure: "actions",
      arm: "many",
      factors: { "mint.slots": 3 },
      n: 1,
    });
    expect(result.source).toBe("Doe (1999), Known Results");
    const said = sim(cwd, "experiment", "e.yaml", "--seeds", "1..1");
    expect(said.code).toBe(0);
    expect(said.out).toContain("means and their bands");
    expect(said.out).toContain("actions\tmany {mint.slots=1}\t1\t3\t-\t1.5\t0 to 1\tno");
    const outside =
      "actions is on average 3.00 in many {mint.slots=1} (1 run), outside its band from 0 to 1. The published figure is 1.5.";
    expect(said.out).toContain(outside);
    const page = readFileSync(join(cwd, "results/known/report.html"), "utf8");
    for (const text of ["Means and their bands", outside, "Source: Doe (1999), Known Results"]) {
      expect(page).toContain(text);
    }
  });
});

describe("the arms in model_arms", () => {
  it("are planned only with --model, and a plan without it names them", () => {
    const cwd = folder();
    const plain = jsonOf(cwd, "experiment", "e.yaml", "--dry-run");
    expect([plain.runs, plain.with_model]).toEqual([16, ["talk"]]);
    expect(sim(cwd, "experiment", "e.yaml", "--dry-run").out).toContain(
      "with --model also the arms: talk",
    );
    const named = jsonOf(cwd, "experiment", "e.yaml", "--dry-run", "--model", "mock");
    expect([named.runs, named.with_model]).toEqual([24, []]);
    const talk = named.planned.find(({ arm }: { arm: string }) => arm === "talk");
    expect(talk.command).toContain("--model mock");
    expect(named.planned[0].command).not.toContain("--model");
  });

  it("think with the model of the command", () => {
    const cwd = folder(FILE.replace("factors: { mint.slots: [1, 3] }\n", ""));
    const flags = ["--seeds", "2..2", "--model", "mock"];
    const result: ExperimentResult = jsonOf(cwd, "experiment", "e.yaml", ...flags);
    expect(result.runs.map(({ id, status }) => [id, status])).toEqual([
      ["few-s2", "done"],
      ["many-s2", "done"],
      ["talk-s2", "done"],
    ]);
    expect(result.bands.map(({ arm }) => arm)).toEqual(["few", "many", "talk"]);
    const manifest = JSON.parse(readFileSync(join(cwd, "results/known/manifest.json"), "utf8"));
    expect(manifest.seeds).toEqual([2]);
    expect(readFileSync(join(cwd, "results/known/report.html"), "utf8")).toContain(
      "sim experiment e.yaml --model mock --seeds 2..2",
    );
  });
});
