import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asId, type Event, evolve, type HoldId, violations } from "../../../src/kernel/index.ts";
import { sharingOf } from "../../../src/kernel/mint/proceeds.ts";
import { NOW } from "../../support/physics.ts";
import { agent, consumed, given, type Past } from "../../support/scenario.ts";

const PAYER = "ann";
const WEALTH = 100_000;

/** Families whose agents acted, and the payer. */
const families = (count: number): readonly Past[] =>
  Array.from({ length: count }, (_, at) => `f${at}`).flatMap((id) => [agent(id), consumed(id, {})]);

type Paid = { readonly price: number; readonly isKnown: boolean; readonly burns: boolean };

const paid: fc.Arbitrary<Paid> = fc.record({
  price: fc.integer({ min: 1, max: 60 }),
  /** Whether the payer is the only one, so that its family gets no share. */
  isKnown: fc.boolean(),
  burns: fc.constantFrom(false, false, false, true),
});

describe("any sequence of prices and families", () => {
  it("is shared to the last scrip: what is paid is shared, burned or waits", () => {
    const sizes = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(sizes, fc.array(paid, { minLength: 1, maxLength: 30 }), (count, prices) => {
        const scene = given(agent(PAYER, { scrip: WEALTH }), ...families(count));
        const { state } = scene;
        const sums = { paid: 0, shared: 0, burned: 0 };
        for (const { price, isKnown, burns } of prices) {
          const before = state.world.get("world")?.undistributed ?? 0;
          const hold = `bid:${(state.world.get("world")?.holdsMade ?? 0) + 1}` as HoldId;
          const stamp = { at_ms: NOW, principal: null };
          const purpose = { kind: "bid", submission: "s" } as const;
          const from = asId(PAYER);
          const events: readonly Event[] = [
            { ...stamp, kind: "scrip_held", hold, from, amount: price, purpose },
            { ...stamp, kind: "proceeds_collected", hold, amount: price, artifact_id: asId("t") },
            { ...stamp, kind: "hold_released", hold, into: null },
          ];
          const payer = isKnown ? from : null;
          const use = burns ? "burn" : "redistribute";
          const sharing = sharingOf(state, NOW, price, use, payer);
          for (const event of [...events, ...sharing]) evolve(state, event);
          sums.paid += price;
          const shares = sharing.filter((event) => event.kind === "proceeds_shared");
          for (const { amount, of_price } of shares) {
            sums.shared += amount;
            expect(of_price).toBeLessThanOrEqual(amount);
            expect(amount).toBe(Math.floor((before + price) / count));
          }
          if (burns) sums.burned += price;
          const waiting = state.world.get("world")?.undistributed ?? -1;
          expect(waiting).toBe(sums.paid - sums.shared - sums.burned);
          // A sharing leaves less than one scrip for each family.
          if (!burns && count > 0) expect(waiting).toBeLessThan(count);
        }
        const spread = [...state.accounts.rows()].filter(({ id }) => id.startsWith("f"));
        expect(new Set(spread.map(({ scrip }) => scrip)).size).toBeLessThanOrEqual(1);
        expect(violations(state)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe("a sharing", () => {
  it("keeps everything if no family is active", () => {
    const { state } = given(agent(PAYER));
    expect(sharingOf(state, NOW, 10, "redistribute", null)).toEqual([]);
  });

  it("includes the payers if there are several", () => {
    const { state } = given(agent(PAYER), consumed(PAYER, {}), ...families(1));
    expect(sharingOf(state, NOW, 11, "redistribute", null)).toMatchObject([
      { to: PAYER, amount: 5, payer: null, of_price: 0 },
      { to: "f0", amount: 5 },
    ]);
  });
});
