import { z } from "zod";
import { cutText, isObject, type Json, type JsonObject, type Sleep } from "../kernel/index.ts";
import { fenceless, framed, type PluginReply } from "../mind/index.ts";
import {
  attributesOfResponse,
  attributesWithCalls,
  blocksOfResponse,
  blocksOfScript,
  CALLS_NAME,
  type ChatBlock,
  type ChatForm,
  type ChatMessage,
  callsOf,
  chatForm,
  estimateTokens,
  messageJson,
  RUN_CODE_NAME,
  readToolCalls,
  responseGuide,
  responseOfBlocks,
  resultsText,
  type ScriptLanguage,
  scriptOfBlocks,
  type ToolCall,
  type ToolOffer,
  type ToolResult,
  textsOf,
} from "../model/index.ts";
import {
  type Conversation,
  fitted,
  messageTokens,
  RESULT_CHARS_MAX,
} from "./conversation/conversation.ts";
import type { StepPlugins } from "./plugin/plugins.ts";
import { THOUGHT_MS_MAX } from "./shell/agent-shell.ts";
import {
  answered,
  failed,
  type Tool,
  type ToolAnswer,
  type ToolMoment,
  type ToolOutcome,
  type ToolSet,
  tool,
} from "./tool/tool.ts";
import { HAND_ON_NAME } from "./tool/world-tools.ts";
import { AFTER_ACTION, AFTER_END, ONE_ACTION } from "./turn.ts";
import type { Files } from "./workspace/files.ts";

/** Room for what stands around the output of a script, so that no fence is cut off. */
const AROUND_CHARS = 1_000;
const OUTPUT_CHARS_MAX = RESULT_CHARS_MAX - AROUND_CHARS;

/** What the calls of a script have led to so far. */
type Done = {
  files: Files | null;
  acted: { readonly name: string; readonly action: JsonObject } | null;
  ended: { readonly text: string; readonly sleep: Sleep | null } | null;
};

type Functions = ReadonlyMap<string, Tool<ToolOutcome>>;

/**
 * A tool that runs a script in `language`, which calls `functions`. Calls that answer at once stay
 * done if the script fails later. The first call that acts in the world is the action of the step.
 */
const runCode = (functions: Functions, language: ScriptLanguage): Tool =>
  tool({
    name: RUN_CODE_NAME,
    description: "Runs a script, which can call your tools as functions.",
    input: z.strictObject({
      code: z.string(),
      blocks: z.int().optional().describe("how many scripts the reply had; the first one runs"),
    }),
    run: async ({ code, blocks = 1 }, moment) => {
      const done: Done = { files: null, acted: null, ended: null };
      const run = language === "python" ? moment.runPython : moment.runCode;
      const ran = await run({
        code,
        functions: [...functions.keys()],
        call: (name, args) => answerOf(name, args, functions, moment, done),
      });
      const value = ran.ok ? valueText(ran.value) : "";
      const problem = ran.ok ? "" : `The script failed: ${ran.problem}`;
      const shown = [ran.log, value, problem].filter((part) => part !== "").join("\n");
      const notes = [
        ...(blocks > 1 ? [`Only the first of your ${blocks} scripts was run.`] : []),
        ...(ran.ok ? [] : ["What the script did before it failed stays done."]),
        ...(done.acted === null ? [] : [`${done.acted.name} is the action of this step.`]),
        ...(done.ended === null ? [] : [done.ended.text]),
      ];
      const output =
        shown === "" ? "(it printed and returned nothing)" : framed(cut(fenceless(shown)));
      const text = [`Result from script execution:\n\n${output}`, ...notes].join("\n");
      return outcomeFor(done, { text, isError: !ran.ok });
    },
  });

const outcomeFor = (
  { files, acted, ended }: Done,
  output: { readonly text: string; readonly isError: boolean },
): ToolOutcome => {
  const changed = files === null ? {} : { files };
  if (acted !== null) return { kind: "acts", action: acted.action, output, ...changed };
  const { text, isError } = output;
  if (ended !== null) return { kind: "ends", text, sleep: ended.sleep, ...changed };
  return { kind: isError ? "failed" : "answered", text, ...changed };
};

const valueText = (value: Json): string => {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
};

const cut = (text: string): string =>
  text.length <= OUTPUT_CHARS_MAX ? text : `${cutText(text, OUTPUT_CHARS_MAX)}\n[truncated]`;

const refused = (problem: string): ToolAnswer => ({ ok: false, problem });

