import { CallReader, type RecordedCall } from "../../model/index.ts";
import type { JournalReader } from "../../world/index.ts";

export type CallLine = ReturnType<typeof lineOf>;

export type CallText = NonNullable<ReturnType<CallIndex["text"]>>;

/** The model calls of each agent in order. Skips damaged records, which `sim verify` reports. */
export class CallIndex {
  readonly #journal: JournalReader;
  readonly #reader: CallReader;
  readonly #byAgent = new Map<string, CallLine[]>();
  #lastId = 0;

  constructor(journal: JournalReader) {
    this.#journal = journal;
    this.#reader = new CallReader((id) => this.#rowAt(id));
  }

  between(agent: string, after: number, before: number): readonly CallLine[] {
    this.#catchUp();
    const calls = this.#byAgent.get(agent) ?? [];
    return calls.filter(({ seq }) => seq >= after && seq < before);
  }

  text(id: number) {
    this.#catchUp();
    const row = this.#rowAt(id);
    if (row === null) return null;
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

  #rowAt(id: number) {
    const [row] = this.#journal.modelCalls({ after: id - 1, limit: 1 });
    return row?.id === id ? row : null;
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

type Numbered = { readonly id: number; readonly seq: number };

const lineOf = ({ id, seq }: Numbered, { request, reply, costMicros }: RecordedCall) => ({
  id,
  seq,
  purpose: request.purpose,
  /** The model that answered, or the last model called if no model answered. */
  model: reply.servedBy,
  ok: reply.ok,
  cost_micros: costMicros,
});
