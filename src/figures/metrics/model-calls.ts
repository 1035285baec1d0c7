import { type CostRow, ModelCosts } from "../../model/index.ts";
import type { JournalReader } from "../../world/index.ts";
import { type LogCall, type Projection, readLog } from "../log/log.ts";
import { addTo } from "./statistics.ts";

/** The model calls of a run by agent, purpose and model, each sorted by cost, highest first. */
export type ModelCallReport = ReturnType<ModelCallCounter["report"]>;

/** Sums up the model calls of a run. All displays use these sums. */
export class ModelCallCounter implements Projection {
  readonly costs = new ModelCosts();
  /** The number of failed calls by fault. */
  readonly #faults = new Map<string, number>();

  call({ call }: LogCall): void {
    this.costs.add(call);
    if (!call.reply.ok) addTo(this.#faults, call.reply.fault);
  }

  report() {
    const { costs } = this;
    return {
      ...callLine(costs.total),
      /** `agent` is null for calls that the run itself made. */
      by_agent: byCost(costs.byAgent).map(([agent, row]) => ({ agent, ...callLine(row) })),
      by_purpose: byCost(costs.byPurpose).map(([purpose, row]) => ({ purpose, ...callLine(row) })),
      /** Grouped by the model that answered, or the last model called if no model answered. */
      by_model: byCost(costs.byModel).map(([model, row]) => ({ model, ...callLine(row) })),
      by_fault: [...this.#faults]
        .map(([fault, calls]) => ({ fault, calls }))
        .toSorted((a, b) => b.calls - a.calls || (a.fault < b.fault ? -1 : 1)),
    };
  }
}

export const modelCallReport = (journal: JournalReader): ModelCallReport => {
  const counter = new ModelCallCounter();
  readLog(journal, [counter]);
  return counter.report();
};

const byCost = <Key extends string | null>(rows: ReadonlyMap<Key, CostRow>) =>
  [...rows].sort(
    ([one, a], [other, b]) =>
      b.costMicros - a.costMicros || b.calls - a.calls || (String(one) < String(other) ? -1 : 1),
  );

const callLine = (row: CostRow) => ({
  calls: row.calls,
  failures: row.failures,
  input_tokens: row.input,
  cached_input_tokens: row.cachedInput,
  cache_write_tokens: row.cacheWrite,
  output_tokens: row.output,
  reasoning_tokens: row.reasoning,
  cost_usd: row.costMicros / 1e6,
  estimated: row.estimated,
  /** The number of calls to models of unknown price. The default price is used. */
  unpriced: row.unpriced,
});
