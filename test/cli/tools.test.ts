import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, jsonOf, setFlags, sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

const folder = emptyFolder();

/** The two shipped agents with tools, on the built-in mock model. */
const ran = (name: string, ...flags: readonly string[]) => {
  const agents = ["--agents", "agents-llm", "--only", "toolsmith,analyst", "--model", "mock"];
  const sets = setFlags("memory.embedder=hashed");
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
      jsonOf(folder, "artifact", "whole", "toolsmith_workspace").content || "{}",
    );
    const changes = sim(folder, "events", "whole", "--kind", "workspace_changed", "--json").out;
    const changed = changes.split("\n").filter((line) => line.includes("toolsmith_workspace"));
    expect(Object.keys(drafts)).toHaveLength(1 + changed.length);
    const [path = "", code] = Object.entries(drafts)[0] ?? [];
    const id = path.slice("drafts/".length, -".js".length);
    expect(written).toContain(`"artifact_id":"${id}"`);
    expect(jsonOf(folder, "artifact", "whole", id).code).toBe(code);
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
    ["mind: llm\ntools: { max_steps: 3 }", "`tools`: only mind: tools has tools"],
    ["mind: tools\ncognitive_schema: ooda", "mind: tools has no cognitive_schema"],
    ["mind: tools\ntools: { max_stepz: 3 }", "max_steps"],
    ["mind: tools\ntools: { max_steps: 0 }", "max_steps"],
  ] as const) {
    it(`is refused: ${persona.replace("\n", ", ")}`, () => {
      expect(problemsOf(persona)).toContain(problem);
    });
  }
});
