import fc from "fast-check";
import { expect, it } from "vitest";
import { ask, install, mechanismWorlds, pays, refusalCode, unitsOf } from "./mechanism-world.ts";

const newWorld = mechanismWorlds({ isAudited: false });
const PEOPLE = ["alice", "bob", "carol"] as const;

const step = fc.record({
  by: fc.constantFrom(...PEOPLE),
  of: fc.constantFrom(...PEOPLE),
  kind: fc.constantFrom("offer", "reprice", "buy", "withdraw"),
  price: fc.integer({ min: 1, max: 9 }),
  units: fc.integer({ min: 1, max: 9 }),
});

it("sells each stock at the price that its seller has posted", () => {
  const v = newWorld({ alice: 1_000_000, bob: 1_000_000, carol: 1_000_000 });
  const initial = { alice: 100_000, bob: 100_000, carol: 100_000 };
  install(v, "good", "token", { initial });
  install(v, "shop", "posted-price", { good: "good" });
  for (const who of PEOPLE) ask(v, who, "good.approve", ["shop", 100_000]);
  const stock = new Map<string, { price: number; units: number }>();
  const scrip = new Map<string, number>(PEOPLE.map((id) => [id, 1_000_000]));
  const units = new Map<string, number>(PEOPLE.map((id) => [id, 100_000]));
  const add = (sums: Map<string, number>, id: string, amount: number) =>
    sums.set(id, (sums.get(id) ?? 0) + amount);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      for (const { by, of, kind, price, units: count } of steps) {
        const own = stock.get(by);
        const theirs = stock.get(of);
        if (kind === "offer") {
          ask(v, by, "shop.offer", [price, count]);
          stock.set(by, { price, units: count + (own?.units ?? 0) });
          add(units, by, -count);
        } else if (kind === "buy") {
          const outcome = pays(v, by, "shop.buy", 90, [of, count]);
          if (theirs === undefined) expect(refusalCode(outcome)).toBe("not_found");
          else if (by === of) expect(refusalCode(outcome)).toBe("own_offer");
          else if (count > theirs.units) expect(refusalCode(outcome)).toBe("too_few");
          else {
            v.must(outcome);
            theirs.units -= count;
            if (theirs.units === 0) stock.delete(of);
            add(units, by, count);
            add(scrip, by, -theirs.price * count);
            add(scrip, of, theirs.price * count);
          }
        } else {
          const outcome = v.calls(by, `shop.${kind}`, kind === "reprice" ? [price] : []);
          if (own === undefined) expect(refusalCode(outcome)).toBe("not_found");
          else if (kind === "reprice") own.price = price;
          else {
            add(units, by, own.units);
            stock.delete(by);
          }
        }
        const held = unitsOf(v, "good");
        expect(PEOPLE.map((id) => held[id] ?? 0)).toEqual(PEOPLE.map((id) => units.get(id)));
        expect(v.scrips(...PEOPLE, "shop")).toEqual([...PEOPLE.map((id) => scrip.get(id)), 0]);
        const all = [...stock.values()].reduce((sum, each) => sum + each.units, 0);
        expect(held.shop ?? 0).toBe(all);
      }
    }),
    { numRuns: 20 },
  );
});
