import type { Json } from "../../kernel/index.ts";
import { type ChatMessage, conversationIn, messagesOf } from "../../mind/index.ts";

/** A message, or one result of a tool. */
export type SaidLine = {
  readonly role: ChatMessage["role"];
  /** The name of the tool that answered, or null. */
  readonly tool: string | null;
  readonly is_error: boolean;
  readonly text: string;
  /** The tools that the message calls. */
  readonly calls: readonly { readonly name: string; readonly args: Json }[];
};

/** The latest `limit` lines of a conversation, oldest first. `total` counts all lines. */
export type ConversationView = { readonly total: number; readonly lines: readonly SaidLine[] };

/** The conversation of an agent with tools, as its mind keeps it. Empty for other minds. */
export const conversationView = (mind: Json, limit: number): ConversationView => {
  const lines = messagesOf(conversationIn(mind)).flatMap(linesOf);
  return { total: lines.length, lines: lines.slice(-limit) };
};

const linesOf = (message: ChatMessage): readonly SaidLine[] => {
  const { role } = message;
  const plain = { role, tool: null, is_error: false, calls: [] };
  if (role === "user") return [{ ...plain, text: message.text }];
  if (role === "tool") {
    return message.results.map(({ name, text, is_error }) => {
      return { ...plain, tool: name, text, is_error };
    });
  }
  const texts = message.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const calls = message.blocks.flatMap((block) =>
    block.type === "tool_call" ? [{ name: block.name, args: block.args }] : [],
  );
  return [{ ...plain, text: texts.join("\n"), calls }];
};
