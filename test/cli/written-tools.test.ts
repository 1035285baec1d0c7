import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { writePersonas } from "../support/model-run.ts";
import { emptyFolder, jsonOf, setFlags, sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

const folder = emptyFolder();
writePersonas(join(folder, "agents"), {
  texter: { mind: "tools", tools: { protocol: "text" } },
  coder: { mind: "code" },
});

const ran = (name: string, ...flags: readonly string[]) => {
  const sets = setFlags("memory.backend=none");
  const plan = ["--model", "mock", "--duration", "60", "--name", name];
  return jsonOf(folder, "run", ...plan, ...sets, ...flags);
};

type Line = { readonly role: string; readonly content: string; readonly at_ms: number };
const transcript = (run: string, agent: string): readonly Line[] =>
  sim(folder, "transcript", run, agent, "--json")
    .out.trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const AGENTS = ["texter", "coder"];

describe("agents that write their calls, on the mock model", () => {
  let hash: string;
  beforeAll(() => {
    hash = ran("whole").state_hash;
  });

  it("draft a program, try it and publish it", () => {
    const written = sim(folder, "events", "whole", "--kind", "artifact_written", "--json").out;
    for (const agent of AGENTS) {
      const { content } = jsonOf(folder, "state", "whole", `${agent}_workspace`);
      const drafts: { readonly [path: string]: string } = JSON.parse(content);
      const [path = ""] = Object.keys(drafts).filter((each) => each.startsWith("drafts/"));
      const id = path.slice("drafts/".length, -".js".length);
      expect(written).toContain(`"artifact_id":"${id}"`);
      expect(jsonOf(folder, "state", "whole", id).code).toBe(drafts[path]);
    }
  });

  it("end in the same state if the run is stopped, resumed, verified and replayed", () => {
    const [act] = transcript("whole", "coder").filter(({ role }) => role === "tool");
    ran("cut", "--stop-after", String(Math.floor((act?.at_ms ?? 0) / 1_000)));
    expect(jsonOf(folder, "resume", "cut").state_hash).toBe(hash);
    expect(sim(folder, "verify", "cut").code).toBe(0);
    expect(ran("replayed", "--replay-models", "whole").state_hash).toBe(hash);
    for (const agent of AGENTS) {
      const said = (run: string) => transcript(run, agent).map(({ content }) => content);
      expect(said("cut")).toEqual(said("whole"));
    }
  });

  it("have transcripts with messages and calls, and without metadata", () => {
    const [texter, coder] = AGENTS.map((agent) => sim(folder, "transcript", "whole", agent).out);
    expect(texter).toMatch(/ assistant\nI try the draft\.\n-> try_program \{/);
    expect(texter).not.toContain("response-metadata");
    expect(coder).toMatch(
      / assistant\nI try the draft\.\n-> run_code \{"code":"print\(try_program/,
    );
    expect(coder).not.toContain("execution-code");
  });

  it("are previewed with what their model is told of the tools", () => {
    const preview = (agent: string, ...flags: readonly string[]): string =>
      sim(folder, "agents", "preview", agent, ...flags).out;
    expect(preview("texter")).toMatch(/# RESPONSE FORMAT INSTRUCTIONS[\s\S]*\n- bash: Runs/);
    expect(preview("coder")).toMatch(/<execution-code>[\s\S]*\n- read_file: Reads/);
    for (const agent of AGENTS) expect(preview(agent)).not.toContain("--- tools");
    const [act] = transcript("whole", "texter").filter(({ role }) => role === "tool");
    const later = preview("texter", "--run", "whole", "--at", `${(act?.at_ms ?? 0) / 1_000}s`);
    expect(later).toMatch(/\[assistant\]\n<response-metadata>\n<attributes>\n<calls>\[\{"tool"/);
  });
});

describe("an agent.yaml with another way to call tools", () => {
  const problemsOf = (persona: string): string => {
    const cwd = folderWith({ "agents/smith/agent.yaml": `id: smith\n${persona}\n` });
    return sim(cwd, "agents", "validate").out;
  };
  for (const [persona, problem] of [
    ["tools: { protocol: text }", "no problems in smith"],
    ["mind: code\ntools: { max_steps: 3 }", "no problems in smith"],
    ["mind: tools\ntools: { protocol: xml }", "protocol"],
    ["mind: code\ntools: { protocol: text }", "mind: code has no tools.protocol"],
    ["mind: code\ncognitive_schema: ooda", "only mind: llm or workflow has cognitive_schema"],
  ] as const) {
    it(`is checked: ${persona.replace("\n", ", ")}`, () => {
      expect(problemsOf(persona)).toContain(problem);
    });
  }
});
