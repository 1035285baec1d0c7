import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { folderWith } from "../runner/folder.ts";
import { sim } from "../support/sim.ts";

it("sim doctor finds this machine fit, and leaves nothing behind", () => {
  const cwd = folderWith();
  const ran = sim(cwd, "doctor", "--json");
  const { ok, checks } = JSON.parse(ran.out);
  expect(checks.map(({ name }: { name: string }) => name)).toEqual([
    "node",
    "sqlite",
    "threads",
    "sandbox",
    "disk",
    "shipped files",
  ]);
  expect(checks.filter((check: { ok: boolean }) => !check.ok)).toEqual([]);
  expect(ok).toBe(true);
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(readdirSync(cwd)).toEqual([]);
});
