import { type ModelRun, type Personas, runModels } from "../../support/model-run.ts";
import type { Answer, RawReply } from "../../support/model-server/answer.ts";
import { askerOf, type Script, type ServedCall } from "../../support/model-server/model-server.ts";

/** A call of a tool. Arguments that are a text are sent as they are, JSON or not. */
export type Call = readonly [name: string, args: object | string];

/** A reply of an OpenAI-compatible server that calls tools, or that only says the text. */
export const calling = (n: number, calls: readonly Call[], text = ""): RawReply => ({
  raw: JSON.stringify({
    id: `chatcmpl-${n}`,
    object: "chat.completion",
    created: 1_700_000_000,
    model: "tiny",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text,
          ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCall(n)) }),
        },
        finish_reason: calls.length === 0 ? "stop" : "tool_calls",
      },
    ],
    usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
  }),
  headers: { "content-type": "application/json" },
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
  readonly sets?: readonly string[];
  readonly others?: Personas;
};

/** A run of `smith`, whose model makes these calls. */
export const runSmith = (
  steps: readonly (readonly Call[])[],
  { tools = {}, sets = [], others = {} }: Given = {},
): Promise<ModelRun> =>
  runModels({
    agents: { smith: { mind: "tools", tools }, ...others },
    script: stepsOf(steps),
    sets: ["run.duration_s=20", ...sets],
  });

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
