import { type Dice, isObject, type Json, type JsonObject, jsonIn } from "../../kernel/index.ts";
import {
  attributesWithCalls,
  blocksOfResponse,
  responseOfBlocks,
} from "../chat-text/calls-in-text.ts";
import { type ScriptLanguage, scriptOfBlocks } from "../chat-text/script-text.ts";
import { type ChatBlock, type ChatMessage, messagesIn } from "../port/chat.ts";
import type { ModelRequest, ToolOffer } from "../port/model.ts";
import { choiceFor, programChoice } from "./choice.ts";
import { PROGRAMS, TASK_PROGRAMS } from "./programs.ts";
import { factsIn, type PromptFacts } from "./prompt-facts.ts";
import { schemaValue } from "./schema-value.ts";

const FOLDER = "drafts/";
const WAIT_S_MAX = 8;
const COUNT_LINES = { command: `wc -l ${FOLDER}*.js | sort -n` };

/**
 * Returns what the mock model says in a conversation with tools, in the protocol of the request.
 * It drafts each program in a file, counts the lines of its drafts, tries the program with the
 * arguments of its example, and publishes it. After an action, it notes what it did and ends its
 * turn. In half of its turns, it calls a tool of a plugin instead, if the request offers one. The
 * last text of a turn that a message started says what the agent sells, as an answer.
 */
export const toolStepFor = (request: ModelRequest, dice: Dice): readonly ChatBlock[] => {
  const sent = request.messages ?? messagesIn(request.prompt);
  if (request.form?.name === "last_answer") {
    return [{ type: "text", text: "I have used all my steps and continue in my next turn." }];
  }
  const protocol = WRITTEN.get(request.form?.name ?? "");
  if (protocol === undefined) return blocksFor(sent, request, dice);
  const blocks = blocksFor(withCalls(sent, protocol), request, dice);
  return [{ type: "text", text: protocol.written(blocks) }];
};

const blocksFor = (
  messages: readonly ChatMessage[],
  request: ModelRequest,
  dice: Dice,
): readonly ChatBlock[] => {
  const start = messages.findLastIndex(({ role }) => role === "user");
  const situation = messages[start];
  const steps = messages.slice(start + 1);
  const prompt = situation?.role === "user" ? situation.text : "";
  const facts = factsIn({ system: request.system, prompt });
  const number = messages.length;
  const call = (why: string, name: string, args: JsonObject): readonly ChatBlock[] => [
    { type: "text", text: why },
    { type: "tool_call", id: `call_${number}`, name, args },
  ];
  const last = lastCallIn(steps);
  const draft = last === null ? null : draftIn(last, facts);
  if (last === null) {
    const own = ownToolIn(request, dice);
    if (own !== null) return call(`I use ${own.name}.`, own.name, ownArgs(own, { prompt, dice }));
    const { why, kind, fields } = choiceFor(facts, dice);
    if (kind === "noop") {
      const said = lastWord(prompt, facts, why);
      return call(said, "wait", { for_s: 1 + dice.pick(WAIT_S_MAX) });
    }
    const { artifact_id: id, code } = fields;
    if (typeof id !== "string" || typeof code !== "string") return call(why, kind, fields);
    return [
      ...call(`${why} I draft it first.`, "write_file", { path: `${FOLDER}${id}.js`, text: code }),
      { type: "tool_call", id: `call_${number}_count`, name: "bash", args: COUNT_LINES },
    ];
  }
  if (draft !== null && last.name === "write_file" && !last.failed) {
    const { path, program } = draft;
    return call("I try the draft.", "try_program", { path, args: program.example.args });
  }
  if (draft !== null && last.name === "try_program" && !last.failed) {
    const { fields } = programChoice(facts, draft.program, dice);
    const { code: _, ...others } = fields;
    return call("It works, so I publish it.", "write_artifact", {
      ...others,
      code_file: draft.path,
    });
  }
  const summary = last.failed ? `${last.name} failed.` : `I have used ${last.name}.`;
  return [
    ...call(lastWord(prompt, facts, "That is all for now."), "note", { text: summary }),
    { type: "tool_call", id: `call_${number}_end`, name: "end_turn", args: { summary } },
  ];
};

/** The last text of a turn. It depends on what the turn started with. */
const lastWord = (prompt: string, facts: PromptFacts, end: string): string => {
  if (prompt.startsWith("A new turn starts at ")) return end;
  if (prompt.startsWith("This is your heartbeat.")) return "HEARTBEAT_OK";
  if (prompt.startsWith("You are helper-")) return "I have done what the task asks for.";
  return `${wordOn(facts)} ${end}`;
};

const OFFERS_NAMED_MAX = 3;

/** What the agent has to say about its business. */
const wordOn = ({ own }: PromptFacts): string => {
  const offers = own.filter(({ isProgram }) => isProgram).slice(0, OFFERS_NAMED_MAX);
  if (offers.length === 0) return "Thank you for your message. I have no program to sell yet.";
  const named = offers.map(({ id, price }) => `${id} for ${price} scrip`).join(", ");
  return `Thank you for your message. I sell ${named}.`;
};

