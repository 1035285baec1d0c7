import { CallReader, type RecordedCall } from "../../mind/index.ts";
import type { Journal } from "../../world/index.ts";

/** One call of a language model, without its texts. */
export type CallLine = {
  readonly id: number;
  /** The last event before it. */
  readonly seq: number;
  readonly purpose: string;
  /** The one that answered, or that was asked last. */
  readonly model: string;
  readonly ok: boolean;
  readonly cost_micros: number;
};

/** One call with what was asked and answered. */
export type CallText = CallLine & {
  readonly agent: string | null;
  readonly system: string;
  readonly prompt: string;
  readonly reply: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly latency_ms: number;
};

/**
 * Who asked when: the calls of each agent in their order, without their texts. A record that is
 * damaged is none: `sim verify` finds those.
 */
export class CallIndex {
  readonly #journal: Journal;
  readonly #reader = new CallReader();
  readonly #byAgent = new Map<string, CallLine[]>();
  #lastId = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The calls of an agent after an event and before another. */
  between(agent: string, after: number, before: number): readonly CallLine[] {
    this.#catchUp();
    const calls = this.#byAgent.get(agent) ?? [];
    return calls.filter(({ seq }) => seq >= after && seq < before);
  }

  text(id: number): CallText | null {
    this.#catchUp();
    const [row] = this.#journal.modelCalls({ after: id - 1, limit: 1 });
    if (row === undefined || row.id !== id) return null;
    const read = this.#reader.read(row);
    if (!read.ok) return null;
    const { request, reply } = read.call;
    return {
      ...lineOf(row, read.call),
      agent: request.agent,
      system: request.system,
      prompt: request.prompt,
      reply: reply.ok ? reply.text : reply.message,
      input_tokens: reply.usage.input,
      output_tokens: reply.usage.output,
      latency_ms: reply.latencyMs,
    };
  }

  #catchUp(): void {
    for (const row of this.#journal.modelCalls({ after: this.#lastId })) {
      this.#lastId = row.id;
      const read = this.#reader.read(row);
      if (!read.ok || read.call.request.agent === null) continue;
      const { agent } = read.call.request;
      const line = lineOf(row, read.call);
      const lines = this.#byAgent.get(agent);
      if (lines === undefined) this.#byAgent.set(agent, [line]);
      else lines.push(line);
    }
  }
}

type Placed = { readonly id: number; readonly seq: number };

const lineOf = ({ id, seq }: Placed, { request, reply, costMicros }: RecordedCall): CallLine => ({
  id,
  seq,
  purpose: request.purpose,
  model: reply.servedBy,
  ok: reply.ok,
  cost_micros: costMicros,
});
