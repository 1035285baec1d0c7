import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentProblem, SHIPPED } from "../../src/run/index.ts";
import { labWithMinds, mindWith } from "../support/persona-lab.ts";
import { jsonOf, sim } from "../support/sim.ts";
import { folderWith, temporaryFolder } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

const RUN = ["run", "--duration", "8", "--clock", "virtual"];

const YAML = "id: m\nmind: ./mind.ts\n";
const labWith = (decide: string, yaml = YAML): string =>
  labWithMinds({ m: mindWith(decide) }, { "agents/m/agent.yaml": yaml });

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
    // It has no prompt, before a run and in a run.
    const preview = ["agents", "preview", "m"];
    expect(sim(cwd, ...preview).out).toBe("m has no prompt: its mind is ./mind.ts\n");
    const past = sim(cwd, ...preview, "--run", "a");
    expect(past).toEqual({ code: 0, out: "m has no prompt: its mind is module\n", err: "" });
  });

  it("is told of a field that its action does not have", () => {
    const decide = 'return { action: { read_artifact: { artifact_id: "m", prise: 2 } } };';
    const said = sim(labWith(decide), "agents", "validate");
    const fields = "its fields are artifact_id, max_price";
    const problem = `decide returned a wrong action: read_artifact has no field "prise"; ${fields}`;
    expect(said).toMatchObject({ code: 1, out: expect.stringContaining(problem) });
  });

  it("gives the same journal for the same seed, and after a resume or a fork", () => {
    const cwd = labWith(COUNTS, `${YAML}count: 3\n`);
    const a = jsonOf(cwd, ...RUN, "--name", "a");
    const b = jsonOf(cwd, ...RUN, "--name", "b");
    expect(b.journal_hash).toBe(a.journal_hash);
    expect(jsonOf(cwd, ...RUN, "--name", "c", "--seed", "2").state_hash).not.toBe(a.state_hash);
    expect(sim(cwd, ...RUN, "--name", "part", "--stop-after", "3").code).toBe(0);
    rmSync(join(cwd, "agents"), { recursive: true });
    const forked = jsonOf(cwd, "fork", "part", "--name", "forked");
    expect(forked.state_hash).toBe(a.state_hash);
    expect(jsonOf(cwd, "resume", "part").state_hash).toBe(a.state_hash);
    const [saved = ""] = readdirSync(join(cwd, "checkpoints", "forked"));
    const again = ["fork", join("checkpoints", "forked", saved), "--duration", "2"];
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
    expect(sim(cwd, ...RUN, "--name", "a", "--stop-after", "2").code).toBe(0);
    const edited = mindWith("return { action: { noop: {} }, reasoning: 'now ' + memory };");
    writeFileSync(join(cwd, "agents/m/mind.ts"), edited);
    expect(sim(cwd, "fork", "a", "--name", "b", "--agents", "agents").code).toBe(0);
    const last = thoughts(cwd, "a").length;
    expect(thoughts(cwd, "b")[0]?.reasoning).toBe(`now ${last}`);
  });

  it("cannot change the world through its view", () => {
    const cwd = labWith(`const seen = view.account.scrip;
    view.account.scrip = 1_000_000;
    view.market.push(view.owned[0]);
    return { action: { noop: {} }, reasoning: \`\${seen} \${view.market.length}\` };`);
    expect(sim(cwd, ...RUN, "--name", "a").code).toBe(0);
    const seen = new Set(thoughts(cwd, "a").map(({ reasoning }) => reasoning.split(" ")[0]));
    expect([...seen]).toEqual(["100"]);
    expect(sim(cwd, "verify", "a").code).toBe(0);
  });
});

const MISSING =
  /^sim: runs\/a\/modules\/mind\.ts\.\w{12} is missing: it is the mind of m \(mind\.ts\); copy it /;

