import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentProblem } from "../../src/runner/index.ts";
import { jsonOf, sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

const RUN = ["run", "--duration", "20", "--clock", "virtual"];

const module = (decide: string): string => `import type { UserMind } from "catallaxy";

const mind: UserMind = {
  decide: ({ view, memory, settings, random }) => {
    ${decide}
  },
};
export default mind;
`;

const YAML = "id: m\nmind: ./mind.ts\n";
const labWith = (decide: string, yaml = YAML): string =>
  folderWith({ "agents/m/agent.yaml": yaml, "agents/m/mind.ts": module(decide) });

/** Counts its decisions in its memory, and notes a random number. */
const COUNTS = `const n = typeof memory === "number" ? memory + 1 : 1;
    view.owned.length = 0;
    return { action: { noop: {} }, memory: n, reasoning: \`\${view.id} \${n} \${random()}\` };`;

type Thought = { readonly reasoning: string; readonly message: string };
const thoughts = (cwd: string, run: string, kind = "thought_completed"): readonly Thought[] =>
  sim(cwd, "events", run, "--principal", "m", "--kind", kind, "--json")
    .out.trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

describe("a mind of the user", () => {
  it("decides with its memory, its settings and random numbers of the seed", () => {
    const cwd = labWith(COUNTS);
    expect(sim(cwd, ...RUN, "--name", "a").code).toBe(0);
    const told = thoughts(cwd, "a").map(({ reasoning }) => reasoning.split(" "));
    expect(told.slice(0, 3).map(([id, n]) => [id, n])).toEqual([
      ["m", "1"],
      ["m", "2"],
      ["m", "3"],
    ]);
    expect(new Set(told.map(([, , number]) => number)).size).toBe(told.length);
    expect(sim(cwd, "verify", "a").code).toBe(0);
  });

  it("gives the same journal for the same seed, and after a resume or a fork", () => {
    const cwd = labWith(COUNTS, `${YAML}count: 3\n`);
    const a = jsonOf(cwd, ...RUN, "--name", "a");
    const b = jsonOf(cwd, ...RUN, "--name", "b");
    expect(b.journal_hash).toBe(a.journal_hash);
    expect(jsonOf(cwd, ...RUN, "--name", "c", "--seed", "2").state_hash).not.toBe(a.state_hash);
    expect(sim(cwd, ...RUN, "--name", "part", "--stop-after", "7").code).toBe(0);
    rmSync(join(cwd, "agents"), { recursive: true });
    const forked = jsonOf(cwd, "fork", "part", "--name", "forked");
    expect(forked.state_hash).toBe(a.state_hash);
    expect(jsonOf(cwd, "resume", "part").state_hash).toBe(a.state_hash);
    const [saved = ""] = readdirSync(join(cwd, "checkpoints", "forked"));
    const again = ["fork", join("checkpoints", "forked", saved), "--duration", "5"];
    expect(sim(cwd, ...again, "--name", "again").code).toBe(0);
  });

  it("gets varied settings", () => {
    const cwd = labWith(
      "return { action: { noop: {} }, reasoning: String(settings.risk) };",
      `${YAML}settings: { risk: 0 }\nvary: { settings.risk: { list: [0.25] } }\n`,
    );
    expect(sim(cwd, ...RUN, "--name", "a").code).toBe(0);
    expect(thoughts(cwd, "a")[0]?.reasoning).toBe("0.25");
  });

  it("replaces the mind of an agent in a fork and keeps its memory", () => {
    const cwd = labWith(COUNTS);
    expect(sim(cwd, ...RUN, "--name", "a", "--stop-after", "5").code).toBe(0);
    const edited = module("return { action: { noop: {} }, reasoning: 'now ' + memory };");
    writeFileSync(join(cwd, "agents/m/mind.ts"), edited);
    expect(sim(cwd, "fork", "a", "--name", "b", "--agents", "agents").code).toBe(0);
    const last = thoughts(cwd, "a").length;
    expect(thoughts(cwd, "b")[0]?.reasoning).toBe(`now ${last}`);
  });

  it.each([
    ['throw new Error("no idea");', "mind.ts:5:11: Error: no idea"],
    ["return JSON.parse('{');", /^mind\.ts:5:17: SyntaxError: /],
    ['throw "words";', "mind.ts: threw words"],
    ["return null;", /^mind\.ts: decide must return an object such as/],
    ["return { action: 5 };", "mind.ts: decide returned a wrong action: must be an object"],
    [
      "return { action: { noop: {} }, wait: 5 };",
      /^mind\.ts: decide returned a wrong decision: Un/,
    ],
    ["return { action: { noop: {} }, sleep: 5 };", /^mind\.ts: decide returned a wrong sleep/],
    ["return { action: { noop: {} }, memory: new Map() };", /wrong memory: a Map is not JSON$/],
    ["return { action: { noop: { x: NaN } } };", /wrong action: numbers must be finite$/],
    ["return Promise.resolve({});", "mind.ts: decide returned a promise; it must not be async"],
    [
      'return { action: { noop: {} }, memory: "x".repeat(70000) };',
      /70002 characters; the maximum/,
    ],
  ])("fails its thought but not the run with: %s", (decide, message) => {
    const cwd = labWith(decide);
    const ran = sim(cwd, ...RUN, "--name", "a");
    expect(ran.code).toBe(0);
    expect(ran.err).toContain("warning: a mind of the user failed: mind.ts");
    const [failed] = thoughts(cwd, "a", "thought_failed");
    expect(failed).toMatchObject({ reason: "intent_rejected" });
    if (typeof message === "string") expect(failed?.message).toBe(message);
    else expect(failed?.message).toMatch(message);
    expect(sim(cwd, "agents", "validate").out).toMatch(/agent\.yaml:1:5: its first decision fails/);
  });
});

describe("the file of a mind", () => {
  it.each([
    [
      "export default {};",
      /^sim: agents\/m\/mind\.ts: must export default an object with a function/,
    ],
    [
      "export default {\n  decide() {\n    return {{;\n",
      /^sim: agents\/m\/mind\.ts:3:1: SyntaxError: /,
    ],
    ['throw new Error("early");', /^sim: agents\/m\/mind\.ts:1:1: Error: early/],
    ["await null;\nexport default {};", /must not use `await` at its top/],
    [
      '\nimport { x } from "./x.ts";',
      /^sim: agents\/m\/mind\.ts:2:1: imports \.\/x\.ts, but a run keeps/,
    ],
  ])("is checked before a run: %s", (text, reason) => {
    const cwd = folderWith({ "agents/m/agent.yaml": YAML, "agents/m/mind.ts": text });
    expectRefusal(sim(cwd, ...RUN), 2, reason);
  });

  it("must exist, next to agent.yaml", () => {
    const cwd = folderWith({ "agents/m/agent.yaml": YAML });
    expectRefusal(
      sim(cwd, ...RUN),
      2,
      /agent\.yaml:2:7: `mind`: agents\/m\/mind\.ts cannot be read/,
    );
  });

  it("can be JavaScript, whatever package.json says", () => {
    const cwd = folderWith({
      "package.json": '{ "type": "commonjs" }',
      "agents/m/agent.yaml": "id: m\nmind: ./mind.js\n",
      "agents/m/mind.js": "export default { decide: () => ({ action: { noop: {} } }) };\n",
    });
    expect(sim(cwd, ...RUN, "--name", "a")).toMatchObject({ code: 0 });
    expect(readdirSync(join(cwd, "runs/a/minds"))[0]).toMatch(/^mind\.[0-9a-f]{12}\.js$/);
  });

  it("must be in the folder of a run that is resumed", () => {
    const cwd = labWith(COUNTS);
    expect(sim(cwd, ...RUN, "--name", "a", "--stop-after", "5").code).toBe(0);
    rmSync(join(cwd, "runs/a/minds"), { recursive: true });
    const reason =
      /^sim: runs\/a\/minds\/mind\.[0-9a-f]{12}\.ts is missing; it is the mind of m\n$/;
    expectRefusal(sim(cwd, "resume", "a"), 2, reason);
    expectRefusal(sim(cwd, "fork", "a"), 2, reason);
  });

  it("reports an action that no world accepts in sim agents validate", () => {
    const ran = sim(labWith("return { action: { nop: {} } };"), "agents", "validate");
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.out).toMatch(/the world refuses its first action: /);
  });

  it("excludes keys of other minds", () => {
    const cwd = labWith(COUNTS, `${YAML}policy: { a: 1 }\n`);
    expect(sim(cwd, "agents", "validate").out).toMatch(
      /agent\.yaml:3:\d+: .*has no policy; use settings/,
    );
  });
});

