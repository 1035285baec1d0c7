import { describe, expect, it } from "vitest";
import { agentEnvironment } from "../../../src/coding-agents/program/environment.ts";
import { markVariable, newMark } from "../../../src/coding-agents/program/marked-processes.ts";
import {
  type AgentProvider,
  launchOf,
  PROVIDERS,
} from "../../../src/coding-agents/program/providers.ts";
import { CODING_AGENTS } from "../../../src/mind/index.ts";

const TASK = { prompt: "Do it.", systemPrompt: "You are ada.", sessionId: null, mcpServer: null };
const MCP = { mcpServer: { command: "/bin/sim", args: ["mcp", 'a "b"'] } };

const launch = (provider: AgentProvider, task = {}, program = {}) =>
  launchOf(
    { provider, executable: null, args: [], model: null, unsafe: false, ...program },
    { ...TASK, ...task },
  );

const BYPASSES = /skip-permissions|bypass|yolo/;

describe.each(CODING_AGENTS)("the command line of %s", (provider) => {
  it("asks for a stream, and gets the prompt on its standard input", () => {
    const { file, args, stdin } = launch(provider);
    expect(file).toBe(provider);
    expect(args.join(" ")).toMatch(/--output-format stream-json|--json/);
    expect(args).not.toContain(TASK.prompt);
    expect(stdin).toContain(TASK.prompt);
  });

  it("continues a session by its id, never the last one of the folder", () => {
    const { args } = launch(provider, { sessionId: "s-1" });
    expect(args.join(" ")).toMatch(/(--resume=|resume )s-1/);
    expect(launch(provider).args.join(" ")).not.toMatch(/resume|continue|--last/);
    expect(args.join(" ")).not.toMatch(/--continue|--last|latest/);
  });

  it("skips permissions only if it is unsafe", () => {
    expect(launch(provider, MCP).args.join(" ")).not.toMatch(BYPASSES);
    expect(launch(provider, {}, { unsafe: true }).args.join(" ")).toMatch(BYPASSES);
  });

  it("takes a model, more arguments and another executable", () => {
    const program = { model: "tiny", args: ["--debug"], executable: "/opt/agent" };
    const { file, args } = launch(provider, { sessionId: "s-1" }, program);
    expect(file).toBe("/opt/agent");
    expect(args.join(" ")).toContain("--model tiny");
    expect(args).toContain("--debug");
  });

  it("names a page that says how to install it", () => {
    expect(PROVIDERS[provider].installPage).toMatch(/^https:\/\//);
  });
});

describe("an MCP server", () => {
  it("is given to Claude Code as its only one, and its tools are allowed", () => {
    const { args } = launch("claude", MCP);
    const config = JSON.parse(args[args.indexOf("--mcp-config") + 1] ?? "");
    expect(config).toEqual({ mcpServers: { catallaxy: MCP.mcpServer } });
    expect(args).toContain("--strict-mcp-config");
    expect(args[args.indexOf("--allowedTools") + 1]).toBe("mcp__catallaxy");
  });

  it("is given to Codex as settings, and its tools need no approval", () => {
    const settings = launch("codex", MCP).args.filter((arg) => arg.startsWith("mcp_servers"));
    expect(settings).toEqual([
      'mcp_servers.catallaxy.command="/bin/sim"',
      'mcp_servers.catallaxy.args=["mcp","a \\"b\\""]',
      'mcp_servers.catallaxy.default_tools_approval_mode="approve"',
    ]);
  });

  it("is given to Gemini CLI in a file of the folder", () => {
    const { settings, args } = launch("gemini", MCP);
    const server = { ...MCP.mcpServer, trust: true };
    const value = { mcpServers: { catallaxy: server } };
    expect(settings).toEqual({ path: ".gemini/settings.json", value });
    expect(args).toContain("--allowed-mcp-server-names");
    expect(launch("gemini").settings).toBeNull();
  });
});

it("a command of the user gets the system prompt and the prompt on its standard input", () => {
  const program = { provider: "command", argv: ["my-agent", "--quiet"], stream: "text" } as const;
  const { file, args, stdin, stream } = launchOf(program, TASK);
  expect([file, args, stream]).toEqual(["my-agent", ["--quiet"], "text"]);
  expect(stdin).toBe("You are ada.\n\n---\n\nDo it.");
});

describe("the environment of a coding agent", () => {
  const host = {
    PATH: "/bin",
    HOME: "/home/ada",
    LC_ALL: "C",
    ANTHROPIC_API_KEY: "a",
    OPENAI_API_KEY: "o",
    GEMINI_API_KEY: "g",
    SECRET: "s",
    CLAUDECODE: "1",
  };

  it("has the marks of the turns around it, so that it ends with them", () => {
    const mark = markVariable(newMark());
    expect(agentEnvironment({ ...host, ...mark }, [], {})).toMatchObject(mark);
  });

  it.each([
    ["claude", "ANTHROPIC_API_KEY"],
    ["codex", "OPENAI_API_KEY"],
    ["gemini", "GEMINI_API_KEY"],
  ] as const)("of %s has common variables and its own keys, and no others", (provider, key) => {
    const env = agentEnvironment(host, PROVIDERS[provider].variables, { SEAT: "t" });
    expect(Object.keys(env).sort()).toEqual([...["HOME", "LC_ALL", "PATH", "SEAT"], key].sort());
  });
});
