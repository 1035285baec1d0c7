import { describe, expect, it } from "vitest";
import { asHoldId } from "../../../src/kernel/ids.ts";
import { asId, type Event } from "../../../src/kernel/index.ts";
import { IncomeSheet } from "../../../src/observe/metrics/income.ts";

type Paid = Extract<Event, { kind: "scrip_transferred" }>;

const pays = (
  from: string,
  to: string,
  [amount, reason]: readonly [number, Paid["reason"]],
): Event => ({
  at_ms: 0,
  principal: asId(from),
  kind: "scrip_transferred",
  from: asId(from),
  to: asId(to),
  amount,
  reason,
});

const spends = (to: string | null, amount: number, reason: Paid["reason"]): Event => ({
  at_ms: 0,
  principal: asId("ann"),
  kind: "hold_spent",
  hold: asHoldId("bid:1"),
  to: to === null ? null : asId(to),
  amount,
  reason,
});

const mints = (to: string, amount: number, reason: string): Event => ({
  at_ms: 0,
  principal: null,
  kind: "scrip_minted",
  to: asId(to),
  amount,
  reason,
});

const incomeOf = (id: string, ...events: readonly Event[]) => {
  const sheet = new IncomeSheet();
  for (const event of events) sheet.count(event);
  return Object.fromEntries(Object.entries(sheet.of(id)).filter(([, amount]) => amount > 0));
};

describe("income", () => {
  it.each(["constructor", "valueOf", "toString", "__proto__"])("takes %s for a name", (name) => {
    const events = [pays(name, "ann", [5, "transfer"]), pays("ann", name, [2, "transfer"])];
    expect(incomeOf("ann", ...events)).toEqual({ other: 5 });
    expect(incomeOf(name, ...events)).toEqual({ other: 2 });
  });

  it("is told apart by where it came from", () => {
    const events = [
      pays("bob", "ann", [5, "price"]),
      pays("bob", "ann", [2, "read_price"]),
      pays("bob", "ann", [1, "transfer"]),
      pays("bob", "ann", [1, "access"]),
      pays("bob", "ann", [70, "spawn"]),
      spends("ann", 3, "price"),
      spends("ann", 4, "mint_share"),
      spends("ann", 9, "task"),
      mints("ann", 30, "mint"),
      mints("ann", 12, "task"),
    ];
    expect(incomeOf("ann", ...events)).toEqual({
      services: 8,
      reads: 2,
      mint: 30,
      mint_share: 4,
      tasks: 21,
      fees: 1,
      other: 1,
    });
    expect(incomeOf("bob", ...events)).toEqual({});
  });

  it("from a sale is what the seller gets, and the change of a buyer is none", () => {
    const sale = [
      pays("bob", "genesis_escrow", [30, "attached"]),
      pays("genesis_escrow", "ann", [25, "pay"]),
      pays("genesis_escrow", "bob", [5, "pay"]),
    ];
    expect(incomeOf("ann", ...sale)).toEqual({ sales: 25 });
    expect(incomeOf("bob", ...sale)).toEqual({});
  });

  it("is nothing where scrip is burned", () => {
    expect(incomeOf("ann", spends(null, 3, "price"))).toEqual({});
  });
});
