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
const longSwitch = (last: string): string =>
  `function f(x: X) {\nswitch (x.kind) {\n${'case "a":\nreturn 1;\n'.repeat(40)}${last}\n}\n}\n`;
const longFunction = (name: string): string => `function ${name}() {\n${lines(60)}}\n`;

/** For each rule, what it must catch. */
const BAD: Readonly<Record<string, readonly Case[]>> = {
  "imports go downward": [
    ["src/kernel/a.ts", 'import { x } from "../world/index.ts";', "above it"],
    ["src/world/a.ts", 'export { x } from "../cli/index.ts";', "above it"],
    ["src/mind/a.ts", 'type A = import("../runner/index.ts").A;', "above it"],
    ["src/mind/a.ts", 'await import("../observe/index.ts");', "above it"],
    ["src/mind/a.ts", 'import { x } from "../../test/x.ts";', "outside src"],
    ["src/kernel/a.ts", 'import { z } from "zod";', "pure-rand only"],
    ["src/kernel/a.ts", 'import fs from "node:fs";', "pure-rand only"],
    ["src/world/a.ts", 'import { generateText } from "ai";', "models"],
    ["src/world/a.ts", 'import { o } from "@ai-sdk/openai";', "models"],
    ["src/runner/a.ts", 'import { Hono } from "hono";', "no web server"],
    ["src/runner/control/a.ts", 'import { Seat } from "../seats/seat.ts";', "below the seats"],
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
    ["src/observe/a.ts", "const k = process.argv[2];", "process.argv"],
    ["src/mind/a.ts", 'import { env } from "node:process";', "env"],
    ["src/runner/a.ts", "process.on('exit', f);", "has no process"],
  ],
  "files are short": [
    ["src/mind/a.ts", lines(401), "401 lines, 400"],
    ["test/mind/a.test.ts", lines(601), "601 lines, 600"],
  ],
  "functions are short": [
    ["src/mind/a.ts", longFunction("f"), "62 lines"],
    ["src/mind/a.ts", `const a = { m${longFunction("").slice(9)} };`, "lines"],
    ["test/a.test.ts", `it("x", function () {\n${lines(60)}});`, "62 lines"],
    ["src/mind/a.ts", "const f = (a, b, c, d) => a;", "4 parameters"],
    ["src/mind/a.ts", "type F = (a: 1, b: 1, c: 1, d: 1) => 1;", "4 parameters"],
    ["src/mind/a.ts", "class A { m(a, b, c, d) {} }", "4 parameters"],
    ["src/mind/a.ts", longSwitch("default: return 1;"), "lines"],
    ["src/mind/a.ts", longSwitch(`case "z": {\n${lines(60)}}`), "lines"],
  ],
  "lines are short": [["src/mind/a.ts", `const x = "${"é".repeat(90)}";`, "103 columns"]],
  "classes stand alone": [
    ["src/mind/a.ts", "class A extends B {}", "inherits"],
    ["src/mind/a.ts", "const A = class extends B.C {};", "inherits"],
    ["src/mind/a.ts", "class A extends Error {}\nclass B {}", "file of its own"],
    ["src/mind/a.ts", "class A { private x = 1; }", "#private"],
    ["src/mind/a.ts", "class A { protected m() {} }", "#private"],
    ["src/mind/a.ts", "class A { constructor(private x: 1) {} }", "#private"],
  ],
  "types tell the truth": [
    ["src/mind/a.ts", "const y = x as number;", "narrow it"],
    ["src/mind/a.ts", "const y = <number>x;", "narrow it"],
    ["src/mind/a.ts", 'let x: import("./b.ts").B;', "circles"],
  ],
  "files are kebab-case": [
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
  "errors are caught at boundaries only": [
    ["src/mind/a.ts", "try { f(); } catch {}", "as a value"],
    ["src/mind/a.ts", "f().catch(() => {});", "as a value"],
    ["src/cli/program.ts", "f();", "from the list"],
  ],
  "every source file is reached": [["src/mind/a.ts", "export const a = 1;", "no source file"]],
  "words are plain": [
    ["src/mind/a.ts", "// Whoever reads it", '"Whoever"; write: name the actor'],
    ["test/mind/a.test.ts", 'it("goes on", f);', "continue"],
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
      "source files are small in the middle",
      "short files have several importers",
      "exported types have names of their own",
      "folders are small",
    ];
    const shown = new Set([...Object.keys(BAD), ...shownBelow]);
    expect(RULES.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });

  it("name the line, also after characters of several bytes", () => {
    const text = 'const a = "é🎉";\n\n/* é */ let x = a as B;\n';
    expect(messages("types tell the truth", "src/mind/a.ts", text)[0]).toMatch(/^3 as/);
  });
});

