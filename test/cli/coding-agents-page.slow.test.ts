import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PROVIDERS } from "../../src/coding-agents/index.ts";
import { CODING_AGENTS } from "../../src/mind/index.ts";
import { fakeCommand } from "../support/fake-coding-agent/fake-agent.ts";
import type { Dialect } from "../support/fake-coding-agent/plan.ts";
import { pageText } from "../support/page-steps.ts";
import { emptyFolder, MAIN } from "../support/sim.ts";

const PAGE = pageText("coding-agents.md");
const blocksOf = (language: string): readonly string[] =>
  [...PAGE.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, name, text = ""]) =>
    name === language ? [text] : [],
  );
const TASKS = blocksOf("sh").filter((block) => block.includes("sim work"));

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A shell in which the programs of the page exist. */
const makeShell = () => {
  const [cwd, bin] = [emptyFolder(), emptyFolder()];
  const add = (name: string, command: readonly string[]): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command.map(quoted).join(" ")} "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  };
  const agent = (name: string, dialect: Dialect): void =>
    add(name, fakeCommand(dialect, [{ does: "say", text: `I am ${name}.` }]));
  add("sim", [process.execPath, MAIN]);
  for (const name of CODING_AGENTS) agent(name, name);
  agent("my-agent", "text");
  agent("my-codex", "codex");
  const PATH = `${bin}${delimiter}${process.env.PATH}`;
  return (script: string) =>
    spawnSync("/bin/sh", ["-e", "-c", script], { cwd, encoding: "utf8", env: { PATH, HOME: cwd } });
};

describe("the page on coding agents", () => {
  const run = makeShell();
  const said: string[] = [];
  beforeAll(() => {
    for (const block of TASKS) {
      const { status, stdout, stderr } = run(block);
      expect([block, status, stderr]).toEqual([block, 0, expect.stringContaining("completed")]);
      said.push(stdout);
    }
  });

  it("has commands that work", () => {
    const text = said.join("");
    for (const name of [...CODING_AGENTS, "my-agent", "my-codex"]) {
      expect(text).toContain(`I am ${name}.\n`);
    }
  });

  it("lists the fields of the result, and no others", () => {
    const { stdout } = run('sim work ada "Hi" --dir my-project --json');
    const [, part = ""] = PAGE.split("## The result as JSON");
    const [fields = ""] = part.split("\n## ");
    const told = [...fields.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(told.toSorted()).toEqual(Object.keys(JSON.parse(stdout)).toSorted());
  });

  it("has a persona and a run of an economy that work", () => {
    const [persona = ""] = blocksOf("yaml");
    const [start = ""] = blocksOf("sh").filter((block) => block.includes("sim run"));
    run(`mkdir -p agents/coder && cat > agents/coder/agent.yaml <<'END'\n${persona}END`);
    const { status, stderr, stdout } = run(start.replace("--duration 600", "--duration 3"));
    expect([status, stderr]).toEqual([0, expect.stringContaining("wall clock (agents are")]);
    expect(stdout).toMatch(/^thoughts +[1-9]/m);
  });

  it("says what a folder keeps, and the keys of its state exist", () => {
    const { stdout } = run("cat my-project/.catallaxy/work/ada.json");
    const state = JSON.parse(stdout);
    for (const key of ["status", "activity"]) expect(state).toHaveProperty(key);
    const lines = run("cat my-project/.catallaxy/work/moments.jsonl").stdout;
    for (const word of ["ASSIGNMENT", "CONVERSATION", "COMPLETION", "creates", "precedes"]) {
      expect([word, PAGE.includes(word), lines.includes(word)]).toEqual([word, true, true]);
    }
  });

  it("names each provider with its page and its variables, as the code does", () => {
    for (const name of CODING_AGENTS) {
      const { installPage, variables } = PROVIDERS[name];
      expect(PAGE).toContain(`<${installPage}>`);
      for (const each of variables.filter((each) => each.endsWith("*"))) {
        expect(PAGE).toContain(`\`${each}\``);
      }
    }
  });

  it("has doctor say which are installed, and none is needed", () => {
    const checkIn = (stdout: string) => {
      const { ok, checks } = JSON.parse(stdout);
      const named = checks.find(({ name }: { name: string }) => name === "coding agents");
      return { ok, detail: named.detail };
    };
    const version = "1.2.3 (fake)";
    expect(checkIn(run("sim doctor --json").stdout)).toEqual({
      ok: true,
      detail: `claude: ${version}; codex: ${version}; gemini: ${version}`,
    });
  });
});
