import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonOf, sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

const SCRIPT = "mind: script\nscript: [{ noop: {} }]\n";
const A = { "agents/a/agent.yaml": `id: a\n${SCRIPT}` };
const BROKEN = { "agents/a/agent.yaml": `id: a\nenabld: true\n${SCRIPT}` };

describe("sim agents list", () => {
  it("lists the shipped personas if the folder has none", () => {
    const ran = sim(folderWith(), "agents", "list");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toMatch(/^id\tmind\tscrip\tdescription\nada\tpolicy\/producer\tdefault\tSells/);
  });

  it("--json prints the personas of the current folder", () => {
    const off = `id: b\nenabled: false\nstarting_scrip: 5\n${SCRIPT}`;
    const cwd = folderWith({ ...A, "agents/b/agent.yaml": off });
    const told = { group: null, starting_scrip: null, description: null };
    const a = { id: "a", enabled: true, mind: "script", ...told };
    expect(jsonOf(cwd, "agents", "list")).toEqual([
      { ...a, folder: "agents/a" },
      { ...a, id: "b", enabled: false, starting_scrip: 5, folder: "agents/b" },
    ]);
  });

  it("finds the folder that config.yaml names, relative to config.yaml", () => {
    const cwd = folderWith({
      "here/config.yaml": "agents: { dir: people }\n",
      "here/people/a/agent.yaml": `id: a\n${SCRIPT}`,
    });
    const ran = sim(join(cwd, "here"), "agents", "list");
    expect(ran.out).toBe("id\tmind\tscrip\tdescription\na\tscript\tdefault\t\n");
  });

  it("finds a shipped population by name, unless a folder has that name", () => {
    const list = (cwd: string): readonly string[] =>
      jsonOf(cwd, "agents", "list", "--agents", "agents-llm").map(({ id }: { id: string }) => id);
    expect(list(folderWith()).join()).toBe(
      "alpha,alpha_2,analyst,beta,beta_2,delta,epsilon,gamma,haggler_buyer,haggler_seller,toolsmith",
    );
    expect(list(folderWith({ "agents-llm/a/agent.yaml": `id: a\n${SCRIPT}` }))).toEqual(["a"]);
    const cwd = folderWith({ "config.yaml": "agents: { dir: ./agents-llm/ }\n" });
    expect(sim(cwd, "agents", "validate").out).toMatch(/^no problems in alpha, alpha_2/);
  });

  it("refuses the folder of one persona, and an empty name", () => {
    const cwd = folderWith(A);
    const one = sim(cwd, "agents", "list", "--agents", "agents/a");
    const hint = "name agents, and choose the persona with --only";
    expectRefusal(one, 2, `agents/a: is one persona, not a folder of personas; ${hint}`);
    const inside = sim(cwd, "agents", "new", "b", "--agents", "agents/a");
    expectRefusal(inside, 2, "agents/a is one persona; name its parent folder, agents");
    const none = sim(cwd, "agents", "list", "--agents", "");
    expectRefusal(none, 2, /^sim: option '--agents <dir>' .* It must be a path/);
  });

  it("refuses to list invalid personas", () => {
    const reason = /^sim: agents\/a\/agent.yaml:2:1: unknown key `enabld`; did you mean/;
    expectRefusal(sim(folderWith(BROKEN), "agents", "list"), 2, reason);
  });
});

