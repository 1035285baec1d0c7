import type { Json } from "../../../src/kernel/index.ts";
import type { Dialect, Step } from "./plan.ts";

type Said = Extract<Step, { readonly does: "think" | "say" | "use" | "fail" }>;
type Usage = Extract<Step, { readonly does: "report" }>;

/** The lines that a program prints, as its provider documents them. */
export type Lines = {
  readonly start: (session: string) => readonly object[];
  readonly step: (step: Said, number: number) => readonly object[];
  readonly end: (usage: Usage | null, said: string, failure: string | null) => readonly object[];
};

const claudeMessage = (number: number, block: object): object => ({
  type: "assistant",
  message: {
    id: `msg_${number}`,
    role: "assistant",
    content: [block],
    usage: { input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 2 },
  },
  session_id: "another",
});

const claude: Lines = {
  start: (session_id) => [
    { type: "system", subtype: "hook_started", session_id: "not-this" },
    { type: "system", subtype: "init", session_id, tools: ["Bash"], model: "claude-test" },
  ],
  step: (step, number) => {
    const id = `toolu_${number}`;
    switch (step.does) {
      case "think":
        return [claudeMessage(number, { type: "thinking", thinking: step.text, signature: "x" })];
      case "say":
        return [claudeMessage(number, { type: "text", text: step.text })];
      case "use": {
        const use = { type: "tool_use", id, name: step.tool, input: step.input };
        const content = [{ type: "text", text: step.result }];
        const block = { type: "tool_result", tool_use_id: id, content, is_error: step.isError };
        return [
          claudeMessage(number, use),
          { type: "user", message: { role: "user", content: [block] } },
        ];
      }
      case "fail":
        return [];
    }
  },
  end: (usage, said, failure) => [
    {
      type: "result",
      subtype: failure === null ? "success" : "error_during_execution",
      is_error: failure !== null,
      result: failure ?? said,
      num_turns: 1,
      total_cost_usd: usage?.usd,
      usage: {
        input_tokens: usage?.input ?? 0,
        output_tokens: usage?.output ?? 0,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
    },
  ],
};

const codexItem = (type: string, item: object): object => ({ type, item });

const codex: Lines = {
  start: (thread_id) => [{ type: "thread.started", thread_id }, { type: "turn.started" }],
  step: (step, number) => {
    const id = `item_${number}`;
    switch (step.does) {
      case "think":
        return [codexItem("item.completed", { id, type: "reasoning", text: step.text })];
      case "say":
        return [codexItem("item.completed", { id, type: "agent_message", text: step.text })];
      case "use": {
        const [kind, own, out] = codexTool(step);
        const status = step.isError === true ? "failed" : "completed";
        return [
          codexItem("item.started", { id, type: kind, ...own, status: "in_progress" }),
          codexItem("item.updated", { id, type: kind, ...own, status: "in_progress" }),
          codexItem("item.completed", { id, type: kind, ...own, ...out, status }),
        ];
      }
      case "fail":
        return [
          { type: "error", message: "Reconnecting... 1/5" },
          { type: "turn.failed", error: { message: step.message } },
        ];
    }
  },
  end: (usage, _, failure) =>
    failure === null
      ? [
          {
            type: "turn.completed",
            usage: {
              input_tokens: usage?.input ?? 0,
              cached_input_tokens: 0,
              output_tokens: usage?.output ?? 0,
            },
          },
        ]
      : [],
};

type Use = Extract<Step, { readonly does: "use" }>;

const codexTool = ({ tool, input, result, isError }: Use): readonly [string, object, object] => {
  const [, server, name] = /^mcp__(.+)__(.+)$/.exec(tool) ?? [];
  if (server !== undefined) {
    const content = [{ type: "text", text: result }];
    return ["mcp_tool_call", { server, tool: name, arguments: input }, { result: { content } }];
  }
  const command = JSON.stringify(input);
  const output = { aggregated_output: result, exit_code: isError === true ? 1 : 0 };
  return ["command_execution", { command }, output];
};

const at = (type: string, more: object): object => ({
  type,
  timestamp: "2026-01-01T00:00:00.000Z",
  ...more,
});

const pieces = (text: string): readonly string[] => text.match(/[\s\S]{1,7}/gu) ?? [];

const gemini: Lines = {
  start: (session_id) => [
    at("init", { session_id, model: "gemini-test" }),
    at("message", { role: "user", content: "the prompt" }),
  ],
  step: (step, number) => {
    const tool_id = `call_${number}`;
    switch (step.does) {
      case "think":
        return [];
      case "say":
        return pieces(step.text).map((content) =>
          at("message", { role: "assistant", content, delta: true }),
        );
      case "use":
        return [
          at("tool_use", { tool_name: step.tool, tool_id, parameters: step.input }),
          at("tool_result", {
            tool_id,
            status: step.isError === true ? "error" : "success",
            output: step.result,
          }),
        ];
      case "fail":
        return [at("error", { severity: "warning", message: "loop detected" })];
    }
  },
  end: (usage, _, failure) => [
    at("result", {
      status: failure === null ? "success" : "error",
      ...(failure === null ? {} : { error: { type: "Error", message: failure } }),
      stats: { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0, tool_calls: 0 },
    }),
  ],
};

export const DIALECTS: { readonly [D in Exclude<Dialect, "text">]: Lines } = {
  claude,
  codex,
  gemini,
};

/** What a program prints that speaks no format. */
export const plainText = (step: Said): string => {
  switch (step.does) {
    case "think":
    case "say":
      return `${step.text}\n\n`;
    case "use":
      return `$ ${step.tool} ${JSON.stringify(step.input satisfies Json)}\n${step.result}\n\n`;
    case "fail":
      return `failed: ${step.message}\n`;
  }
};
