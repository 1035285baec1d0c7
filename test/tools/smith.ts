import { asId, isObject } from "../../src/kernel/index.ts";
import type { ChatMessage, Environment, ToolResult } from "../../src/model/index.ts";
import { conversationIn, type MindEvent } from "../../src/tools/index.ts";

import {
  type ModelRun,
  type PersonaFields,
  type Personas,
  runModels,
} from "../support/model-run.ts";
import type { Answer, WholeReply } from "../support/model-server/answer.ts";
import { askerOf, type Script, type ServedCall } from "../support/model-server/model-server.ts";

/** A call of a tool. Arguments that are a text are sent as they are, JSON or not. */
export type Call = readonly [name: string, args: object | string];

/** A reply of an OpenAI-compatible server that calls tools, or that only says the text. */
export const calling = (n: number, calls: readonly Call[], content = ""): WholeReply => ({
  whole: {
    id: `chatcmpl-${n}`,
    object: "chat.completion",
    created: 1_700_000_000,
    model: "tiny",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content,
          ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCall(n)) }),
        },
        finish_reason: calls.length === 0 ? "stop" : "tool_calls",
      },
    ],
    usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
  },
});

const toolCall =
  (n: number) =>
  ([name, args]: Call, at: number): object => ({
    id: `call_${n}_${at}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  });

/** The steps of the agent `smith`, each with its calls. After the last one, it waits. */
export const stepsOf = (steps: readonly (readonly Call[])[]): Script => {
  let step = 0;
  return (call) => {
    if (askerOf(call) !== "smith") return undefined;
    const calls = steps[step] ?? [["wait", { for_s: 100 }]];
    step += 1;
    return calling(step, calls);
  };
};

/** The characters of the messages of a request. */
export const charsOf = ({ body }: ServedCall): number => JSON.stringify(body.messages).length;

/** A server whose model has a small context window. A request that is too long changes nothing. */
export const withWindow =
  (script: Script, charsMax: number, tooLong: Answer): Script =>
  (call) =>
    charsOf(call) > charsMax ? tooLong : script(call);

type Given = {
  /** The settings under `tools`. */
  readonly tools?: object;
  /** The text of a plugin `plugin.ts`, and its settings. */
  readonly plugin?: string;
  readonly settings?: object;
  readonly sets?: readonly string[];
  readonly others?: Personas;
  readonly env?: Environment;
  readonly onMindEvent?: (event: MindEvent) => void;
};

/** A run of `smith`, whose model makes these calls. */
export const runSmith = (
  steps: readonly (readonly Call[])[],
  { tools = {}, plugin, settings = {}, sets = [], others = {}, ...rest }: Given = {},
): Promise<ModelRun> => {
  const plugins = plugin === undefined ? [] : [{ module: "./plugin.ts", settings }];
  return runModels({
    agents: { smith: { mind: "tools", tools, plugins }, ...others },
    files: plugin === undefined ? {} : { "smith/plugin.ts": plugin },
    script: stepsOf(steps),
    sets: ["run.duration_s=20", ...sets],
    ...rest,
  });
};

/** What a model writes to wait, by the language or the mind of its agent. */
const WAITS: { readonly [mind: string]: string } = {
  tools: '<calls>[{"tool": "wait", "args": {"for_s": 100}}]</calls>',
  code: "<execution-code>wait({ for_s: 100 })</execution-code>",
  python: "<execution-code>wait(for_s=100)</execution-code>",
};

const languageOf = ({ tools }: PersonaFields): string | null =>
  isObject(tools) && typeof tools.language === "string" ? tools.language : null;

/** A run of `smith`, whose model writes these replies. After the last one, it waits. */
export const runWriter = (
  replies: readonly string[],
  fields: PersonaFields & { readonly mind: string },
  { sets = [], others = {}, env = {} }: Pick<Given, "sets" | "others" | "env"> = {},
): Promise<ModelRun> => {
  let step = 0;
  const script: Script = (call) => {
    if (askerOf(call) !== "smith") return undefined;
    const text = replies[step] ?? WAITS[languageOf(fields) ?? fields.mind] ?? "";
    step += 1;
    return { text };
  };
  const agents = { smith: fields, ...others };
  return runModels({ agents, script, env, sets: ["run.duration_s=20", ...sets] });
};

/** The conversation that the agent keeps at the end. */
export const keptBy = (ran: ModelRun): readonly ChatMessage[] =>
  Object.values(conversationIn(ran.state.agents.get(asId("smith"))?.mind ?? null).messages);

/** The results of tools that the agent keeps. */
export const keptResults = (ran: ModelRun): readonly ToolResult[] =>
  keptBy(ran).flatMap((message) => (message.role === "tool" ? message.results : []));

type Message = { readonly role: string; readonly content: unknown };

/** The messages of a request of the agent. `at` counts from 0, or back from -1. */
export const messagesOf = (ran: ModelRun, at: number): readonly Message[] => {
  const body: { readonly messages?: readonly Message[] } = ran.callsOf("smith").at(at)?.body ?? {};
  return body.messages ?? [];
};

export const rolesOf = (ran: ModelRun, at: number): readonly string[] =>
  messagesOf(ran, at).map(({ role }) => role);

/** The results of tools in the last request of the agent. */
export const resultsIn = (ran: ModelRun): readonly string[] =>
  messagesOf(ran, -1)
    .filter(({ role }) => role === "tool")
    .map(({ content }) => String(content));