describe("sim agents validate", () => {
  it("reports a folder without personas", () => {
    const said = sim(folderWith({ "agents/notes.txt": "" }), "agents", "validate");
    expectRefusal(said, 2, /contains no personas; a persona is a folder with an agent\.yaml\n$/);
  });

  it("reports no problems", () => {
    const said = sim(folderWith(A), "agents", "validate");
    expect(said).toEqual({ code: 0, out: "no problems in a\n", err: "" });
  });

  it("prints each problem on a line, with code 1", () => {
    const ran = sim(folderWith(BROKEN), "agents", "validate");
    expect(ran).toMatchObject({ code: 1, err: "" });
    expect(ran.out).toMatch(/^agents\/a\/agent.yaml:2:1: unknown key [^\n]+\n$/);
  });

  it("warns of script actions that the world will refuse, and accepts them", () => {
    const script = `script:
  - write_artifact: { artifact_id: x, content: 5 }
  - repeat: 2
    do:
      - invoke_artifact: { artifact_id: x, args: wrong }
  - write_artifact: { artifact_id: y, interface: { methods: [] } }
  - read_artifact: { artifact_id: y }
`;
    const cwd = folderWith({ "agents/a/agent.yaml": `id: a\nmind: script\n${script}` });
    const notes = [
      "note: agents/a/agent.yaml:4:48: the world will refuse this write_artifact: content must be",
      "note: agents/a/agent.yaml:7:50: the world will refuse this invoke_artifact: args must be a",
      "note: agents/a/agent.yaml:8:50: the world will refuse this write_artifact: interface: ",
    ];
    const json = sim(cwd, "agents", "validate", "--json");
    const warnings = Array(3).fill({
      file: "agents/a/agent.yaml",
      line: expect.any(Number),
      column: expect.any(Number),
      message: expect.stringMatching(/^the world will refuse this /),
      hint: null,
    });
    expect(JSON.parse(json.out)).toEqual({ ok: true, agents: 1, problems: [], warnings });
    const run = ["run", "--clock", "virtual", "--duration", "1"];
    for (const ran of [json, sim(cwd, "agents", "validate"), sim(cwd, ...run)]) {
      expect(ran.code).toBe(0);
      for (const note of notes) expect(ran.err).toContain(note);
      expect(ran.err.match(/the world will refuse/g)).toHaveLength(3);
    }
    expect(sim(cwd, "--quiet", "agents", "validate").err).toBe("");
  });

  it("warns of an unused prompt and of an id that differs from its folder", () => {
    const cwd = folderWith({
      "agents/a/agent.yaml": `id: ann\n${SCRIPT}`,
      "agents/bob/agent.yaml": "id: bob\nmind: policy/producer\n",
      "agents/bob/system_prompt.md": "You are Bob.",
      "agents/cyd/agent.yaml": "id: cyd\nmind: llm\n",
      "agents/cyd/system_prompt.md": "You are Cyd.",
    });
    const ran = sim(cwd, "agents", "validate");
    expect(ran).toMatchObject({ code: 0, out: "no problems in ann, bob, cyd\n" });
    expect(ran.err.trim().split("\n")).toEqual([
      "note: agents/a/agent.yaml:1:5: the id `ann` is not the name of its folder",
      "note: agents/bob/system_prompt.md: is not used: bob is policy/producer; " +
        "only mind: llm, workflow, tools or code has a prompt",
    ]);
  });

  it("accepts the smallest persona and one without a mind", () => {
    const cwd = folderWith({
      "agents/alice/agent.yaml": `id: alice
starting_scrip: 100
enabled: true                              # Optional, default true
llm_model: gemini/gemini-3-flash-preview   # Optional, uses default
temperature: 0.7                           # Optional LLM override
max_tokens: 1000                           # Optional LLM override
rag:                                       # Optional per-agent RAG config
  enabled: true
  limit: 5
  query_template: "Current context. What should I do?"
`,
      "agents/alice/system_prompt.md": "You are {id}.\n",
      "agents/bob/agent.yaml": "id: bob\n",
    });
    const said = sim(cwd, "agents", "validate");
    expect(said).toEqual({ code: 0, out: "no problems in alice, bob\n", err: "" });
    const { mind, settings, prompt } = jsonOf(cwd, "agents", "preview", "alice");
    expect(mind).toBe("llm");
    expect(settings).toMatchObject({ temperature: 0.7, max_tokens: 1000 });
    expect(settings.model).toBe("gemini/gemini-3-flash-preview");
    expect(prompt).toContain("You are alice.");
    const run = [
      "run",
      "--only",
      "bob",
      "--model",
      "mock",
      "--clock",
      "virtual",
      "--duration",
      "5",
    ];
    expect(jsonOf(cwd, ...run).agents).toMatchObject([{ id: "bob", state: "running" }]);
  });

  it("warns of unknown placeholders in a system prompt, and of prompts with another name", () => {
    const cwd = folderWith({
      "agents/a/agent.yaml": "id: a\ncount: 2\n",
      "agents/a/system_prompt.md": `You are {id}.\nYou, {idd}, have {money} and write \${x} {{y}} { z }.\n`,
      "agents/b/agent.yaml": "id: b\nsystem_prompt: You are {agent_id}.\n",
      "agents/c/agent.yaml": "id: c\n",
      "agents/c/System-Prompt.txt": "You are c.",
    });
    const ran = sim(cwd, "agents", "validate");
    expect(ran).toMatchObject({ code: 0, out: "no problems in a (2 agents), b, c\n" });
    const rule = "stays as it is: a system prompt can use only {id} and {index}";
    expect(ran.err.trim().split("\n")).toEqual([
      `note: agents/a/system_prompt.md:2:6: {idd} ${rule}; did you mean \`{id}\`?`,
      `note: agents/a/system_prompt.md:2:18: {money} ${rule}`,
      `note: agents/b/agent.yaml:2:16: {agent_id} ${rule}; did you mean \`{id}\`?`,
      "note: agents/c/System-Prompt.txt: is not read: the prompt is in system_prompt.md",
    ]);
  });

  it("--json prints problems that an editor can show", () => {
    const ran = sim(folderWith(BROKEN), "agents", "validate", "--json");
    expect(ran.code).toBe(1);
    const place = { file: "agents/a/agent.yaml", line: 2, column: 1 };
    const problem = { message: "unknown key `enabld`", hint: "did you mean `enabled`?" };
    expect(JSON.parse(ran.out)).toEqual({
      ok: false,
      agents: 0,
      problems: [{ ...place, ...problem }],
      warnings: [],
    });
  });

  const STEP = "name: act, type: llm";
  it.each([
    [
      "an unknown variable",
      `steps: [{ ${STEP}, prompt: "You have {balanc}." }]`,
      [/prompt`: unknown variable `balanc`/, /did you mean `balance`/],
    ],
    [
      "an unknown type",
      `steps: [{ ${STEP}, prompt: P., schema: { b: strng } }, { name: c, type: llm, prompt: P. }]`,
      [/schema.b` must be one of string, number, .*, or a list, not "strng"/, /mean `string`/],
    ],
    [
      "an unknown key",
      `steps: [{ ${STEP}, promt: Act. }]`,
      [/^unknown key `workflow.steps\[0\].promt`/, /mean `prompt`/],
    ],
    [
      "an unknown key of a transition",
      "transitions: [{ from: a, too: b, to: b }]\n  states: [a, b]\n  steps: []",
      [/unknown key `workflow.transitions\[0\].too`/, /mean `to`/],
    ],
  ] as const)(
    "reports %s in a workflow with its place and the fix",
    (_what, line, [message, hint]) => {
      const cwd = folderWith({ "agents/a/agent.yaml": `id: a\nworkflow:\n  ${line}\n` });
      const ran = sim(cwd, "agents", "validate", "--json");
      expect(ran.code).toBe(1);
      expect(JSON.parse(ran.out).problems).toContainEqual({
        file: "agents/a/agent.yaml",
        line: 3,
        column: expect.any(Number),
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      });
    },
  );

  it("reports a missing folder as wrong usage", () => {
    const said = sim(folderWith(), "agents", "validate", "--agents", "none");
    expectRefusal(said, 2, /^sim: none: there is no such folder/);
  });
});