const GOOD: readonly (readonly [path: string, text: string])[] = [
  ["src/mind/a.ts", 'import { x } from "../world/index.ts";\nimport { y } from "./b.ts";'],
  ["src/kernel/a.ts", 'import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";'],
  ["src/kernel/a.ts", "const d = event.Date; const o = { console: 1, Promise: 2 };"],
  ["src/kernel/a.ts", "// Date.now() and Math.random() are not for us\nconst s = 'console.log';"],
  ["src/world/a.ts", 'import { pid } from "node:process";\nconst w = process.memoryUsage();'],
  ["src/cli/run.ts", "console.log(process.argv, process.env.HOME);"],
  [
    "test/a.test.ts",
    `describe("x", () => {\n  it("y", () => {\n${lines(55)}  });\n${lines(50)}});`,
  ],
  ["src/kernel/a.ts", longSwitch("")],
  ["src/kernel/a.ts", longSwitch("default:\n  x satisfies never;")],
  ["test/a.test.ts", 'it.each(rows)("x", (a, b, c, d) => {});'],
  ["test/a.test.ts", 'const shipped = new URL("../agents/library", import.meta.url);'],
  ["src/world/web-assembly.d.ts", "declare class A extends Error {}\ndeclare class B {}"],
  ["test/a.test.ts", "try { f(); } catch {}\nconsole.log(process.env.A);"],
  ["src/mind/a.ts", `// https://example.com/${"a".repeat(100)}`],
  ["src/mind/a.ts", "export class Oops extends Error { #x = 1; }"],
  [
    "src/mind/a.ts",
    "const y = [1] as const; const z = {} satisfies object; const many = 'as any';",
  ],
  ["src/kernel/primitives/ids.ts", "const y = x as Id;"],
  ["src/world/event-codec.ts", "const y = x as Id;"],
  [
    "src/mind/a.ts",
    'import { a as b } from "./b.ts"; export { b }; export type { C } from "./c.ts";',
  ],
  ["src/mind/a.ts", "export const metadata = 1; const database = 2; const result = api.res;"],
  ["src/mind/a.ts", "const settings = { ctx: 1 }; const rawData = 1; export const basement = 1;"],
  ["src/mind/a.ts", "// UTF-16, SHA-256 and ISO-8601; see https://x.org/#12 and the 3rd item"],
  ["src/mind/a.ts", "const marks = ['TODO', 'FIXME', '#123'];"],
  ["src/world/sandbox/a.ts", "try { f(); } catch {}"],
];

/** This rule checks the whole project and has its own test below. */
const WHOLE = "every source file is reached";

it.each(GOOD)("%s passes every rule: %s", (path, text) => {
  const rules = RULES.filter(({ name }) => name !== WHOLE);
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

  it("has no short file with a single importer", () => {
    const rule = "short files have several importers";
    const importing = (path: string): Sources => ({ "src/mind/b.ts": `import "${path}";` });
    const crumb = { "src/mind/a.ts": lines(39) };
    expect(complaints(rule, { ...crumb, ...importing("./a.ts") })).toEqual([
      expect.stringMatching(/^src\/mind\/a.ts has 39 lines and one importer; .*src\/mind\/b.ts$/),
    ]);
    const kept: readonly Sources[] = [
      { "src/mind/a.ts": lines(40), ...importing("./a.ts") },
      { ...crumb, ...importing("./a.ts"), "src/mind/c.ts": 'import type { A } from "./a.ts";' },
      { "src/mind/a-worker.ts": "", ...importing("./a-worker.ts") },
      { "src/mind/a.ts": "export class A {}", ...importing("./a.ts") },
      { "src/mind/x/index.ts": "", ...importing("./x/index.ts") },
      { ...crumb, "src/mind/index.ts": 'export { x } from "./a.ts";' },
    ];
    for (const sources of kept) expect(complaints(rule, sources)).toEqual([]);
  });

  it("has one exported type of a name, or one meaning of it in the glossary", () => {
    const rule = "exported types have names of their own";
    const twice = {
      "src/mind/a.ts": "export type Offer = 1; type Own = 1;",
      "src/mind/b.ts": "export class Offer {} interface Own {}",
      "src/mind/index.ts": 'export type { Offer } from "./a.ts";',
    };
    expect(complaints(rule, twice)).toEqual([
      expect.stringMatching(/^src\/mind\/b.ts Offer is a type of src\/mind\/a.ts too; /),
    ]);
    const glossary = { path: "docs/glossary.md", text: "An `Offer` is one thing." };
    expect(complaints(rule, twice, { documents: [glossary] })).toEqual([]);
  });

  it("has at most 15 files in a folder, and 8 at the root of the kernel", () => {
    const filesIn = (folder: string, count: number): Sources =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}/a${n}.ts`, ""]));
    for (const [folder, max] of [
      ["src/mind", 15],
      ["src/kernel", 8],
    ] as const) {
      expect(complaints("folders are small", filesIn(folder, max))).toEqual([]);
      const over = complaints("folders are small", filesIn(folder, max + 2));
      expect(over).toHaveLength(2);
      expect(over[0]).toContain(`has ${max + 2} files, ${max} at most`);
    }
  });

  it("reads documents for words as well", () => {
    const documents = [{ path: "docs/a.md", text: "fine\nIt shall be." }];
    expect(complaints("words are plain", {}, { documents })).toEqual([
      'docs/a.md "shall"; write: will, must, should',
    ]);
  });

  it.each([
    [31, 20, ["join crumbs"]],
    [31, 200, ["split the big"]],
    [30, 20, []],
    [31, 90, []],
  ])("with %i files of %i lines is told: %j", (files, length, cures) => {
    const named = Array.from({ length: files }, (_, n) => [`src/mind/a${n}.ts`, lines(length)]);
    const found = complaints("source files are small in the middle", Object.fromEntries(named));
    expect(found).toEqual(cures.map((cure) => expect.stringContaining(cure)));
  });
});
