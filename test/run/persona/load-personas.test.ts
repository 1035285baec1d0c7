import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { showProblem } from "../../../src/run/config/index.ts";
import { loadPersonas, surveyPersonas } from "../../../src/run/persona/load-personas.ts";
import { folderWith } from "../../support/temporary-folder.ts";

const AGENTS = join(import.meta.dirname, "../../../agents");

const personasIn = (dir: string, only: readonly string[] = []) => {
  const loaded = loadPersonas({ dirs: [dir], seed: 1, only });
  if (!loaded.ok) throw new Error(loaded.problems.map(showProblem).join("\n"));
  return loaded.personas;
};

/** Problems as lines, with the folder cut off. */
const problemsIn = (dir: string, only: readonly string[] = []): readonly string[] => {
  const loaded = loadPersonas({ dirs: [dir], seed: 1, only });
  const lines = loaded.ok ? [] : loaded.problems.map(showProblem);
  return lines.map((line) => line.replaceAll(`${dir}/`, "").replaceAll(dir, "DIR"));
};

const SCRIPT = "mind: script\nscript: [{ noop: {} }]\n";
const persona = (id: string, more = SCRIPT): string => `id: ${id}\n${more}`;

describe("the shipped personas", () => {
  it("are valid and of every offline kind", () => {
    const minds = Map.groupBy(personasIn(AGENTS), ({ mind }) => mind);
    const counts = Object.fromEntries([...minds].map(([mind, { length }]) => [mind, length]));
    expect(counts).toMatchObject({ "policy/producer": 3, "policy/integrator": 2 });
    expect(counts).toMatchObject({ "policy/explorer": 2, "policy/zero_intelligence": 1 });
  });

  it("differ from one another and say who they are", () => {
    const personas = personasIn(AGENTS);
    expect(new Set(personas.map(({ content }) => content)).size).toBe(personas.length);
    expect(personas.every(({ description }) => description !== null)).toBe(true);
  });
});

