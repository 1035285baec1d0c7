/**
 * The style rules that a program can check. Each message names the cure. `tidy/rules.test.ts` shows
 * what each rule catches.
 */
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { spawnSimSync } from "./support/sim.ts";
import { readProject } from "./tidy/project.ts";
import { shown } from "./tidy/rule.ts";
import { RULES } from "./tidy/rules.ts";

const project = readProject(fileURLToPath(new URL("..", import.meta.url)));

it("finds the sources", () => {
  expect(project.files.map(({ path }) => path)).toContain("src/cli/main.ts");
  expect(project.documents.map(({ path }) => path)).toContain("README.md");
});

it("loads its modules in an order in which each finds what it needs", () => {
  const verbs = ["run", "report", "dashboard"];
  for (const verb of verbs) expect(spawnSimSync(".", verb, "--help").err).toBe("");
});

for (const rule of RULES) {
  it(rule.name, () => {
    expect(rule.check(project).map(shown)).toEqual([]);
  });
}
