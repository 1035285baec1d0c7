import type { RecordedCall } from "./recorded-call.ts";

/** What some calls have used together. */
export type CostRow = {
  readonly calls: number;
  /** Calls without an answer. */
  readonly failures: number;
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
  readonly reasoning: number;
  readonly costMicros: number;
  /** Calls whose tokens are a guess. */
  readonly estimated: number;
  /** Calls of models without a price of their own. */
  readonly unpriced: number;
};

type Counted = Pick<RecordedCall, "reply" | "costMicros" | "priced"> & {
  readonly request: Pick<RecordedCall["request"], "agent" | "purpose">;
};

/** Calls, tokens and money, split by who asked and by what for. */
export class ModelCosts {
  #total: CostRow = NO_CALLS;
  readonly #byAgent = new Map<string | null, CostRow>();
  readonly #byPurpose = new Map<string, CostRow>();
  readonly #byModel = new Map<string, CostRow>();

  add(call: Counted): void {
    const { agent, purpose } = call.request;
    this.#total = added(this.#total, call);
    this.#byAgent.set(agent, added(this.#byAgent.get(agent) ?? NO_CALLS, call));
    this.#byPurpose.set(purpose, added(this.#byPurpose.get(purpose) ?? NO_CALLS, call));
    const { servedBy } = call.reply;
    this.#byModel.set(servedBy, added(this.#byModel.get(servedBy) ?? NO_CALLS, call));
  }

  get total(): CostRow {
    return this.#total;
  }

  /** Null stands for the run itself. */
  get byAgent(): ReadonlyMap<string | null, CostRow> {
    return this.#byAgent;
  }

  get byPurpose(): ReadonlyMap<string, CostRow> {
    return this.#byPurpose;
  }

  /** By the model that answered, or that was asked last. */
  get byModel(): ReadonlyMap<string, CostRow> {
    return this.#byModel;
  }
}

export const NO_CALLS: CostRow = {
  calls: 0,
  failures: 0,
  input: 0,
  cachedInput: 0,
  output: 0,
  reasoning: 0,
  costMicros: 0,
  estimated: 0,
  unpriced: 0,
};

const added = (row: CostRow, { reply, costMicros, priced }: Counted): CostRow => ({
  calls: row.calls + 1,
  failures: row.failures + (reply.ok ? 0 : 1),
  input: row.input + reply.usage.input,
  cachedInput: row.cachedInput + reply.usage.cachedInput,
  output: row.output + reply.usage.output,
  reasoning: row.reasoning + reply.usage.reasoning,
  costMicros: row.costMicros + costMicros,
  estimated: row.estimated + (reply.usage.estimated ? 1 : 0),
  unpriced: row.unpriced + (priced ? 0 : 1),
});
