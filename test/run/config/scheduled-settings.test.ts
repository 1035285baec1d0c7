import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/run/config/load-config.ts";
import { showProblem } from "../../../src/run/config/problem.ts";
import { flatSettings, withSettings } from "../../../src/run/config/scheduled-settings.ts";
import { folderWith } from "../../support/temporary-folder.ts";

/** The problems of a file with this schedule, without the path of the file. */
const problems = (...entries: readonly string[]): readonly string[] => {
  const text = `schedule:\n${entries.map((entry) => `  - ${entry}\n`).join("")}`;
  const folder = folderWith({ "config.yaml": text });
  const loaded = loadConfig({ file: join(folder, "config.yaml"), sets: [], flags: [] });
  return loaded.ok ? [] : loaded.problems.map((each) => showProblem({ ...each, file: "file" }));
};

describe("an entry of the schedule", () => {
  it.each<readonly [string, string]>([
    ["{ at: 300, pause: ada }", "file:2:11: `schedule[0].at` must have a unit, as in 300s"],
    [
      "{ at: soon, pause: ada }",
      "file:2:11: `schedule[0].at` must be a run time such as 300s or 5m",
    ],
    ["{ pause: ada }", "file:2:5: `schedule[0].at` must be a run time such as 300s or 5m"],
    [
      "{ at: 5s, pauses: ada }",
      "file:2:15: unknown key `schedule[0].pauses`; did you mean `pause`?",
    ],
    [
      "{ at: 5s }",
      "file:2:5: `schedule[0]` must have one of set, mint, take, install, pause, resume, add, " +
        "remove; write an entry for each change",
    ],
    [
      "{ at: 5s, mint: { to: ada } }",
      "file:2:21: `schedule[0].mint` must have scrip, llm_budget_usd or both",
    ],
    ["{ at: 5s, mint: { scrip: 5 } }", "file:2:15: `schedule[0].mint.to` is missing"],
    [
      "{ at: 5s, take: { from: ada, scrip: 0 } }",
      "`schedule[0].take.scrip` must be at least 1, not 0",
    ],
    ["{ at: 5s, pause: 'a b' }", "`schedule[0].pause` is not an id"],
    [
      "{ at: 5s, install: { id: genesis_x, file: x } }",
      "`schedule[0].install.id` must not be operator or start with genesis or handbook",
    ],
    [
      "{ at: 5s, install: { id: x, file: x, price: 2 } }",
      "`schedule[0].install` must have an owner, who receives the price",
    ],
    [
      "{ at: 5s, install: { id: x, file: x, interface: 5 } }",
      "`schedule[0].install.interface` is not an interface",
    ],
  ])("is checked with its place: %s", (entry, problem) => {
    const [first = "", ...more] = problems(entry);
    expect(first).toContain(problem);
    expect(more).toEqual([]);
  });

  it("can have any change that the documentation lists", () => {
    const changes = [
      "set: { mint: { slots: 3 } }",
      "mint: { to: all, scrip: 1, llm_budget_usd: 0.5 }",
      "take: { from: [ada, bob], scrip: 1 }",
      "install: { id: x, file: x.txt }",
      "pause: ada",
      "resume: [ada, bob]",
      "add: [./a, ./b]",
      "remove: ada",
    ];
    expect(problems(...changes.map((change) => `{ at: 1.5m, ${change} }`))).toEqual([]);
  });
});

describe("a scheduled setting", () => {
  it.each<readonly [string, string, string]>([
    ["run.duration_s", "9", "it is read when a run starts"],
    ["policy.thought_micros", "9", "it is read when a run starts"],
    ["scrip.starting_amount", "9", "an agent gets it when it joins the world; mint or take"],
    ["resources.windows.actions", "9", "an agent gets it when it joins the world"],
    ["mint.period_s", "1", "the times of all auctions follow from it"],
    ["mint.tasks", "[]", "each task opens at its own from_s"],
    ["genesis.enabled", "[]", "the world is created with it"],
    ["sandbox.gas_max", "9", "the engine of the programs starts with it"],
    ["artifacts.json_depth_max", "9", "the engine of the programs starts with it"],
  ])("must be one that can change in a running world: %s", (key, value, reason) => {
    const [first = "", ...more] = problems(`{ at: 5s, set: { ${key}: ${value} } }`);
    expect(first).toContain(`\`schedule[0].set\`: \`${key}\` cannot change in a running world: `);
    expect(first).toContain(reason);
    expect(first).toContain("; docs/changing-a-run.md lists the settings that can");
    expect(more).toEqual([]);
  });

  it("is checked like a setting of the configuration", () => {
    expect(problems("{ at: 5s, set: { mint.slot: 4 } }")).toEqual([
      "file:2:22: `schedule[0].set`: unknown key `mint.slot`; did you mean `mint.slots`?",
    ]);
    expect(problems("{ at: 5s, set: { mint.slots: many } }")).toEqual([
      'file:2:22: `schedule[0].set`: `mint.slots` must be a whole number, not "many"',
    ]);
    expect(problems("{ at: 5s, set: { compute: 4 } }")).toEqual([
      "file:2:22: `schedule[0].set`: `compute` must be a map of keys and values, not 4",
    ]);
    expect(problems("{ at: 5s, set: {} }")).toHaveLength(1);
  });

  it("is checked with the settings that earlier entries leave, in the order of time", () => {
    const later = "{ at: 9s, set: { agent.loop.min_delay_s: 20 } }";
    const earlier = "{ at: 5s, set: { agent.loop.max_delay_s: 30 } }";
    expect(problems(later)).toHaveLength(1);
    expect(problems(later, earlier)).toEqual([]);
  });
});

describe("settings by dotted key", () => {
  it("can be written as maps", () => {
    const given = { "mint.slots": 3, compute: { sale: "none", standing: { lots: 2 } } };
    const flat = { "mint.slots": 3, "compute.sale": "none", "compute.standing.lots": 2 };
    expect(flatSettings(given)).toEqual(flat);
  });

  it("replace values of a configuration, or are refused together", () => {
    const loaded = loadConfig({ file: null, sets: [], flags: [] });
    if (!loaded.ok) throw new Error("the shipped configuration must load");
    const changed = withSettings(loaded.config, { "mint.slots": 3 });
    expect(changed).toMatchObject({ ok: true, config: { mint: { slots: 3 } } });
    const wrong = withSettings(loaded.config, { "mint.slots": 3, "mint.mint_ratio": "x" });
    expect(wrong).toMatchObject({ ok: false, problem: expect.stringContaining("mint.mint_ratio") });
  });
});
