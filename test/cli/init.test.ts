import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SHIPPED_CONFIG } from "../../src/runner/index.ts";
import { folderWith } from "../runner/folder.ts";
import { sim } from "../support/sim.ts";

it("sim init makes a folder in which everything is valid", () => {
  const cwd = folderWith();
  const made = sim(cwd, "init", "mine/first");
  expect(made.code).toBe(0);
  expect(made.out).toMatch(/^made mine\/first with config.yaml and \d+ personas\n$/);
  const here = join(cwd, "mine/first");
  expect(readdirSync(here).toSorted()).toEqual(["README.md", "agents", "config.yaml"]);
  expect(readFileSync(join(here, "config.yaml"), "utf8")).toBe(
    readFileSync(SHIPPED_CONFIG, "utf8"),
  );
  expect(existsSync(join(here, "agents/library"))).toBe(false);
  const listed = JSON.parse(sim(here, "agents", "list", "--json").out);
  expect(listed[0]).toMatchObject({ id: "ada", folder: "agents/ada" });
});

it("sim init --quiet says only what was asked", () => {
  expect(sim(folderWith(), "init", "x", "--quiet")).toMatchObject({ code: 0, err: "" });
});

it.each([
  ["full", /^sim: full is not empty; name a folder that is not there yet\n$/],
  ["file", /^sim: file is a file; name a folder that is not there yet\n$/],
])("sim init %s is refused", (dir, message) => {
  const cwd = folderWith({ "full/x": "", file: "mine" });
  const ran = sim(cwd, "init", dir);
  expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringMatching(message) });
  expect(readFileSync(join(cwd, "file"), "utf8")).toBe("mine");
});
