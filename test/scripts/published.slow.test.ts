import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderWith } from "../support/temporary-folder.ts";

const SCRIPT = join(import.meta.dirname, "../../scripts/published.ts");

const published = (cwd: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, [SCRIPT, ...args], { cwd, encoding: "utf8" });

it("prints the means of a shipped experiment next to their bands", () => {
  const { stdout, status } = published(folderWith(), "beer-game", "--seeds", "1..1");
  expect(status).toBe(0);
  const [head, rule, ...rows] = stdout.trim().split("\n");
  expect([head, rule]).toEqual([
    "| experiment | measure | arm | n | mean | band | published | inside |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
  ]);
  const start = "| [beer-game](experiments/beer-game.md) | `cost` | `benchmark` | 1 |";
  expect(rows).toContainEqual(`${start} 204 | 204 to 204 | 204 | yes |`);
  expect(rows).toHaveLength(7);
});

it("names the shipped experiments if it does not know one", () => {
  const { stderr, status } = published(folderWith(), "gode");
  expect(status).toBe(1);
  expect(stderr).toContain(
    "there is no experiment gode; there are beer-game, calvano-2020, gode-sunder",
  );
});
