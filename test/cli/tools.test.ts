import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, jsonOf, setFlags, sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

const folder = emptyFolder();

/** The two shipped agents with tools, on the built-in mock model. */
const ran = (name: string, ...flags: readonly string[]) => {
  const agents = ["--agents", "agents-llm", "--only", "toolsmith,analyst", "--model", "mock"];
  const sets = setFlags("memory.backend=none");
  return jsonOf(folder, "run", ...agents, "--duration", "60", "--name", name, ...sets, ...flags);
};

type Message = {
  readonly seq: number;
  readonly at_ms: number;
  readonly session: string;
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly { readonly id: string; readonly name: string }[];
  readonly tool_call_id?: string;
  readonly is_error?: boolean;
  readonly usage?: { readonly calls: number };
};

const transcript = (run: string, agent: string): readonly Message[] =>
  sim(folder, "transcript", run, agent, "--json")
    .out.split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

describe("agents with tools", () => {
  let hash: string;
  beforeAll(() => {
    hash = ran("whole").state_hash;
  });

  it("draft programs in their workspace, try them, and publish them", () => {
    const written = sim(folder, "events", "whole", "--kind", "artifact_written", "--json").out;
    const drafts = JSON.parse(
      jsonOf(folder, "state", "whole", "toolsmith_workspace").content || "{}",
    );
    const [path = "", code] = Object.entries(drafts).find(([each]) => /^drafts\//.test(each)) ?? [];
    const id = path.slice("drafts/".length, -".js".length);
    expect(written).toContain(`"artifact_id":"${id}"`);
    expect(jsonOf(folder, "state", "whole", id).code).toBe(code);
  });

  it("end in the same state if the run is stopped in the middle of a turn and resumed", () => {
    const [act] = transcript("whole", "toolsmith").filter(({ role }) => role === "tool");
    const middle = Math.floor((act?.at_ms ?? 0) / 1_000);
    ran("cut", "--stop-after", String(middle));
    expect(jsonOf(folder, "resume", "cut").state_hash).toBe(hash);
    expect(sim(folder, "verify", "cut").code).toBe(0);
    expect(transcript("cut", "toolsmith").map(({ content }) => content)).toEqual(
      transcript("whole", "toolsmith").map(({ content }) => content),
    );
  });

  it("have a transcript with every message, in which each call has its result", () => {
    const messages = transcript("whole", "toolsmith");
    expect(messages[0]).toMatchObject({ session: "main", role: "user" });
    const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
    const results = messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]));
    expect(results).toEqual(calls.slice(0, results.length));
    expect(calls.length - results.length).toBeLessThanOrEqual(1);
    for (const { role, usage } of messages) {
      if (role === "assistant") expect(usage).toMatchObject({ calls: 1 });
    }
    const text = sim(folder, "transcript", "whole", "toolsmith").out;
    expect(text).toContain("-> try_program {");
    expect(text).toMatch(/ tool\nexit code 0\n<data>\n *\d+ drafts\/\w+\.js\n/);
  });

  it("are previewed with their tools and, in a turn, with their conversation", () => {
    const agents = ["--agents", "agents-llm"];
    const first = sim(folder, "agents", "preview", "toolsmith", ...agents).out;
    expect(first).toContain("try_program: Runs a draft in the sandbox");
    const messages = transcript("whole", "toolsmith");
    const at = messages.find(({ role }) => role === "tool")?.at_ms ?? 0;
    const later = ["--run", "whole", "--at", `${at / 1_000}s`];
    expect(sim(folder, "agents", "preview", "toolsmith", ...later).out).toContain("[assistant]");
  });
});

const AGENTS_LLM = join(import.meta.dirname, "../../agents-llm");
const ownText = (path: string): string =>
  readFileSync(join(AGENTS_LLM, "toolsmith", "workspace", path), "utf8");

const workspaceOf = (cwd: string, run: string, agent: string) =>
  JSON.parse(jsonOf(cwd, "state", run, `${agent}_workspace`).content);

