import { asId } from "../../kernel/index.ts";
import { type CliSettings, oneLine } from "../../mind/index.ts";
import {
  faultOf,
  type ModelFault,
  type ModelReply,
  modelFailure,
  NO_TOKENS,
  type Pricing,
  type RecordedCall,
  requestKey,
  TURN_FORM,
} from "../../model/index.ts";
import type { AgentProvider } from "../program/providers.ts";
import type { TurnResult } from "../program/run-turn.ts";
import { cappedSum } from "../program/stream/segment.ts";

/** Who makes the models of each program. A price of `llm.pricing` has this name. */
const MAKERS: { readonly [provider in AgentProvider]: string } = {
  claude: "anthropic",
  codex: "openai",
  gemini: "google",
};

/** The model of a turn: `anthropic/sonnet`, or the name of the program if it chooses the model. */
const turnModel = ({ provider, llm_model: model }: CliSettings): string =>
  provider === "command" || model === undefined ? provider : `${MAKERS[provider]}/${model}`;

/** A turn whose program has ended. */
type TurnCall = {
  readonly agent: string;
  readonly settings: CliSettings;
  readonly systemPrompt: string;
  readonly prompt: string;
  readonly result: TurnResult;
  readonly pricing: Pricing;
  /** The run time in ms. */
  readonly atMs: number;
};

/**
 * The record of a turn among the model calls of a run, so that one sum has all costs. A turn costs
 * what its program reports, or the price of its tokens if it reports only tokens.
 */
export const turnCall = (turn: TurnCall): RecordedCall => {
  const { agent, settings, systemPrompt: system, prompt, result, pricing, atMs } = turn;
  const model = turnModel(settings);
  const reply = replyOf(result, model);
  // A try that failed can have reported only tokens, and the next one its cost.
  const tries = result.attempts.map(({ usage }) => usage);
  const costs = tries.map(({ cost_micros, input_tokens: input, output_tokens: output }) => {
    return cost_micros ?? pricing.costMicros(model, { ...NO_TOKENS, input, output });
  });
  const isReported = tries.every(({ cost_micros }) => cost_micros !== null);
  const unset = { temperature: null, maxTokens: 0, reasoning: null };
  const about = { model, purpose: TURN_FORM, agent: asId(agent), form: TURN_FORM };
  const request = { ...about, system, prompt, ...unset };
  return {
    key: requestKey(request),
    request,
    reply,
    costMicros: costs.reduce(cappedSum, 0),
    priced: isReported || pricing.priceOf(model).known,
    atMs,
  };
};

const MESSAGE_CHARS_MAX = 300;

const replyOf = (result: TurnResult, model: string): ModelReply => {
  const { input_tokens: input, output_tokens: output } = result.usage;
  const usage = { ...NO_TOKENS, input, output };
  const latencyMs = result.duration_ms;
  if (result.error === null) {
    return { ok: true, text: result.output, servedBy: model, usage, latencyMs };
  }
  const message = oneLine(result.error, MESSAGE_CHARS_MAX);
  return modelFailure(model, faultOf(faultIn(result), message), { usage, latencyMs });
};

const faultIn = ({ timed_out, aborted }: TurnResult): ModelFault => {
  if (timed_out) return "timeout";
  return aborted ? "cancelled" : "provider_error";
};
