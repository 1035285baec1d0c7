/**
 * Every rule gets bad snippets, which it must catch on the right line and with a cure. Good
 * snippets must pass all rules.
 */
import { describe, expect, it } from "vitest";
import type { Project, Rule } from "./rule.ts";
import { RULES } from "./rules.ts";
import { parseSource } from "./source-file.ts";

type Sources = Readonly<Record<string, string>>;

function projectOf(sources: Sources, rest: Partial<Project> = {}): Project {
  const files = Object.entries(sources).map(([path, text]) => parseSource(path, text));
  return { files, dependencies: [], decisions: "", documents: [], ...rest };
}

function ruleNamed(name: string): Rule {
  const rule = RULES.find((each) => each.name === name);
  if (rule === undefined) throw new Error(`no rule is called "${name}"`);
  return rule;
}

/** The violations of one rule in one file, as `line message`. */
function messages(rule: string, path: string, text: string): readonly string[] {
  const violations = ruleNamed(rule).check(projectOf({ [path]: text }));
  return violations.map(({ line, message }) => `${line} ${message}`);
}

type Case = readonly [path: string, text: string, message: string];

const lines = (count: number): string => "const x = 1;\n".repeat(count);

/** For each rule, what it must catch. */
const BAD: Readonly<Record<string, readonly Case[]>> = {
  "imports go downward": [
    ["src/kernel/a.ts", 'import { x } from "../world/index.ts";', "above it"],
    ["src/world/a.ts", 'export { x } from "../cli/index.ts";', "above it"],
    ["src/mind/a.ts", 'type A = import("../run/index.ts").A;', "above it"],
    ["src/mind/a.ts", 'await import("../page/index.ts");', "above it"],
    ["src/mind/a.ts", 'import { x } from "../../test/x.ts";', "outside src"],
    ["src/kernel/a.ts", 'import { z } from "zod";', "pure-rand only"],
    ["src/kernel/a.ts", 'import fs from "node:fs";', "pure-rand only"],
    ["src/world/a.ts", 'import { generateText } from "ai";', "models"],
    ["src/world/a.ts", 'import { o } from "@ai-sdk/openai";', "models"],
    ["src/run/a.ts", 'import { Hono } from "hono";', "no web server"],
  ],
  "rooms are entered by their door": [
    ["src/mind/a.ts", 'import "../world/b.ts";', "src/world/index.ts"],
  ],
  "the kernel is pure": [
    ["src/kernel/a.ts", "const t = Date.now();", "Date"],
    ["src/kernel/a.ts", "const t = new Date(0);", "Date"],
    ["src/kernel/a.ts", "const t = performance.now();", "performance"],
    ["src/kernel/a.ts", "const t = Math.random();", "Math.random"],
    ["src/kernel/a.ts", "const t = globalThis.Math.random();", "Math.random"],
    ["src/kernel/a.ts", "type T = Promise<void>;", "Promise"],
    ["src/kernel/a.ts", "const f = async () => 1;", "wait"],
    ["src/kernel/a.ts", "await f;", "wait"],
    ["src/kernel/a.ts", "console.log(1);", "console"],
    ["src/kernel/a.ts", "const { now } = Date;", "Date"],
  ],
  "only src/cli meets the terminal": [
    ["src/mind/a.ts", "console.error(1);", "prints"],
    ["src/world/a.ts", "const k = process.env.KEY;", "process.env"],
    ["src/world/a.ts", "globalThis.process.exit(1);", "process.exit"],
    ["src/page/a.ts", "const k = process.argv[2];", "process.argv"],
    ["src/mind/a.ts", 'import { env } from "node:process";', "env"],
  ],
  "files are one noun each": [
    ["src/mind/a.ts", lines(701), "701 lines, 700"],
    ["src/mind/agentLoop.ts", "", "kebab-case"],
    ["src/Mind/loop.ts", "", "kebab-case"],
    ["src/mind/string-utils.ts", "", '"utils"'],
    ["src/mind/helpers/loop.ts", "", '"helpers"'],
  ],
  "names say what things are": [
    ["src/mind/a.ts", "export class LoopManager {}", '"Manager"'],
    ["src/mind/a.ts", "type AgentInfo = 1;", '"Info"'],
    ["src/mind/a.ts", "interface HTTPHandlers {}", '"Handlers"'],
    ["src/mind/a.ts", "export const rawData = 1;", '"Data"'],
    ["src/mind/a.ts", "export function dataOf() {}", '"data"'],
    ["src/mind/a.ts", "const a = 1; export { a as BASE_URL };", '"BASE"'],
    ["src/mind/a.ts", "const cfg = 1;", "config"],
    ["src/mind/a.ts", "const f = (ctx) => 1;", "name of what it is"],
    ["src/mind/a.ts", "const { opts } = x;", "options"],
    ["src/mind/a.ts", "const f = ({ res }) => 1;", "response"],
  ],
  "comments say why": [
    ["src/mind/a.ts", "// TODO: later", "do it now"],
    ["src/mind/a.ts", "/* a\n * FIXME */", "do it now"],
    ["src/mind/a.ts", "// see #123", '"#123" is history'],
    ["src/mind/a.ts", "// as in issue 12", '"issue 12" is history'],
    ["src/mind/a.ts", "/** Plan 7: faster. */", '"Plan 7" is history'],
    ["src/mind/a.ts", "// ECON-417 asked for it", '"ECON-417" is history'],
  ],
  "errors are not lost": [
    ["src/mind/a.ts", "try { f(); } catch {}", "loses the error"],
    ["src/mind/a.ts", "f().catch(() => {});", "loses the error"],
  ],
  "sentences are not data": [
    ["src/mind/a.ts", 'if (found.message.startsWith("unknown")) f();', "reads a sentence back"],
    ["src/mind/a.ts", "if (read.problem.endsWith(OTHER)) f();", "a field"],
    ["src/mind/a.ts", "const [, key] = /`(.*)`/.exec(found.message) ?? [];", "a field"],
  ],
  "every source file is reached": [["src/mind/a.ts", "export const a = 1;", "no source file"]],
  "words are plain": [
    ["src/mind/a.ts", "// Whoever reads it", '"Whoever"; write: name the actor'],
    ["test/mind/a.test.ts", 'it("asks anew", f);', "again"],
  ],
};

