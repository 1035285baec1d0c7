import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { KINDS } from "../../../src/policy/library/front-matter.ts";
import { run } from "./engine-runner.ts";
import { everything, type Recipe, SHIPPED_FOLDER, shipped } from "./shipped.ts";

const CODE_LINES_MAX = 70;
const LINE_CHARS_MAX = 100;
const BANNED =
  "Date random setTimeout setInterval async await import export require BigInt console process " +
  "globalThis eval Function Promise Proxy Symbol WeakMap WeakSet WeakRef Intl normalize";

const named = (recipes: readonly Recipe[]) => recipes.map((each) => [each.name, each] as const);

const examplesOf = ({ interface: { methods } }: Recipe) =>
  methods.flatMap(({ name, examples }) => examples.map((example) => ({ name, ...example })));

/** Words of the code outside strings and comments. */
function wordsOf(code: string): readonly string[] {
  const bare = code.replace(/\/\/.*$/gm, "").replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return bare.match(/[A-Za-z_$][\w$]*/g) ?? [];
}

describe("the shipped programs", () => {
  it("are many, in many topics, and many have variants", () => {
    expect(shipped.length).toBeGreaterThanOrEqual(48);
    expect([...new Set(shipped.map(({ topic }) => topic))].sort()).toEqual([
      ...["encoding", "numbers", "parsing", "pricing", "search", "statistics", "tables", "text"],
      "validation",
    ]);
    expect(shipped.filter((each) => each.variants.length > 0).length).toBeGreaterThan(20);
  });

  it("have unique names, variants included", () => {
    const names = everything.map((each) => each.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
  });

  it("use every kind of data there is", () => {
    const used = new Set(shipped.flatMap(({ takes, gives }) => [takes, gives]));
    expect(KINDS.filter((kind) => !used.has(kind))).toEqual([]);
  });

  it.each(named(everything))("%s returns the results of its examples", (_, each) => {
    for (const { name, args, result } of examplesOf(each)) {
      expect({ args, ...run(each.code, name, args) }).toEqual({ args, ok: true, result });
    }
  });

  it.each(named(everything))("%s refuses invalid arguments and says what it needs", (_, each) => {
    for (const { name } of each.interface.methods) {
      const outcomes = [run(each.code, name, []), run(each.code, name, [true])];
      const refusals = outcomes.map((outcome) => (outcome.ok ? "accepted" : outcome.reason));
      const acceptsAnyJson = each.takes === "json";
      expect(refusals[0]).toMatch(/^bad_input: .{20,}/);
      expect(refusals[1]).toMatch(acceptsAnyJson ? /./ : /^bad_input: .{20,}/);
    }
  });

  it.each(named(everything))("%s uses only what the sandbox offers", (_, { code }) => {
    const banned = new Set(BANNED.split(" "));
    const found = wordsOf(code).filter((word) => banned.has(word) || /^[A-Z].*Array$/.test(word));
    expect(found).toEqual([]);
  });

  it.each(named(shipped))("%s is short and uses all of its functions", (_, each) => {
    const { code } = each;
    expect(code.split("\n").length).toBeLessThanOrEqual(CODE_LINES_MAX);
    const defined = [...code.matchAll(/^function (\w+)\(/gm)].map((match) => match[1] ?? "");
    const offered = each.interface.methods.map((method) => method.name);
    expect(defined.filter((name) => !name.startsWith("_"))).toEqual(offered);
    const idle = defined.filter((name) => name.startsWith("_") && code.split(name).length < 3);
    expect(idle).toEqual([]);
  });

  it.each(named(shipped))("%s returns the same results with every line indented", (_, each) => {
    const moved = each.code.replace(/^/gm, "    ");
    for (const { name, args, result } of examplesOf(each)) {
      expect(run(moved, name, args)).toEqual({ ok: true, result });
    }
  });
});

const files = readdirSync(SHIPPED_FOLDER, { recursive: true, encoding: "utf8" });

it.each(files.filter((file) => file.endsWith(".js")))(
  "%s has no line over 100 characters",
  (file) => {
    const lines = readFileSync(join(SHIPPED_FOLDER, file), "utf8").split("\n");
    expect(lines.filter((line) => line.length > LINE_CHARS_MAX)).toEqual([]);
  },
);