describe("personas of a folder", () => {
  it("are sorted by id and hold their artifact content as canonical JSON", () => {
    const dir = folderWith({
      "one/agent.yaml": persona("zoe", `starting_scrip: 7\ndescription: Does nothing.\n${SCRIPT}`),
      "two/agent.yaml": persona("Bob", "policy: { topics: [text] }\nmind: policy/producer\n"),
      "README.md": "not a persona",
      ".git/config": "not a persona",
      "library/text/wrap.js": "not a persona",
    });
    const [bob, zoe] = personasIn(dir);
    expect(bob).toMatchObject({ id: "Bob", startingScrip: null, description: null });
    expect(bob?.content).toBe('{"mind":"policy/producer","policy":{"topics":["text"]}}');
    expect(zoe).toMatchObject({ id: "zoe", startingScrip: 7, description: "Does nothing." });
    expect(zoe?.content).toBe('{"mind":"script","script":[{"noop":{}}]}');
    expect(zoe?.folder).toBe(join(dir, "one"));
  });

  it("have the mind that their other keys imply, by default llm", () => {
    const dir = folderWith({
      "a/agent.yaml": "id: a\n",
      "b/agent.yaml": "id: b\nworkflow: { steps: [{ name: act, type: llm, prompt: Act. }] }\n",
      "c/agent.yaml": "id: c\nscript: [{ noop: {} }]\n",
    });
    expect(personasIn(dir).map(({ mind }) => mind)).toEqual(["llm", "workflow", "script"]);
    const minds = personasIn(dir).map(({ content }) => JSON.parse(content).mind);
    expect(minds).toEqual(["llm", "workflow", "script"]);
  });

  it("are left out if they are disabled or not in --only", () => {
    const dir = folderWith({
      "a/agent.yaml": persona("a"),
      "b/agent.yaml": persona("b"),
      "c/agent.yaml": persona("c", `enabled: false\n${SCRIPT}`),
    });
    expect(personasIn(dir).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(personasIn(dir, ["b"]).map(({ id }) => id)).toEqual(["b"]);
    expect(surveyPersonas({ dirs: [dir], seed: 1 }).personas.map(({ id }) => id)).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(problemsIn(dir, ["c"])).toEqual([
      "c/agent.yaml:1:5: `c` is not enabled; set `enabled: true` to let it take part",
    ]);
  });
});

describe("problems of personas", () => {
  it("a folder that is missing, a file or empty", () => {
    const dir = folderWith({ file: "" });
    expect(problemsIn(join(dir, "none"))[0]).toMatch(/there is no such folder; `sim init DIR`/);
    expect(problemsIn(join(dir, "file"))[0]).toMatch(/it is not a folder/);
    expect(problemsIn(dir)).toEqual([
      "DIR: contains no enabled persona; `sim agents new NAME` creates one",
    ]);
  });

  it("a folder without an agent.yaml", () => {
    expect(problemsIn(folderWith({ "a/system_prompt.md": "x" }))).toEqual([
      "a: has no agent.yaml; add one, because a persona is a folder with agent.yaml",
    ]);
  });

  it("a folder with an agent.yml", () => {
    const problem = "a: has no agent.yaml; rename agent.yml";
    expect(problemsIn(folderWith({ "a/agent.yml": "id: a\n" }))).toEqual([problem]);
  });

  it("a system prompt in both files", () => {
    const files = {
      "a/agent.yaml": "id: a\nmind: llm\nsystem_prompt: You are a.\n",
      "a/system_prompt.md": "You are a.",
    };
    expect(problemsIn(folderWith(files))).toEqual([
      "a/agent.yaml:3:1: sets system_prompt, and system_prompt.md exists too; keep one of them",
    ]);
  });

  it("a system prompt that makes every model call expensive, as a warning", () => {
    const dir = folderWith({
      "a/agent.yaml": "id: a\n",
      "a/system_prompt.md": "word ".repeat(2_000),
      "b/agent.yaml": "id: b\n",
      "b/system_prompt.md": "word ".repeat(1_000),
    });
    const warned = personasIn(dir).flatMap(({ warnings }) =>
      warnings.map(({ message }) => message),
    );
    expect(warned).toEqual([
      "the system prompt has about 2778 tokens, which every model call pays for",
    ]);
  });

  it("a system prompt that is the name of a file is named", () => {
    const dir = folderWith({ "a/agent.yaml": "id: a\nsystem_prompt: prompt.md\n" });
    const warned = personasIn(dir).flatMap(({ warnings }) => warnings);
    expect(warned).toMatchObject([
      { line: 2, column: 16, hint: expect.stringContaining("system_prompt.md in the same folder") },
    ]);
  });

  it.each([
    ["a byte order mark", "\ufeffid: a\nmind: llm\n"],
    ["line ends of Windows", "id: a\r\nmind: llm\r\n"],
  ])("a file with %s is read", (_what, text) => {
    expect(personasIn(folderWith({ "a/agent.yaml": text }))).toMatchObject([{ id: "a" }]);
  });

  const OTHER = "choose another id";
  it.each([
    ["x", "the id `x` is used by a/agent.yaml; ids must be unique"],
    ["x_memory", `the id \`x_memory\` is reserved for the memory of a/agent.yaml; ${OTHER}`],
    [
      "x_working",
      `the memory of \`x_working\` would be the working memory of a/agent.yaml; ${OTHER}`,
    ],
  ])("the id %s next to the persona x", (id, problem) => {
    const dir = folderWith({ "a/agent.yaml": persona("x"), "b/agent.yaml": persona(id) });
    expect(problemsIn(dir)).toEqual([`b/agent.yaml:1:5: ${problem}`]);
  });

  it("an unknown id in --only", () => {
    const dir = folderWith({ "ada/agent.yaml": persona("ada") });
    expect(problemsIn(dir, ["adda"])).toEqual(["DIR: has no persona `adda`; did you mean `ada`?"]);
    expect(problemsIn(dir, ["x"])).toEqual(["DIR: has no persona `x`; there are ada"]);
  });

  it("one invalid persona fails the load", () => {
    const dir = folderWith({ "a/agent.yaml": persona("a"), "b/agent.yaml": "id: [b\n" });
    expect(problemsIn(dir)).toEqual([expect.stringMatching(/^b\/agent.yaml:2:1: not valid YAML/)]);
  });

  it.each([
    ["mind: script\n", /:1:1: `id` is missing; it must be text; write `id: NAME`$/],
    ["id: a b\nmind: script\nscript: [{ noop: {} }]\n", /:1:5: `id` is not an id: an id has 1 to/],
    [persona("genesis_a"), /:1:5: `id` must not be operator or start with genesis or handbook/],
    [persona("a", `starting_scrip: -1\n${SCRIPT}`), /:2:17: .* must be at least 0, not -1$/],
    [persona("a", `description: "x\\ny"\n${SCRIPT}`), /:2:14: .* must be one line of text$/],
    [persona("a", `enabld: true\n${SCRIPT}`), /:2:1: unknown key `enabld`; did you mean `enabled`/],
    [
      persona("a", "mind: policy/producr\n"),
      /:2:7: `mind` must be one of .*mean `policy\/producer/,
    ],
    ["", /:1:1: `id` is missing; it must be text; write `id: NAME`$/],
    [persona("a", "starting_scrip: '5'\n"), /must be a whole number, not "5"; remove the quotes$/],
    [persona("a", "rag: false\n"), /:2:6: `rag` must be a map .*; write `{ enabled: false }`$/],
    [
      persona("a", "prompt: { sections: { tiem: { enabled: false } } }\n"),
      /:2:23: unknown key `prompt.sections.tiem`; did you mean `prompt.sections.time`\?$/,
    ],
    [
      persona("a", "script:\n  - { noop: {}, wait: 1 }\n"),
      /:3:5: .* has noop and wait; write an entry/,
    ],
    ["id: 7\n", /:1:5: `id` must be text, not 7; put it in quotes$/],
    [
      persona("a", "mind: file\n"),
      /:2:7: `mind` must be .*, a module such as .\/mind.ts, not "file"/,
    ],
    [persona("a", "mind: producer\n"), /:2:7: .*; did you mean `policy\/producer`\?$/],
    [
      persona("a", "policy: {}\n"),
      /:2:9: .* only mind: policy\/NAME has policy; write `mind: policy\/producer`$/,
    ],
    [
      persona("a", "script_loop: true\n"),
      /:2:14: `script_loop`: only mind: script has script_loop; write `mind: script`$/,
    ],
    [
      persona("a", "mind: seat\nllm_model: mock\n"),
      /:3:12: `llm_model`: only mind: llm, workflow, tools or code has llm_model; write `mind: llm`$/,
    ],
    [
      persona("a", "mind: policy/producer\ncognitive_schema: ooda\n"),
      /:3:19: `cognitive_schema`: only mind: llm or workflow has cognitive_schema; write `mind: llm`$/,
    ],
    [
      persona("a", "mind: seat\ntools: { max_steps: 2 }\n"),
      /:3:8: `tools`: only mind: tools or code has tools; write `mind: tools`$/,
    ],
    [persona("a", "model: mock\n"), /:2:1: unknown key `model`; did you mean `llm_model`\?$/],
    [persona("a", "rag: { max: 5 }\n"), /:2:8: unknown key `rag.max`; `rag` has enabled, limit, /],
    [
      persona("a", `group: none\n${SCRIPT}`),
      /:2:8: `group` must not be none: reports use this name/,
    ],
    [
      persona("a", "rag: { query_template: '{balanc}' }\n"),
      /:2:24: `rag.query_template` has no variable {balanc}; did you mean `balance`\?$/,
    ],
    [
      persona("a", "workflow: { steps: [] }\n"),
      /:2:20: `workflow.steps`: no step decides on an action/,
    ],
    [
      persona("a", "workflow:\n  steps: [{ name: act, type: code, action: execute_decision }]\n"),
      /:3:10: `workflow.steps`: no step decides on an action/,
    ],
    ["- id: a\n- mind: llm\n", /:1:1: .* not a list; remove the `- ` before the keys$/],
    ["id:a\nmind:llm\n", /:1:1: .*; write `key: value`, with a space after the colon$/],
    ["agent:\n  id: a\n  mind: llm\n", /:1:1: `id` is missing; it must be text; write `id: NAME`$/],
    [
      persona("a", "llm:\n  temperature: 1\n"),
      /:2:1: unknown key `llm`; write `temperature` at the top level, not under `llm`$/,
    ],
    [persona("a", "fallback: b\n"), /:2:1: unknown key `fallback`; `sim agents new NAME --mind/],
    [
      persona("a", "script: noop\n"),
      /:2:9: .*; a list is `\[A, B\]`, or has `- ` before each item$/,
    ],
    [persona("a", "workflow:\n  - name: x\n"), /:3:3: .*; write `steps:` above the list, and/],
    [persona("a", "workflow:\n  steps:\n    name: x\n"), /:4:5: .*; a list is `\[A, B\]`/],
    [persona("a", "enabled: yes\n"), /:2:10: .* not "yes"; write true$/],
    [persona("a", "rag: no\n"), /:2:6: .* not "no"; write `{ enabled: false }`$/],
    [persona("a", "temperature: 0,7\n"), /:2:14: .* not "0,7"; write 0\.7$/],
    [persona("a", "prompt: Be bold.\n"), /:2:9: .*; write this text under `system_prompt`$/],
    [
      persona("a", "vary:\n  temperature: [0, 1]\n"),
      /:3:16: .*; write `{ uniform: \[MIN, MAX\] }`$/,
    ],
    [persona("a", "mind: script\n"), /:2:7: `mind`: mind: script needs a script$/],
    [persona("a", "mind: policy/explorer\npolicy: { topics: [] }\n"), /:3:.*"?topics/],
    [persona("a", "mind: script\nscript:\n  - noop: {}\n  - dance: {}\n"), /:5:5: `script\[1\]`/],
    [persona("a", "mind: script\nscript:\n  - wait: soon\n"), /:4:11: `script\[0\].wait`/],
    [persona("a", "mind: script\nscript:\n  - read_artifact: { id: x }\n"), /:4:/],
    [persona("a", "mind: script\nscript:\n  - repeat: 2\n    do:\n      - wait: -1\n"), /:6:15: /],
  ])("%j", (text, line) => {
    expect(problemsIn(folderWith({ "a/agent.yaml": text }))[0]).toMatch(line);
  });
});
