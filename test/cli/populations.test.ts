import { describe, expect, it } from "vitest";
import { jsonOf, setFlags, sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

const persona = (id: string, text: string) => ({
  [`agents/${id}/agent.yaml`]: `id: ${id}\n${text}`,
});
const TRADERS = "mind: policy/trader\ncount: 12\n";

type Listed = {
  readonly id: string;
  readonly starting_scrip: number | null;
  readonly group: string;
};
const list = (cwd: string, ...args: readonly string[]): readonly Listed[] =>
  jsonOf(cwd, "agents", "list", ...args);
const ids = (cwd: string, ...args: readonly string[]) => list(cwd, ...args).map(({ id }) => id);

const RUN = ["run", "--duration", "5", "--clock", "virtual"];
const journalHash = (cwd: string, name: string, ...args: readonly string[]): string =>
  jsonOf(cwd, ...RUN, "--name", name, ...args).journal_hash;

describe("count", () => {
  it("makes agents whose ids sort by number", () => {
    const made = ids(folderWith(persona("t", TRADERS)));
    expect(made.slice(0, 2)).toEqual(["t_01", "t_02"]);
    expect(made).toHaveLength(12);
    expect(made.toSorted()).toEqual(made);
  });

  it("lets --only choose a whole population or one agent of it", () => {
    const cwd = folderWith({ ...persona("t", TRADERS), ...persona("u", TRADERS) });
    const agents = (only: string): number =>
      jsonOf(cwd, ...RUN, "--only", only, "--name", only.replace(",", "-")).agents.length;
    expect(agents("t")).toBe(12);
    expect(agents("t_03,u_07")).toBe(2);
    const said = sim(cwd, ...RUN, "--only", "v");
    expectRefusal(
      said,
      2,
      /has no persona `v`; did you mean `t`\?\n$|has no persona `v`; there are t, u/,
    );
  });

  it("copies the persona into the run once", () => {
    const cwd = folderWith(persona("t", TRADERS));
    expect(sim(cwd, ...RUN, "--name", "r").code).toBe(0);
    expect(ids(cwd, "--agents", "runs/r/agents")).toHaveLength(12);
  });

  it("fills {id} and {index} into system prompts", () => {
    const cwd = folderWith({
      ...persona("t", "mind: llm\ncount: 2\n"),
      "agents/t/system_prompt.md": "You are {id}, number {index}.",
    });
    expect(sim(cwd, "agents", "preview", "t_2").out).toContain("You are t_2, number 2.");
    const whole = sim(cwd, "agents", "preview", "t");
    expect(whole.code).toBe(2);
    expect(whole.err).toMatch(/"t" is a population of \d+ agents; name one, as t_1/);
  });

  it("names the clash of two populations once", () => {
    const cwd = folderWith({ ...persona("t", TRADERS), "more/t/agent.yaml": `id: t\n${TRADERS}` });
    const said = sim(cwd, "agents", "list", "--agents", "agents", "--agents", "more");
    expectRefusal(said, 2, /the id `t_01` is used by \w+\/t\/agent\.yaml; ids must be unique/);
  });
});

describe("vary", () => {
  const drawn = (vary: string, ...more: readonly string[]) =>
    list(folderWith(persona("t", `${TRADERS}vary:\n  ${vary}\n${more.join("\n")}`)));
  const scrips = (vary: string): readonly (number | null)[] =>
    drawn(`starting_scrip: ${vary}`).map(({ starting_scrip }) => starting_scrip);

  it("draws whole numbers where the setting is one", () => {
    for (const scrip of scrips("{ uniform: [50, 60] }")) {
      expect(Number.isInteger(scrip)).toBe(true);
      expect(scrip).toBeGreaterThanOrEqual(50);
      expect(scrip).toBeLessThanOrEqual(60);
    }
    expect(
      new Set(scrips("{ normal: { mean: 100, sd: 30, min: 90, max: 110 } }")).size,
    ).toBeGreaterThan(2);
    for (const scrip of scrips("{ normal: { mean: 100, sd: 30, min: 90, max: 110 } }")) {
      expect(scrip).toBeGreaterThanOrEqual(90);
      expect(scrip).toBeLessThanOrEqual(110);
    }
  });

  it("draws from a choice with weights, and deals a list in turn", () => {
    const weighted = scrips("{ choice: [1, 2, 3], weights: [0, 1, 1] }");
    expect(new Set(weighted)).toEqual(new Set([2, 3]));
    expect(scrips("{ list: [7, 8, 9] }").slice(0, 4)).toEqual([7, 8, 9, 7]);
    const groups = drawn("group: { list: [control, treatment] }").map(({ group }) => group);
    expect(groups.slice(0, 3)).toEqual(["control", "treatment", "control"]);
  });

  it("draws from the seed, whatever other personas there are", () => {
    const vary = "vary: { starting_scrip: { uniform: [0, 1000] } }\n";
    const one = persona("t", `${TRADERS}${vary}`);
    const two = { ...one, ...persona("a", `${TRADERS}${vary}`) };
    const [alone, together] = [folderWith(one), folderWith(two)];
    const own = list(together).filter(({ id }) => id.startsWith("t_"));
    expect(own.map((each) => each.starting_scrip)).toEqual(
      list(alone).map((each) => each.starting_scrip),
    );
    const hash = journalHash(alone, "a");
    expect(journalHash(alone, "b")).toBe(hash);
    expect(journalHash(alone, "c", "--seed", "2")).not.toBe(hash);
  });

  it.each([
    ["temprature: { list: [1] }", /t\/agent\.yaml:5:3: unknown key `temprature`/],
    ["polcy.stake: { list: [1] }", /:5:3: unknown key `polcy`; did you mean `policy`\?/],
    ["policy.stake.x: { list: [1] }", /:5:3: `policy.stake` must be a number, not a map/],
    ["rag.limit: { list: [1] }", /:5:3: `rag`: only mind: llm, workflow, tools or code has rag/],
    [
      "a..b: { list: [1] }",
      /:5:3: `vary.a..b` must be the path of a setting, such as policy.stake/,
    ],
    ["group: { list: [none] }", /:5:19: `group` must not be none/],
    [
      "starting_scrip: { uniform: [5, 1] }",
      /:5:\d+: `vary.starting_scrip.uniform` must be \[min, max\]/,
    ],
    [
      "starting_scrip: { unifrm: [1, 5] }",
      /unknown key `vary.starting_scrip.unifrm`; did you mean/,
    ],
    ["starting_scrip: { list: [-1] }", /:5:28: `starting_scrip` must be at least 0, not -1\n$/],
    [
      "starting_scrip: { uniform: [0.2, 0.8] }",
      /:5:30: `vary.starting_scrip.uniform` has no whole number, which this setting must be\n$/,
    ],
    [
      "starting_scrip: { normal: { mean: 40, sd: 10 } }",
      /:5:\d+: `starting_scrip` must be at least 0, not -10; the distribution .*; set `min`\n$/,
    ],
    [
      "starting_scrip: { normal: { mean: 40, sd: 10, min: -5 } }",
      /:5:54: `starting_scrip` must be at least 0, not -5\n$/,
    ],
    [
      "starting_scrip: { list: [1], choice: [2] }",
      /must have one of uniform, normal, choice, list, not/,
    ],
    [
      "starting_scrip: { choice: [1, 2], weights: [1] }",
      /a weight for each of the 2 values, not 1/,
    ],
    [
      "policy.topics: { list: [[statistics], [numbers]] }",
      /:5:27: `vary.policy.topics.list\[0\]` must be one value, not a list; .*policy.topics.0\n/,
    ],
    ["policy.stake: { uniform: [0.5, 2] }", /:5:34: `policy.stake` must be at most 1, not 2\n$/],
    ["count: { list: [2] }", /:5:3: `vary` must not set count/],
  ])("refuses %s at its line", (vary, reason) => {
    const cwd = folderWith(persona("t", `${TRADERS}vary:\n  ${vary}\n`));
    expect(sim(cwd, "agents", "validate")).toMatchObject({
      code: 1,
      out: expect.stringMatching(reason),
    });
  });
});

it("null in the settings of a model is the same as a missing key", () => {
  const drawn = "{ reasoning: { list: [null, low] }, temperature: { choice: [null] } }";
  const cwd = folderWith(persona("t", `count: 2\nmax_tokens: null\nvary: ${drawn}\n`));
  const reasoning = (id: string, ...sets: readonly string[]) => {
    const shown = sim(cwd, "agents", "preview", id, "--json", ...setFlags(...sets));
    return JSON.parse(shown.out).settings.reasoning;
  };
  expect([reasoning("t_1"), reasoning("t_2")]).toEqual([null, "low"]);
  expect(reasoning("t_1", "agents.defaults.reasoning=high")).toBe("high");
  const sets = ["agents.defaults.reasoning=null", "llm.reasoning=off"];
  expect(reasoning("t_1", ...sets)).toBe("off");
});

it("vary sets an item that a list has, and refuses any other", () => {
  const script = "mind: script\ncount: 2\nscript: [{ wait: 1 }]\nvary:\n  ";
  const validated = (vary: string) =>
    sim(folderWith(persona("s", `${script}${vary}\n`)), "agents", "validate");
  expect(validated("script.0.wait: { list: [1, 2] }").code).toBe(0);
  expect(validated("script.1.wait: { list: [1, 2] }")).toMatchObject({
    code: 1,
    out: expect.stringMatching(
      /:6:3: `vary` must not set script.1.wait: the list script has no item 1\n$/,
    ),
  });
});

describe("several folders of personas", () => {
  const cwdWith = () =>
    folderWith({
      ...persona("a", "mind: policy/trader\n"),
      "more/b/agent.yaml": "id: b\nmind: policy/trader\n",
      "config.yaml": "agents: { dir: [agents, more] }\n",
    });

  it("come from repeated --agents or from a list in config.yaml", () => {
    const cwd = cwdWith();
    expect(ids(cwd)).toEqual(["a", "b"]);
    expect(ids(cwd, "--agents", "more")).toEqual(["b"]);
    expect(ids(cwd, "--agents", "more", "--agents", "agents")).toEqual(["a", "b"]);
  });

  it("must differ", () => {
    const said = sim(cwdWith(), "agents", "list", "--agents", "more", "--agents", "./more/");
    expectRefusal(said, 2, "./more/: is given twice; name each folder once");
  });

  it("do not say where a new persona goes", () => {
    expectRefusal(
      sim(cwdWith(), "agents", "new", "c"),
      2,
      /goes to one folder; name it with --agents/,
    );
  });
});

describe("group", () => {
  it("sums up agents in sim report and sim state", () => {
    const vary = "vary: { group: { list: [control, treatment] } }\n";
    const cwd = folderWith({
      ...persona("t", `${TRADERS}${vary}`),
      ...persona("u", "mind: policy/trader\n"),
    });
    expect(sim(cwd, ...RUN, "--name", "r").code).toBe(0);
    const report = jsonOf(cwd, "report", "r");
    type Row = { readonly group: string | null; readonly agents: number; readonly wealth: number };
    const rows: readonly Row[] = report.groups;
    expect(rows.map(({ group, agents }) => [group, agents])).toEqual([
      ["control", 6],
      ["treatment", 6],
      [null, 1],
    ]);
    expect(rows.reduce((sum, { wealth }) => sum + wealth, 0)).toBe(report.metrics.wealth.total);
    expect(sim(cwd, "report", "r").out).toMatch(/^control\t6\t600\t100\.0\t0\.0000\t/m);
    const { agents } = jsonOf(cwd, "state", "r");
    expect(agents.find(({ id }: Listed) => id === "t_02").group).toBe("treatment");
  });
});

describe("policy.library", () => {
  const program = (name: string, title: string) => ({
    [`programs/garden/${name}.js`]: `/* ---
title: ${title}
topic: garden
takes: integer
gives: integer
worth: 5
description: ${title} of a garden.
methods:
  - name: run
    description: the ${name}
    input_schema: { type: object, properties: { n: { type: integer } }, required: [n] }
    examples: [{ args: [1], result: 2 }, { args: [2], result: 3 }, { args: [3], result: 4 }]
--- */
function run(n) {
  return n + 1;
}
`,
  });
  const GARDENERS = {
    ...persona("g", "mind: policy/producer\npolicy: { topics: [garden] }\n"),
    ...program("beds", "Beds"),
    ...program("rows", "Rows"),
    "config.yaml": "policy: { library: programs }\n",
  };

  it("names the programs that producers write, also after a resume and a fork", () => {
    const cwd = folderWith(GARDENERS);
    const whole = jsonOf(cwd, "run", "--duration", "30", "--clock", "virtual", "--name", "whole");
    expect(sim(cwd, "events", "whole", "--kind", "artifact_written").out).toContain("g_beds");
    const part = ["--stop-after", "3", "--name", "part"];
    expect(sim(cwd, "run", "--duration", "30", "--clock", "virtual", ...part).code).toBe(0);
    expect(jsonOf(cwd, "resume", "part").state_hash).toBe(whole.state_hash);
    expect(sim(cwd, "fork", "part", "--at", "60", "--name", "forked")).toMatchObject({ code: 0 });
    expect(sim(cwd, "agents", "list", "--agents", "runs/forked/agents").code).toBe(2);
  });

  it("is checked before a run", () => {
    const topic = folderWith({
      ...GARDENERS,
      ...persona("g", "mind: policy/producer\npolicy: { topics: [gardn] }\n"),
    });
    expectRefusal(
      sim(topic, ...RUN),
      2,
      /agent\.yaml:3:\d+: .* the library has no topic gardn; did you mean `garden`\?/,
    );
    const wrong = folderWith({ ...GARDENERS, "programs/garden/beds.js": "function run() {}" });
    expectRefusal(sim(wrong, ...RUN), 2, /beds\.js: must begin with a comment that contains YAML/);
    const lost = ["--set", "policy.library=nowhere"];
    expectRefusal(
      sim(folderWith(GARDENERS), ...RUN, ...lost),
      2,
      /nowhere is not a folder of programs/,
    );
  });
});
