import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { sharedFolder } from "../support/temporary-folder.ts";
import { type Edit, RECIPES, type Recipe } from "./recipes.ts";

const ROOT = join(import.meta.dirname, "../..");
const COPIED = ["src", "genesis", "agents", "config.yaml", "package.json", "tsconfig.json"];

const namedFiles = (title: string): readonly string[] => {
  const text = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  const [, section = ""] = text.split(`### ${title}\n`);
  const [body = ""] = section.split("\n#");
  return [...body.matchAll(/^\d\. `([^`]+)`/gm)].map(([, file = ""]) => file);
};

const folder = sharedFolder();

const apply = (path: string, edit: Edit): void => {
  if (typeof edit === "string") return writeFileSync(path, edit);
  for (const [after, insert] of edit) {
    const parts = readFileSync(path, "utf8").split(after);
    expect(parts, `"${after}" stands once in ${path}`).toHaveLength(2);
    writeFileSync(path, parts.join(`${after}${insert}`));
  }
};

const isNamed = (file: string, names: readonly string[]): boolean =>
  names.some((name) => {
    const [before = "", after = ""] = name.split("NAME");
    return name.includes("NAME") ? file.startsWith(before) && file.endsWith(after) : file === name;
  });

const run = (...args: readonly string[]): string => {
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  return `${stdout}${stderr}`.trim();
};

/** A copy of the sources with the edits of all recipes: no recipe edits what another one adds. */
beforeAll(() => {
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  for (const { edits, settings = [] } of RECIPES) {
    apply(join(folder, "config.yaml"), settings);
    for (const [file, edit] of Object.entries(edits)) apply(join(folder, file), edit);
  }
});

it("the edits of all recipes compile", () => {
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  expect(run(compiler, "-p", "tsconfig.json")).toBe("");
});

it.each(RECIPES.map((recipe): [string, Recipe] => [recipe.title, recipe]))(
  "%s: the files that CONTRIBUTING.md names are enough",
  (title, { edits, check, prints }) => {
    const names = namedFiles(title);
    const edited = Object.keys(edits);
    expect(edited.filter((file) => !isNamed(file, names))).toEqual([]);
    expect(edited).toHaveLength(names.length);

    writeFileSync(join(folder, "check.ts"), check);
    expect(run("check.ts")).toBe(prints);
  },
);