/** Answers a call of a script. The action of the step is only noted: its result comes later. */
const answerOf = (
  name: string,
  args: Json,
  functions: Functions,
  moment: ToolMoment,
  done: Done,
): ToolAnswer => {
  const called = functions.get(name);
  if (called === undefined) return refused(`there is no function ${cutText(name, 100)}`);
  if (done.ended !== null) return refused(AFTER_END);
  const outcome = called.call(args, { ...moment, files: done.files ?? moment.files });
  switch (outcome.kind) {
    case "answered":
      done.files = outcome.files ?? done.files;
      return { ok: true, value: outcome.data ?? outcome.text };
    case "failed":
      return refused(cutText(outcome.data ?? outcome.text, RESULT_CHARS_MAX));
    case "acts":
      if (done.acted !== null) return refused(ONE_ACTION);
      done.acted = { name, action: outcome.action };
      return { ok: true, value: null };
    case "ends":
      if (done.acted !== null) return refused(AFTER_ACTION);
      done.ended = { text: outcome.text, sleep: outcome.sleep };
      return { ok: true, value: null };
  }
};

/**
 * How a model calls tools. Conversations are kept in one form, as blocks of text and calls with
 * their results. A protocol encodes them for the model, and decodes what the model says.
 */
export type Protocol = {
  /** What the system text says about calls. Empty if the provider tells the model. */
  readonly guide: string;
  /** The form of a step: the tools that the provider offers to the model. */
  readonly form: ChatForm;
  /** The tokens of the tools in `form`. */
  readonly offerTokens: number;
  /** The form of the last answer of a turn, in which the model can call nothing. */
  readonly lastForm: ChatForm;
  /** The tools that a step can run, by name. */
  readonly tools: ToolSet;
  readonly encode: (kept: readonly ChatMessage[]) => readonly ChatMessage[];
  readonly decode: (said: readonly ChatBlock[]) => readonly ChatBlock[];
  /** The attributes of what the model said, before it is decoded. */
  readonly attributes: (said: readonly ChatBlock[]) => Attributes;
};

type Attributes = PluginReply["attributes"];

/** What a protocol is made of: what the plugins of a step offer. */
type Offered = Pick<StepPlugins, "tools" | "slowTools" | "attributes">;

const LAST = "last_answer";
const SET_ATTRIBUTES = "set_attributes";

/** The tool with which a model gives attributes, if it does not write them into its reply. */
const attributesTool = (attributes: Offered["attributes"]): readonly Tool<ToolOutcome>[] => {
  if (attributes.length === 0) return [];
  const fields = attributes.map(({ name, description, required }) => {
    const text = z.string().describe(description);
    return [name, required ? text : text.optional()] as const;
  });
  const given = tool({
    name: SET_ATTRIBUTES,
    description: "Says more about this step, next to your other calls.",
    input: z.strictObject(Object.fromEntries(fields)),
    run: () => answered("noted"),
  });
  return [given];
};

/** The tools by name. Of two tools with one name, the first counts. */
const byName = <Each extends Tool<unknown>>(tools: readonly Each[]): ReadonlyMap<string, Each> =>
  new Map(tools.toReversed().map((each) => [each.offer.name, each]));

const offersOf = (tools: readonly Tool<unknown>[]): readonly ToolOffer[] => {
  const known = byName(tools);
  return tools.flatMap((each) => (known.get(each.offer.name) === each ? [each.offer] : []));
};

const attributesIn = (calls: readonly ToolCall[]): Attributes => {
  const given = calls.flatMap(({ name, args }) =>
    name === SET_ATTRIBUTES && isObject(args) ? Object.entries(args) : [],
  );
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
};

/** The provider tells the model of the tools, and the model calls them. */
const callsProtocol = ({ tools, slowTools, attributes }: Offered): Protocol => {
  const all = [...tools, ...slowTools, ...attributesTool(attributes)];
  const form = chatForm("tools", offersOf(all));
  return {
    guide: "",
    form,
    offerTokens: estimateTokens(form.described),
    lastForm: chatForm(LAST, []),
    tools: byName(all),
    encode: (kept) => kept,
    decode: (said) => said,
    attributes: (said) => attributesIn(callsOf(said)),
  };
};

/** The tools in words, for a model that the provider does not tell of them. */
const described = (tools: readonly Tool<unknown>[]): string =>
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

/** The attribute with which a model hands its turn on, as with the tool `hand_on`. */
const DESTINATION = {
  name: "destinationAgent",
  description:
    "The agent to whom you hand your turn on. It gets the text of your reply, and its answer " +
    "starts a turn of yours.",
  required: false,
  example: "",
};

/** A reply that names a destination and calls nothing, as a call of `hand_on`. */
const handedOn = (blocks: readonly ChatBlock[], to: string | undefined): readonly ChatBlock[] => {
  if (to === undefined || to === "" || callsOf(blocks).length > 0) return blocks;
  const args = { to, text: textsOf(blocks).join("\n") };
  return [...blocks, { type: "tool_call", id: DESTINATION.name, name: HAND_ON_NAME, args }];
};

