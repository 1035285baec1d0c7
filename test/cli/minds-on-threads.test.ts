import { describe, expect, it } from "vitest";
import { sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

const WORKFLOW = `workflow:
  steps:
    - { name: decide, type: llm, prompt: "What do you do next?" }
`;

const cwdWith = (): string =>
  folderWith({
    "agents/ada/agent.yaml": "id: ada\ncount: 3\nmind: llm\nsystem_prompt: You sell programs.\n",
    "agents/bob/agent.yaml": `id: bob\nmind: llm\n${WORKFLOW}`,
    "agents/cleo/agent.yaml": "id: cleo\ncount: 2\nmind: tools\n",
    "agents/dan/agent.yaml": "id: dan\nmind: code\n",
    "agents/eve/agent.yaml": "id: eve\nmind: policy/producer\n",
  });

const FLAGS = ["run", "--duration", "30", "--clock", "virtual", "--model", "mock", "--json"];

const hashes = (cwd: string, ...flags: readonly string[]) => {
  const { code, out, err } = sim(cwd, ...FLAGS, ...flags);
  expect([code, err]).toEqual([0, expect.not.stringContaining("made again")]);
  const { journal_hash, state_hash, thinking } = JSON.parse(out);
  return { journal_hash, state_hash, thinking };
};

describe("--minds threads:N", () => {
  it("makes the journal that the thread of the run makes", () => {
    const cwd = cwdWith();
    const own = hashes(cwd);
    expect(hashes(cwd, "--minds", "threads:2")).toEqual(own);
    expect(own.thinking.calls).toBeGreaterThan(20);
  });

  it("resumes a run on threads", () => {
    const cwd = cwdWith();
    const whole = hashes(cwd);
    sim(cwd, ...FLAGS, "--name", "half", "--stop-after", "15", "--minds", "threads:1");
    const rest = sim(cwd, "resume", "half", "--minds", "threads:2", "--json");
    expect(JSON.parse(rest.out).state_hash).toBe(whole.state_hash);
  });

  it.each(["threads", "threads:0", "threads:65", "thread:2", "2"])("refuses %j", (place) => {
    expectRefusal(sim(cwdWith(), "run", "--minds", place), 2, /threads:N, such as threads:2/);
  });
});
