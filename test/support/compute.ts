import type { Command, Physics } from "../../src/kernel/index.ts";
import { calls } from "./commands.ts";
import { at } from "./mint.ts";
import { NOW, PHYSICS, physicsWith } from "./physics.ts";

/** The small physics, in which the world sells model budget: ten lots of 100 micro-dollars. */
export const sellingBy = (compute: Partial<Physics["compute"]> = {}): Physics =>
  physicsWith({ compute: { supply_micros: 1_000, ...compute } });

/** When a sale of the small physics happens. */
export const saleAt = (sale: number): number => (sale + 1) * PHYSICS.compute.period_ms;

export const sells = (sale = 0, atMs = saleAt(sale)): Command => ({
  kind: "sell_compute",
  at_ms: atMs,
});

/** A call of the sale. Arguments that are null are left out. */
const order = (who: string, method: string, [atMs, ...args]: readonly (number | null)[]) =>
  calls(at(who, atMs ?? NOW), `genesis_compute.${method}`, {
    args: args.filter((arg) => arg !== null),
  });

type Terms = readonly [lots: number, limit?: number | null, atMs?: number];

export const bidsForCompute = (who: string, ...[lots, limit = null, atMs = NOW]: Terms) =>
  order(who, "bid", [atMs, lots, limit]);

export const standsFor = (who: string, ...[lots, limit = null, atMs = NOW]: Terms) =>
  order(who, "standing", [atMs, lots, limit]);

export const cancelsBid = (who: string, atMs = NOW) => order(who, "cancel", [atMs]);

export const buysCompute = (who: string, lots: number, atMs = NOW) =>
  order(who, "buy", [atMs, lots]);

/** Freezes an agent that lacks the budget for its next thought. */
export const freezes = (agent: string, needs_micros: number, atMs = NOW): Command =>
  ({ kind: "freeze_agent", at_ms: atMs, agent, needs_micros }) as Command;
