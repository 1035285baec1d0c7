import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentProblem } from "../../src/run/index.ts";
import { pageText } from "../support/page-steps.ts";
import { jsonOf, setFlags, sim, simWith } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

const MOODY = `import type { UserPlugin } from "catallaxy";

export default {
  system: ({ settings }) => "The town is " + String(settings.town) + ".",
  message: ({ memory, random }) => [{ text: "MOOD " + String(memory) + " " + random(), keep: 2 }],
  read: ({ memory, reply }) => Number(memory ?? 0) + reply.calls.length,
} satisfies UserPlugin;
`;

const YAML = `id: smith
mind: tools
plugins:
  - { module: ./moody.ts, settings: { town: Ulm } }
`;

const labWith = (yaml = YAML, plugin = MOODY): string =>
  folderWith({ "agents/smith/agent.yaml": yaml, "agents/smith/moody.ts": plugin });

const QUICK = setFlags("memory.backend=none");
const RUN = ["--model", "mock", "--duration", "26", ...QUICK];
const runIn = (cwd: string, name: string, ...flags: readonly string[]) =>
  jsonOf(cwd, "run", ...RUN, "--name", name, ...flags);

const moods = (cwd: string, run: string): readonly string[] =>
  sim(cwd, "transcript", run, "smith", "--json")
    .out.split("\n")
    .filter((line) => line.includes("MOOD"))
    .map((line) => JSON.parse(line).content);

