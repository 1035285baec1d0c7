import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { writePersonas } from "../support/model-run.ts";
import { hasPython } from "../support/python.ts";
import { emptyFolder, jsonOf, setFlags, sim, simWith } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

const CODER = "id: coder\nmind: code\ntools: { language: python }\n";
const HASHED = setFlags("memory.embedder=hashed");
const QUICK = ["--model", "mock", "--duration", "40", ...HASHED];

const lab = (more: Readonly<Record<string, string>> = {}): string =>
  folderWith({ "agents/coder/agent.yaml": CODER, ...more });

const NOT_ALLOWED =
  "agents/coder/agent.yaml:3:20: `tools.language`: python is not allowed, because its scripts run " +
  "on this machine, outside the sandbox; set tools.python: true in the configuration of the run, " +
  "or choose javascript\n";

describe("a persona in Python", () => {
  it("is refused at the start of a run that does not allow Python", () => {
    const cwd = lab();
    const run = sim(cwd, "run", ...QUICK);
    expect(run).toMatchObject({ code: 2, out: "" });
    expect(run.err).toBe(`sim: ${NOT_ALLOWED}`);
    const chat = simWith({ lines: ["Hello"] }, cwd, ["chat", "coder", "--model", "mock"]);
    expect(chat.code).toBe(2);
    expect(chat.err).toBe(`sim: ${NOT_ALLOWED}`);
    const checked = sim(cwd, "agents", "validate");
    expect(checked.code).toBe(1);
    expect(checked.out).toBe(NOT_ALLOWED);
    expect(sim(cwd, "runs").out).not.toContain("coder");
  });

  it("is refused once for a population, also if not all of it writes Python", () => {
    const vary = "vary: { tools.language: { list: [javascript, python] } }";
    const cwd = folderWith({
      "agents/coder/agent.yaml": `id: coder\nmind: code\ncount: 4\n${vary}\n`,
    });
    const { code, out } = sim(cwd, "agents", "validate");
    expect(code).toBe(1);
    expect(out).toMatch(/^[^\n]*`tools.language`: python is not allowed[^\n]*\n$/);
  });

  it("is refused too if it joins later", () => {
    const later = "schedule:\n  - { at: 5s, add: ./later/coder }\n";
    const cwd = folderWith({
      "agents/smith/agent.yaml": "id: smith\nmind: policy/explorer\n",
      "later/coder/agent.yaml": CODER,
      "config.yaml": later,
    });
    const { code, err } = sim(cwd, "run", ...QUICK);
    expect(err).toMatch(/coder\/agent.yaml:3:\d+: `tools.language`: python is not allowed/);
    expect(code).toBe(2);
  });

  it("is refused if this machine has no python3", () => {
    const cwd = lab({ "config.yaml": "tools: { python: true }\n" });
    const missing = "agent.yaml:3:20: `tools.language`: python3 is not on the PATH of this machine";
    for (const verb of [
      ["run", ...QUICK],
      ["agents", "validate"],
    ]) {
      const { code, out, err } = simWith({ variables: { PATH: "/nowhere" } }, cwd, verb);
      expect(code).not.toBe(0);
      expect(out + err).toContain(missing);
    }
  });

  it("has a setting that only mind: code has", () => {
    const cwd = folderWith({
      "agents/coder/agent.yaml": "id: coder\nmind: tools\ntools: { language: python }\n",
    });
    expect(sim(cwd, "agents", "validate").out).toContain("only mind: code has tools.language");
  });
});

const ALLOWED = setFlags("tools.python=true");
const OUTSIDE = "agents may run Python on this machine, outside the sandbox";

describe.skipIf(!hasPython)("a run that allows Python", () => {
  const cwd = emptyFolder();
  beforeAll(() => {
    writePersonas(join(cwd, "agents"), { coder: { mind: "code", tools: { language: "python" } } });
    const { code, err } = sim(cwd, "run", "--name", "whole", ...QUICK, ...ALLOWED);
    expect(code).toBe(0);
    expect(err).toContain(`note: ${OUTSIDE}`);
  });

  it("runs the scripts of its agents, which draft and publish a program", () => {
    const { out } = sim(cwd, "transcript", "whole", "coder");
    expect(out).toMatch(/-> run_code \{"code":"print\(try_program\(\*\*\{/);
    expect(out).not.toContain("The script failed");
    const { content } = jsonOf(cwd, "state", "whole", "coder_workspace");
    const drafts: { readonly [path: string]: string } = JSON.parse(content);
    const [path = ""] = Object.keys(drafts).filter((each) => each.startsWith("drafts/"));
    const id = path.slice("drafts/".length, -".js".length);
    expect(jsonOf(cwd, "state", "whole", id).code).toBe(drafts[path]);
  });

  it("can be stopped and resumed", () => {
    const stop = ["--stop-after", "20"];
    expect(sim(cwd, "run", "--name", "cut", ...QUICK, ...ALLOWED, ...stop).code).toBe(0);
    const { code, err } = sim(cwd, "resume", "cut");
    expect(code).toBe(0);
    expect(err).toContain(OUTSIDE);
    expect(sim(cwd, "transcript", "cut", "coder").out).not.toContain("The script failed");
  });

  it("is verified and replayed without Python", () => {
    const without = { variables: { PATH: "/nowhere" } };
    expect(simWith(without, cwd, ["verify", "whole"]).code).toBe(0);
    expect(simWith(without, cwd, ["verify", "whole", "--replay"]).code).toBe(0);
  });

  it("allows Python in its forks, but not through a checkpoint file", () => {
    const forked = sim(cwd, "fork", "whole", "--name", "fork", "--duration", "5");
    expect(forked.err).toContain(OUTSIDE);
    const file = join(emptyFolder(), "state.ckpt");
    expect(sim(cwd, "checkpoint", "whole", "-o", file).code).toBe(0);
    const from = (...flags: readonly string[]) =>
      sim(cwd, "run", "--from", file, "--duration", "5", "--out", emptyFolder(), ...flags).err;
    expect(from()).toContain("it runs the Python of agents on this machine");
    const without = from("--no-trust");
    expect(without).toContain("scripts of these agents will fail: coder; tools.python is false");
    expect(without).not.toContain(OUTSIDE);
    expect(from("--trust", ...ALLOWED)).toContain(OUTSIDE);
  });

  it("lets a person talk with such an agent", () => {
    const args = ["chat", "coder", "--model", "mock", ...HASHED, ...ALLOWED];
    const { code, err } = simWith({ lines: ["Hello"] }, cwd, args);
    expect(code).toBe(0);
    expect(err).toContain(OUTSIDE);
  });
});
