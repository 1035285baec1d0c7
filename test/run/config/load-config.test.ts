import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { keysBelow } from "../../../src/mind/core/findings.ts";
import { configSchema } from "../../../src/run/config/config-schema.ts";
import {
  type ConfigSources,
  loadConfig,
  renderConfig,
} from "../../../src/run/config/load-config.ts";
import { physicsFor } from "../../../src/run/config/physics.ts";
import { showProblem } from "../../../src/run/config/problem.ts";
import { SHIPPED_CONFIG } from "../../../src/run/config/shipped.ts";
import { folderWith } from "../../support/temporary-folder.ts";

const load = (sources: Partial<ConfigSources>) =>
  loadConfig({ file: null, sets: [], flags: [], ...sources });

const loaded = (sources: Partial<ConfigSources>) => {
  const result = load(sources);
  if (!result.ok) throw new Error(result.problems.map(showProblem).join("\n"));
  return result;
};

const problems = (sources: Partial<ConfigSources>): readonly string[] => {
  const result = load(sources);
  return result.ok ? [] : result.problems.map(showProblem);
};

const fileWith = (text: string): string => join(folderWith({ "config.yaml": text }), "config.yaml");

describe("the shipped config.yaml", () => {
  it("holds every key, so that it is the one source of defaults", () => {
    const { config } = loaded({});
    expect(configSchema.safeParse(config).success).toBe(true);
    const values = parse(shipped());
    for (const key of keysBelow(configSchema)) {
      if (key.startsWith("genesis.costs.")) continue;
      const value = key.split(".").reduce((here, name) => here?.[name], values);
      expect(value, key).toBeDefined();
    }
  });

  it("comments every section", () => {
    const keys = (pattern: RegExp): readonly string[] =>
      [...shipped().matchAll(pattern)].map(([_, key = ""]) => key);
    const commented = new Set(keys(/^ +([a-z_]+):.* # |^ +# .*\n +([a-z_]+):/gm));
    const bare = keys(/^ {2,6}([a-z_]+): \S[^#\n]*$/gm).filter((key) => !commented.has(key));
    // Names that say it all, next to commented ones.
    expect(new Set(bare).size).toBeLessThan(30);
  });
});

const shipped = (): string => readFileSync(SHIPPED_CONFIG, "utf8");

describe("where values come from", () => {
  it("a file wins over the default, --set over the file, a flag over --set", () => {
    const file = fileWith("run: { seed: 2, duration_s: 30, clock: virtual }\n");
    const { config, origins } = loaded({
      file,
      sets: ["run.seed=3", "run.duration_s=40"],
      flags: [{ key: "run.duration_s", value: 50, origin: "--duration" }],
    });
    expect(config.run).toEqual({ seed: 3, duration_s: 50, clock: "virtual", max_actions: null });
    expect(origins.get("run.seed")).toBe("--set");
    expect(origins.get("run.duration_s")).toBe("--duration");
    expect(origins.get("run.clock")).toBe(file);
    expect(origins.get("run.max_actions")).toBe("default");
  });

  it("a list is one value and is replaced as a whole", () => {
    const { config, origins } = loaded({ sets: ["genesis.enabled=[store]", "agents.only=[a, b]"] });
    expect(config.genesis.enabled).toEqual(["store"]);
    expect(config.agents.only).toEqual(["a", "b"]);
    expect(origins.get("genesis.enabled")).toBe("--set");
  });

  it("a review is one value and is replaced as a whole, by a word or by a map", () => {
    const reviewOf = (...values: readonly string[]) =>
      loaded({ sets: values.map((value) => `agents.defaults.review=${value}`) }).config.agents
        .defaults.review;
    expect(reviewOf("{ spending_above: 5 }")).toEqual({ spending_above: 5 });
    expect(reviewOf("{ spending_above: 5 }", "off")).toBe("off");
    const match = { match: [{ artifact: "genesis_ledger", method: "*" }] };
    expect(reviewOf("{ spending_above: 5 }", JSON.stringify(match))).toEqual(match);
  });

  it("a cost is added to the shipped ones", () => {
    const { config } = loaded({ sets: ["genesis.costs.genesis_store.search=2"] });
    expect(physicsFor(config).genesis.costs).toEqual({
      genesis_ledger: { transfer: 1 },
      genesis_messenger: { send: 1 },
      genesis_mint: { post_task: 1 },
      genesis_store: { search: 2 },
    });
  });

  it("an empty file, and a section with nothing in it, change nothing", () => {
    const { config } = loaded({});
    expect(loaded({ file: fileWith("# later\n") }).config).toEqual(config);
    expect(loaded({ file: fileWith("agents:\nrun:\n  seed: 1\n") }).config).toEqual(config);
  });

  it("values of --set are YAML", () => {
    const sets = ["run.max_actions=", "virtual.think_ms={ policy: [1, 2] }", "agents.dir=a=b"];
    const { config } = loaded({ sets });
    expect(config.run.max_actions).toBeNull();
    expect(config.virtual.think_ms).toEqual({ policy: [1, 2], script: 100, llm: [1000, 5000] });
    expect(config.agents.dir).toBe("a=b");
  });
});

const TASK = (id: string): string =>
  `{id: ${id}, description: Echo., reward: 1, public_tests: [{args: [1], result: 1}], hidden_tests: []}`;

describe("problems of a configuration", () => {
  it("are reported with file, line, column and fix", () => {
    const file = fileWith("run:\n  durations: 5\n  seed: x\nduration_s: 5\n");
    expect(problems({ file })).toEqual([
      `${file}:2:3: unknown key \`run.durations\`; did you mean \`run.duration_s\`?`,
      `${file}:3:9: \`run.seed\` must be a whole number, not "x"`,
      `${file}:4:1: unknown key \`duration_s\`; did you mean \`run.duration_s\`?`,
    ]);
  });

  it.each([
    ["run.sed=7", "--set: unknown key `run.sed`; did you mean `run.seed`?"],
    ["seed", "--set: `seed` must have the form key=value; as in --set run.seed=7"],
    ["=3", "--set: `=3` must have the form key=value; as in --set run.seed=7"],
    ["run.seed=1.5", "--set: `run.seed` must be a whole number, not 1.5"],
    ["run.seed=9007199254740993", /^--set: `run.seed` must be at most 9007199254740991/],
    ["mint.slots=1e18", "--set: `mint.slots` must be at most 1000, not 1000000000000000000"],
    ["mint.slots=-1e18", "--set: `mint.slots` must be at least 0, not -1000000000000000000"],
    ["run.clock=real", '--set: `run.clock` must be one of auto, wall, virtual, not "real"'],
    ["run.seed=[1", /^--set: `run.seed`: not valid YAML: /],
    ["run=3", "--set: `run` must be a map of keys and values, not 3"],
    // Its key `enabled` is a list.
    ["genesis=on", '--set: `genesis` must be a map of keys and values, not "on"'],
    ["__proto__.seed=3", "--set: unknown key `__proto__`; `sim config` lists the keys"],
    ["foo=1", "--set: unknown key `foo`; `sim config` lists the keys"],
    ["agents.defaults.review=all", /`agents.defaults.review` must be off, actions, \{ spending_/],
    ["agents.defaults.review={match: [{}]}", /review.match\[0\]` must have action, artifact or/],
    ["agents.defaults.seed=1", /^--set: .*`; `agents.defaults` has cognitive_schema, llm_model, /],
    ["agents.defaults.llm_tokens=1", /; `agents.defaults` has cognitive_schema, llm_model, /],
    ["agents.defaults.model=x/y", /`; did you mean `agents.defaults.llm_model`\?$/],
    ["agents.defaults.rag=1", /`; did you mean `agent.rag`\?$/],
    ["working_memory.enabled=true", /`; did you mean `agent.working_memory`\?$/],
    ["agents.dir=5", /`agents.dir` must be text, or a list, not 5$/],
    ["checkpoint.dir=5", "--set: `checkpoint.dir` must be text, not 5; put it in quotes"],
    ["agent.rag.query_template=My {balanc}", /has no variable {balanc}; did you mean `balance`\?$/],
    ["agent.temperature=1", /`; did you mean `agents.defaults.temperature`\?$/],
    ["resources.window.actions=1", /`resources.window`; did you mean `resources.windows`\?$/],
    ["mint.slot=1", "--set: unknown key `mint.slot`; did you mean `mint.slots`?"],
    [
      "run.seed=",
      /^--set: `run.seed` must be a whole number, not nothing; give a value or delete /,
    ],
    [
      "llm.reasoning=hihg",
      "--set: `llm.reasoning` must be one of off, low, medium, high, or a number, " +
        'not "hihg"; did you mean `high`?',
    ],
    ["llm.reasoning=100", "--set: `llm.reasoning` must be at least 1024, not 100"],
    ["agents.defaults.llm_model=x", /`agents.defaults.llm_model`: model "x" names no provider/],
    ["agents.only=ada", '--set: `agents.only` must be a list, not "ada"; write `[ada]`'],
    [
      "mint.tasks=ada",
      '--set: `mint.tasks` must be a list, not "ada"; a list is `[A, B]`, or has `- ` before each item',
    ],
    ["virtual.think_ms.policy=[1]", /must have at least 2 items, not 1$/],
    ["virtual.think_ms.policy=[3, 1]", /policy` must be \[min, max\] with min first$/],
    ["agent.loop.min_delay_s=11", /`agent.loop` must not have min_delay_s above max_delay_s/],
    ["agent.loop.min_delay_s=0", "--set: `agent.loop.min_delay_s` must be at least 0.001, not 0"],
    ["genesis.enabled=[ledgr]", /`genesis.enabled\[0\]` must be one of .*did you mean `ledger`\?$/],
    [
      "genesis.enabled=[escrow]",
      /^--set: `genesis` must also have store, because escrow and debt_contract need it/,
    ],
    ["genesis.costs.genesis_store.set_access=1", /`genesis` must leave .*set_access free/],
    [`mint.tasks=[${TASK("a")}, ${TASK("a")}]`, /tasks\[1\]`: there is already a task "a"/],
    [`mint.tasks=[${TASK("a b")}]`, /`mint.tasks\[0\]`: "a b": an id has 1 to 128/],
    ["genesis.costs.genesis_ledger.transfr=1", /mean `genesis.costs.genesis_ledger.transfer`\?$/],
    ["access.default=freeware", /`access.default` must be one of genesis_contract_freeware/],
    ["sandbox.memory_bytes=1", "--set: `sandbox.memory_bytes` must be at least 524288, not 1"],
    ["resources.on_exhausted=blok", /did you mean `block`\?$/],
  ])("--set %s", (text, line) => {
    const expected = typeof line === "string" ? line : expect.stringMatching(line);
    expect(problems({ sets: [text] })).toEqual([expected]);
  });

  it("of a flag name the flag", () => {
    const flags = [{ key: "run.duration_s", value: -5, origin: "--duration" }];
    const problem = "--duration: `run.duration_s` must be at least 0.001, not -5";
    expect(problems({ flags })).toEqual([problem]);
  });

  const DEFAULTS = "--set: `agents.defaults` must be a map of keys and values, not 5";
  const MODEL = { key: "agents.defaults.llm_model", value: null, origin: "--model" };
  const AGENTS = { key: "agents.dir", value: "people", origin: "--agents" };
  it.each([
    [["agents.defaults=5"], [MODEL], [DEFAULTS]],
    [["agents.defaults=5", "agents.defaults.temperature=1"], [], [DEFAULTS]],
    [["agents.defaults=5", "run.sed=1"], [], [DEFAULTS, /^--set: unknown key `run.sed`/]],
    [["agents=[ada]"], [AGENTS], [/^--set: `agents` must be a map .*, not a list$/]],
  ])("of --set %j name --set, even if another flag sets a key inside", (sets, flags, expected) => {
    expect(problems({ sets, flags })).toEqual(
      expected.map((line) => (typeof line === "string" ? line : expect.stringMatching(line))),
    );
  });

  it("of a pair of values point at what the user wrote, not at the shipped file", () => {
    const file = fileWith("agent:\n  loop:\n    min_delay_s: 11\n");
    const problem = expect.stringMatching(/^.*config.yaml:3:5: `agent.loop` must/);
    expect(problems({ file })).toEqual([problem]);
  });

  it("of the file itself have the message of the system", () => {
    const [folder, list] = [folderWith(), fileWith("- 1\n")];
    for (const [file, problem] of [
      ["no-such.yaml", "no-such.yaml: cannot be read: no such file or directory"],
      [folder, `${folder}: cannot be read: it is a folder; name a file in it`],
      [list, `${list}:1:1: must be a map of keys and values`],
    ] as const) {
      expect(problems({ file })).toEqual([problem]);
    }
  });

  it.skipIf(process.getuid?.() === 0)("of an unreadable file are reported", () => {
    const file = fileWith("run: {}\n");
    chmodSync(file, 0);
    expect(problems({ file })).toEqual([`${file}: cannot be read: permission denied`]);
  });
});

it("the configuration that a run keeps resolves to itself", () => {
  const { config } = loaded({ sets: ["run.seed=7", "genesis.costs.genesis_store.search=2"] });
  const text = renderConfig(config);
  expect(loaded({ file: fileWith(text) }).config).toEqual(config);
  expect(renderConfig(loaded({ file: fileWith(text) }).config)).toBe(text);
});
