import { describe, expect, it } from "vitest";
import { answerQuery, asId } from "../../../src/kernel/index.ts";
import { calls, gives, setsAccess, setsPrice, writes } from "../../support/commands.ts";
import { at, bids, closing, freeAndHeld, opening, resolves } from "../../support/mint.ts";
import { NOW, physicsWith } from "../../support/physics.ts";
import { agent, given, givenIn, program, type Scenario } from "../../support/scenario.ts";

/** Agents with a program each, who bid these amounts. */
const bidders = (amounts: { readonly [who: string]: number }) =>
  Object.entries(amounts).flatMap(([who, scrip]) => [
    agent(who),
    program(`${who}s`, who),
    bids(who, `${who}s`, { scrip }),
  ]);

const TWO_SLOTS = physicsWith({ mint: { slots: 2 } });
const TIED = { ann: 10, bob: 7, cyd: 7, dee: 7, eve: 3 };

/** The events with which winners get back what they bid above the price. */
const refundsOf = (...amounts: readonly number[]) =>
  amounts.flatMap((amount) => [{ kind: "hold_split", amount } as const, "hold_released" as const]);

const supplyOf = ({ state }: Scenario): number =>
  [...state.accounts.rows()].reduce((sum, { scrip, held }) => sum + scrip + held, 0);

