import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/world/index.ts";
import type { TestWorld } from "../support/test-world.ts";
import { ask, install, mechanismWorlds, pays, refusalCode } from "./mechanism-world.ts";

const newWorld = mechanismWorlds({ isAudited: false });
const SCRIP = 100_000_000;
const PARTIES = ["bob", "carol"] as const;

const world = (): TestWorld =>
  install(newWorld({ alice: SCRIP, bob: SCRIP, carol: SCRIP }), "table", "bargaining");

type Terms = { readonly pot: number; readonly rounds: number; readonly keep: number };

/** Alice pays a pot for bob and carol. Rounds last 10 s. */
const opens = (v: TestWorld, { pot, rounds, keep }: Terms): number => {
  const outcome = pays(v, "alice", "table.open", pot, ["bob", "carol", rounds, keep, 10]);
  return JSON.parse(v.must(outcome).result ?? "").game;
};

const shrunk = (pot: number, keep: number): number => Math.floor((pot * keep) / 100);

/**
 * What proposer and responder get from a round on if both play the best reply in every later one,
 * found by trying every offer. A party that is indifferent accepts.
 */
const solved = ({ pot, rounds, keep }: Terms): readonly [number, number] => {
  if (rounds === 0) return [0, 0];
  const [later, earlier] = solved({ pot: shrunk(pot, keep), rounds: rounds - 1, keep });
  const offers = Array.from({ length: pot + 1 }, (_, mine): readonly [number, number] =>
    pot - mine >= later ? [mine, pot - mine] : [earlier, later],
  );
  return offers.reduce((best, each) => (each[0] > best[0] ? each : best));
};

type Asks = (terms: Terms) => number;

/**
 * Both play: the proposer asks for `asks(terms)`, and the responder accepts what is best for it.
 * Returns what bob and carol should get.
 */
const plays = (v: TestWorld, terms: Terms, asks: Asks): readonly [number, number] => {
  const game = opens(v, terms);
  let left = terms;
  for (let round = 0; round < terms.rounds; round++) {
    const [proposer, responder] = round % 2 === 0 ? PARTIES : PARTIES.toReversed();
    const mine = asks(left);
    ask(v, proposer ?? "", "table.offer", [game, mine]);
    const next = { ...left, pot: shrunk(left.pot, left.keep), rounds: left.rounds - 1 };
    const isGood = left.pot - mine >= solved(next)[0];
    ask(v, responder ?? "", `table.${isGood ? "accept" : "reject"}`, [game]);
    const rest = left.pot - mine;
    if (isGood) return round % 2 === 0 ? [mine, rest] : [rest, mine];
    left = next;
  }
  return [0, 0];
};

const terms = fc.record({
  pot: fc.integer({ min: 1, max: 60 }),
  rounds: fc.integer({ min: 1, max: 5 }),
  keep: fc.integer({ min: 1, max: 100 }),
});

describe("alternating offers", () => {
  it("divide the pot as backward induction says, and no other first offer is better", () => {
    const v = world();
    fc.assert(
      fc.property(terms, fc.nat(), (game, chance) => {
        const [first, second] = solved(game);
        let [, bob = 0, carol = 0] = v.scrips("alice", ...PARTIES);
        plays(v, game, (left) => solved(left)[0]);
        expect(v.scrips(...PARTIES, "table")).toEqual([bob + first, carol + second, 0]);
        [bob = 0, carol = 0] = v.scrips(...PARTIES);
        const other = chance % (game.pot + 1);
        const [mine, yours] = plays(v, game, (left) =>
          left.rounds === game.rounds ? other : solved(left)[0],
        );
        expect(mine).toBeLessThanOrEqual(first);
        expect(v.scrips(...PARTIES, "table")).toEqual([bob + mine, carol + yours, 0]);
      }),
      { numRuns: 20 },
    );
  });

  it("come near the division of Rubinstein, 1 / (1 + δ), in many rounds", () => {
    // The first gets the pots of rounds 1, 3, 5, … less those of 2, 4, 6, …
    let value = 0;
    const pots = Array.from({ length: 99 }).reduce<number[]>(
      (all) => [...all, shrunk(all.at(-1) ?? 0, 90)],
      [1_000_000],
    );
    for (const pot of pots.toReversed()) value = pot - value;
    expect(Math.abs(value - 1_000_000 / 1.9)).toBeLessThan(20);
    const v = world();
    const game = opens(v, { pot: 1_000_000, rounds: 100, keep: 90 });
    ask(v, "bob", "table.offer", [game, value]);
    ask(v, "carol", "table.accept", [game]);
    expect(v.scrips(...PARTIES)).toEqual([SCRIP + value, SCRIP + 1_000_000 - value]);
  });
});

