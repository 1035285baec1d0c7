import { z } from "zod";
import {
  type Fault,
  faultOf,
  type Model,
  type ModelReply,
  type ModelRequest,
  modelFailure,
  NO_TOKENS,
  type ReplyForm,
  type TokenUsage,
} from "../../src/model/port/model.ts";
import { worstCase } from "../../src/model/port/usage.ts";

export const NEVER = new AbortController().signal;

export const FAILOVER = {
  coolDownInitialMs: 1_000,
  coolDownMaxMs: 60_000,
  attemptsMax: 4,
  patienceMs: 300_000,
};

export const GREETING: ReplyForm = {
  name: "greeting",
  rich: z.object({
    greeting: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("plain"), words: z.string() }),
      z.object({ kind: z.literal("none") }),
    ]),
  }),
  flat: z.object({ kind: z.enum(["plain", "none"]), words: z.string().nullable() }),
  described: 'A greeting such as {"greeting": {"kind": "plain", "words": "hello"}}',
};

export const request = (rest: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "openai-compatible/tiny",
  purpose: "decide",
  agent: null,
  system: "You are a trader in a small market town by the sea.",
  prompt: "It is market day and no one has greeted you yet. Greet a friend.",
  form: null,
  temperature: null,
  maxTokens: 100,
  reasoning: null,
  ...rest,
});

export const tokens = (rest: Partial<TokenUsage> = {}): TokenUsage => ({
  ...NO_TOKENS,
  input: 10,
  output: 5,
  ...rest,
});

export const answer = (
  rest: Partial<Extract<ModelReply, { readonly ok: true }>> = {},
): Extract<ModelReply, { readonly ok: true }> => ({
  ok: true,
  text: "good day",
  servedBy: "openai-compatible/tiny",
  usage: tokens(),
  latencyMs: 3,
  ...rest,
});

export const failure = (fault: Partial<Fault> = {}): ModelReply => {
  const whole = faultOf(fault.fault ?? "provider_error", "no luck");
  return modelFailure("openai-compatible/tiny", { ...whole, ...fault });
};

/** A model that answers by a function and keeps its requests. */
export const scripted = (
  script: (
    request: ModelRequest,
    n: number,
    signal: AbortSignal,
  ) => ModelReply | Promise<ModelReply>,
): Model & { readonly asked: ModelRequest[] } => {
  const asked: ModelRequest[] = [];
  return {
    asked,
    ask: async (asking, signal) => {
      asked.push(asking);
      return script({ ...asking }, asked.length, signal);
    },
  };
};

/** A model that never answers and ignores the signal. */
export const hanging = (): Model & { readonly asked: ModelRequest[] } =>
  scripted(() => new Promise<ModelReply>(() => {}));

/** A model whose answers wait until a test ends each of them. */
export const held = () => {
  const calls: { readonly prompt: string; readonly end: (reply?: ModelReply) => void }[] = [];
  const model = scripted(
    ({ prompt }) =>
      new Promise<ModelReply>((resolve) =>
        calls.push({ prompt, end: (reply = answer()) => resolve(reply) }),
      ),
  );
  return { model, calls };
};

/** The tokens that a call may use at most. */
export const worst = (asked: ModelRequest = request()): number => {
  const { input, output } = worstCase(asked);
  return input + output;
};