describe("the files of a persona", () => {
  it("are the first version of the workspace, and the agent adds its notes", () => {
    const [first] = sim(folder, "events", "whole", "--kind", "artifact_written", "--json")
      .out.split("\n")
      .filter((line) => line.includes('"toolsmith_workspace"'));
    const { at_ms, created, fields } = JSON.parse(first ?? "");
    expect({ at_ms, created }).toEqual({ at_ms: 0, created: true });
    const skill = "skills/publish-program/SKILL.md";
    expect(JSON.parse(fields.content)).toEqual({
      "AGENTS.md": ownText("AGENTS.md"),
      [skill]: ownText(skill),
    });
    const { "memory/200001/20000101.md": note } = workspaceOf(folder, "whole", "toolsmith");
    expect(note).toMatch(/^# 2000-01-01\n\nI have used [\s\S]*\nI have used write_artifact\./);
  });

  it("are in the system text that a preview shows, at the start and later", () => {
    const preview = (...flags: readonly string[]): string =>
      jsonOf(folder, "agents", "preview", "toolsmith", ...flags).sections[0].text;
    const start = preview("--agents", "agents-llm");
    expect(start).toContain(`## AGENTS.md\n${ownText("AGENTS.md").trim()}\n\n## Skills\n`);
    expect(start).toContain("- publish-program (skills/publish-program/SKILL.md): How to draft");
    const later = preview("--run", "whole");
    expect(later.startsWith(start)).toBe(true);
    expect(later).toContain("## Recent daily notes\n<data>\n# 2000-01-01");
  });

  it("come from the journal after the start: a run continues without the persona", () => {
    const cwd = folderWith({
      "agents/smith/agent.yaml": "id: smith\nmind: tools\n",
      "agents/smith/workspace/AGENTS.md": "Be a smith.",
      "late/newt/agent.yaml": "id: newt\nmind: tools\n",
      "late/newt/workspace/SOUL.md": "Be a newt.",
      "config.yaml":
        "run: { duration_s: 30, seed: 5 }\nschedule: [{ at: 20s, add: ./late/newt }]\n",
    });
    const sets = setFlags("memory.backend=none");
    const start = (name: string, ...flags: readonly string[]) =>
      jsonOf(cwd, "run", "--model", "mock", "--name", name, ...sets, ...flags);
    const hash = start("whole").state_hash;
    start("cut", "--stop-after", "10");
    rmSync(join(cwd, "agents"), { recursive: true });
    rmSync(join(cwd, "late"), { recursive: true });
    expect(jsonOf(cwd, "resume", "cut").state_hash).toBe(hash);
    expect(sim(cwd, "verify", "cut").code).toBe(0);
    expect(workspaceOf(cwd, "cut", "smith")["AGENTS.md"]).toBe("Be a smith.");
    expect(workspaceOf(cwd, "cut", "newt")["SOUL.md"]).toBe("Be a newt.");
    const fork = jsonOf(cwd, "fork", "cut", "--at", "15s", "--name", "forked");
    expect(fork.state_hash).toBe(hash);
    expect(workspaceOf(cwd, "forked", "newt")["SOUL.md"]).toBe("Be a newt.");
  });

  it("do not stop an agent whose quota cannot pay for all of them", () => {
    const cwd = folderWith({
      "agents/smith/agent.yaml": "id: smith\nmind: tools\nmax_tokens: 500\n",
      "agents/smith/workspace/AGENTS.md": "x".repeat(60_000),
    });
    const sets = setFlags("memory.backend=none", "resources.windows.llm_tokens=16000");
    jsonOf(cwd, "run", "--model", "mock", "--duration", "200", "--name", "poor", ...sets);
    const thoughts = sim(cwd, "events", "poor", "--kind", "thought_completed", "--json").out;
    expect(thoughts.split("\n").length).toBeGreaterThan(2);
    const { sections } = jsonOf(cwd, "agents", "preview", "smith", "--run", "poor");
    expect(sections[0].text).toMatch(/\n\[\d+ characters cut here; read_file shows them\]/);
  });

  it("are checked with the persona", () => {
    const cwd = folderWith({
      "agents/smith/agent.yaml": "id: smith\nmind: tools\n",
      "agents/smith/workspace/my plan.md": "",
    });
    const { code, out } = sim(cwd, "agents", "validate");
    expect(code).toBe(1);
    expect(out).toContain('agents/smith/workspace/my plan.md: path "my plan.md": use letters');
  });
});

describe("sim transcript", () => {
  it("names the agents of the run if there is none with the id", () => {
    const { code, err } = sim(folder, "transcript", "whole", "smith");
    expect(code).toBe(2);
    expect(err).toContain('there is no agent "smith" in this run; there are analyst, toolsmith');
  });
});

describe("an agent.yaml with tools", () => {
  const problemsOf = (persona: string): string => {
    const cwd = folderWith({ "agents/smith/agent.yaml": `id: smith\n${persona}\n` });
    return sim(cwd, "agents", "validate").out;
  };

  it("has mind: tools by default", () => {
    expect(problemsOf("tools: { max_steps: 3 }")).toBe("no problems in smith\n");
  });

  for (const [persona, problem] of [
    ["mind: llm\ntools: { max_steps: 3 }", "`tools`: only mind: tools or code has tools"],
    ["mind: tools\ncognitive_schema: ooda", "only mind: llm or workflow has cognitive_schema"],
    ["mind: tools\ntools: { max_stepz: 3 }", "max_steps"],
    ["mind: tools\ntools: { max_steps: 0 }", "max_steps"],
  ] as const) {
    it(`is refused: ${persona.replace("\n", ", ")}`, () => {
      expect(problemsOf(persona)).toContain(problem);
    });
  }
});