describe("sim agents new", () => {
  it("creates a valid persona and never overwrites one", () => {
    const cwd = folderWith();
    const made = sim(cwd, "agents", "new", "dora", "--mind", "script");
    const err = expect.stringMatching(
      /^note: .* use agents, not the 11 shipped personas; `sim init/,
    );
    expect(made).toEqual({ code: 0, out: "created agents/dora/agent.yaml\n", err });
    expect(sim(cwd, "agents", "new", "emil").err).toBe("");
    const text = readFileSync(join(cwd, "agents/dora/agent.yaml"), "utf8");
    expect(text).toContain("# ");
    expect(sim(cwd, "agents", "validate").code).toBe(0);
    const again = sim(cwd, "agents", "new", "dora");
    expectRefusal(again, 2, "agents/dora already exists; choose another name");
    expect(readFileSync(join(cwd, "agents/dora/agent.yaml"), "utf8")).toBe(text);
  });

  it.each(["llm", "workflow"])("creates a persona on a language model with --mind %s", (mind) => {
    const cwd = folderWith();
    expect(sim(cwd, "agents", "new", "lou", "--mind", mind)).toMatchObject({
      code: 0,
      out: "created agents/lou/agent.yaml\ncreated agents/lou/system_prompt.md\n",
    });
    const preview = jsonOf(cwd, "agents", "preview", "lou");
    expect(preview).toMatchObject({ id: "lou", mind });
    expect(preview.sections[0].name).toBe("system");
    expect(preview.prompt).toContain("You build small programs that others pay to run");
  });

  it("writes into the current folder, not into the shipped population of that name", () => {
    const cwd = folderWith();
    const flags = ["--mind", "llm", "--agents", "agents-llm"];
    expect(sim(cwd, "agents", "new", "lou", ...flags).out).toContain("created agents-llm/lou/");
  });

  it("--json prints what was created", () => {
    const made = jsonOf(folderWith(), "agents", "new", "dora", "--agents", "people");
    expect(made).toEqual({ id: "dora", mind: "policy/producer", file: "people/dora/agent.yaml" });
  });

  it.each([
    [["a b"], /^sim: "a b" is not an id: an id has 1 to 128/],
    [["genesis_x"], /^sim: the name "genesis_x" is reserved; choose another/],
    [["library"], /^sim: the name "library" is reserved; choose another/],
    [["x", "--mind", "policy/producr"], /is invalid. Allowed choices are policy\/producer, /],
    [["taken"], /^sim: the id "taken" is already used by agents\/a\/agent.yaml/],
    [
      ["taken_memory"],
      /^sim: the id `taken_memory` is reserved for the memory of agents\/a\/agent.yaml/,
    ],
    [
      ["taken_working"],
      /^sim: the memory of `taken_working` would be the working memory of agents/,
    ],
    [["x".repeat(120)], /because `_working_memory` is appended to it/],
  ])("%j is refused in one line", (args, message) => {
    const cwd = folderWith({ "agents/a/agent.yaml": `id: taken\n${SCRIPT}` });
    expectRefusal(sim(cwd, "agents", "new", ...args), 2, message);
  });
});