describe("the file of a mind", () => {
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
    expect(readdirSync(join(cwd, "runs/a/modules"))[0]).toMatch(/^mind\.js\.[0-9a-f]{12}$/);
  });

  it("must be in the folder of a run that is resumed", () => {
    const cwd = labWith(COUNTS);
    expect(sim(cwd, ...RUN, "--name", "a", "--stop-after", "2").code).toBe(0);
    rmSync(join(cwd, "runs/a/modules"), { recursive: true });
    for (const verb of ["resume", "fork"]) {
      // A run whose files have changed may be somebody else's.
      expectRefusal(sim(cwd, verb, "a", "--trust"), 2, MISSING);
    }
  });

  it("is not in a checkpoint file, nor is a library of programs", () => {
    const cwd = labWith(COUNTS);
    cpSync(SHIPPED.programs, join(cwd, "programs"), { recursive: true });
    const own = ["--set", "policy.library=programs"];
    expect(sim(cwd, ...RUN, "--name", "a", "--stop-after", "2", ...own).code).toBe(0);
    const [saved = ""] = readdirSync(join(cwd, "checkpoints/a"));
    const elsewhere = temporaryFolder();
    cpSync(join(cwd, "checkpoints/a", saved), join(elsewhere, "a.ckpt"));
    const fork = ["fork", "a.ckpt", "--name", "b"];
    const library = "runs/a/library is missing: it is the library of programs of this run";
    const cure = "copy it there, or fork with --set policy.library=DIR";
    expectRefusal(sim(elsewhere, ...fork), 2, `${library}; ${cure}`);
    const given = [...fork, "--set", `policy.library=${join(cwd, "programs")}`];
    expectRefusal(sim(elsewhere, ...given, "--trust"), 2, MISSING);
    expect(sim(elsewhere, ...given, "--agents", join(cwd, "agents")).code).toBe(0);
    cpSync(join(cwd, "runs"), join(elsewhere, "runs"), { recursive: true });
    expect(sim(elsewhere, "fork", "a.ckpt", "--name", "c", "--trust").code).toBe(0);
    rmSync(join(cwd, "runs/a/library"), { recursive: true });
    expectRefusal(sim(cwd, "resume", "a"), 2, /^sim: runs\/a\/library is missing: /);
  });

  it("can import files of yours, JSON, packages and modules of Node", () => {
    const text = `import { basename } from "node:path";
import { sum } from "tiny";
import { tell } from "../../shared/tell.ts";
import values from "./values.json" with { type: "json" };
const reasoning = tell(sum(values), basename("a/b"));
export default { decide: () => ({ action: { noop: {} }, reasoning }) };
`;
    const cwd = labWithMinds(
      { m: text },
      {
        "agents/m/values.json": "[1, 2, 3]",
        "shared/tell.ts":
          'import { sign } from "./sign.ts";\nexport const tell = (...all: unknown[]): string => all.join(sign);\n',
        "shared/sign.ts": 'export const sign: string = "-";\n',
        "node_modules/tiny/package.json": '{ "name": "tiny", "main": "main.js" }',
        "node_modules/tiny/main.js":
          "exports.sum = (numbers) => numbers.reduce((sum, each) => sum + each, 0);",
      },
    );
    expect(sim(cwd, "agents", "validate")).toMatchObject({ code: 0, out: "no problems in m\n" });
    const out = temporaryFolder();
    expect(sim(cwd, ...RUN, "--name", "a", "--out", out, "--stop-after", "2").code).toBe(0);
    for (const folder of ["agents", "shared"]) rmSync(join(cwd, folder), { recursive: true });
    expect(sim(cwd, "resume", "a", "--out", out).code).toBe(0);
    const told = sim(cwd, "events", "a", "--out", out, "--kind", "thought_completed", "--json").out;
    const reasons = told
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).reasoning);
    expect(reasons.length).toBeGreaterThan(3);
    expect(new Set(reasons)).toEqual(new Set(["6-b"]));
  });

  it("excludes keys of other minds", () => {
    const cwd = labWith(COUNTS, `${YAML}policy: { a: 1 }\n`);
    expect(sim(cwd, "agents", "validate").out).toMatch(
      /agent\.yaml:3:\d+: .*only mind: policy\/NAME has policy/,
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
    const { agents } = jsonOf(cwd, "run", "--duration", "30", "--clock", "virtual", "--name", "a");
    for (const { actions, succeeded } of agents) expect(succeeded).toBe(actions);
    expect(jsonOf(cwd, "report", "a").trades_by_kind.service).toBeGreaterThan(0);
  });
});
