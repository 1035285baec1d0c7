import { isObject, type Json, jsonIn, jsonProblem } from "../../kernel/index.ts";
import { ARGS_DEPTH_MAX, type ChatBlock, callsOf, type ToolCall, textsOf } from "../port/chat.ts";
import { type ResponseAttribute, readResponse, writtenResponse } from "./response-text.ts";

/** The attribute with calls. Calls that cannot be read become a call of a tool with this name. */
export const CALLS_NAME = "calls";

const EXAMPLE = '[{"tool": "read_file", "args": {"path": "drafts/adder.js"}}]';

const CALLS: ResponseAttribute = {
  name: CALLS_NAME,
  description:
    "the tools that you call in this step, as a JSON list of objects with tool and args. Without " +
    "a call, your turn ends.",
  required: false,
  example: EXAMPLE,
};

export const attributesWithCalls = (
  others: readonly ResponseAttribute[],
): readonly ResponseAttribute[] => [CALLS, ...others];

/** What a model that says nothing and calls nothing has said. */
const COMPLETED = "I have completed my task.";

/** What the model said, as text and calls. Reasoning stays in front. */
export const blocksOfResponse = (
  said: readonly ChatBlock[],
  attributes: readonly ResponseAttribute[],
): readonly ChatBlock[] => {
  const response = readResponse(textsOf(said).join(""), attributes);
  const others = said.filter(({ type }) => type !== "text");
  const given = response.attributes.get(CALLS_NAME) ?? "";
  const calls = readToolCalls(given);
  const called = calls.ok ? calls.calls : [{ name: CALLS_NAME, args: given }];
  const blocks = called.map((call): ToolCall => ({ type: "tool_call", id: "", ...call }));
  const isSilent = response.text === "" && blocks.length === 0;
  const text = isSilent ? COMPLETED : response.text;
  const shown: readonly ChatBlock[] = text === "" ? [] : [{ type: "text", text }];
  return [...others, ...shown, ...blocks];
};

/** The attributes of a reply, besides the calls. */
export const attributesOfResponse = (
  said: readonly ChatBlock[],
  attributes: readonly ResponseAttribute[],
): { readonly [name: string]: string } => {
  const read = readResponse(textsOf(said).join(""), attributes).attributes;
  return Object.fromEntries([...read].filter(([name]) => name !== CALLS_NAME));
};

/** The blocks as the model would have written them. Leaves out reasoning. */
export const responseOfBlocks = (blocks: readonly ChatBlock[]): string => {
  const calls = callsOf(blocks);
  const [first] = calls;
  const isUnread = first?.name === CALLS_NAME && typeof first.args === "string";
  const list = calls.map(({ name, args }) => ({ tool: name, args }));
  const written = isUnread ? String(first.args) : JSON.stringify(list);
  const attributes = calls.length === 0 ? [] : ([[CALLS_NAME, written]] as const);
  return writtenResponse({ attributes: new Map(attributes), text: textsOf(blocks).join("\n") });
};

type GivenCall = { readonly name: string; readonly args: Json };

type CallsRead =
  | { readonly ok: true; readonly calls: readonly GivenCall[] }
  | { readonly ok: false; readonly problem: string };

const NOTHING = /^(?:none|null|n\/a|no calls)?\.?$/i;

/** Reads the calls of a reply, as a list or as one object. Never throws. */
export const readToolCalls = (given: string): CallsRead => {
  if (NOTHING.test(given)) return { ok: true, calls: [] };
  const found = jsonIn(given);
  if (found === undefined) return wrong("is not JSON");
  const problem = jsonProblem(found, ARGS_DEPTH_MAX);
  if (problem !== null) return wrong(`cannot be used (${problem})`);
  const list: readonly Json[] = Array.isArray(found) ? found : [found];
  const calls = list.map(callIn);
  const at = calls.indexOf(null);
  if (at !== -1) return wrong(`has no tool in entry ${at + 1}`);
  return { ok: true, calls: calls.filter((call) => call !== null) };
};

const RIGHT = `it takes a JSON list such as ${EXAMPLE}`;

const wrong = (problem: string): CallsRead => ({
  ok: false,
  problem: `nothing was called: the attribute ${CALLS_NAME} ${problem}; ${RIGHT}`,
});

/** Some models write the names that they know from other protocols. */
const callIn = (given: Json): GivenCall | null => {
  if (!isObject(given)) return null;
  const { tool = given.name, args = given.arguments ?? {} } = given;
  return typeof tool === "string" && tool !== "" ? { name: tool, args } : null;
};
