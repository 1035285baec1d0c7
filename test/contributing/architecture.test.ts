import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const page = read("docs/dev/architecture.md");

/** A path such as `src/…` or `test/…`, without a function behind it. */
const PATH = /(?<![\w./-])(?:src|test|genesis|agents|agents-llm|bench)\/[\w./-]*/g;

/** Every such path that a page has in code, also in the middle of a command. */
const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/```[\s\S]*?```|`[^`\n]+`/g)].flatMap(([code]) => code.match(PATH) ?? []);

it.each([
  "docs/dev/architecture.md",
  "CONTRIBUTING.md",
  "docs/changing-a-run.md",
  "docs/dev/journal.md",
])("%s names files and folders that exist", (file) => {
  const missing = pathsIn(read(file)).filter((path) => {
    return !path.includes("NAME") && !existsSync(join(ROOT, path));
  });
  expect(missing).toEqual([]);
});

it("the trace of one action names at most 14 files, each with a function that it defines", () => {
  const [, trace = ""] = /## One action, step by step\n([\s\S]*?)\n## /.exec(page) ?? [];
  const steps = [...trace.matchAll(/`(src\/[\w./-]+\.ts):(\w+)`/g)];
  const undefinedFunctions = steps.filter(([, file = "", name]) => {
    return !new RegExp(
      `(const|function) ${name}\\b|^ +(async )?${name}[(<:]|readonly ${name}:`,
      "m",
    ).test(read(file));
  });
  expect(undefinedFunctions.map(([step]) => step)).toEqual([]);
  const files = new Set(steps.map(([, file]) => file));
  expect(steps.length).toBeGreaterThan(10);
  expect(files.size).toBeLessThanOrEqual(14);
});
