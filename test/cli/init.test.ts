import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { SHIPPED_CONFIG } from "../../src/run/index.ts";
import { packageVersion } from "../../src/text/package-root.ts";
import { jsonOf, sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

it("sim init creates a valid folder", () => {
  const cwd = folderWith();
  const made = sim(cwd, "init", "mine/first");
  expect(made.code).toBe(0);
  const populations = ["agents", "agents-llm", "agents-bargain"]
    .map((name) => `\\d+ personas in ${name}`)
    .join(", ");
  expect(made.out).toMatch(new RegExp(`^created mine/first with config.yaml, ${populations}\n$`));
  const here = join(cwd, "mine/first");
  const files = [".gitignore", "README.md", "agents", "agents-bargain", "agents-llm"];
  files.push("config.yaml", "docs", "node_modules");
  expect(readdirSync(here).toSorted()).toEqual(files);
  const [shipped, copied] = [SHIPPED_CONFIG, join(here, "config.yaml")].map((file) =>
    readFileSync(file, "utf8"),
  );
  expect(copied).toBe(shipped);
  expect(existsSync(join(here, "agents/library"))).toBe(false);
  expect(jsonOf(here, "agents", "list")[0]).toMatchObject({ id: "ada", folder: "agents/ada" });
});

it("sim init in the current folder prints a command without cd", () => {
  const cwd = folderWith();
  expect(sim(cwd, "init", ".").err).toContain("next: npx sim run --duration 60\n");
});

it("sim init copies the population on language models with its prompts", () => {
  const cwd = folderWith();
  expect(sim(cwd, "init", "lab").code).toBe(0);
  const here = join(cwd, "lab");
  const flags = ["--agents", "agents-llm"];
  expect(sim(here, "agents", "validate", ...flags).out).toMatch(/^no problems in alpha, /);
  const { sections } = jsonOf(here, "agents", "preview", "beta_2", ...flags);
  expect(sections[0].text).toContain("You are a strategic integrator.");
});

it("files of sim init and sim agents new refer to their schemas by relative path", () => {
  const cwd = folderWith();
  expect(sim(cwd, "init", "lab").code).toBe(0);
  expect(sim(join(cwd, "lab"), "agents", "new", "dora", "--mind", "llm").code).toBe(0);
  expect(sim(cwd, "agents", "new", "zoe").code).toBe(0);
  const files = [
    ["lab", "config.yaml"],
    ["lab/agents/ada", "agent.yaml"],
    ["lab/agents-llm/alpha_2", "agent.yaml"],
    ["lab/agents/dora", "agent.yaml"],
    ["agents/zoe", "agent.yaml"],
  ] as const;
  for (const [folder, file] of files) {
    const [, way = ""] = /\$schema=(\S+)/.exec(readFileSync(join(cwd, folder, file), "utf8")) ?? [];
    const schema = JSON.parse(readFileSync(join(cwd, folder, way), "utf8"));
    expect(schema.title).toBe(`${file} of catallaxy`);
  }
});

describe("npx sim in a folder of sim init", () => {
  const NO_REGISTRY = { npm_config_registry: "http://127.0.0.1:9", npm_config_fetch_retries: "0" };
  const inShell = (cwd: string, line: string) =>
    spawnSync("sh", ["-c", line], {
      cwd,
      encoding: "utf8",
      env: { ...process.env, ...NO_REGISTRY },
    });

  it("is this project's command, as the printed line says", () => {
    const cwd = folderWith();
    const { err } = sim(cwd, "init", "my lab's");
    const [, line = ""] = /^next: (.*)$/m.exec(err) ?? [];
    expect(line).toBe("cd 'my lab'\\''s' && npx sim run --duration 60");
    const ran = inShell(cwd, `${line} --stop-after 1 --name tried --quiet`);
    expect(ran).toMatchObject({ status: 0 });
    expect(ran.stdout).toMatch(/^1 simulated second in /);
    expect(jsonOf(join(cwd, "my lab's"), "runs")).toMatchObject([{ run_id: "tried" }]);
  });

  it("finds Node, also if the one that made the folder is gone", () => {
    const cwd = folderWith();
    expect(sim(cwd, "init", "lab").code).toBe(0);
    const file = join(cwd, "lab/node_modules/.bin/sim");
    writeFileSync(file, readFileSync(file, "utf8").replace(process.execPath, "/gone/node"));
    const path = `${dirname(process.execPath)}:${process.env.PATH}`;
    const ran = inShell(join(cwd, "lab"), `PATH='${path}' ./node_modules/.bin/sim --version`);
    expect(ran).toMatchObject({ status: 0, stdout: `${packageVersion()}\n` });
  });
});

it("sim init --quiet prints no notes", () => {
  expect(sim(folderWith(), "init", "x", "--quiet")).toMatchObject({ code: 0, err: "" });
});

it.each([
  ["full", /^sim: full is not empty; choose a folder that does not exist\n$/],
  ["file", /^sim: file is a file; choose a folder that does not exist\n$/],
])("sim init %s is refused", (dir, message) => {
  const cwd = folderWith({ "full/x": "", file: "mine" });
  const ran = sim(cwd, "init", dir);
  expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringMatching(message) });
  expect(readFileSync(join(cwd, "file"), "utf8")).toBe("mine");
});

it("sim init '' is refused as wrong usage, in one line", () => {
  const err = expect.stringMatching(/^sim: value '' .*'dir'\. It must be a path; try --help\n$/);
  expect(sim(folderWith(), "init", "")).toEqual({ code: 2, out: "", err });
});
