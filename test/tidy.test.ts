/**
 * The style rules that a program can check. Each message names the cure. `tidy/rules.test.ts` shows
 * what each rule catches.
 */
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { spawnedSim } from "./support/sim.ts";
import { ALLOWANCES, areaOf } from "./tidy/allowances.ts";
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
  for (const verb of verbs) expect(spawnedSim(".", verb, "--help").err).toBe("");
});

for (const rule of RULES) {
  it(rule.name, () => {
    const allowances = ALLOWANCES[rule.name] ?? {};
    const areas = Map.groupBy(rule.check(project), ({ path }) => areaOf(path));
    const over = [...areas].filter(([area, found]) => found.length > (allowances[area] ?? 0));
    const headed = over.flatMap(([area, found]) => {
      const allowed = allowances[area] ?? 0;
      const head = allowed === 0 ? [] : [`${area}: ${found.length} of these, ${allowed} allowed`];
      return [...head, ...found.map(shown)];
    });
    expect(headed).toEqual([]);
  });
}
