import { z } from "zod";
import type { Offering } from "../../kernel/index.ts";
import { lasting } from "../memory-codec.ts";
import { call } from "./affairs/affairs.ts";
import { type Move, possible, type Situation } from "./policy.ts";

/** What a seller remembers of each of its goods between two looks at the books. */
export type Shelf = {
  readonly [artifact: string]: {
    readonly calls: number;
    /** Looks in a row without a sale. */
    readonly idle: number;
  };
};

export const shelfSchema: z.ZodType<Shelf> = lasting(
  z.record(z.string(), z.object({ calls: z.number(), idle: z.number() })),
);

/** Looks without a sale after which a good that already costs the least is given up. */
const GIVEN_UP_AFTER = 4;

/** What a look at the books says to do with one good. */
export type Verdict =
  | { readonly kind: "keep" }
  | { readonly kind: "reprice"; readonly price: number }
  | { readonly kind: "withdraw" };

/**
 * Prices move with demand: up a fifth when a good sold well since the last look, down a fifth when
 * it did not sell at all, and a good that nobody wants at the lowest price is withdrawn.
 */
export const judge = (good: Offering, shelf: Shelf): Verdict => {
  const before = shelf[good.id];
  if (before === undefined) return { kind: "keep" };
  const sold = good.calls_by_others - before.calls;
  if (sold >= 2)
    return { kind: "reprice", price: good.price + Math.max(1, Math.floor(good.price / 5)) };
  if (sold > 0) return { kind: "keep" };
  if (good.price > 1) {
    return { kind: "reprice", price: good.price - Math.max(1, Math.floor(good.price / 5)) };
  }
  return before.idle >= GIVEN_UP_AFTER ? { kind: "withdraw" } : { kind: "keep" };
};

/** The shelf after a look at one good. */
export const looked = (shelf: Shelf, good: Offering): Shelf => {
  const before = shelf[good.id];
  const sold = before === undefined || good.calls_by_others > before.calls;
  const idle = sold ? 0 : before.idle + 1;
  return { ...shelf, [good.id]: { calls: good.calls_by_others, idle } };
};

/** How long it leaves its goods alone between two looks, ms. */
const LOOK_EVERY_MS = 8_000;

/** The goods of a seller: what it remembers of them, and when it looked at one of them last. */
export type Stall = { readonly shelf: Shelf; readonly lookedAt: number };

/** Looks at one of its goods in turn, and sets its price anew where demand says so. */
export const tendGoods = <Memory extends Stall>({
  view,
  memory,
}: Situation<Memory>): { readonly memory: Memory; readonly move: Move<Memory> | null } => {
  const goods = view.owned.filter(({ methods }) => methods.length > 0);
  const good = goods[Math.floor(view.now / LOOK_EVERY_MS) % Math.max(1, goods.length)];
  if (good === undefined || view.now - memory.lookedAt < LOOK_EVERY_MS) {
    return { memory, move: null };
  }
  const verdict = judge(good, memory.shelf);
  const shelf = looked(tidied(memory.shelf, view.owned), good);
  const known = { ...memory, shelf, lookedAt: view.now };
  if (verdict.kind !== "reprice") return { memory: known, move: null };
  const action = call("genesis_store.set_price", [good.id, verdict.price]);
  const why = `${good.id} goes from ${good.price} to ${verdict.price}`;
  return { memory: known, move: possible(view, { action, why, memory: known }) };
};

/** Forgets what is no longer owned. */
export const tidied = <Note>(
  notes: { readonly [artifact: string]: Note },
  owned: readonly Offering[],
): { readonly [artifact: string]: Note } =>
  Object.fromEntries(
    Object.entries(notes).filter(([id]) => owned.some((offering) => offering.id === id)),
  );
