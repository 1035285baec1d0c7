import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Json } from "../../../src/kernel/index.ts";
import type { Dialect } from "./plan.ts";

type Server = { readonly command: string; readonly args: string[] };

/** The server that the configuration of the provider names, as the provider would read it. */
const serverIn = (dialect: Dialect, args: readonly string[]): Server => {
  const after = (flag: string): string => args[args.indexOf(flag) + 1] ?? "";
  switch (dialect) {
    case "claude":
      return JSON.parse(after("--mcp-config")).mcpServers.catallaxy;
    case "gemini":
      return JSON.parse(readFileSync(".gemini/settings.json", "utf8")).mcpServers.catallaxy;
    case "codex": {
      const settings = args.flatMap((arg) => {
        const [, key, value = ""] = /^mcp_servers\.catallaxy\.(\w+)=(.*)$/s.exec(arg) ?? [];
        return key === undefined ? [] : [[key, JSON.parse(value)] as const];
      });
      const { command, args: own } = Object.fromEntries(settings);
      return { command, args: own };
    }
    case "text":
      throw new Error("a command has no configuration");
  }
};

type Call = { readonly tool: string; readonly input: { [key: string]: Json } };

/** Starts the server, calls one tool of it, and returns what it answers. */
export const callMcp = async (
  dialect: Dialect,
  args: readonly string[],
  { tool, input }: Call,
): Promise<string> => {
  const client = new Client({ name: "fake-coding-agent", version: "1.0.0" });
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined) env[name] = value;
  await client.connect(new StdioClientTransport({ ...serverIn(dialect, args), env }));
  const answer = await client.callTool({ name: tool, arguments: input });
  await client.close();
  return JSON.stringify(answer.content);
};