describe("a plugin of a persona", () => {
  it("adds to the conversation, also after a stop and in a fork", () => {
    const cwd = labWith();
    const { state_hash: hash } = runIn(cwd, "whole");
    expect(moods(cwd, "whole").length).toBeGreaterThan(3);
    expect(moods(cwd, "whole")[0]).toMatch(/^## moody\nMOOD null 0\.\d+$/);
    runIn(cwd, "cut", "--stop-after", "12");
    expect(jsonOf(cwd, "resume", "cut").state_hash).toBe(hash);
    expect(moods(cwd, "cut")).toEqual(moods(cwd, "whole"));
    jsonOf(cwd, "fork", "whole", "--at", "12s", "--name", "fork", "--model", "mock");
    const kept = moods(cwd, "fork");
    expect(kept.length).toBeGreaterThan(3);
    expect(moods(cwd, "whole").slice(-kept.length)).toEqual(kept);
    for (const run of ["cut", "fork"]) expect(sim(cwd, "verify", run).code).toBe(0);
    expect(readdirSync(join(cwd, "runs", "fork", "modules"))).toHaveLength(1);
  });

  it("is part of the preview, before a run and in a run", () => {
    const cwd = labWith();
    const preview = ["agents", "preview", "smith"];
    const first = sim(cwd, ...preview).out;
    expect(first).toContain("## moody\nThe town is Ulm.");
    expect(first).toMatch(/## moody\nMOOD null 0\.\d+/);
    runIn(cwd, "whole");
    const later = sim(cwd, ...preview, "--run", "whole", "--at", "12s").out;
    expect(later).toContain("The town is Ulm.");
    expect(later).toMatch(/MOOD \d+ 0\.\d+/);
  });

  it("can have a file with a long name", () => {
    // The last 64 characters of the name begin with a dot.
    const file = `mood.${"y".repeat(60)}.ts`;
    const yaml = YAML.replace("./moody.ts", `./${file}`);
    const cwd = folderWith({ "agents/smith/agent.yaml": yaml, [`agents/smith/${file}`]: MOODY });
    runIn(cwd, "whole", "--duration", "5");
    expect(sim(cwd, "verify", "whole").code).toBe(0);
  });

  it("cannot be written by an agent", () => {
    const config = { mind: "tools", plugins: [{ module: "moody.ts.0123456789ab" }] };
    expect(agentProblem(JSON.stringify(config))).toContain("only the personas of a run");
  });
});

it("the examples of plugins in docs/tools.md work", () => {
  const page = pageText("tools.md", "Plugins");
  const blocks = [...page.matchAll(/```\w+\n(?:#|\/\/) (agents\/\S+)\n([\s\S]*?)```/g)];
  const files = blocks.map(([, path = "", text = ""]) => [path, text] as const);
  expect(files.map(([path]) => path)).toEqual([
    "agents/smith/agent.yaml",
    "agents/smith/town.ts",
    "agents/smith/diary.ts",
  ]);
  const cwd = folderWith(Object.fromEntries(files));
  expect(sim(cwd, "agents", "validate")).toMatchObject({ code: 0 });
  // The mock model chooses by the prompt: with these memories, it calls a tool of a plugin.
  runIn(cwd, "whole", ...setFlags("memory.backend=index", "memory.embedder=hashed"));
  const { out } = sim(cwd, "transcript", "whole", "smith");
  for (const text of ["The market opens in", "You have taken 1 steps."]) {
    expect(out).toContain(text);
  }
  expect(out).toMatch(/-> (?:distance|set_attributes) \{/);
  const lines = ["Hello", "/steps"];
  const chat = simWith({ lines }, cwd, ["chat", "smith", "--model", "mock", ...QUICK]);
  expect(chat.err).toMatch(/^\d+ steps$/m);
});

describe("a persona with plugins", () => {
  it("has mind: tools by default", () => {
    const said = sim(labWith("id: smith\nplugins: [./moody.ts]\n"), "agents", "validate").out;
    expect(said).toBe("no problems in smith\n");
  });

  it.each([
    [
      "id: smith\nmind: llm\nplugins: [./moody.ts]\n",
      "`plugins`: only mind: tools or code has plugins",
    ],
    ["id: smith\nplugins: [./moodi.ts]\n", "agent.yaml:2:11: `plugins`:"],
    ["id: smith\nplugins: [moody]\n", "must be the path of a module such as ./plugin.ts"],
    ["id: smith\nplugins: [./moody.ts, ./moody.ts]\n", "the name moody is taken; rename the file"],
  ])("is refused if it is wrong: %j", (yaml, problem) => {
    const said = sim(labWith(yaml), "agents", "validate");
    expect(said).toMatchObject({ code: 1, out: expect.stringContaining(problem) });
  });

  it.each([
    ["export default { mesage: () => [] };", "moody.ts:1:1: "],
    ["export default { system: 'x' };", "system must be a function"],
    ["export default { colour: 1, system: () => '' };", "the plugin has an unknown key colour"],
    [
      "export default { toString: () => '', system: () => '' };",
      "the plugin has an unknown key toString",
    ],
    [
      "export default { get system() { throw new Error('not yet'); } };",
      "moody.ts:1:39: Error: not yet",
    ],
    [
      "export const system = () => '';",
      "must export default an object with one of system, message",
    ],
    [
      "export default { system: () => 7 };",
      "the plugin moody of smith failed: it gives a wrong value: `system`",
    ],
    ["export default { message: async () => [] };", "moody.ts"],
    ["export default { tools: { a: { description: 'x' } } };", "a has no function run"],
    [
      "export default { commands: { help: { description: 'x', run: () => '' } } };",
      "a built-in command",
    ],
    ["export default { system: ({ view }) => view.none.none };", "moody.ts:1:50: TypeError"],
    [
      "export default { tools: { bash: { description: 'x', run: () => '' } } };",
      "is the name of a built-in",
    ],
    [
      "export default { tools: { class: { description: 'x', run: () => '' } } };",
      "a word of a language",
    ],
    [
      "export default { tools: { 'my-tool': { description: 'x', run: () => '' } } };",
      "letters, digits and _",
    ],
    [
      "export default { attributes: [{ name: 'calls', description: 'x' }] };",
      "is the name of a part of the reply",
    ],
    [
      "export default { tools: { a: { description: 'x', input: { type: 'objekt' }, run: () => '' } } };",
      'must be a JSON Schema with type: "object"',
    ],
  ])("is refused if a plugin is wrong: %s", (plugin, problem) => {
    const said = sim(labWith(YAML, plugin), "agents", "validate");
    expect(said).toMatchObject({ code: 1, out: expect.stringContaining(problem) });
  });
});
