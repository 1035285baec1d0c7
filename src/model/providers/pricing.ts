import { z } from "zod";
import type { ModelReply, TokenUsage } from "../port/model.ts";
import type { TokenBound } from "../port/usage.ts";
import { parseModelId, providerOf } from "./providers.ts";

const usdPerMillion = z.number().min(0).max(1_000_000);

/** Prices in USD per million tokens. One such unit equals one micro-dollar per token. */
export const priceSettings = z.strictObject({
  input: usdPerMillion,
  output: usdPerMillion,
  cached_input: usdPerMillion.optional(),
  cache_write: usdPerMillion.optional(),
});
type PriceSettings = Readonly<z.infer<typeof priceSettings>>;

type Price = {
  readonly input: number;
  readonly output: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
};

export type Pricing = {
  /** The price in USD per million tokens. `known` is false for the default price. */
  priceOf(model: string): { readonly price: Price; readonly known: boolean };
  /** The cost in micro-dollars, rounded up. Reasoning tokens count as output. */
  costMicros(model: string, usage: TokenUsage): number;
  priceBound(model: string, tokens: TokenBound): number;
  /**
   * Returns the most input tokens of a call whose `priceBound` with `output` tokens is at most
   * `micros`. Negative if even a call without input costs more.
   */
  inputBound(model: string, left: { readonly micros: number; readonly output: number }): number;
};

/**
 * Looks up a price by the id, for example `gemini/m`, then by `google/m`, and then by `m`. The
 * price of `mock` applies to all models of the mock provider that have no other price.
 */
export const pricingFrom = (
  table: Readonly<Record<string, PriceSettings>>,
  fallback: PriceSettings,
): Pricing => {
  const priceOf = (model: string): { readonly price: Price; readonly known: boolean } => {
    const parsed = parseModelId(model);
    const shared = parsed.ok && providerOf(parsed).price === "by provider" ? [parsed.provider] : [];
    const names = parsed.ok ? [model, parsed.id, parsed.model, ...shared] : [model];
    const listed = names.find((name) => Object.hasOwn(table, name));
    const found = listed === undefined ? undefined : table[listed];
    const { input, output, cached_input = input, cache_write = input } = found ?? fallback;
    const price = { input, output, cachedInput: cached_input, cacheWrite: cache_write };
    return { price, known: found !== undefined };
  };
  return {
    priceOf,
    costMicros: (model, usage) => {
      const { price } = priceOf(model);
      return summed([
        [usage.input - usage.cachedInput - usage.cacheWrite, price.input],
        [usage.cachedInput, price.cachedInput],
        [usage.cacheWrite, price.cacheWrite],
        [usage.output, price.output],
      ]);
    },
    priceBound: (model, { input, output }) => {
      const { price } = priceOf(model);
      return summed([
        [input, highestInput(price)],
        [output, price.output],
      ]);
    },
    inputBound: (model, { micros, output }) => {
      const { price } = priceOf(model);
      const parts = BigInt(micros) * PARTS - BigInt(output) * partsOf(price.output);
      const each = partsOf(highestInput(price));
      if (parts < 0n) return -1;
      return each === 0n ? Number.MAX_SAFE_INTEGER : bounded(parts / each);
    },
  };
};

const highestInput = ({ input, cachedInput, cacheWrite }: Price): number =>
  Math.max(input, cachedInput, cacheWrite);

/** Sums use integers (millionths of a micro-dollar), because sums of fractions are not exact. */
const PARTS_PER_MICRO = 1_000_000;
const PARTS = BigInt(PARTS_PER_MICRO);
const BOUND = BigInt(Number.MAX_SAFE_INTEGER);

const partsOf = (microsPerToken: number): bigint =>
  BigInt(Math.round(microsPerToken * PARTS_PER_MICRO));

const bounded = (amount: bigint): number => Number(amount < BOUND ? amount : BOUND);

const summed = (rows: readonly (readonly [tokens: number, microsPerToken: number])[]): number => {
  let parts = 0n;
  for (const [tokens, price] of rows) parts += BigInt(tokens) * partsOf(price);
  return bounded((parts + PARTS - 1n) / PARTS);
};

const NO_CALLS = {
  calls: 0,
  failures: 0,
  input: 0,
  cachedInput: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
  costMicros: 0,
  estimated: 0,
  unpriced: 0,
};
export type CostRow = Readonly<typeof NO_CALLS>;

type PricedCall = {
  readonly request: { readonly agent: string | null; readonly purpose: string };
  readonly reply: ModelReply;
  readonly costMicros: number;
  readonly priced: boolean;
};

export class ModelCosts {
  #total: CostRow = NO_CALLS;
  /** The cost per agent. The key null is for calls that the run pays. */
  readonly byAgent = new Map<string | null, CostRow>();
  readonly byPurpose = new Map<string, CostRow>();
  /** The cost per model. A call counts for the model of its last attempt. */
  readonly byModel = new Map<string, CostRow>();

  add(call: PricedCall): void {
    const { agent, purpose } = call.request;
    this.#total = added(this.#total, call);
    addTo(this.byAgent, agent, call);
    addTo(this.byPurpose, purpose, call);
    addTo(this.byModel, call.reply.servedBy, call);
  }

  get total(): CostRow {
    return this.#total;
  }
}

const addTo = <Key>(rows: Map<Key, CostRow>, key: Key, call: PricedCall): void => {
  rows.set(key, added(rows.get(key) ?? NO_CALLS, call));
};

const added = (row: CostRow, { reply, costMicros, priced }: PricedCall): CostRow => ({
  calls: row.calls + 1,
  failures: row.failures + (reply.ok ? 0 : 1),
  input: row.input + reply.usage.input,
  cachedInput: row.cachedInput + reply.usage.cachedInput,
  cacheWrite: row.cacheWrite + reply.usage.cacheWrite,
  output: row.output + reply.usage.output,
  reasoning: row.reasoning + reply.usage.reasoning,
  costMicros: row.costMicros + costMicros,
  estimated: row.estimated + (reply.usage.estimated ? 1 : 0),
  unpriced: row.unpriced + (priced ? 0 : 1),
});
