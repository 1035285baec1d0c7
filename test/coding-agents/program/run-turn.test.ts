import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { AgentStatus, Segment } from "../../../src/coding-agents/index.ts";
import { folderWith, temporaryFolder } from "../../support/temporary-folder.ts";
import { HOST, turn } from "./turns.ts";

const SAY = { does: "say", text: "Done." } as const;
const USE = { does: "use", tool: "Read", input: { file_path: "a.ts" }, result: "code" } as const;
const KNOWN = { session_id: "s-0", reported: { input_tokens: 100, output_tokens: 10 } };
const DIALECTS = ["claude", "codex", "gemini"] as const;

describe.each(DIALECTS)("a turn of %s", (dialect) => {
  it("has what was said, the answer, the session and the usage", async () => {
    const report = { does: "report", input: 50, output: 5, usd: 0.01 } as const;
    const first = { does: "say", text: "I look." } as const;
    const done = await turn(dialect, [first, USE, SAY, report]);
    expect(done).toMatchObject({
      ...{ success: true, exit_code: 0, error: null, stderr: "", timed_out: false },
      ...{ output: "Done.", session_id: "session-1", aborted: false, not_found: false },
    });
    const cost_micros = dialect === "claude" ? 10_000 : null;
    expect(done.usage).toEqual({ input_tokens: 50, output_tokens: 5, calls: 2, cost_micros });
    const kinds = done.segments.map(({ kind }) => kind).filter((kind) => kind !== "unknown");
    expect(kinds).toEqual(["text", "tool_use", "tool_result", "text"]);
    expect(done.attempts).toHaveLength(1);
    expect(done.attempts[0]).toMatchObject({ resumed: false, segment_count: done.segments.length });
  });

  it("tells what it does, while it does it", async () => {
    const said: (Segment | AgentStatus | string)[] = [];
    const done = await turn(dialect, [SAY, USE, SAY], {
      onSegment: (segment) => said.push(segment),
      onStatus: (status) => said.push(status),
      onSession: (id) => said.push(id),
    });
    const segments = said.filter((each) => typeof each === "object" && !isStatus(each));
    expect(segments).toEqual(done.segments);
    const statuses = said.flatMap((each) => (isStatus(each) ? [each.kind] : []));
    const whole = ["waiting", "thinking", "tool", "thinking", "waiting"];
    expect(statuses.filter((kind, at) => kind !== statuses[at - 1])).toEqual(whole);
    expect(said).toContain("session-1");
  });

  it("continues its session, and starts a new one if the program fails", async () => {
    const broken = [{ does: "say", text: "Half." } as const, { does: "exit", code: 7 } as const];
    const done = await turn(dialect, [SAY], { session: KNOWN, resumed: broken });
    expect(done).toMatchObject({ success: true, output: "Done.", exit_code: 0 });
    expect(done.attempts).toMatchObject([
      { resumed: true, success: false, exit_code: 7, error: "it ended with exit code 7" },
      { resumed: false, success: true, exit_code: 0 },
    ]);
    const texts = done.segments.flatMap((each) => (each.kind === "text" ? [each.text] : []));
    expect(texts).toEqual(["Half.", "Done."]);
  });

  it("is tried once if its session continues, or if there is none", async () => {
    const resumed = await turn(dialect, [{ does: "exit", code: 1 }], {
      session: KNOWN,
      resumed: [SAY],
    });
    expect(resumed.attempts).toMatchObject([{ resumed: true, success: true }]);
    const fresh = await turn(dialect, [{ does: "exit", code: 1 }]);
    expect(fresh.attempts).toMatchObject([{ resumed: false, success: false }]);
  });

  it("fails if the stream says so, also with the exit code 0", async () => {
    const done = await turn(dialect, [SAY, { does: "fail", message: "out of quota" }]);
    expect(done).toMatchObject({ success: false, exit_code: 0, error: "out of quota" });
  });

  it("gets the prompt, the environment of its provider, and nothing else", async () => {
    const folder = folderWith();
    const env = { ...HOST, MY_SECRET: "s", ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o" };
    const variables = { SEAT_TOKEN: "t" };
    const more = { systemPrompt: "You are ada.", env, variables, folder };
    await turn(dialect, [{ does: "record", path: "seen.json" }], more);
    const seen = JSON.parse(readFileSync(join(folder, "seen.json"), "utf8"));
    expect(seen.prompt).toContain("Do it.");
    expect(seen.prompt + seen.args.join(" ")).toContain("You are ada.");
    expect(seen.env).toMatchObject(variables);
    expect(seen.env).not.toHaveProperty("MY_SECRET");
    expect("OPENAI_API_KEY" in seen.env).toBe(dialect === "codex");
    expect("ANTHROPIC_API_KEY" in seen.env).toBe(dialect === "claude");
  });

  it("gets a system prompt of any length", async () => {
    const folder = folderWith();
    const more = { systemPrompt: "é".repeat(100_000), folder };
    const done = await turn(dialect, [{ does: "record", path: "seen.json" }], more);
    expect(done.error).toBeNull();
    const seen = JSON.parse(readFileSync(join(folder, "seen.json"), "utf8"));
    expect(seen.prompt).toBe(`${more.systemPrompt}\n\n---\n\nDo it.`);
  });

  it("calls tools of the MCP server that it is given", async () => {
    const server = fileURLToPath(
      new URL("../../support/fake-coding-agent/mcp-server.ts", import.meta.url),
    );
    const folder = folderWith({ "user.txt": "" });
    const call = { does: "call_mcp", tool: "echo", args: { text: "hello" } } as const;
    const mcpServer = { command: process.execPath, args: [server] };
    const done = await turn(dialect, [call], { mcpServer, folder });
    const result = done.segments.find(({ kind }) => kind === "tool_result");
    expect(result).toMatchObject({ text: expect.stringContaining("you said hello") });
  });
});

const isStatus = (each: Segment | AgentStatus | string): each is AgentStatus =>
  typeof each === "object" &&
  ["waiting", "thinking", "tool"].includes(each.kind) &&
  !("text" in each);

describe("a turn", () => {
  it("of Codex counts the tokens since the turn before", async () => {
    const report = { does: "report", input: 150, output: 30 } as const;
    const done = await turn("codex", [SAY, report], { session: KNOWN });
    expect(done.usage).toMatchObject({ input_tokens: 50, output_tokens: 20 });
    expect(done.reported).toEqual({ input_tokens: 150, output_tokens: 30 });
  });

  it("of a command has its text, and the first words of stderr if it fails", async () => {
    const noise = { does: "print_error", text: "e".repeat(600) } as const;
    const done = await turn("text", [SAY, noise, { does: "exit", code: 3 }]);
    expect(done).toMatchObject({ success: false, output: "Done.", exit_code: 3 });
    expect(done.stderr).toBe("e".repeat(500));
    expect((await turn("text", [SAY, noise])).stderr).toBe("");
  });

  it("of a program that is not installed says so, and is not tried again", async () => {
    const program = { provider: "claude", executable: "no-such-agent", args: [] } as const;
    const done = await turn("claude", [], {
      program: { ...program, model: null, unsafe: false },
      session: KNOWN,
    });
    expect(done).toMatchObject({ success: false, not_found: true, exit_code: null });
    expect(done.error).toMatch(/^no-such-agent cannot be started: no such file/);
    expect(done.attempts).toHaveLength(1);
  });

  it("does not start in a folder that does not exist", async () => {
    const done = await turn("claude", [SAY], { folder: "/none", session: KNOWN });
    expect(done).toMatchObject({ error: "/none is not a folder", not_found: false });
    expect(done.attempts).toHaveLength(1);
  });

  it("does not start if it was stopped before", async () => {
    const done = await turn("claude", [SAY], { signal: AbortSignal.abort() });
    expect(done).toMatchObject({ aborted: true, segments: [], error: "it was stopped" });
  });

  it("of Gemini adds its server to the settings of the folder", async () => {
    const file = ".gemini/settings.json";
    const folder = folderWith({ [file]: '{"theme":"dark"}' });
    const mcpServer = { command: "true", args: [] };
    await turn("gemini", [SAY], { folder, mcpServer });
    const { theme, mcpServers } = JSON.parse(readFileSync(join(folder, file), "utf8"));
    expect([theme, Object.keys(mcpServers)]).toEqual(["dark", ["catallaxy"]]);
    const broken = folderWith({ [file]: "// none" });
    const refused = await turn("gemini", [SAY], { folder: broken, mcpServer });
    expect(refused.error).toMatch(/settings.json is not an object of JSON$/);
  });

  it("of Gemini does not write its settings through a link", async () => {
    const [folder, other] = [folderWith({ "a.txt": "" }), temporaryFolder()];
    symlinkSync(other, join(folder, ".gemini"));
    const mcpServer = { command: "true", args: [] };
    const refused = await turn("gemini", [SAY], { folder, mcpServer });
    expect(refused.error).toBe(`${join(folder, ".gemini")} is a link`);
    expect(readdirSync(other)).toEqual([]);
  });
});
