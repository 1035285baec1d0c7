import { describe, expect, it } from "vitest";
import { skillsIn } from "../../../src/tools/kinds.ts";

const PATH = "skills/sell/SKILL.md";
const skillWith = (frontMatter: string, body = "# How"): string =>
  `---\n${frontMatter}\n---\n${body}`;
const read = (text: string) => skillsIn(new Map([[PATH, text]]));
const problemOf = (text: string): string | undefined => read(text).problems[0]?.problem;

describe("a skill", () => {
  it("has a name and a description as front matter; other keys do not matter", () => {
    const text = skillWith('name: sell-2\ndescription: "How to sell."\nlicense: MIT');
    expect(read(text)).toEqual({
      skills: [{ name: "sell-2", description: "How to sell.", path: PATH }],
      problems: [],
    });
    expect(read(text.replaceAll("\n", "\r\n")).skills).toHaveLength(1);
  });

  it("is the file SKILL.md in a folder of skills, and the list is sorted by path", () => {
    const text = skillWith("name: a\ndescription: b");
    const paths = ["skills/z/SKILL.md", "skills/b/SKILL.md", "skills/SKILL.md", "SKILL.md"];
    const files = new Map([...paths, "skills/a/b/SKILL.md"].map((path) => [path, text]));
    expect(skillsIn(files).skills.map(({ path }) => path)).toEqual([
      "skills/b/SKILL.md",
      "skills/z/SKILL.md",
    ]);
  });

  it("may have 64 characters of name and 1024 of description", () => {
    const of = (name: number, description: number): string =>
      skillWith(`name: ${"n".repeat(name)}\ndescription: ${"d".repeat(description)}`);
    expect(read(of(64, 1_024)).skills).toHaveLength(1);
    expect(problemOf(of(65, 1_024))).toMatch(/^its name must have 1 to 64 letters and digits/);
    expect(problemOf(of(64, 1_025))).toMatch(/^its description must be a text of 1 to 1024/);
  });

  for (const [text, problem] of [
    ["# How to sell", /^begin it with front matter: ---, name/],
    ["---\nname: a\ndescription: b", /^begin it with front matter/],
    [skillWith("name: [a\ndescription: b"), /^its front matter is not YAML: /],
    [skillWith("- a\n- b"), /^its front matter must have name and description/],
    [skillWith("description: b"), /^its name must have/],
    [skillWith("name: a_b\ndescription: b"), /^its name must have/],
    [skillWith("name: -a\ndescription: b"), /^its name must have/],
    [skillWith("name: a--b\ndescription: b"), /^its name must have/],
    [skillWith("name: 12\ndescription: b"), /^its name must have/],
    [skillWith("name: a"), /^its description must be/],
    [skillWith('name: a\ndescription: " "'), /^its description must be/],
    [skillWith("name: &a b\ndescription: *a"), /^its description must be/],
    [skillWith(`name: a\nx: ${"y".repeat(2_000)}`), /more than 2000 characters/],
    [skillWith(`name: a\nx: ${"[".repeat(900)}`), /^its front matter is nested too deeply/],
    [skillWith(`${"- ".repeat(900)}a`), /^its front matter is nested too deeply/],
  ] as const) {
    it(`is not used if it is ${JSON.stringify(text.slice(0, 40))}`, () => {
      expect(problemOf(text)).toMatch(problem);
    });
  }
});
