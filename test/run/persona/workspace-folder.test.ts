import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { showProblem } from "../../../src/run/config/index.ts";
import { surveyPersonas } from "../../../src/run/persona/load-personas.ts";
import { folderWith } from "../../support/temporary-folder.ts";

type FileTexts = Readonly<Record<string, string>>;

const PERSONA = "id: smith\nmind: tools\n";

const smithWith = (files: FileTexts, persona = PERSONA): string =>
  folderWith({
    "smith/agent.yaml": persona,
    ...Object.fromEntries(
      Object.entries(files).map(([path, text]) => [`smith/workspace/${path}`, text]),
    ),
  });

const surveyOf = (dir: string, diskBytes = 250_000) => {
  const { personas, problems } = surveyPersonas({ dirs: [dir], seed: 1, diskBytes });
  const shown = (lines: readonly string[]) => lines.map((line) => line.replace(`${dir}/`, ""));
  return {
    personas,
    problems: shown(problems.map(showProblem)),
    warnings: shown(personas.flatMap(({ warnings }) => warnings.map(showProblem))),
  };
};

const problemsOf = (files: FileTexts): readonly string[] => surveyOf(smithWith(files)).problems;

describe("the folder workspace of a persona", () => {
  it("holds the files with which each of its agents starts, sorted by path", () => {
    const files = { "notes/b.md": "two", "AGENTS.md": "one", "notes/a.md": "" };
    const { personas } = surveyOf(smithWith(files, `${PERSONA}count: 2\n`));
    const content = '{"AGENTS.md":"one","notes/a.md":"","notes/b.md":"two"}';
    expect(personas.map(({ workspace }) => workspace)).toEqual([content, content]);
    expect(surveyOf(smithWith({})).personas).toMatchObject([{ workspace: null, warnings: [] }]);
  });

  it("is not used by other minds, which a warning says", () => {
    const { personas, warnings } = surveyOf(smithWith({ "A.md": "" }, "id: smith\nmind: llm\n"));
    expect(personas).toMatchObject([{ workspace: null }]);
    const why = "is not used: the mind is llm; only mind: cli, tools or code has a workspace";
    expect(warnings).toEqual([`smith/workspace: ${why}`]);
  });

  it("has a warning about what its files cost in each step", () => {
    const { warnings } = surveyOf(smithWith({ "AGENTS.md": "x".repeat(9_000) }));
    expect(warnings).toEqual([
      expect.stringMatching(
        /^smith\/workspace: about 25\d\d tokens of these files are in every model call/,
      ),
    ]);
    expect(surveyOf(smithWith({ "drafts/a.js": "x".repeat(9_000) })).warnings).toEqual([]);
  });

  it("is refused if a path or a size is not that of a file in a workspace", () => {
    const rename = "rename or delete the file";
    const names = "use letters, digits, _, - and . in names, and a letter, digit or _ first";
    expect(problemsOf({ ".DS_Store": "" })).toEqual([
      `smith/workspace/.DS_Store: path ".DS_Store": ${names}; ${rename}`,
    ]);
    expect(problemsOf({ "a.md": "", "A.md": "" })).toEqual([
      `smith/workspace/a.md: path a.md: A.md differs only in case; use that path; ${rename}`,
    ]);
    expect(problemsOf({ "big.md": "x".repeat(100_001) })).toEqual([
      "smith/workspace/big.md: big.md would have 100001 characters; a file has 100000; " +
        "change or delete the file",
    ]);
    expect(problemsOf({ "nul.md": "\0" })).toEqual([
      "smith/workspace/nul.md: nul.md: the text must be Unicode without NUL; " +
        "change or delete the file",
    ]);
    const many = Array.from({ length: 201 }, (_, n) => [`n${n + 100}.md`, ""] as const);
    expect(problemsOf(Object.fromEntries(many))).toEqual([
      expect.stringMatching(/^smith\/workspace\/n300.md: the workspace has its maximum of 200/),
    ]);
  });

  it("is refused if it is a file, or if it has a link or a file that is not text", () => {
    const linked = smithWith({ "a.md": "" });
    symlinkSync("/etc/hostname", join(linked, "smith", "workspace", "b.md"));
    expect(surveyOf(linked).problems).toEqual([
      "smith/workspace/b.md: is not a regular file; copy the file itself here",
    ]);
    const binary = smithWith({ "a.md": "" });
    writeFileSync(join(binary, "smith", "workspace", "b.md"), Buffer.from([0xff, 0xfe]));
    expect(surveyOf(binary).problems).toEqual([
      "smith/workspace/b.md: cannot be read: it is not UTF-8 text",
    ]);
    const elsewhere = folderWith({ "smith/agent.yaml": PERSONA });
    symlinkSync(folderWith({ "a.md": "" }), join(elsewhere, "smith", "workspace"));
    expect(surveyOf(elsewhere).problems).toEqual([
      "smith/workspace: is not a folder; put the files of the agent in a folder",
    ]);
    const file = folderWith({ "smith/agent.yaml": PERSONA, "smith/workspace": "text" });
    expect(surveyOf(file).problems).toEqual([
      "smith/workspace: is not a folder; put the files of the agent in a folder",
    ]);
  });

  it("is refused if a skill cannot be used", () => {
    expect(problemsOf({ "skills/sell/SKILL.md": "# Sell" })).toEqual([
      "smith/workspace/skills/sell/SKILL.md: " +
        "begin it with front matter: ---, name: …, description: …, ---",
    ]);
  });

  it("is refused if it does not fit on the disk of an agent", () => {
    const dir = smithWith({ "a.md": "x".repeat(80) });
    const bytes = '{"a.md":""}'.length + 80 + "workspace".length;
    expect(surveyOf(dir, bytes).problems).toEqual([]);
    expect(surveyOf(dir, bytes - 1).problems).toEqual([
      `smith/workspace: takes ${bytes} bytes, but the disk of an agent has ${bytes - 1}; ` +
        "delete files, or raise resources.stock.disk_bytes",
    ]);
  });
});