describe("an auction", () => {
  it("is won by the highest bid, at the price of the highest losing bid", () => {
    const scene = given(...bidders({ ann: 12, bob: 9, cyd: 4 }));
    const result = { auction: 0, price: 9, won: ["anns:1"], lost: ["bobs:2", "cyds:3"], void: [] };
    scene.when(resolves()).thenHappened([
      { kind: "auction_resolved", ...result },
      { kind: "hold_released", hold: "bid:2", into: null },
      { kind: "hold_released", hold: "bid:3", into: null },
      { kind: "hold_split", hold: "bid:1", into: "bid:4", amount: 3 },
      { kind: "hold_released", hold: "bid:4", into: null },
    ]);
    expect(freeAndHeld(scene.state, "ann")).toEqual([91, 9]);
    expect(scene.balances()).toEqual({ ann: 91, bob: 100, cyd: 100 });
  });

  it("draws the winner of the second slot among equal bids", () => {
    const seconds = new Set<string>();
    for (let seed = 0; seed < 40; seed++) {
      const scene = givenIn({ ...TWO_SLOTS, seed }, ...bidders(TIED));
      const { decision } = scene.when(resolves());
      const events = decision.kind === "accepted" ? decision.events : [];
      expect(events[0]).toMatchObject({ kind: "random_drawn", draws: 2 });
      const resolved = events[1];
      if (resolved?.kind !== "auction_resolved") throw new Error("it was not resolved");
      expect(resolved).toMatchObject({ price: 7, void: [] });
      const [first, second = ""] = resolved.won;
      expect(first).toBe("anns:1");
      expect([...resolved.lost, second].sort()).toEqual(["bobs:2", "cyds:3", "dees:4", "eves:5"]);
      const winner = second.slice(0, 3);
      seconds.add(winner);
      expect(freeAndHeld(scene.state, "ann")).toEqual([93, 7]);
      for (const who of ["bob", "cyd", "dee", "eve"]) {
        expect(freeAndHeld(scene.state, who), who).toEqual(who === winner ? [93, 7] : [100, 0]);
      }
      expect(supplyOf(scene)).toBe(500);
    }
    expect([...seconds].sort()).toEqual(["bob", "cyd", "dee"]);
  });

  it("draws nothing if the equal bids all win or all lose", () => {
    const scene = givenIn(TWO_SLOTS, ...bidders({ ann: 7, bob: 7, cyd: 2, dee: 2 }));
    const resolved = { kind: "auction_resolved", price: 2, won: ["anns:1", "bobs:2"] } as const;
    scene
      .when(resolves())
      .thenHappened(resolved, "hold_released", "hold_released", ...refundsOf(5, 5));
  });

  it("has the minimum price if no bid loses", () => {
    const scene = givenIn(TWO_SLOTS, ...bidders({ ann: 12, bob: 1 }));
    const result = { price: 1, won: ["anns:1", "bobs:2"], lost: [] };
    scene.when(resolves()).thenHappened({ kind: "auction_resolved", ...result }, ...refundsOf(11));
    for (const who of ["ann", "bob"]) expect(freeAndHeld(scene.state, who)).toEqual([99, 1]);
  });

  it("is lost by bids below a minimum that has risen", () => {
    const raised = physicsWith({ mint: { slots: 3, minimum_bid: 10 } });
    const amends = { kind: "amend_physics", at_ms: NOW, physics: raised } as const;
    const scene = given(...bidders({ ann: 12, bob: 9, cyd: 10 }), amends);
    const result = { price: 10, won: ["anns:1", "cyds:3"], lost: ["bobs:2"], void: [] };
    scene
      .when(resolves())
      .thenHappened({ kind: "auction_resolved", ...result }, "hold_released", ...refundsOf(2));
    expect(freeAndHeld(scene.state, "bob")).toEqual([100, 0]);
    expect(supplyOf(scene)).toBe(300);
  });

  it("is resolved once, after its close, even without bids", () => {
    const scene = given(agent("ann"));
    const early = resolves(0, closing(0) - 1);
    scene.when(early).thenRefused("invalid_argument", /auction 0 closes at 6 s/);
    const result = { auction: 0, price: 1, won: [], lost: [], void: [] };
    scene.when(resolves()).thenHappened({ kind: "auction_resolved", ...result });
    scene.when(resolves()).thenRefused("invalid_argument", /auction 1 closes at 16 s/);
    scene.when(resolves(1)).thenHappened({ kind: "auction_resolved", auction: 1 });
  });

  it("does not include the bids of the next auction", () => {
    const next = bids("bob", "new", { scrip: 8, atMs: opening(1) });
    const scene = given(...bidders({ ann: 3 }), agent("bob"), program("new", "bob"), next);
    const result = { auction: 0, won: ["anns:1"], lost: [] };
    const resolution = resolves(0, opening(1) + 1);
    scene.when(resolution).thenHappened({ kind: "auction_resolved", ...result }, ...refundsOf(2));
    expect(freeAndHeld(scene.state, "bob")).toEqual([92, 8]);
  });

  it("without slots returns every bid", () => {
    const scene = givenIn(physicsWith({ mint: { slots: 0 } }), ...bidders({ ann: 12, bob: 9 }));
    const result = { price: 1, won: [], lost: ["anns:1", "bobs:2"] };
    scene
      .when(resolves())
      .thenHappened({ kind: "auction_resolved", ...result }, "hold_released", "hold_released");
  });

  it("needs a mint", () => {
    const scene = givenIn(physicsWith({ genesis: { enabled: ["ledger"] } }));
    scene.when(resolves()).thenRefused("not_found", /no mint/);
  });
});

