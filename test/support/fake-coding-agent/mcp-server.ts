/** An MCP server with one tool, which says what it was asked. */
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const server = new McpServer({ name: "echo", version: "1.0.0" });
server.registerTool(
  "echo",
  { description: "Says the text.", inputSchema: z.object({ text: z.string() }) },
  ({ text }) => ({ content: [{ type: "text", text: `you said ${text}` }] }),
);
await server.connect(new StdioServerTransport());
