import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json } from "../../src/kernel/index.ts";
import type { TestWorld } from "../support/test-world.ts";
import { ask, install, mechanismWorlds, pays, refusalCode, unitsOf } from "./mechanism-world.ts";
import { ReferenceBook } from "./reference-book.ts";

const newWorld = mechanismWorlds({ isAudited: false });
const TRADERS = ["alice", "bob", "carol", "dave"] as const;
const SCRIP = 1_000_000;
const UNITS = 10_000;

const trader = fc.constantFrom(...TRADERS);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("buy" as const, "sell" as const),
      by: trader,
      price: fc.integer({ min: 1, max: 8 }),
      units: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("cancel" as const),
      by: trader,
      pick: fc.nat({ max: 30 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A world with a market, and what a reference book says that everyone has. */
class Trial {
  readonly v: TestWorld;
  readonly id: string;
  readonly book = new ReferenceBook();
  readonly #scrip = new Map<string, number>();
  readonly #units = new Map<string, number>(TRADERS.map((id) => [id, UNITS]));

  constructor(v: TestWorld, id: string) {
    this.v = v;
    this.id = id;
    for (const who of TRADERS) this.#scrip.set(who, v.scrip(who) ?? 0);
    const initial = Object.fromEntries(TRADERS.map((who) => [who, UNITS]));
    install(v, `${id}_good`, "token", { initial });
    install(v, id, "order-book", { good: `${id}_good` });
    for (const who of TRADERS) ask(v, who, `${id}_good.approve`, [id, UNITS]);
  }

  take(step: Step): void {
    if (step.kind === "cancel") this.#cancel(step.by, step.pick);
    else this.#order(step);
    this.#compare();
  }

  #order({ kind: side, by, price, units }: Exclude<Step, { kind: "cancel" }>): void {
    const deals = this.book.place({ side, by, price, units });
    const outcome =
      side === "buy"
        ? pays(this.v, by, `${this.id}.buy`, price * units, [price, units])
        : this.v.calls(by, `${this.id}.sell`, [price, units]);
    if (deals === null) {
      expect(refusalCode(outcome)).toBe("own_order");
      return;
    }
    const waiting = units - deals.length;
    const scrip = deals.reduce((sum, deal) => sum + deal.price, 0);
    expect(JSON.parse(this.v.must(outcome).result ?? "")).toEqual({
      order: this.book.lastOrder,
      filled: deals.length,
      scrip,
      waiting,
      returned: 0,
    });
    for (const deal of deals) {
      this.#move(deal.buyer, -deal.price, 1);
      this.#move(deal.seller, deal.price, -1);
    }
  }

  #cancel(by: string, pick: number): void {
    const own = this.book.waiting.filter((order) => order.by === by);
    const order = own[pick % Math.max(1, own.length)];
    if (order === undefined) return;
    ask(this.v, by, `${this.id}.cancel`, [order.n]);
    this.book.cancel(order.n);
  }

  #move(id: string, scrip: number, units: number): void {
    this.#scrip.set(id, (this.#scrip.get(id) ?? 0) + scrip);
    this.#units.set(id, (this.#units.get(id) ?? 0) + units);
  }

  /** All have what the trades gave. The market has what backs the waiting orders. */
  #compare(): void {
    const { v, id, book } = this;
    const backing = { scrip: 0, units: 0 };
    const scrip = new Map(this.#scrip);
    const units = new Map(this.#units);
    for (const order of book.waiting) {
      const [held, goods] =
        order.side === "buy" ? [order.price * order.units, 0] : [0, order.units];
      scrip.set(order.by, (scrip.get(order.by) ?? 0) - held);
      units.set(order.by, (units.get(order.by) ?? 0) - goods);
      backing.scrip += held;
      backing.units += goods;
    }
    expect(v.scrips(...TRADERS, id)).toEqual([
      ...TRADERS.map((who) => scrip.get(who)),
      backing.scrip,
    ]);
    const held = unitsOf(v, `${id}_good`);
    expect([...TRADERS.map((who) => held[who] ?? 0), held[id] ?? 0]).toEqual([
      ...TRADERS.map((who) => units.get(who)),
      backing.units,
    ]);
    const seen = ask(v, "dave", `${id}.book`) as { bids: Json[][]; asks: Json[][] };
    expect(seen).toEqual({ bids: book.levels("buy"), asks: book.levels("sell") });
    const [[bid = 0] = []] = seen.bids;
    const [[askPrice = Infinity] = []] = seen.asks;
    expect(Number(bid)).toBeLessThan(Number(askPrice));
  }
}

it("trades like an independent book, with every order backed, under random orders", () => {
  const v = newWorld(Object.fromEntries(TRADERS.map((id) => [id, SCRIP])));
  let made = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
      made += 1;
      const trial = new Trial(v, `market_${made}`);
      for (const each of steps) trial.take(each);
    }),
    { numRuns: 18 },
  );
});
