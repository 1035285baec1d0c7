import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type ConversationTurn,
  conversationTurns,
  groupTurnsIntoBatches,
} from "../../../src/coding-agents/program/conversation-batch.ts";
import {
  detectCdCommands,
  workingFolder,
} from "../../../src/coding-agents/program/working-folder.ts";
import { folderWith } from "../../support/temporary-folder.ts";

const text = (content: string): ConversationTurn => ({ type: "text", content, tool_name: "" });
const bash = (command: unknown, tool_name = "Bash"): ConversationTurn => ({
  type: "tool_use",
  content: typeof command === "string" ? JSON.stringify({ command }) : "not JSON",
  tool_name,
});

describe("batches of a conversation", () => {
  it.each([
    [0, []],
    [1, [1]],
    [5, [5]],
    [6, [5, 1]],
    [12, [5, 5, 2]],
  ])("of %s turns have %j turns, in order", (count, sizes) => {
    const turns = Array.from({ length: count }, (_, at) => text(`turn ${at}`));
    const batches = groupTurnsIntoBatches(turns);
    expect(batches.map(({ turn_count }) => turn_count)).toEqual(sizes);
    const lines = batches.flatMap(({ summary }) => summary.split("\n"));
    expect(lines).toEqual(turns.map(({ content }) => `📝 ${content}`));
  });

  it("have one line for each turn, marked by its kind, and keep thinking whole", () => {
    const thought = "t".repeat(5_000);
    const turns: readonly ConversationTurn[] = [
      { type: "thinking", content: thought, tool_name: "" },
      text("Hello"),
      { type: "tool_use", content: '{"a":1}', tool_name: "Read" },
      { type: "tool_result", content: "ok", tool_name: "" },
      { type: "tool_use", content: "{}", tool_name: "Read" },
    ];
    expect(groupTurnsIntoBatches(turns)).toEqual([
      {
        summary: `💭 ${thought}\n📝 Hello\n🔧 Read({"a":1})\n→ ok\n🔧 Read({})`,
        turn_count: 5,
        tools_used: ["Read", "Read"],
      },
    ]);
  });

  it.each([
    [200, ""],
    [201, "..."],
  ])("show 200 characters of a result with %s", (length, end) => {
    const turns = [{ type: "tool_result", content: "r".repeat(length), tool_name: "" } as const];
    expect(groupTurnsIntoBatches(turns)[0]?.summary).toBe(`→ ${"r".repeat(200)}${end}`);
  });
});

it("the turns of a conversation have results of at most 2,000 characters, and no notes", () => {
  const turns = conversationTurns([
    { kind: "tool_use", id: "1", tool: "Bash", input: { command: "ls" } },
    { kind: "tool_result", id: "1", text: "x".repeat(2_001), is_error: false },
    { kind: "unknown", type: "rate_limit", text: "{}" },
  ]);
  expect(turns).toEqual([
    { type: "tool_use", content: '{"command":"ls"}', tool_name: "Bash" },
    { type: "tool_result", content: "x".repeat(2_000), tool_name: "" },
  ]);
});

describe("cd commands", () => {
  it.each([
    ["cd /path", ["/path"]],
    ["cd path", ["path"]],
    ['cd "my path"', ["my path"]],
    ["cd /tmp && ls", ["/tmp"]],
    ["ls && cd /tmp", ["/tmp"]],
    ["cd /a && cd b", ["/a", "b"]],
    ["make; cd out | cat", ["out"]],
    ["cd  && ls", []],
    ["echo cd /x", []],
  ])("of %j are %j", (command, paths) => {
    expect(detectCdCommands([bash(command)])).toEqual(paths);
  });

  it("are those of the tools that run commands, in order, and other content is ignored", () => {
    const turns = [
      bash("cd /a", "bash"),
      bash("cd /b"),
      bash("cd e", "run_shell_command"),
      bash(1),
      text("cd /c"),
      bash("cd d"),
    ];
    expect(detectCdCommands(turns)).toEqual(["/b", "e", "d"]);
  });
});

describe("the folder where cd commands lead", () => {
  const places = () => {
    const folder = folderWith({ "a/b/file": "", "home/x/file": "" });
    symlinkSync("/", join(folder, "out"));
    mkdirSync(join(folder, "c d"));
    return { folder, home: join(folder, "home") };
  };

  it.each([
    [["a"], "a"],
    [["a", "b"], "a/b"],
    [["a", "b", ".."], "a"],
    [["~"], "home"],
    [["~/x"], "home/x"],
    [["a", "-"], "a"],
    [["a", "$HOME/x"], "a"],
    [["-P a"], "a"],
    [["a > /dev/null"], "a"],
    [["a # the first"], "a"],
    [["c d"], "c d"],
    [["."], ""],
  ])("of %j is %j", (paths, end) => {
    const { folder, home } = places();
    expect(workingFolder(paths, { folder, home })).toBe(join(folder, end));
  });

  it.each([[[]], [["none"]], [["/"]], [[".."]], [["out"]], [["a/b/file"]]])(
    "is not known after %j",
    (paths) => {
      expect(workingFolder(paths, places())).toBeNull();
    },
  );
});
