import { type LogCall, LogFollower } from "../../../read/index.ts";
import type { JournalReader } from "../../../world/index.ts";

export type CallLine = ReturnType<typeof lineOf>;

export type CallText = NonNullable<Awaited<ReturnType<CallIndex["text"]>>>;

/** The model calls of each agent in order. Nothing is read before the first question. */
export class CallIndex {
  readonly #follower: LogFollower;
  readonly #byAgent = new Map<string, CallLine[]>();

  constructor(journal: JournalReader) {
    this.#follower = new LogFollower(journal, [this], 0);
  }

  call(logged: LogCall): void {
    const { agent } = logged.call.request;
    if (agent === null) return;
    const lines = this.#byAgent.get(agent);
    if (lines === undefined) this.#byAgent.set(agent, [lineOf(logged)]);
    else lines.push(lineOf(logged));
  }

  /** The calls of an agent after event `after` and before event `before`. */
  async between(agent: string, after: number, before: number): Promise<readonly CallLine[]> {
    await this.#follower.catchUp();
    const calls = this.#byAgent.get(agent) ?? [];
    return calls.filter(({ seq }) => seq >= after && seq < before);
  }

  async text(id: number) {
    const logged = await this.#follower.callAt(id);
    if (logged === null) return null;
    const { request, reply } = logged.call;
    return {
      ...lineOf(logged),
      agent: request.agent,
      system: request.system,
      prompt: request.prompt,
      reply: reply.ok ? reply.text : reply.message,
      input_tokens: reply.usage.input,
      output_tokens: reply.usage.output,
      latency_ms: reply.latencyMs,
    };
  }
}

const lineOf = ({ id, seq, call: { request, reply, costMicros } }: LogCall) => ({
  id,
  seq,
  purpose: request.purpose,
  /** The model that answered, or the last model called if no model answered. */
  model: reply.servedBy,
  ok: reply.ok,
  cost_micros: costMicros,
});
