import { describe, expect, it } from "vitest";
import { z } from "zod";
import { showProblem } from "../../../src/run/config/problem.ts";
import { checkYaml, parseYaml } from "../../../src/run/config/yaml-file.ts";

const step = z.lazy(() => z.strictObject({ wait: z.number().optional(), do: z.json().optional() }));

const schema = z.strictObject({
  name: z.string().min(2).max(5),
  size: z.int().min(1).max(9),
  kind: z.enum(["red", "green"]),
  steps: z.array(step).optional(),
  prices: z
    .record(z.string().regex(/^[a-z]+$/, { error: "must be lower case" }), z.int())
    .optional(),
  limit: z.number().positive().nullable().optional(),
  pair: z.union([z.strictObject({ a: z.int() }), z.strictObject({ b: z.string() })]).optional(),
});

/** What is wrong with a text, as lines without the name of the file. */
const wrong = (text: string): readonly string[] => {
  const parsed = parseYaml("f", text);
  const checked = parsed.ok ? checkYaml(parsed.yaml, schema) : parsed;
  return checked.ok ? [] : checked.problems.map((each) => showProblem(each).slice(2));
};

const GOOD = "name: abc\nsize: 3\nkind: red\n";

describe("YAML that a person wrote", () => {
  it("is accepted when the schema accepts it", () => {
    expect(wrong(GOOD)).toEqual([]);
    expect(wrong(`\uFEFF${GOOD.replaceAll("\n", "\r\n")}`)).toEqual([]);
  });

  it.each([
    ["a: [1\nb: 2", /^2:1: not valid YAML: flow sequence/],
    ["a: 'x\n", /^2:1: not valid YAML: missing closing/],
    ["a: 1\nb: 2\na: 3\n", /^3:1: the key `a` occurs twice; keep one$/],
    ["a:\n\t- b\n", /^2:1: indent with spaces, not with tabs$/],
    ["a: 1\n---\nb: 2\n", /^2:1: a second document starts here; only one is allowed$/],
    ["? [1]\n: 2\n", /^1:3: a key must be text$/],
    [
      "a: b: c\n",
      /^1:4: .*; put text with a colon in quotes, and indent the keys of a map equally$/,
    ],
    ["a: 1\n b: 2\n", /^1:4: .* indent the keys of a map equally$/],
    ["a: 1\nb\n", /^2:1: .*; write `key: value`$/],
    ["a: @b\n", /^1:4: .*; put the text in quotes$/],
    ["a: 'it's'\n", /^1:8: .*; check the quotes and the indentation$/],
    ["a: !what 3\n", /^1:4: not valid YAML: unresolved tag: !what$/],
  ])("%j is reported once, with its place", (text, line) => {
    expect(wrong(text)).toEqual([expect.stringMatching(line)]);
  });

  it.each(["a: &x 1\nb: *x\n", "b: *ghost\n", "a: &a [*a]\n"])("%j has an alias", (text) => {
    expect(wrong(text)).toEqual([expect.stringContaining("aliases (`*name`) are not allowed")]);
  });

  it("reports all missing keys of an empty file", () => {
    expect(wrong("# nothing yet\n")).toEqual([
      "1:1: `name` is missing; it must be text",
      "1:1: `size` is missing; it must be a whole number",
      "1:1: `kind` is missing; it must be one of red, green",
    ]);
  });

  it("must be a map", () => {
    const list =
      "1:1: must be a map of keys and values, not a list; remove the `- ` before the keys";
    expect(wrong("- 1\n")).toEqual([list]);
  });
});

describe("a value that a schema refuses", () => {
  it.each([
    ["nmae: abc", "4:1: unknown key `nmae`; did you mean `name`?"],
    ["weight: 1", "4:1: unknown key `weight`"],
    ["__proto__: { a: 1 }", "4:1: unknown key `__proto__`"],
    ["steps:\n  - wait: 1\n  - wiat: 2", "6:5: unknown key `steps[1].wiat`; did you mean `wait`?"],
    ["steps: [{ wait: soon }]", '4:17: `steps[0].wait` must be a number, not "soon"'],
    ["steps: 3", "4:8: `steps` must be a list, not 3"],
    ["prices: { UP: 1 }", "4:11: `prices.UP` must be lower case"],
    ["prices:\n  up:\n", "5:3: `prices.up` must be a whole number, not nothing"],
    ["limit: 0", "4:8: `limit` must be more than 0, not 0"],
    ["limit: .inf", "4:8: `limit` must be a number, not Infinity"],
    ["pair: { b: 2 }", "4:12: `pair.b` must be text, not 2; put it in quotes"],
    ["pair: 7", "4:7: `pair` must be a map of keys and values, not 7"],
  ])("%j", (more, line) => {
    expect(wrong(`${GOOD}${more}\n`)).toEqual([line]);
  });

  it("is reported with all others, from top to bottom", () => {
    expect(wrong("kind: rad\nsize: 10\nname: a\n")).toEqual([
      '1:7: `kind` must be one of red, green, not "rad"; did you mean `red`?',
      "2:7: `size` must be at most 9, not 10",
      '3:7: `name` must have at least 2 characters, not "a"',
    ]);
  });

  it("is shortened if it is long", () => {
    expect(wrong(GOOD.replace("abc", "x".repeat(60)))).toEqual([
      `1:7: \`name\` must have at most 5 characters, not "${"x".repeat(39)}…`,
    ]);
  });

  it("keeps its place when a check asks another schema", () => {
    const inner = z.strictObject({ wait: z.number() });
    const outer = z.strictObject({
      steps: z.array(
        z.unknown().superRefine((given, context) => {
          for (const issue of inner.safeParse(given).error?.issues ?? []) {
            const params = { schema: inner, issue };
            context.addIssue({ code: "custom", path: [...issue.path], message: "?", params });
          }
        }),
      ),
    });
    const parsed = parseYaml("f", "steps:\n  - wait: 1\n  - wait: x\n    waitt: 2\n");
    const checked = parsed.ok ? checkYaml(parsed.yaml, outer) : parsed;
    expect(checked.ok ? [] : checked.problems.map(showProblem)).toEqual([
      'f:3:11: `steps[1].wait` must be a number, not "x"',
      "f:4:5: unknown key `steps[1].waitt`; did you mean `wait`?",
    ]);
  });
});
