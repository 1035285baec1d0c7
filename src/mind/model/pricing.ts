import type { PriceSettings } from "./llm-settings.ts";
import type { TokenUsage } from "./model.ts";
import { parseModelId } from "./model-id.ts";

export type Price = {
  readonly input: number;
  readonly output: number;
  readonly cachedInput: number;
};

/** The most tokens of one call. */
export type TokenBound = { readonly input: number; readonly output: number };

export type Pricing = {
  /** USD per million tokens. `known` is false where the default price stands in. */
  priceOf(model: string): { readonly price: Price; readonly known: boolean };
  /** Whole micro-dollars, rounded up. Cached input has its own price, reasoning is output. */
  costMicros(model: string, usage: TokenUsage): number;
  /** The most that a call with so many tokens can cost, in whole micro-dollars. */
  priceBound(model: string, tokens: TokenBound): number;
};

/** Looks a model up by its id as given, by its id without aliases, then by the model's own name. */
export const pricingFrom = (
  table: Readonly<Record<string, PriceSettings>>,
  fallback: PriceSettings,
): Pricing => {
  const priceOf = (model: string): { readonly price: Price; readonly known: boolean } => {
    const parsed = parseModelId(model);
    const names = parsed.ok ? [model, parsed.id, parsed.model] : [model];
    const listed = names.find((name) => Object.hasOwn(table, name));
    const found = listed === undefined ? undefined : table[listed];
    return { price: priceFrom(found ?? fallback), known: found !== undefined };
  };
  return {
    priceOf,
    costMicros: (model, usage) => {
      const { price } = priceOf(model);
      return summed([
        [usage.input - usage.cachedInput, price.input],
        [usage.cachedInput, price.cachedInput],
        [usage.output, price.output],
      ]);
    },
    priceBound: (model, { input, output }) => {
      const { price } = priceOf(model);
      return summed([
        [input, Math.max(price.input, price.cachedInput)],
        [output, price.output],
      ]);
    },
  };
};

const priceFrom = ({ input, output, cached_input }: PriceSettings): Price => ({
  input,
  output,
  cachedInput: cached_input ?? input,
});

/**
 * USD per million tokens is micro-dollars per token. Prices are taken to a millionth of that, as
 * whole numbers, so that no sum is off by a float.
 */
const PARTS_PER_MICRO = 1_000_000;

/** Whole numbers throughout, and large ones only where they are needed: they take their time. */
const summed = (rows: readonly (readonly [tokens: number, microsPerToken: number])[]): number => {
  let parts = 0;
  for (const [tokens, price] of rows) parts += tokens * Math.round(price * PARTS_PER_MICRO);
  if (!Number.isSafeInteger(parts)) return summedLarge(rows);
  const over = parts % PARTS_PER_MICRO;
  return (parts - over) / PARTS_PER_MICRO + (over > 0 ? 1 : 0);
};

const summedLarge = (
  rows: readonly (readonly [tokens: number, microsPerToken: number])[],
): number => {
  const perMicro = BigInt(PARTS_PER_MICRO);
  const parts = rows.reduce(
    (sum, [tokens, price]) => sum + BigInt(tokens) * BigInt(Math.round(price * PARTS_PER_MICRO)),
    0n,
  );
  const micros = (parts + perMicro - 1n) / perMicro;
  return Number(micros < MICROS_MAX ? micros : MICROS_MAX);
};

const MICROS_MAX = BigInt(Number.MAX_SAFE_INTEGER);
