import type { ThoughtUsage, View } from "../../kernel/index.ts";
import type { Model, Pricing } from "../model/index.ts";
import type { Ask, PutQuestion } from "../reply/index.ts";
import { estimateTokens } from "../tokens.ts";

/** One question within a thought; the agent and its model are known. */
type Question = PutQuestion & { readonly system: string };

type ThinkingParts = {
  readonly view: View;
  readonly model: Model;
  readonly pricing: Pricing;
  /** `provider/model`. */
  readonly modelId: string;
  readonly temperature: number | null;
  readonly maxTokens: number;
  /** The most calls that one thought may make. */
  readonly callsMax: number;
  readonly signal: AbortSignal;
  /** Ends when the view is on disk. */
  readonly durable: Promise<boolean>;
};

/**
 * One thought under way: what it asks and what that has cost so far. Nothing is asked that the
 * agent could not pay at the worst.
 */
export class Thinking {
  readonly #parts: ThinkingParts;
  #calls = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  #costMicros = 0;
  #latencyMs = 0;
  /** What the agent has been told of faults, in this thought too. */
  readonly #heard: string[];

  constructor(parts: ThinkingParts) {
    this.#parts = parts;
    this.#heard = failuresTold(parts.view);
  }

  /** What is owed up to now. */
  get usage(): ThoughtUsage {
    return {
      calls: this.#calls,
      input_tokens: this.#inputTokens,
      output_tokens: this.#outputTokens,
      cost_micros: this.#costMicros,
      api_cost_micros: this.#costMicros,
    };
  }

  /** How long the model has been thinking, queues left out. */
  get latencyMs(): number {
    return this.#latencyMs;
  }

  /** What asks in the name of the agent, after a system text. */
  asking(system: string): Ask {
    return (question) => this.#ask({ ...question, system });
  }

  async #ask(question: Question): ReturnType<Ask> {
    const problem = this.#lacks(question);
    if (problem !== null) return { ok: false, reason: "insufficient_llm_tokens", message: problem };
    const { model, modelId, temperature, maxTokens, view, signal, durable } = this.#parts;
    const about = { model: modelId, agent: view.id, temperature, maxTokens };
    const heard = [...this.#heard];
    const reply = await model.ask({ ...question, ...about, heard, durable }, signal);
    const { usage, servedBy } = reply;
    this.#calls += 1;
    this.#inputTokens += usage.input;
    this.#outputTokens += usage.output;
    this.#costMicros += this.#parts.pricing.costMicros(servedBy, usage);
    this.#latencyMs += reply.latencyMs;
    if (reply.ok) return { ok: true, text: reply.text };
    this.#heard.push(reply.message);
    return { ok: false, reason: "llm_error", message: `${reply.fault}: ${reply.message}` };
  }

  /** What keeps the agent from paying for one more call, or null. */
  #lacks({ system, prompt }: Question): string | null {
    const { view, pricing, modelId, maxTokens, callsMax } = this.#parts;
    const { account, windows } = view;
    const input = estimateTokens(system) + estimateTokens(prompt);
    const micros = this.#costMicros + pricing.priceBound(modelId, { input, output: maxTokens });
    const tokens = this.#inputTokens + this.#outputTokens + input + maxTokens;
    if (this.#calls >= callsMax) return `a thought may make ${callsMax} model calls at the most`;
    const { llmBudgetMicros: budget } = account;
    if (micros > budget) {
      return `one more call could cost ${micros} micro-dollars and the budget is ${budget}`;
    }
    if (this.#calls + 1 > windows.llm_calls.available) {
      return `only ${windows.llm_calls.available} model calls are left in this window`;
    }
    const { available } = windows.llm_tokens;
    return tokens > available
      ? `one more call could take ${tokens} tokens and ${available} are left in this window`
      : null;
  }
}

/** What an agent knows of its failures, as far as it still remembers them. */
const failuresTold = ({ agent: { deeds, failures, last } }: View): string[] => {
  const known = [...deeds, ...failures, ...(last === null ? [] : [last])];
  return [...new Set(known.flatMap(({ ok, message }) => (ok ? [] : [message])))];
};
