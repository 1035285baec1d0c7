import { type CostRow, ModelCosts, readCalls } from "../mind/index.ts";
import type { Journal } from "../world/index.ts";

/** What some calls of models have used together. */
export type ModelCallLine = {
  readonly calls: number;
  /** Calls without an answer. */
  readonly failures: number;
  readonly input_tokens: number;
  /** Of the input, what providers had in their caches. */
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  /** Of the output, what was thinking. */
  readonly reasoning_tokens: number;
  readonly cost_usd: number;
  /** Calls whose tokens are a guess. */
  readonly estimated: number;
  /** Calls of models for which the default price stands in. */
  readonly unpriced: number;
};

/** The calls of a run, split in three ways, the dearest first. */
export type ModelCallReport = ModelCallLine & {
  /** `agent` is null for what the run itself asked. */
  readonly by_agent: readonly (ModelCallLine & { readonly agent: string | null })[];
  readonly by_purpose: readonly (ModelCallLine & { readonly purpose: string })[];
  /** By the model that answered, or that was asked last. */
  readonly by_model: readonly (ModelCallLine & { readonly model: string })[];
  /** Calls without an answer, by what went wrong, the most frequent first. */
  readonly by_fault: readonly { readonly fault: string; readonly calls: number }[];
};

/** Adds up the calls that a journal keeps, as far as they can be read; null where none are. */
export const modelCallReport = (journal: Journal, upTo?: number): ModelCallReport | null => {
  const costs = new ModelCosts();
  const faults = new Map<string, number>();
  for (const read of readCalls(journal.modelCalls(upTo === undefined ? {} : { upTo }))) {
    if (!read.ok) continue;
    const { reply } = read.call;
    costs.add(read.call);
    if (!reply.ok) faults.set(reply.fault, (faults.get(reply.fault) ?? 0) + 1);
  }
  if (costs.total.calls === 0) return null;
  return {
    ...lineOf(costs.total),
    by_agent: dearestFirst(costs.byAgent).map(([agent, row]) => ({ agent, ...lineOf(row) })),
    by_purpose: dearestFirst(costs.byPurpose).map(([purpose, row]) => {
      return { purpose, ...lineOf(row) };
    }),
    by_model: dearestFirst(costs.byModel).map(([model, row]) => ({ model, ...lineOf(row) })),
    by_fault: [...faults]
      .map(([fault, calls]) => ({ fault, calls }))
      .toSorted((a, b) => b.calls - a.calls || (a.fault < b.fault ? -1 : 1)),
  };
};

const dearestFirst = <Key extends string | null>(
  rows: ReadonlyMap<Key, CostRow>,
): readonly (readonly [Key, CostRow])[] =>
  [...rows].sort(
    ([one, a], [other, b]) =>
      b.costMicros - a.costMicros || b.calls - a.calls || (String(one) < String(other) ? -1 : 1),
  );

const lineOf = (row: CostRow): ModelCallLine => ({
  calls: row.calls,
  failures: row.failures,
  input_tokens: row.input,
  cached_input_tokens: row.cachedInput,
  output_tokens: row.output,
  reasoning_tokens: row.reasoning,
  cost_usd: row.costMicros / 1e6,
  estimated: row.estimated,
  unpriced: row.unpriced,
});
