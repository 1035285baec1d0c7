import { expect, it } from "vitest";
import { readTurnFolder } from "../../../src/run/persona/workspace-folder.ts";
import { folderWith } from "../../support/temporary-folder.ts";

const DEEP = `${"a/".repeat(14)}x.md`;
const MANY = Object.fromEntries(Array.from({ length: 2_100 }, (_, n) => [`z/${n}.md`, "x"]));

const read = (files: Readonly<Record<string, string>>, before: ReadonlyMap<string, string>) => {
  const found = readTurnFolder(folderWith(files), { diskBytes: 10_000_000, before });
  if (!found.ok) throw new Error(JSON.stringify(found.problems));
  return found;
};

it("keeps the other files next to a folder that is nested too deeply", () => {
  const { files, problems } = read({ "good.md": "good", [DEEP]: "deep" }, new Map());
  expect([...files]).toEqual([["good.md", "good"]]);
  expect(problems.map(({ message }) => message)).toEqual(["is nested too deeply"]);
});

it("keeps the first files of too many", () => {
  const { files, problems } = read({ "good.md": "good", ...MANY }, new Map());
  expect(files.get("good.md")).toBe("good");
  expect(problems.map(({ message }) => message)).toContain("is one file too many");
});

it("keeps a file as it was if its new content cannot be in a workspace, and hidden files", () => {
  const before = new Map([
    ["plan.md", "old"],
    [".hidden", "kept"],
    ["gone.md", "deleted"],
  ]);
  const { files, problems } = read({ "plan.md": "x".repeat(3_000_000) }, before);
  expect(files.get("plan.md")).toBe("old");
  expect(files.get(".hidden")).toBe("kept");
  expect(files.has("gone.md")).toBe(false);
  expect(problems).toHaveLength(1);
});
