import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { sharedFolder } from "../support/temporary-folder.ts";
import { type Edit, RECIPES, type Recipe } from "./recipes.ts";

const ROOT = join(import.meta.dirname, "../..");
const SUPPORT = ["sim.ts", "command-thread.ts"].map((name) => `test/support/${name}`);
const COPIED = [
  ...["src", "genesis", "agents", "config.yaml", "package.json"],
  ...["tsconfig.json", "tsconfig.build.json"],
  ...SUPPORT,
];

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

const CHECKS = `
import { sim as simIn } from "./test/support/sim.ts";
globalThis.sim = (...args) => simIn(process.cwd(), ...args).out;
for (const [at, title] of ${JSON.stringify(RECIPES.map(({ title }) => title))}.entries()) {
  console.log("## " + title);
  await import("./check-" + at + ".ts").catch((error) => console.log(error.stack));
}
`;

/** What the checks print, by recipe. One process runs them all. */
const printed = new Map<string, string>();

/** A copy of the sources with the edits of all recipes: no recipe edits what another one adds. */
beforeAll(() => {
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  for (const { edits, settings = [] } of RECIPES) {
    apply(join(folder, "config.yaml"), settings);
    for (const [file, edit] of Object.entries(edits)) apply(join(folder, file), edit);
  }
});

beforeAll(() => {
  for (const [at, { check }] of RECIPES.entries()) {
    writeFileSync(join(folder, `check-${at}.ts`), check);
  }
  writeFileSync(join(folder, "checks.ts"), CHECKS);
  for (const part of run("checks.ts").split(/^## /m).slice(1)) {
    const [title = "", ...lines] = part.trimEnd().split("\n");
    printed.set(title, lines.join("\n"));
  }
});

it("the edits of all recipes compile", () => {
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  // Several checkers take more time in all.
  expect(run(compiler, "-p", "tsconfig.build.json", "--noEmit", "--singleThreaded")).toBe("");
});

it.each(RECIPES.map((recipe): [string, Recipe] => [recipe.title, recipe]))(
  "%s: the files that CONTRIBUTING.md names are enough",
  (title, { edits, prints }) => {
    const names = namedFiles(title);
    const edited = Object.keys(edits);
    expect(edited.filter((file) => !isNamed(file, names))).toEqual([]);
    expect(edited).toHaveLength(names.length);
    expect(printed.get(title)).toBe(prints);
  },
);
