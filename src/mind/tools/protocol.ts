import {
  attributesWithCalls,
  blocksOfResponse,
  blocksOfScript,
  CALLS_NAME,
  type ChatBlock,
  type ChatForm,
  type ChatMessage,
  chatForm,
  messageJson,
  type ResponseAttribute,
  readToolCalls,
  responseGuide,
  responseOfBlocks,
  resultsText,
  scriptOfBlocks,
  type ToolOffer,
  type ToolResult,
} from "../model/index.ts";
import { estimateTokens } from "../units.ts";
import { runCode } from "./code-tool.ts";
import { type Conversation, fitted } from "./conversation.ts";
import { BASH } from "./shell-tool.ts";
import { failed, type Tool, type ToolOutcome, type ToolSet } from "./tool.ts";
import { WORKSPACE_TOOLS } from "./workspace-tools.ts";
import { WORLD_TOOLS } from "./world-tools.ts";

/**
 * How a model calls tools. Conversations are kept in one form, as blocks of text and calls with
 * their results. A protocol encodes them for the model, and decodes what the model says.
 */
export type Protocol = {
  /** What the system text says about calls. Empty if the provider tells the model. */
  readonly guide: string;
  /** The form of a step: the tools that the provider offers to the model. */
  readonly form: ChatForm;
  /** The form of the last answer of a turn, in which the model can call nothing. */
  readonly lastForm: ChatForm;
  /** The tools that a step can run, by name. */
  readonly tools: ToolSet;
  readonly encode: (kept: readonly ChatMessage[]) => readonly ChatMessage[];
  readonly decode: (said: readonly ChatBlock[]) => readonly ChatBlock[];
};

const byName = <Each extends Tool<unknown>>(tools: readonly Each[]): ReadonlyMap<string, Each> =>
  new Map(tools.map((each) => [each.offer.name, each]));

const INSTANT: ReadonlyMap<string, Tool<ToolOutcome>> = byName([
  ...WORLD_TOOLS,
  ...WORKSPACE_TOOLS,
]);
const ALL: ToolSet = new Map<string, Tool>([...INSTANT, ...byName([BASH])]);

const offersOf = (tools: ReadonlyMap<string, Tool<unknown>>): readonly ToolOffer[] =>
  [...tools.values()].map(({ offer }) => offer);

const LAST = "last_answer";

/** The provider tells the model of the tools, and the model calls them. */
const CALLS: Protocol = {
  guide: "",
  form: chatForm("tools", offersOf(ALL)),
  lastForm: chatForm(LAST, []),
  tools: ALL,
  encode: (kept) => kept,
  decode: (said) => said,
};

/** The tools in words, for a model that the provider does not tell of them. */
const described = (tools: ReadonlyMap<string, Tool<unknown>>): string =>
  offersOf(tools)
    .map(({ name, description, input }) => `- ${name}: ${description}\n  ${JSON.stringify(input)}`)
    .join("\n");

/** A tool that answers calls that could not be read. */
const UNREAD_CALLS: Tool = {
  offer: { name: CALLS_NAME, description: "Says what is wrong with calls.", input: {} },
  isInternal: true,
  call: (args) => {
    const read = readToolCalls(typeof args === "string" ? args : JSON.stringify(args));
    return failed(read.ok ? `${CALLS_NAME} is not a tool` : read.problem);
  },
};

const TOOLS_TITLE = "\n# Your tools\nThese are the tools, each with the JSON Schema of its args:";

/** The model writes its calls into an attribute of its reply. Others can add attributes. */
export const textProtocol = (others: readonly ResponseAttribute[]): Protocol => {
  const attributes = attributesWithCalls(others);
  return {
    guide: [responseGuide(attributes), TOOLS_TITLE, described(ALL)].join("\n"),
    form: chatForm("text", []),
    lastForm: chatForm(LAST, []),
    tools: new Map([...ALL, ...byName([UNREAD_CALLS])]),
    encode: (kept) => plainMessages(kept, { said: responseOfBlocks, told: resultsText }),
    decode: (said) => blocksOfResponse(said, attributes),
  };
};

const CODE_GUIDE = `# How you call tools
You call tools from a script. A reply is your text and at most one block with a script, such as:
I look at my draft.
<execution-code>
const text = read_file({ path: "drafts/adder.js" });
print(text.length);
return text.includes("function run");
</execution-code>
The script is JavaScript without modules and promises, in the sandbox of the world. Each tool is a
global function of one object, without await. It returns a text, and throws an Error if the tool
fails. read_file returns the plain text of a file, and try_program the result of a draft as JSON.
You get what the script prints with print(...), and the value that it returns. A function that acts
in the world returns null: its result comes in your next step. Only one such call of a step is done.
What a script did before it failed stays done. A reply without a block ends your turn.
These are the functions, each with the JSON Schema of its object:`;

/** The result of a script says by itself what it is. */
const textsOf = (results: readonly ToolResult[]): string =>
  results.map(({ text }) => text).join("\n");

/** The model writes a script that calls the tools as functions. */
const CODE: Protocol = {
  guide: `${CODE_GUIDE}\n${described(INSTANT)}`,
  form: chatForm("code", []),
  lastForm: chatForm(LAST, []),
  tools: byName([runCode(INSTANT)]),
  encode: (kept) => plainMessages(kept, { said: scriptOfBlocks, told: textsOf }),
  decode: blocksOfScript,
};

/** How a conversation in plain text shows what a model has said, and what it was told. */
type Words = {
  readonly said: (blocks: readonly ChatBlock[]) => string;
  readonly told: (results: readonly ToolResult[]) => string;
};

/** A conversation as texts of a user and a model in turns, because some models refuse others. */
const plainMessages = (
  kept: readonly ChatMessage[],
  { said, told }: Words,
): readonly ChatMessage[] => {
  const messages: ChatMessage[] = [];
  for (const message of kept) {
    if (message.role === "assistant") {
      messages.push({ role: "assistant", blocks: [{ type: "text", text: said(message.blocks) }] });
      continue;
    }
    const text = message.role === "user" ? message.text : told(message.results);
    const last = messages.at(-1);
    if (last?.role !== "user") messages.push({ role: "user", text });
    else messages.splice(-1, 1, { role: "user", text: `${last.text}\n\n${text}` });
  }
  return messages;
};

/** The ways in which a model can call tools. */
export const PROTOCOLS = { calls: CALLS, text: textProtocol([]), code: CODE } as const;
export type ProtocolName = keyof typeof PROTOCOLS;

/** The tokens that a protocol adds to each call of a model. */
export const protocolTokens = ({ guide, form }: Protocol): number =>
  estimateTokens(guide) + offerTokens(form);

export const offerTokens = (form: ChatForm): number =>
  form.tools.length === 0 ? 0 : estimateTokens(form.described);

const tokensOf = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, message) => sum + estimateTokens(messageJson(message)), 0);

/** The conversation cut so far that it has at most `room` tokens as the protocol encodes it. */
export const fittedFor = (
  { encode }: Protocol,
  whole: Conversation,
  room: number,
): Conversation => {
  const kept = fitted(whole, room);
  const said = Object.values(kept.messages).filter(({ role }) => role === "assistant");
  const added = tokensOf(said.flatMap((message) => encode([message]))) - tokensOf(said);
  return added <= 0 ? kept : fitted(whole, room - added);
};
