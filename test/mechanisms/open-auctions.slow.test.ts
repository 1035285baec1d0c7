import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TestWorld } from "../support/test-world.ts";
import { ask, install, mechanismWorlds, pays, refusalCode } from "./mechanism-world.ts";

const newWorld = mechanismWorlds({ isAudited: false });
const BIDDERS = ["bob", "carol", "dave"] as const;
const SCRIP = 1_000_000;

const houseOf = (rule: "english" | "dutch"): TestWorld => {
  const v = newWorld({ alice: SCRIP, bob: SCRIP, carol: SCRIP, dave: SCRIP });
  return install(v, "house", rule);
};

let notes = 0;
/** Alice opens an auction of a new note. */
const opens = (v: TestWorld, args: readonly number[]): { lot: number; note: string } => {
  notes += 1;
  const note = `note_${notes}`;
  v.must(v.writes("alice", note, { content: "x" }));
  const { lot } = ask(v, "alice", "house.open", args, { attach: { artifacts: [note] } }) as {
    lot: number;
  };
  return { lot, note };
};

const closes = (v: TestWorld, note: string, owner: string): void => {
  expect([v.owner(note), v.scrip("house")]).toEqual([owner, 0]);
  v.must(v.calls(owner, "genesis_store.delete", [note]));
};

it("an English auction ends with the last bid that was high enough, and refunds all others", () => {
  const v = houseOf("english");
  const bid = fc.record({
    by: fc.constantFrom(...BIDDERS),
    amount: fc.integer({ min: 1, max: 40 }),
    afterMs: fc.integer({ min: 0, max: 4_000 }),
  });
  const terms = fc.record({
    start: fc.integer({ min: 1, max: 10 }),
    step: fc.integer({ min: 1, max: 5 }),
    extend: fc.integer({ min: 0, max: 5 }),
  });
  fc.assert(
    fc.property(terms, fc.array(bid, { maxLength: 12 }), ({ start, step, extend }, bids) => {
      const before = v.scrips("alice", ...BIDDERS);
      const { lot, note } = opens(v, [start, step, 10, extend]);
      let leader: (typeof BIDDERS)[number] | null = null;
      let price = 0;
      let endMs = v.atMs + 10_000;
      for (const { by, amount, afterMs } of bids) {
        v.atMs += afterMs;
        const outcome = pays(v, by, "house.bid", amount, [lot]);
        const least = leader === null ? start : price + step;
        if (v.atMs >= endMs) expect(refusalCode(outcome)).toBe("closed");
        else if (by === leader) expect(refusalCode(outcome)).toBe("leading");
        else if (amount < least) expect(refusalCode(outcome)).toBe("too_low");
        else {
          v.must(outcome);
          [leader, price] = [by, amount];
          endMs = Math.max(endMs, v.atMs + extend * 1_000);
        }
        expect(v.scrip("house")).toBe(price);
      }
      if (v.atMs < endMs) {
        expect(refusalCode(v.calls("alice", "house.settle", [lot]))).toBe("open");
      }
      v.atMs = Math.max(v.atMs, endMs);
      const owner = leader ?? "alice";
      const ended = { lot, winner: leader, price: leader === null ? null : price };
      expect(ask(v, owner, "house.settle", [lot])).toEqual({ ...ended, given_to: owner });
      const paid = BIDDERS.map((id) => (id === leader ? price : 0));
      const after = [price, ...paid.map((each) => -each)].map((gain, at) => {
        return (before[at] ?? 0) + gain;
      });
      expect(v.scrips("alice", ...BIDDERS)).toEqual(after);
      closes(v, note, owner);
    }),
    { numRuns: 35 },
  );
});

describe("a Dutch auction", () => {
  it("sells at the price of its moment, which falls in steps to the floor", () => {
    const v = houseOf("dutch");
    const terms = fc.record({
      floor: fc.integer({ min: 1, max: 20 }),
      above: fc.integer({ min: 0, max: 30 }),
      step: fc.integer({ min: 1, max: 12 }),
      every: fc.integer({ min: 1, max: 9 }),
      afterMs: fc.integer({ min: 0, max: 60_000 }),
    });
    fc.assert(
      fc.property(terms, ({ floor, above, step, every, afterMs }) => {
        const before = v.scrips("alice", "bob");
        const { lot, note } = opens(v, [floor + above, floor, step, every]);
        // The price path by walking it, one step after the other.
        let price = floor + above;
        let left = afterMs;
        let isOver = false;
        for (; left >= every * 1_000; left -= every * 1_000) {
          if (price === floor) isOver = true;
          price = Math.max(floor, price - step);
        }
        v.atMs += afterMs;
        const outcome = pays(v, "bob", "house.take", price + 3, [lot]);
        if (isOver) {
          expect(refusalCode(outcome)).toBe("closed");
          ask(v, "alice", "house.withdraw", [lot]);
          closes(v, note, "alice");
          return;
        }
        expect(JSON.parse(v.must(outcome).result ?? "")).toMatchObject({ winner: "bob", price });
        const [seller = 0, buyer = 0] = before;
        expect(v.scrips("alice", "bob")).toEqual([seller + price, buyer - price]);
        closes(v, note, "bob");
      }),
      { numRuns: 40 },
    );
  });

  it("takes no less than its price, and only its seller can withdraw a lot", () => {
    const v = houseOf("dutch");
    const { lot, note } = opens(v, [50, 20, 10, 5]);
    expect(refusalCode(pays(v, "bob", "house.take", 49, [lot]))).toBe("too_little");
    expect(refusalCode(v.calls("bob", "house.withdraw", [lot]))).toBe("not_yours");
    expect(refusalCode(v.calls("alice", "house.take", [lot]))).toBe("own_lot");
    v.atMs += 20_000 + 3_600_000;
    ask(v, "bob", "house.withdraw", [lot]);
    closes(v, note, "bob");
  });
});
