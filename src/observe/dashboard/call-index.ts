import { isObject, type Json } from "../../kernel/index.ts";
import { decodeJson, type Journal } from "../../world/index.ts";

/** One call of a language model, without its texts. */
export type CallLine = {
  readonly id: number;
  /** The last event before it. */
  readonly seq: number;
  readonly purpose: string;
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

/** Who asked when: the calls of each agent in their order, without their texts. */
export class CallIndex {
  readonly #journal: Journal;
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
    const [row] = this.#journal.modelCalls({ after: id - 1, limit: 1 });
    if (row === undefined || row.id !== id) return null;
    const { request, reply } = partsOf(row);
    const usage = objectIn(reply.usage);
    return {
      ...lineOf(row),
      agent: typeof request.agent === "string" ? request.agent : null,
      system: this.#systemOf(request.system),
      prompt: String(request.prompt ?? ""),
      reply: String(reply.ok === true ? (reply.text ?? "") : (reply.message ?? "")),
      input_tokens: numberIn(usage.input),
      output_tokens: numberIn(usage.output),
      latency_ms: numberIn(reply.latencyMs),
    };
  }

  #catchUp(): void {
    for (const row of this.#journal.modelCalls({ after: this.#lastId })) {
      this.#lastId = row.id;
      const { agent } = partsOf(row).request;
      if (typeof agent !== "string") continue;
      const lines = this.#byAgent.get(agent);
      if (lines === undefined) this.#byAgent.set(agent, [lineOf(row)]);
      else lines.push(lineOf(row));
    }
  }

  /** A number stands for the text of the record with that number. */
  #systemOf(system: Json | undefined): string {
    if (typeof system !== "number") return String(system ?? "");
    const [row] = this.#journal.modelCalls({ after: system - 1, limit: 1 });
    return row === undefined ? "" : String(partsOf(row).request.system ?? "");
  }
}

type Row = { readonly id: number; readonly seq: number; readonly body: string };

type Fields = { readonly [name: string]: Json };

const objectIn = (value: Json | undefined): Fields =>
  value !== undefined && isObject(value) ? value : {};

const numberIn = (value: Json | undefined): number => (typeof value === "number" ? value : 0);

const partsOf = ({ body }: Row): { readonly request: Fields; readonly reply: Fields } => {
  const call = objectIn(decodeJson(body));
  return { request: objectIn(call.request), reply: objectIn(call.reply) };
};

const lineOf = (row: Row): CallLine => {
  const { request, reply } = partsOf(row);
  return {
    id: row.id,
    seq: row.seq,
    purpose: String(request.purpose ?? ""),
    model: String(request.model ?? ""),
    ok: reply.ok === true,
    cost_micros: numberIn(objectIn(decodeJson(row.body)).costMicros),
  };
};
