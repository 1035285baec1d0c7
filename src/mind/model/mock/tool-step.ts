import { isObject, type Json, type JsonObject } from "../../../kernel/index.ts";
import type { Dice } from "../../policy/dice.ts";
import { type ChatBlock, type ChatMessage, messagesIn } from "../chat.ts";
import type { ModelRequest } from "../model.ts";
import { choiceFor, programChoice } from "./choice.ts";
import { PROGRAMS, TASK_PROGRAMS } from "./programs.ts";
import { factsIn, type PromptFacts } from "./prompt-facts.ts";

const FOLDER = "drafts/";
const WAIT_S_MAX = 8;
const COUNT_LINES = { command: `wc -l ${FOLDER}*.js | sort -n` };

/**
 * Returns what the mock model says in a conversation with tools. It drafts each program in a file,
 * counts the lines of its drafts, tries the program with the arguments of its example, and
 * publishes it. After an action, it notes what it did and ends its turn.
 */
export const toolStepFor = (request: ModelRequest, dice: Dice): readonly ChatBlock[] => {
  const messages = request.messages ?? messagesIn(request.prompt);
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
  if (request.form?.tools?.length === 0) {
    return [{ type: "text", text: "I have used all my steps and continue in my next turn." }];
  }
  const last = lastCallIn(steps);
  const draft = last === null ? null : draftIn(last, facts);
  if (last === null) {
    const { why, kind, fields } = choiceFor(facts, dice);
    if (kind === "noop") return call(why, "wait", { for_s: 1 + dice.pick(WAIT_S_MAX) });
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
    ...call("That is all for now.", "note", { text: summary }),
    { type: "tool_call", id: `call_${number}_end`, name: "end_turn", args: { summary } },
  ];
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