const move = fc.record({
  // Null: the one whose turn it is.
  by: fc.constantFrom(null, null, null, null, "alice", ...PARTIES),
  kind: fc.constantFrom("offer", "accept", "reject"),
  mine: fc.nat({ max: 70 }),
  afterMs: fc.constantFrom(0, 0, 3_000, 11_000, 25_000),
});
type Move = typeof move extends fc.Arbitrary<infer M> ? M : never;

/** The rules of one game, step by step. It shares no code with the mechanism. */
class Reference {
  readonly #terms: Terms;
  round = 1;
  pot: number;
  offered: number | null = null;
  endMs: number;
  result: readonly [number, number] | null = null;

  constructor(game: Terms, startMs: number) {
    this.#terms = game;
    this.pot = game.pot;
    this.endMs = startMs + 10_000;
  }

  #pass(atMs: number): void {
    this.round += 1;
    this.pot = shrunk(this.pot, this.#terms.keep);
    this.offered = null;
    this.endMs = atMs + 10_000;
    if (this.round > this.#terms.rounds) this.result = [0, 0];
  }

  waits(atMs: number): void {
    while (this.result === null && atMs >= this.endMs) this.#pass(this.endMs);
  }

  /** Whose turn it is to make such a move. */
  mover(kind: Move["kind"]): string {
    return (this.round % 2 === 1) === (kind === "offer") ? "bob" : "carol";
  }

  /** The code of a refusal, or null. */
  answer({ by, kind, mine }: Move, atMs: number): string | null {
    this.waits(atMs);
    if (this.result !== null) return "not_found";
    if (by !== null && by !== this.mover(kind)) return "not_your_turn";
    const isOdd = this.round % 2 === 1;
    if (kind === "offer") {
      if (mine > this.pot) return "bad_number";
      if (this.offered !== null) return "offered";
      this.offered = mine;
      return null;
    }
    if (this.offered === null) return "no_offer";
    const rest = this.pot - this.offered;
    if (kind === "accept") this.result = isOdd ? [this.offered, rest] : [rest, this.offered];
    else this.#pass(atMs);
    return null;
  }
}

it("follows its rules in random games, which end without the parties if they are silent", () => {
  const v = world();
  fc.assert(
    fc.property(terms, fc.array(move, { maxLength: 15 }), (game, moves) => {
      const [alice = 0, bob = 0, carol = 0] = v.scrips("alice", ...PARTIES);
      const n = opens(v, game);
      const rules = new Reference(game, v.atMs);
      for (const each of moves) {
        v.atMs += each.afterMs;
        const args = each.kind === "offer" ? [n, each.mine] : [n];
        rules.waits(v.atMs);
        const by = each.by ?? rules.mover(each.kind);
        const outcome: Outcome = v.calls(by, `table.${each.kind}`, args);
        const expected = rules.answer(each, v.atMs);
        expect(refusalCode(outcome)).toBe(expected ?? "nothing was refused");
      }
      v.atMs += 10_000 * game.rounds;
      rules.waits(v.atMs);
      ask(v, "bob", "table.status");
      const [first = 0, second = 0] = rules.result ?? [];
      const after = [alice - first - second, bob + first, carol + second, 0];
      expect(v.scrips("alice", ...PARTIES, "table")).toEqual(after);
    }),
    { numRuns: 25 },
  );
});

it("needs three different principals with accounts, and few games of one family", () => {
  const v = world();
  const open = (...args: (string | number)[]) =>
    refusalCode(pays(v, "alice", "table.open", 9, args));
  expect(open("alice", "bob", 3, 90, 10)).toBe("same_party");
  expect(open("bob", "bob", 3, 90, 10)).toBe("same_party");
  expect(open("bob", "no_such_id", 3, 90, 10)).toBe("no_account");
  for (let n = 0; n < 5; n++) opens(v, { pot: 1, rounds: 1, keep: 50 });
  expect(open("bob", "carol", 3, 90, 10)).toBe("full");
});
