import type { ThoughtUsage, View } from "../../kernel/index.ts";
import {
  estimateTokens,
  type Model,
  type ModelRequest,
  outputTokensMax,
  type Pricing,
} from "../../model/index.ts";
import { counted } from "../../text/index.ts";
import { FREE } from "../core/mind.ts";
import type { MindSettings } from "../core/settings.ts";
import type { Ask, ModelQuestion } from "../reply/ask-until-read.ts";

type Question = ModelQuestion & { readonly system: string };

type ThinkingParts = {
  readonly view: View;
  readonly model: Model;
  readonly pricing: Pricing;
  readonly settings: Pick<MindSettings, "model" | "temperature" | "maxTokens" | "reasoning">;
  readonly callsMax: number;
  /** What shows the replies while they arrive. Absent: nothing does. */
  readonly shown?: Pick<ModelRequest, "onDelta" | "onRetry">;
  /** What to say if a question does not fit in the context window of the model. */
  readonly tooLong: string;
  readonly signal: AbortSignal;
  /** Resolves when the events that the view shows are on disk. */
  readonly durable: Promise<boolean>;
};

/** Makes the model calls of a thought and counts the cost. No call may exceed the budget. */
export class Thinking {
  readonly #parts: ThinkingParts;
  #usage: ThoughtUsage = FREE;
  #latencyMs = 0;
  #isOverBudget = false;
  /** The error messages that the agent has seen, including messages from this thought. */
  readonly #heard: string[];

  constructor(parts: ThinkingParts) {
    this.#parts = parts;
    this.#heard = failuresTold(parts.view);
  }

  get usage(): ThoughtUsage {
    return this.#usage;
  }

  get latencyMs(): number {
    return this.#latencyMs;
  }

  /** True if the model budget of the run could not pay a call of this thought. */
  get isOverBudget(): boolean {
    return this.#isOverBudget;
  }

  /** The most input tokens that the agent can pay for in its next call. May be negative. */
  get inputMax(): number {
    const { view, pricing, settings } = this.#parts;
    const { input_tokens, output_tokens, cost_micros } = this.#usage;
    const left = {
      micros: view.account.llmBudgetMicros - cost_micros,
      tokens: view.windows.llm_tokens.available - input_tokens - output_tokens,
    };
    return inputMaxOf(left, { settings, pricing });
  }

  asking(system: string): Ask {
    return (question) => this.#ask({ ...question, system });
  }

  async #ask(question: Question): ReturnType<Ask> {
    const problem = this.#lacks(question);
    if (problem !== null) return { ok: false, reason: "insufficient_llm_tokens", message: problem };
    const { model, settings, pricing, view, signal, durable, shown } = this.#parts;
    const { model: modelId, temperature, maxTokens, reasoning } = settings;
    const limits = { temperature, maxTokens, reasoning };
    const about = { model: modelId, agent: view.id, atMs: view.now, ...limits };
    const heard = [...this.#heard];
    const reply = await model.ask(
      { ...question, ...about, ...shown, reportedFaults: heard, durable },
      signal,
    );
    const before = this.#usage;
    const costMicros = before.cost_micros + pricing.costMicros(reply.servedBy, reply.usage);
    this.#usage = {
      calls: before.calls + 1,
      input_tokens: before.input_tokens + reply.usage.input,
      output_tokens: before.output_tokens + reply.usage.output,
      cost_micros: costMicros,
      api_cost_micros: costMicros,
    };
    this.#latencyMs += reply.latencyMs;
    if (reply.ok) return { ok: true, text: reply.text };
    this.#heard.push(reply.message);
    if (reply.fault === "over_budget") this.#isOverBudget = true;
    const { fault, message } = reply;
    const told = fault === "context_overflow" ? `${this.#parts.tooLong}; ${message}` : message;
    return { ok: false, reason: "llm_error", fault, message: `${fault}: ${told}` };
  }

  /** Returns why the agent cannot make one more call, or null if it can. */
  #lacks({ system, prompt }: Question): string | null {
    const { view, pricing, settings, callsMax } = this.#parts;
    const output = outputTokensMax(settings);
    const { account, windows } = view;
    const { calls, input_tokens, output_tokens, cost_micros } = this.#usage;
    const input = estimateTokens(system) + estimateTokens(prompt);
    const micros = cost_micros + pricing.priceBound(settings.model, { input, output });
    const tokens = input_tokens + output_tokens + input + output;
    if (calls >= callsMax) return `a thought may make at most ${callsMax} model calls`;
    const { llmBudgetMicros: budget } = account;
    if (micros > budget) {
      return `one more call could cost ${micros} micro-dollars, but the budget is ${budget}`;
    }
    if (calls + 1 > windows.llm_calls.available) {
      return `only ${counted(windows.llm_calls.available, "model call")} left in this window`;
    }
    const { available } = windows.llm_tokens;
    return tokens > available
      ? `one more call could take ${tokens} tokens, but ${available} are left in this window`
      : null;
  }
}

const failuresTold = ({ agent: { actions, failures, last } }: View): string[] => {
  const known = [...actions, ...failures, ...(last === null ? [] : [last])];
  return [...new Set(known.flatMap(({ ok, message }) => (ok ? [] : [message])))];
};

export type Terms = {
  readonly settings: Pick<MindSettings, "model" | "maxTokens" | "reasoning">;
  readonly pricing: Pricing;
};

type Left = { readonly micros: number; readonly tokens: number };

/** Returns the most input tokens of a call that `left` can pay with the longest reply. */
export const inputMaxOf = ({ micros, tokens }: Left, { settings, pricing }: Terms): number => {
  const output = outputTokensMax(settings);
  return Math.min(tokens - output, pricing.inputBound(settings.model, { micros, output }));
};
