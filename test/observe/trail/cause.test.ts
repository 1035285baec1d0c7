import { describe, expect, it } from "vitest";
import type { Event } from "../../../src/kernel/index.ts";
import { moneyTrail } from "../../../src/observe/index.ts";
import { calls, comes, moves, writes } from "../../support/run-events.ts";
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
  moves(["ann", "bob"], 5),
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