/** The model writes its calls and the attributes into the head of its reply. */
const textProtocol = ({ tools, slowTools, attributes: others }: Offered): Protocol => {
  const attributes = attributesWithCalls([DESTINATION, ...others]);
  const all = [...tools, ...slowTools];
  return {
    guide: [responseGuide(attributes), TOOLS_TITLE, described(all)].join("\n"),
    form: chatForm("text", []),
    offerTokens: 0,
    lastForm: chatForm(LAST, []),
    tools: byName<Tool>([...all, UNREAD_CALLS]),
    encode: (kept) => plainMessages(kept, responseOfBlocks, resultsText),
    decode: (said) => {
      const { [DESTINATION.name]: to } = attributesOfResponse(said, attributes);
      return handedOn(blocksOfResponse(said, attributes), to);
    },
    attributes: (said) => attributesOfResponse(said, attributes),
  };
};

const JAVASCRIPT_GUIDE = `# How you call tools
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

const PYTHON_GUIDE = `# How you call tools
You call tools from a script. A reply is your text and at most one block with a script, such as:
I look at my draft.
<execution-code>
text = read_file(path="drafts/adder.js")
print(len(text))
"function run" in text
</execution-code>
The script is Python 3 with its standard library. Each tool is a global function with keyword
arguments. It returns a str, and raises a ToolError if the tool fails. read_file returns the plain
text of a file, and try_program the result of a draft as JSON. Your workspace is reached only by
these functions: files that the script opens itself are removed when it ends. Do not start threads
or other processes. A script has ${THOUGHT_MS_MAX / 1_000} seconds.
You get what the script prints, and its result: the value of the variable result if it is set, else
the value of the last line if that line is an expression. A function that acts in the world returns
None: its result comes in your next step. Only one such call of a step is done.
What a script did before it failed stays done. A reply without a block ends your turn.
These are the functions, each with the JSON Schema of its arguments:`;

const SCRIPTS = {
  javascript: { guide: JAVASCRIPT_GUIDE, form: chatForm("code", []) },
  python: { guide: PYTHON_GUIDE, form: chatForm("python", []) },
} as const;

/** The result of a script says by itself what it is. */
const scriptResults = (results: readonly ToolResult[]): string =>
  results.map(({ text }) => text).join("\n");

/** The model writes a script that calls the tools as functions. */
const scriptProtocol =
  (language: ScriptLanguage) =>
  ({ tools }: Offered): Protocol => {
    const { guide, form } = SCRIPTS[language];
    const said = (blocks: readonly ChatBlock[]): string => scriptOfBlocks(blocks, language);
    return {
      guide: `${guide}\n${described(tools)}`,
      form,
      offerTokens: 0,
      lastForm: chatForm(LAST, []),
      tools: byName<Tool>([runCode(byName(tools), language)]),
      encode: (kept) => plainMessages(kept, said, scriptResults),
      decode: blocksOfScript,
      attributes: () => ({}),
    };
  };

/**
 * A conversation as texts of a user and a model in turns, because some models refuse others. `said`
 * and `told` write what the model has said, and what it was told.
 */
const plainMessages = (
  kept: readonly ChatMessage[],
  said: (blocks: readonly ChatBlock[]) => string,
  told: (results: readonly ToolResult[]) => string,
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

const PROTOCOLS = {
  calls: callsProtocol,
  text: textProtocol,
  javascript: scriptProtocol("javascript"),
  python: scriptProtocol("python"),
} as const;
/** The ways in which a model can call tools. */
export type ProtocolName = keyof typeof PROTOCOLS;

/** The last protocol of each name, because agents without plugins of their own share it. */
const known = new Map<ProtocolName, { readonly offered: Offered; readonly protocol: Protocol }>();

/** The protocol of an agent, with what the plugins of a step offer. */
export const protocolFor = (name: ProtocolName, offered: Offered): Protocol => {
  const last = known.get(name);
  if (last !== undefined && isSame(last.offered, offered)) return last.protocol;
  const protocol = PROTOCOLS[name](offered);
  known.set(name, { offered, protocol });
  return protocol;
};

const isSame = (one: Offered, other: Offered): boolean =>
  haveSame(one.tools, other.tools) &&
  haveSame(one.slowTools, other.slowTools) &&
  haveSame(one.attributes, other.attributes);

const haveSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((each, at) => each === other[at]);

/** The tokens that a protocol adds to each call of a model. */
export const protocolTokens = ({ guide, offerTokens }: Protocol): number =>
  estimateTokens(guide) + offerTokens;

/** The tokens that a protocol adds to a message. */
const addedTokens = (message: ChatMessage, { encode }: Protocol): number => {
  const encoded = encode([message]);
  const tokens = encoded.reduce((sum, each) => sum + estimateTokens(messageJson(each)), 0);
  return tokens - messageTokens(message);
};

/** The conversation cut so far that it has at most `room` tokens as the protocol encodes it. */
export const fittedFor = (protocol: Protocol, whole: Conversation, room: number): Conversation => {
  const kept = fitted(whole, room);
  const said = Object.values(kept.messages).filter(({ role }) => role === "assistant");
  const isSame = protocol.encode(said) === said;
  const added = isSame ? 0 : said.reduce((sum, each) => sum + addedTokens(each, protocol), 0);
  return added <= 0 ? kept : fitted(whole, room - added);
};
