import { describe, expect, it } from "vitest";
import type { Event } from "../../../src/kernel/index.ts";
import { moneyTrail } from "../../../src/read/index.ts";
import {
  calls,
  comes,
  moves,
  reads,
  spendsHold,
  splitsHold,
  writes,
} from "../../support/run-events.ts";
import { acts, type JournalEntry, journalOf, thinks } from "./scripted-journal.ts";

/** Why the last scrip came to bob. */
const causeOfIncome = (...told: readonly JournalEntry[]) => {
  const journal = journalOf([...comes("ann", 50), ...comes("bob", 0)], ...told);
  const trail = moneyTrail(journal, { principal: "bob", upTo: null, limit: 1 });
  if (typeof trail === "string") throw new Error(trail);
  const [step] = trail.steps;
  if (step === undefined) throw new Error("bob has got something");
  return step.because;
};

const sells = (...first: readonly Event[]): readonly Event[] => [
  moves(["ann", "bob"], 5, { artifact: "shop" }),
  ...first,
  calls("shop", { by: "ann", price: 5, to: "bob" }),
  acts("ann"),
];

describe("the cause of a payment", () => {
  it("has the action that wrote the sold artifact", () => {
    const { mover, creation } = causeOfIncome(
      [thinks("bob", "A shop would sell.")],
      [writes("bob", "shop"), acts("bob", "write_artifact")],
      [thinks("ann", "I need something.")],
      sells(),
    );
    expect(mover).toMatchObject({ action: { principal: "ann" } });
    expect(creation).toMatchObject({
      artifact: "shop",
      action: { principal: "bob", action: "write_artifact" },
      thought: { reasoning: "A shop would sell." },
    });
  });

  it("has an action once if it wrote the artifact that it paid for", () => {
    const { use, mover, creation } = causeOfIncome(
      [thinks("ann", "It is to be made for me.")],
      sells(writes("bob", "shop")),
    );
    expect(use).toMatchObject({ artifact: "shop" });
    expect(mover).toMatchObject({ thought: { reasoning: "It is to be made for me." } });
    expect(creation).toBeNull();
  });
});

describe("the call behind a payment", () => {
  const by = { by: "ann" };
  /** Such as `shop.run by ann`, or `poem by shop` for a read. */
  const useOf = (...events: readonly Event[]): string | null => {
    const { use } = causeOfIncome([thinks("ann", "I pay.")], [...events, acts("ann")]);
    if (use === null) return null;
    return `${use.artifact}${use.method === null ? "" : `.${use.method}`} by ${use.caller}`;
  };
  /** A program calls another program, which ends first. */
  const within = (caller: string): readonly Event[] => [
    calls("inner", { by: caller, depth: 1, principal: "ann" }),
    calls(caller, by),
  ];

  it("of a program is the call in which the program paid, not a call that it made later", () => {
    const pays = moves(["bank", "bob"], 5, { reason: "pay", ...by });
    expect(useOf(pays, ...within("bank"))).toBe("bank.run by ann");
    const charges = moves(["carl", "bob"], 5, { reason: "charge", ...by });
    const self = calls("bob", by);
    expect(useOf(charges, calls("inner", { by: "bob", depth: 1 }), self)).toBe("bob.run by ann");
  });

  it("from a purse is the call to which the purse was attached", () => {
    const pays = spendsHold(["ann", "bob"], 5, "pay");
    expect(useOf(splitsHold("ann", "front"), pays, ...within("front"))).toBe("front.run by ann");
  });

  it("for a price is the call, even if the program first reads its own text", () => {
    const price = moves(["ann", "bob"], 5, { artifact: "shop" });
    const shop = calls("shop", { ...by, price: 5, to: "bob" });
    expect(useOf(price, reads("shop", "shop"), shop)).toBe("shop.run by ann");
    const toll = moves(["ann", "bob"], 5, { artifact: "shop", reason: "access" });
    expect(useOf(toll, reads("shop", "shop"), shop)).toBe("shop.run by ann");
  });

  it("for a read is the read, even if the program is called later", () => {
    const shop = calls("shop", by);
    for (const reason of ["read_price", "access"] as const) {
      const paid = moves(["ann", "bob"], 5, { artifact: "shop", reason });
      expect(useOf(paid, reads("ann", "shop"), shop)).toBe("shop by ann");
    }
  });

  it("is missing for a gift within an action that also calls a program", () => {
    const gift = moves(["ann", "bob"], 5, { reason: "transfer" });
    expect(useOf(gift, ...within("bank"))).toBeNull();
  });
});
