import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { type Json, jsonIn, jsonProblem, memoizedMap } from "../../kernel/index.ts";
import { ARGS_DEPTH_MAX, type ChatBlock, type ChatMessage, type ToolResult } from "../port/chat.ts";
import type { ChatForm } from "../port/model.ts";

/**
 * The tools of a request, as the provider packages take them. The model decides whether to call
 * any.
 */
export const toolsFor = ({
  tools,
}: ChatForm): Pick<LanguageModelV4CallOptions, "tools" | "toolChoice"> =>
  tools.length === 0
    ? {}
    : {
        tools: tools.map(({ name, description, input }) => ({
          type: "function",
          name,
          description,
          inputSchema: { ...input },
        })),
        toolChoice: { type: "auto" },
      };

const messageFor = (message: ChatMessage): LanguageModelV4Message => {
  switch (message.role) {
    case "user":
      return { role: "user", content: [{ type: "text", text: message.text }] };
    case "assistant":
      return { role: "assistant", content: message.blocks.map(partFor) };
    case "tool":
      return { role: "tool", content: message.results.map(resultFor) };
  }
};

/** Messages as the provider packages take them. Each step sends the messages before it again. */
export const sdkMessages = memoizedMap(messageFor);

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

const partFor = (block: ChatBlock): AssistantPart => {
  const own =
    block.meta === undefined ? {} : { providerOptions: block.meta as SharedV4ProviderOptions };
  if (block.type !== "tool_call") return { type: block.type, text: block.text, ...own };
  const { id, name, args } = block;
  return { type: "tool-call", toolCallId: id, toolName: name, input: args, ...own };
};

const resultFor = ({ id, name, text, is_error }: ToolResult): LanguageModelV4ToolResultPart => ({
  type: "tool-result",
  toolCallId: id,
  toolName: name,
  output: { type: is_error ? "error-text" : "text", value: text },
});

/** A part of a reply as a block. Parts other than texts, reasoning and calls are left out. */
export const blockOf = (part: LanguageModelV4Content): readonly ChatBlock[] => {
  const { type } = part;
  if (type !== "text" && type !== "reasoning" && type !== "tool-call") return [];
  const own =
    part.providerMetadata === undefined
      ? {}
      : { meta: part.providerMetadata as { [provider: string]: Json } };
  if (type === "text") return [{ type, text: part.text, ...own }];
  if (type === "reasoning") return [{ type, text: part.text, ...own }];
  const { toolCallId: id, toolName: name, input } = part;
  const given = jsonIn(input === "" ? "{}" : input) ?? input;
  // Too deep a value could not be written again. As a text it is a wrong argument.
  const args = jsonProblem(given, ARGS_DEPTH_MAX) === null ? given : input;
  return [{ type: "tool_call", id, name, args, ...own }];
};
