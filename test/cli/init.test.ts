import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SHIPPED_CONFIG } from "../../src/runner/index.ts";
import { jsonOf, sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

it("sim init creates a valid folder", () => {
  const cwd = folderWith();
  const made = sim(cwd, "init", "mine/first");
  expect(made.code).toBe(0);
  const populations = "\\d+ personas in agents and \\d+ personas in agents-llm";
  expect(made.out).toMatch(new RegExp(`^created mine/first with config.yaml, ${populations}\n$`));
  const here = join(cwd, "mine/first");
  const files = ["README.md", "agents", "agents-llm", "config.yaml", "docs"];
  expect(readdirSync(here).toSorted()).toEqual(files);
  const [shipped, copied] = [SHIPPED_CONFIG, join(here, "config.yaml")].map((file) =>
    readFileSync(file, "utf8"),
  );
  expect(copied).toBe(shipped);
  expect(existsSync(join(here, "agents/library"))).toBe(false);
  expect(jsonOf(here, "agents", "list")[0]).toMatchObject({ id: "ada", folder: "agents/ada" });
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
