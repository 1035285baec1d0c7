/**
 * The law of this house, as far as a program can check it. Each message names the cure. What
 * each rule catches is shown in `tidy/law.test.ts`.
 */
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { LAW } from "./tidy/law.ts";
import { readProject } from "./tidy/project.ts";
import { shown } from "./tidy/rule.ts";

const project = readProject(fileURLToPath(new URL("..", import.meta.url)));

it("finds the sources", () => {
  expect(project.files.map(({ path }) => path)).toContain("src/cli/main.ts");
});

for (const rule of LAW) {
  it(rule.name, () => {
    expect(rule.check(project).map(shown)).toEqual([]);
  });
}
