import { z } from "zod";
import { type Json, jsonIn, memoized, sameItems } from "../../kernel/index.ts";

/** Data of a provider that belongs to a block. The provider needs it in later calls. */
const meta = z.record(z.string(), z.custom<Json>()).exactOptional();

const chatBlock = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string(), meta }),
  z.object({ type: z.literal("reasoning"), text: z.string(), meta }),
  z.object({
    type: z.literal("tool_call"),
    id: z.string(),
    name: z.string(),
    /** Text if the model wrote arguments that are not JSON. */
    args: z.custom<Json>(),
    meta,
  }),
]);
/** A part of what a model says. */
export type ChatBlock = Readonly<z.infer<typeof chatBlock>>;
export type ToolCall = Extract<ChatBlock, { readonly type: "tool_call" }>;

/** The most levels of the arguments of a call. */
export const ARGS_DEPTH_MAX = 64;

export const textsOf = (blocks: readonly ChatBlock[]): readonly string[] =>
  blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));

export const callsOf = (blocks: readonly ChatBlock[]): readonly ToolCall[] =>
  blocks.filter((block) => block.type === "tool_call");

export const toolResult = z.object({
  id: z.string(),
  name: z.string(),
  text: z.string(),
  is_error: z.boolean(),
});
/** What a tool answered to the call with this id. */
export type ToolResult = Readonly<z.infer<typeof toolResult>>;

/** Results as people read them, and models whose conversation is plain text. */
export const resultsText = (results: readonly ToolResult[]): string =>
  results
    .map(({ name, text, is_error }) => `[${name}${is_error ? ", failed" : ""}]\n${text}`)
    .join("\n");

export const chatMessage = z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), text: z.string() }),
  z.object({ role: z.literal("assistant"), blocks: z.array(chatBlock) }),
  z.object({ role: z.literal("tool"), results: z.array(toolResult) }),
]);
export type ChatMessage =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly blocks: readonly ChatBlock[] }
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

/** A message as JSON. It is written once, because each step sends all messages before it again. */
export const messageJson = memoized(
  (message: ChatMessage): string => JSON.stringify(message),
  new WeakMap(),
);

/** The messages of a list as JSON, and where in `text` each of them ends. */
type Written = {
  readonly messages: readonly ChatMessage[];
  readonly text: string;
  readonly ends: readonly number[];
};

/** The last list with each first message. A longer list continues its text. */
const written = new WeakMap<ChatMessage, Written>();

export const writtenMessages = (messages: readonly ChatMessage[]): string => {
  const [first] = messages;
  if (first === undefined) return "[]";
  const last = written.get(first);
  const ends = last === undefined ? [] : last.ends.slice(0, sameItems(messages, last.messages));
  let text = last === undefined ? "[" : last.text.slice(0, ends.at(-1));
  for (const message of messages.slice(ends.length)) {
    text += `${ends.length === 0 ? "" : ","}${messageJson(message)}`;
    ends.push(text.length);
  }
  text += "]";
  written.set(first, { messages, text, ends });
  return text;
};

/** A text that all providers take: well-formed, and without NUL. */
export const soundText = (text: string): string => text.toWellFormed().replaceAll("\0", " ");

const messageList = z.array(chatMessage);
const blockList = z.array(chatBlock);

/** Reads a prompt that `writtenMessages` wrote. */
export const messagesIn = (prompt: string): readonly ChatMessage[] =>
  messageList.parse(jsonIn(prompt));

export const writtenBlocks = (blocks: readonly ChatBlock[]): string => JSON.stringify(blocks);

/** Reads the reply of a model. Null if it is not a list of blocks. */
export const blocksIn = (text: string): readonly ChatBlock[] | null =>
  blockList.safeParse(jsonIn(text)).data ?? null;
