import { expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import type { ModelRun } from "../support/model-run.ts";
import { type Call, messagesOf, resultsIn, runSmith } from "./smith.ts";

const systemOf = (ran: ModelRun, at: number): string => String(messagesOf(ran, at)[0]?.content);

const writes = (path: string, text: string): Call => ["write_file", { path, text }];

it("what an agent writes into its files is in the system text of its next step", async () => {
  const skill = "---\nname: haggle\ndescription: How to haggle.\n---\nStart low.";
  const ran = await runSmith([
    [["note", { text: "I have looked around." }]],
    [
      ["note", { text: "No agent sells halves." }],
      writes("memory/MEMORY.md", "Halves are missing."),
      writes("AGENTS.md", "Sell halves."),
      writes("skills/haggle/SKILL.md", skill),
    ],
    [["read_file", { path: "skills/haggle/SKILL.md" }]],
  ]);
  expect(systemOf(ran, 0)).not.toContain("# Your files");
  const notes = "## Recent daily notes\n<data>\n# 2000-01-01\n\nI have looked around.";
  expect(systemOf(ran, 1)).toContain(`${notes}\n</data>`);
  const [, files] = systemOf(ran, 2).split("shown\nas data.\n\n");
  expect(files).toBe(
    "## AGENTS.md\nSell halves.\n\n" +
      "## Skills\nBefore you do what a skill is for, read its file with read_file.\n\n" +
      "- haggle (skills/haggle/SKILL.md): How to haggle.\n\n" +
      "## Long-term memory\n<data>\nHalves are missing.\n</data>\n\n" +
      `${notes}\nNo agent sells halves.\n</data>`,
  );
  expect(resultsIn(ran)[0]).toBe("added to memory/200001/20000101.md");
  expect(resultsIn(ran).at(-1)).toContain("Start low.");
  // What stays the same comes first, so that the provider can cache it.
  expect(systemOf(ran, 3).startsWith(systemOf(ran, 0))).toBe(true);
  expect(ran.replayedHash).toBe(ran.result.stateHash);
});

it("files with more tokens than tools.files_tokens are cut in the system text alone", async () => {
  const long = ["AGENTS.md", "SOUL.md", "USER.md"].map((path) => writes(path, "y".repeat(8_000)));
  const ran = await runSmith([long], { tools: { files_tokens: 3_000 } });
  const [before, after] = [systemOf(ran, 0), systemOf(ran, 1)];
  expect(after.length - before.length).toBeLessThanOrEqual(3_000 * 3.6);
  expect(after).toMatch(/\n\[\d+ characters cut here; read_file shows them\]/);
  expect(after).toMatch(/\[not shown for lack of space: USER.md\]$/);
  const content = ran.state.artifacts.get(asId("smith_workspace"))?.content ?? "";
  expect(content.length).toBeGreaterThan(24_000);
});
