import { describe, expect, it } from "vitest";
import type { Event } from "../../../src/kernel/index.ts";
import { comes, figuresOf, mints, moves, shares, spendsHold } from "../../support/run-events.ts";

type Reason = Extract<Event, { kind: "scrip_transferred" }>["reason"];

const pays = (from: string, to: string, [amount, reason]: readonly [number, Reason]): Event =>
  moves([from, to], amount, { reason });

const spends = (to: string | null, amount: number, reason: Reason): Event =>
  spendsHold(["zoe", to], amount, reason);

const incomeOf = (id: string, ...events: readonly Event[]) => {
  const { principals } = figuresOf(comes(id, 100), events);
  const principal = principals.find((each) => each.id === id);
  const income: { readonly [source: string]: number } = principal?.income ?? {};
  return Object.fromEntries(Object.entries(income).filter(([, amount]) => amount > 0));
};

describe("income", () => {
  it.each(["constructor", "valueOf", "toString", "__proto__"])("accepts %s as a name", (name) => {
    const events = [pays(name, "ann", [5, "transfer"]), pays("ann", name, [2, "transfer"])];
    expect(incomeOf("ann", ...events)).toEqual({ other: 5 });
    expect(incomeOf(name, ...events)).toEqual({ other: 2 });
  });

  it("is split by source", () => {
    const events = [
      pays("bob", "ann", [5, "price"]),
      pays("bob", "ann", [2, "read_price"]),
      pays("bob", "ann", [1, "transfer"]),
      pays("bob", "ann", [1, "access"]),
      pays("bob", "ann", [70, "spawn"]),
      spends("ann", 3, "price"),
      shares("ann", 4),
      spends("ann", 9, "task"),
      mints("ann", 30, { reason: "mint" }),
      mints("ann", 12),
    ];
    const income = { services: 8, reads: 2, mint: 30, proceeds: 4, tasks: 21, fees: 1, other: 1 };
    expect(incomeOf("ann", ...events)).toEqual(income);
    expect(incomeOf("bob", ...events)).toEqual({});
  });

  it("from a sale is the seller's; the buyer's change is not income", () => {
    const sale = [
      pays("bob", "genesis_escrow", [30, "attached"]),
      pays("genesis_escrow", "ann", [25, "pay"]),
      pays("genesis_escrow", "bob", [5, "pay"]),
    ];
    expect(incomeOf("ann", ...sale)).toEqual({ sales: 25 });
    expect(incomeOf("bob", ...sale)).toEqual({});
  });

  it("does not include burned scrip", () => {
    expect(incomeOf("ann", spends(null, 3, "price"))).toEqual({});
  });
});