describe("agents inside the world", () => {
  it.each(["module", "./mind.ts", "/etc/x.mjs"])("cannot have the mind %s", (mind) => {
    const problem = agentProblem(JSON.stringify({ mind, module: "mind.0123456789ab.ts" }));
    expect(problem).toMatch(/^`mind` must not be a module: only the personas of a run/);
  });

  it("cannot pass their module on to a child", () => {
    const cwd = labWith(`return { action: { invoke_artifact: {
      artifact_id: "genesis_ledger", method: "spawn_principal", args: ["kid"] } } };`);
    expect(sim(cwd, ...RUN, "--name", "a").code).toBe(0);
    const refusals = ["--kind", "action_refused", "--limit", "1", "--json"];
    const refused = sim(cwd, "events", "a", ...refusals).out;
    expect(refused).toContain("must not be a module");
  });
});

describe("sim agents new --mind file", () => {
  it("writes a mind that sells and buys", () => {
    const cwd = folderWith();
    for (const name of ["zoe", "max"]) {
      expect(sim(cwd, "agents", "new", name, "--mind", "file").code).toBe(0);
    }
    expect(sim(cwd, "agents", "validate")).toMatchObject({
      code: 0,
      out: "no problems in max, zoe\n",
    });
    const { agents } = jsonOf(cwd, "run", "--duration", "60", "--clock", "virtual", "--name", "a");
    for (const { actions, succeeded } of agents) expect(succeeded).toBe(actions);
    expect(jsonOf(cwd, "report", "a").trades_by_kind.service).toBeGreaterThan(0);
  });
});
