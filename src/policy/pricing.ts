import { z } from "zod";
import type { MarketListing } from "../kernel/index.ts";
import { checkedOnce } from "../mind/index.ts";
import { call, type Move, possible, type Situation } from "./core/policy.ts";

/** What a seller remembers about each of its goods between two price reviews. */
export const salesSchema = checkedOnce(
  z.record(z.string(), z.object({ calls: z.number(), idle: z.number() })),
);
type Sales = Readonly<z.infer<typeof salesSchema>>;

/** A good at the lowest price is withdrawn after this many reviews without a sale. */
const IDLE_REVIEWS_MAX = 4;

type Verdict =
  | { readonly kind: "keep" }
  | { readonly kind: "reprice"; readonly price: number }
  | { readonly kind: "withdraw" };

/**
 * Reviews a price: a fifth more after two sales; after none, a fifth less, but at least `lowest`.
 * Withdraws a good that does not sell at the lowest price.
 */
export const reviewPrice = (good: MarketListing, sales: Sales, lowest = 1): Verdict => {
  const before = sales[good.id];
  if (before === undefined) return { kind: "keep" };
  const sold = good.calls_by_others - before.calls;
  const step = Math.max(1, Math.floor(good.price / 5));
  if (sold >= 2) return { kind: "reprice", price: good.price + step };
  if (sold > 0) return { kind: "keep" };
  if (good.price > lowest) {
    return { kind: "reprice", price: Math.max(lowest, good.price - step) };
  }
  return before.idle >= IDLE_REVIEWS_MAX ? { kind: "withdraw" } : { kind: "keep" };
};

export const recordSales = (sales: Sales, good: MarketListing): Sales => {
  const before = sales[good.id];
  const sold = before === undefined || good.calls_by_others > before.calls;
  const idle = sold ? 0 : before.idle + 1;
  return { ...sales, [good.id]: { calls: good.calls_by_others, idle } };
};

export const reprice = <Memory>(
  { view, memory }: Pick<Situation<Memory>, "view" | "memory">,
  good: MarketListing,
  price: number,
): Move<Memory> | null =>
  possible(view, {
    action: call("genesis_store.set_price", [good.id, price]),
    why: `${good.id} goes from ${good.price} to ${price}`,
    memory,
  });

type SellerMemory = { readonly sales: Sales; readonly reviewedAt: number };

type Review<Memory> = {
  readonly memory: Memory;
  /** The good that was due for review, or undefined if no good was due. */
  readonly good?: MarketListing;
  readonly verdict: Verdict;
};

type Reviewing = {
  readonly everyMs: number;
  readonly lowestPrice?: (good: MarketListing) => number;
};

/** Reviews `goods` in turn, at most one good in each period of `everyMs`. */
export const reviewInTurn = <Memory extends SellerMemory>(
  { view, memory }: Pick<Situation<Memory>, "view" | "memory">,
  goods: readonly MarketListing[],
  { everyMs, lowestPrice = () => 1 }: Reviewing,
): Review<Memory> => {
  const good = goods[Math.floor(view.now / everyMs) % Math.max(1, goods.length)];
  if (good === undefined || view.now - memory.reviewedAt < everyMs) {
    return { memory, verdict: { kind: "keep" } };
  }
  const verdict = reviewPrice(good, memory.sales, lowestPrice(good));
  const sales = recordSales(ofOwned(memory.sales, view.owned), good);
  return { memory: { ...memory, sales, reviewedAt: view.now }, good, verdict };
};

export const ofOwned = <Note>(
  notes: { readonly [artifact: string]: Note },
  owned: readonly MarketListing[],
): { readonly [artifact: string]: Note } =>
  Object.fromEntries(
    Object.entries(notes).filter(([id]) => owned.some((listing) => listing.id === id)),
  );