describe.each(Object.entries(BAD))("the rule that %s", (rule, cases) => {
  it.each(cases)("finds a violation in %s: %s", (path, text, message) => {
    expect(messages(rule, path, text).join("\n")).toContain(message);
  });
});

describe("the rules", () => {
  it("each have a bad snippet", () => {
    const shownBelow = [
      "dependencies have reasons",
      "folders do not import each other in a circle",
      "every export is used",
    ];
    const shown = new Set([...Object.keys(BAD), ...shownBelow]);
    expect(RULES.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });

  it("name the line, also after characters of several bytes", () => {
    const text = 'const a = "é🎉";\n\n/* é */ const cfg = a;\n';
    expect(messages("names say what things are", "src/mind/a.ts", text)[0]).toMatch(/^3 cfg/);
  });
});

const GOOD: readonly (readonly [path: string, text: string])[] = [
  ["src/mind/a.ts", 'import { x } from "../world/index.ts";\nimport { y } from "./b.ts";'],
  ["src/kernel/a.ts", 'import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";'],
  ["src/kernel/a.ts", "const d = event.Date; const o = { console: 1, Promise: 2 };"],
  ["src/kernel/a.ts", "// Date.now() and Math.random() are not for us\nconst s = 'console.log';"],
  ["src/world/a.ts", 'import { pid } from "node:process";\nconst w = process.memoryUsage();'],
  ["src/cli/run.ts", "console.log(process.argv, process.env.HOME);"],
  ["test/a.test.ts", 'const shipped = new URL("../agents/library", import.meta.url);'],
  ["test/a.test.ts", "try { f(); } catch {}\nconsole.log(process.env.A);"],
  ["src/world/a.ts", "try { f(); } catch (error) { return failed(error); }"],
  ["src/world/a.ts", "f().catch(() => null);"],
  ["src/world/a.ts", 'if (/bad port/.test(error.message)) f(found.message.split("\\n"));'],
  ["src/world/a.ts", "try { f(); } catch {\n  // The file is gone already.\n}"],
  ["src/mind/a.ts", "export class Oops extends Error { #x = 1; }"],
  [
    "src/mind/a.ts",
    "const y = [1] as const; const z = {} satisfies object; const many = 'as any';",
  ],
  [
    "src/mind/a.ts",
    'import { a as b } from "./b.ts"; export { b }; export type { C } from "./c.ts";',
  ],
  ["src/mind/a.ts", "export const metadata = 1; const database = 2; const result = api.res;"],
  ["src/mind/a.ts", "const settings = { ctx: 1 }; const rawData = 1; export const basement = 1;"],
  ["src/mind/a.ts", "// UTF-16, SHA-256 and ISO-8601; see https://x.org/#12 and the 3rd item"],
  ["src/mind/a.ts", "const marks = ['TODO', 'FIXME', '#123'];"],
];

/** These rules check the whole project and have their own tests below. */
const WHOLE = ["every source file is reached", "every export is used"];

it.each(GOOD)("%s passes every rule: %s", (path, text) => {
  const rules = RULES.filter(({ name }) => !WHOLE.includes(name));
  const project = projectOf({ [path]: text });
  expect(rules.flatMap((rule) => rule.check(project))).toEqual([]);
});

describe("rooms", () => {
  const doors = { "src/world/index.ts": "", "src/world/journal/index.ts": "" };
  const past = (path: string, specifier: string): boolean => {
    const project = projectOf({ ...doors, [path]: `import "${specifier}";` });
    return ruleNamed("rooms are entered by their door").check(project).length > 0;
  };

  it("are entered by their door from within the layer too", () => {
    expect(past("src/world/world.ts", "./journal/journal.ts")).toBe(true);
    expect(past("src/world/world.ts", "./journal/index.ts")).toBe(false);
    expect(past("src/world/clock/a.ts", "../journal/journal.ts")).toBe(true);
  });

  it("cannot be entered from another layer, even by their door", () => {
    expect(past("src/cli/a.ts", "../world/journal/index.ts")).toBe(true);
    expect(past("src/cli/a.ts", "../world/index.ts")).toBe(false);
  });

  it("can import files of the folder around them", () => {
    expect(past("src/world/journal/a.ts", "../world.ts")).toBe(false);
    expect(past("src/world/journal/a.ts", "./journal.ts")).toBe(false);
  });
});

describe("the project as a whole", () => {
  it("has a reason for every dependency, by its whole name", () => {
    const rule = ruleNamed("dependencies have reasons");
    const dependencies = ["zod", "@types/node", "node"];
    const unexplained = (decisions: string): readonly string[] =>
      rule.check(projectOf({}, { dependencies, decisions })).map(({ message }) => message);
    expect(unexplained("We use `zod`, `node` and `@types/node`.")).toEqual([]);
    expect(unexplained("We use zod-to-json and @types/node.")).toEqual([
      expect.stringMatching(/^zod has no reason/),
      expect.stringMatching(/^node has no reason/),
    ]);
  });

  it("reaches every file by an import, a re-export or as a worker", () => {
    const project = projectOf({
      "src/cli/main.ts":
        'import "./a.ts"; export * from "./b.ts"; import type { C } from "./c.ts";',
      "src/cli/a.ts": 'new Worker(new URL("./worker.ts", import.meta.url));',
      "src/cli/b.ts": "",
      "src/cli/c.ts": "",
      "src/cli/worker.ts": "",
      "src/cli/types.d.ts": "",
      "src/cli/lost.ts": 'import "./lost.ts";',
    });
    const lost = ruleNamed("every source file is reached").check(project);
    expect(lost.map(({ path }) => path)).toEqual(["src/cli/lost.ts"]);
  });

  const complaints = (rule: string, sources: Sources, rest: Partial<Project> = {}) =>
    ruleNamed(rule)
      .check(projectOf(sources, rest))
      .map(({ path, message }) => `${path} ${message}`);

  it("has no folders that import each other in a circle", () => {
    const rule = "folders do not import each other in a circle";
    const imports = (...paths: readonly string[]) =>
      paths.map((path) => `import type { A } from "${path}";`).join("\n");
    const circle = {
      "src/mind/x/a.ts": imports("../y/b.ts"),
      "src/mind/y/b.ts": "",
      "src/mind/y/c.ts": imports("../../mind/z/d.ts"),
      "src/mind/z/d.ts": imports("../x/e.ts"),
      "src/mind/x/e.ts": "",
    };
    expect(complaints(rule, circle)).toHaveLength(3);
    expect(complaints(rule, circle)[0]).toContain("src/mind/x and src/mind/y import each other");
    expect(complaints(rule, { ...circle, "src/mind/z/d.ts": "" })).toEqual([]);
  });

  it("has an importer for every export, through doors too", () => {
    const sources = {
      "src/mind/a.ts": "export const used = 1; export type Unused = 1; export const inner = 1;",
      "src/mind/index.ts": 'export { used, inner } from "./a.ts";',
      "src/run/b.ts": 'import { used } from "../mind/index.ts";',
    };
    expect(complaints("every export is used", sources)).toEqual([
      expect.stringMatching(/^src\/mind\/a.ts Unused /),
      expect.stringMatching(/^src\/mind\/index.ts inner /),
    ]);
  });

  it("reads documents for words as well", () => {
    const documents = [{ path: "docs/a.md", text: "fine\nAsk it anew." }];
    expect(complaints("words are plain", {}, { documents })).toEqual([
      'docs/a.md "anew"; write: again, or a fresh',
    ]);
  });
});