/** The tools that every agent has. */
const KNOWN: ReadonlySet<string> = new Set([
  ...["look", "search_market", "read_artifact", "write_artifact", "invoke_artifact", "wait"],
  ...["end_turn", "list_files", "read_file", "search_files", "write_file", "edit_file"],
  ...["apply_patch", "delete_file", "note", "try_program", "bash", "send_message", "hand_on"],
  ...["start_helper", "wait_for_helper"],
]);

const ownToolIn = ({ form }: ModelRequest, dice: Dice): ToolOffer | null => {
  const own = (form?.tools ?? []).filter(({ name }) => !KNOWN.has(name));
  return own.length === 0 || dice.chance(0.5) ? null : (dice.choose(own) ?? null);
};

const ownArgs = ({ input }: ToolOffer, source: Parameters<typeof schemaValue>[1]): JsonObject => {
  const value = schemaValue(input, source);
  return isObject(value) ? value : {};
};

/** A protocol in which the mock model writes its calls as text. */
type WrittenProtocol = {
  readonly read: (text: string) => readonly ChatBlock[];
  readonly written: (blocks: readonly ChatBlock[]) => string;
};

function writtenScripts(language: ScriptLanguage): WrittenProtocol {
  return {
    read: callsOfScript,
    // Scripts have no shell.
    written: (blocks) =>
      scriptOfBlocks(
        blocks.filter((block) => !isCallOf(block, ["bash"])),
        language,
      ),
  };
}

const WRITTEN: ReadonlyMap<string, WrittenProtocol> = new Map([
  [
    "text",
    {
      read: (text) => blocksOfResponse([{ type: "text", text }], attributesWithCalls([])),
      written: responseOfBlocks,
    },
  ],
  ["code", writtenScripts("javascript")],
  ["python", writtenScripts("python")],
]);

const isCallOf = (block: ChatBlock, names: readonly string[]): boolean =>
  block.type === "tool_call" && names.includes(block.name);

/** A line of a script of the mock model, in JavaScript or in Python. */
const SCRIPT_LINE = /^print\((\w+)\((?:\*\*)?(.*)\)\)$/gm;
/** Texts, which stay as they are, and words of Python. */
const TEXT_OR_WORD = /"(?:[^"\\]|\\.)*"|True|False|None/g;
const JSON_OF: { readonly [word: string]: string } = { True: "true", False: "false", None: "null" };

function callsOfScript(text: string): readonly ChatBlock[] {
  return [...text.matchAll(SCRIPT_LINE)].map(([, name = "", written = ""]) => {
    const args = written.replace(TEXT_OR_WORD, (part) => JSON_OF[part] ?? part);
    return { type: "tool_call", id: name, name, args: jsonIn(args) ?? {} };
  });
}

const FAILED = /^\[\w+, failed\]|^The script failed/m;

/** The conversation with its calls and results as a provider with tool calls would send it. */
const withCalls = (
  sent: readonly ChatMessage[],
  { read }: WrittenProtocol,
): readonly ChatMessage[] => {
  let call: ChatBlock | undefined;
  return sent.map((message): ChatMessage => {
    if (message.role === "assistant") {
      const blocks = message.blocks.flatMap((block) => ("text" in block ? read(block.text) : []));
      const ended = blocks.some((block) => isCallOf(block, ["wait", "end_turn"]));
      call = ended ? undefined : blocks.find(({ type }) => type === "tool_call");
      return { role: "assistant", blocks };
    }
    if (message.role === "tool" || call?.type !== "tool_call") return message;
    const { id, name } = call;
    const is_error = FAILED.test(message.text);
    return { role: "tool", results: [{ id, name, text: message.text, is_error }] };
  });
};

type LastCall = { readonly name: string; readonly args: Json; readonly failed: boolean };

const lastCallIn = (steps: readonly ChatMessage[]): LastCall | null => {
  const said = steps.findLast(({ role }) => role === "assistant");
  const done = steps.findLast(({ role }) => role === "tool");
  const block =
    said?.role === "assistant" ? said.blocks.find(({ type }) => type === "tool_call") : undefined;
  if (block?.type !== "tool_call") return null;
  const results = done?.role === "tool" ? done.results : [];
  const own = results.find(({ id }) => id === block.id);
  return { name: block.name, args: block.args, failed: own?.is_error ?? true };
};

const draftIn = ({ args }: LastCall, { agent }: PromptFacts) => {
  const path = isObject(args) ? args.path : null;
  if (typeof path !== "string") return null;
  const slug = path.slice(`${FOLDER}${agent}_`.length, -".js".length);
  const program = [...PROGRAMS, ...TASK_PROGRAMS].find((each) => each.slug === slug);
  return program === undefined ? null : { path, program };
};