describe("a bid", () => {
  const NEW_CODE = writes("ann", "anns", { code: "function run() { return 1 }" });

  it.each([
    ["content", writes("ann", "anns", { content: "other" })],
    ["code", NEW_CODE],
    ["interface", writes("ann", "anns", { interface: { description: "better", methods: [] } })],
  ])("is void after a change of %s, and does not count for the price", (_, write) => {
    const scene = given(...bidders({ ann: 20, bob: 9, cyd: 4 }), write);
    const result = { price: 4, won: ["bobs:2"], lost: ["cyds:3"], void: ["anns:1"] };
    scene
      .when(resolves())
      .thenHappened([
        { kind: "auction_resolved", ...result },
        "hold_released",
        "hold_released",
        ...refundsOf(5),
      ]);
    expect(freeAndHeld(scene.state, "ann")).toEqual([100, 0]);
    expect(freeAndHeld(scene.state, "bob")).toEqual([96, 4]);
  });

  it("is returned when its program is sold, and the new owner can bid at once", () => {
    const scene = given(...bidders({ ann: 12, bob: 9 }));
    scene.when(gives("ann", "anns", { to: "bob", callers: ["bob"] })).thenHappened([
      { kind: "ownership_transferred", artifact_id: "anns", from: "ann", to: "bob" },
      { kind: "bid_cancelled", submission: "anns:1", artifact_id: "anns" },
      { kind: "hold_released", hold: "bid:1" },
    ]);
    expect(freeAndHeld(scene.state, "ann")).toEqual([100, 0]);
    scene.when(bids("bob", "anns", { scrip: 8 })).thenAnswered({ submission: "anns:3" });
    const result = { won: ["bobs:2"], lost: ["anns:3"], void: [] };
    scene
      .when(resolves())
      .thenHappened({ kind: "auction_resolved", ...result }, "hold_released", ...refundsOf(1));
  });

  it("survives changes of price, access and metadata", () => {
    const changes = [
      setsPrice("ann", "anns", 9),
      setsAccess("ann", "anns", "genesis_contract_private"),
      writes("ann", "anns", { metadata: { topic: "sums" } }),
    ];
    const resolved = { kind: "auction_resolved", won: ["anns:1"], void: [] } as const;
    const scene = given(...bidders({ ann: 12 }), ...changes);
    scene.when(resolves()).thenHappened(resolved, ...refundsOf(11));
  });

  it("stays void if a change of price follows a change of code", () => {
    const changes = [NEW_CODE, setsPrice("ann", "anns", 9), writes("bob", "bobs", { code: "" })];
    const resolved = { kind: "auction_resolved", void: ["anns:2", "bobs:1"] } as const;
    const scene = given(...bidders({ bob: 9, ann: 12 }), ...changes);
    scene.when(resolves()).thenHappened(resolved, "hold_released", "hold_released");
  });
});

describe("the results of auctions", () => {
  it("are public, without the amounts of bids", () => {
    const scene = givenIn(TWO_SLOTS, ...bidders(TIED), resolves());
    const eve = at("eve", closing(0));
    const { answer } = scene.when(calls(eve, "genesis_mint.history"));
    const won = [{ artifact: "anns", score: null }, {}];
    expect(answer).toMatchObject([{ auction: 0, at_ms: closing(0), price: 7, bids: 5, won }]);
    expect(JSON.stringify(answer)).not.toMatch(/10|"amount"/);
    scene
      .when(calls(eve, "genesis_mint.status"))
      .thenAnswered({ auction: 1, open: false, opens_at_ms: opening(1), last_price: 7 });
  });

  it("are kept for the latest twenty auctions", () => {
    const all = Array.from({ length: 25 }, (_, auction) => resolves(auction));
    const scene = given(agent("ann"), ...all);
    const history = (limit: number) =>
      scene.when(calls(at("ann", closing(24)), "genesis_mint.history", { args: [limit] })).answer;
    expect(history(20)).toHaveLength(20);
    expect(history(2)).toMatchObject([{ auction: 24 }, { auction: 23 }]);
  });

  it("can be queried by programs", () => {
    const { state } = given(agent("ann"));
    const query = (now: number) => answerQuery(state, "auction", null, now);
    const terms = { closes_at_ms: 6_000, minimum_bid: 1, slots: 1 };
    expect(query(NOW)).toMatchObject({ answer: { auction: 0, open: true, ...terms } });
    expect(query(0)).toMatchObject({ answer: { auction: 0, open: false, opens_at_ms: 1_000 } });
    state.artifacts.remove(asId("genesis_mint"));
    expect(query(NOW)).toMatchObject({ answer: { open: false } });
  });
});
