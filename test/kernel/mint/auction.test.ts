import { describe, expect, it } from "vitest";
import { answerQuery, asId } from "../../../src/kernel/index.ts";

import { calls, gives, setsAccess, setsPrice, writes } from "../../support/commands.ts";
import {
  agent,
  balances,
  given,
  givenIn,
  type Past,
  program,
  type Scene,
} from "../../support/given-when-then.ts";
import { at, bids, closing, freeAndHeld, opening, resolves } from "../../support/mint.ts";
import { NOW, PHYSICS, physicsWith } from "../../support/physics.ts";

/** Agents with a program each, who bid these amounts. */
const bidders = (amounts: { readonly [who: string]: number }): readonly Past[] =>
  Object.entries(amounts).flatMap(([who, scrip]) => [
    agent(who),
    program(`${who}s`, who),
    bids(who, `${who}s`, { scrip }),
  ]);

const TWO_SLOTS = { ...PHYSICS, mint: { ...PHYSICS.mint, slots: 2 } };
const TIED = { ann: 10, bob: 7, cyd: 7, dee: 7, eve: 3 };

const supplyOf = ({ state }: Scene): number =>
  [...state.accounts.rows()].reduce((sum, { scrip, held }) => sum + scrip + held, 0);

describe("an auction", () => {
  it("is won by the highest bid, for the highest that lost", () => {
    const scene = given(...bidders({ ann: 12, bob: 9, cyd: 4 }));
    scene.when(resolves()).thenHappened(
      {
        kind: "auction_resolved",
        auction: 0,
        price: 9,
        won: ["anns:1"],
        lost: ["bobs:2", "cyds:3"],
        void: [],
      },
      { kind: "hold_released", hold: "bid:2", into: null },
      { kind: "hold_released", hold: "bid:3", into: null },
      { kind: "hold_split", hold: "bid:1", into: "bid:4", amount: 3 },
      { kind: "hold_released", hold: "bid:4", into: null },
    );
    expect(freeAndHeld(scene.state, "ann")).toEqual([91, 9]);
    expect(balances(scene.state)).toEqual({ ann: 91, bob: 100, cyd: 100 });
  });

  it("with five bidders, two slots and a tie draws the second winner", () => {
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
      expect([...resolved.lost].sort().concat(second).sort()).toEqual([
        "bobs:2",
        "cyds:3",
        "dees:4",
        "eves:5",
      ]);
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

  it("draws nothing where a tie changes nothing", () => {
    const scene = givenIn(TWO_SLOTS, ...bidders({ ann: 7, bob: 7, cyd: 2, dee: 2 }));
    scene
      .when(resolves())
      .thenHappened(
        { kind: "auction_resolved", price: 2, won: ["anns:1", "bobs:2"] },
        "hold_released",
        "hold_released",
        { kind: "hold_split", amount: 5 },
        "hold_released",
        { kind: "hold_split", amount: 5 },
        "hold_released",
      );
  });

  it("takes the minimum where nobody loses", () => {
    const scene = givenIn(TWO_SLOTS, ...bidders({ ann: 12, bob: 1 }));
    scene
      .when(resolves())
      .thenHappened(
        { kind: "auction_resolved", price: 1, won: ["anns:1", "bobs:2"], lost: [] },
        { kind: "hold_split", hold: "bid:1", amount: 11 },
        "hold_released",
      );
    expect([freeAndHeld(scene.state, "ann"), freeAndHeld(scene.state, "bob")]).toEqual([
      [99, 1],
      [99, 1],
    ]);
  });

  it("is resolved once, also when nobody bid", () => {
    const scene = given(agent("ann"));
    scene.when(resolves()).thenHappened({
      kind: "auction_resolved",
      auction: 0,
      price: 1,
      won: [],
      lost: [],
      void: [],
    });
    scene.when(resolves()).thenRefused("invalid_argument", /auction 1 closes at 16000 ms/);
    scene.when(resolves(1)).thenHappened({ kind: "auction_resolved", auction: 1 });
  });

  it("is not resolved before its close", () => {
    const early = resolves(0, closing(0) - 1);
    given(agent("ann"))
      .when(early)
      .thenRefused("invalid_argument", /auction 0 closes at 6000 ms/);
  });

  it("leaves the bids of the next one alone", () => {
    const scene = given(
      agent("ann"),
      agent("bob"),
      program("old", "ann"),
      program("new", "bob"),
      bids("ann", "old", { scrip: 3 }),
      bids("bob", "new", { scrip: 8, atMs: opening(1) }),
    );
    const late = opening(1) + 1;
    scene
      .when(resolves(0, late))
      .thenHappened(
        { kind: "auction_resolved", auction: 0, won: ["old:1"], lost: [] },
        "hold_split",
        "hold_released",
      );
    expect(freeAndHeld(scene.state, "bob")).toEqual([92, 8]);
  });

  it("without slots gives everything back", () => {
    const none = physicsWith({ mint: { slots: 0 } });
    const scene = givenIn(none, ...bidders({ ann: 12, bob: 9 }));
    scene
      .when(resolves())
      .thenHappened(
        { kind: "auction_resolved", price: 1, won: [], lost: ["anns:1", "bobs:2"] },
        "hold_released",
        "hold_released",
      );
  });

  it("is not there where there is no mint", () => {
    const bare = physicsWith({ genesis: { enabled: ["ledger"] } });
    givenIn(bare)
      .when(resolves())
      .thenRefused("not_found", /no mint/);
  });
});

describe("a bid", () => {
  const voided: readonly Past[] = [
    ...bidders({ ann: 12, bob: 9, cyd: 4 }),
    ...["new_text", "new_code", "new_face"].map((id) => program(id, "ann")),
    ...["new_text", "new_code", "new_face"].map((id) => bids("ann", id, { scrip: 20 })),
  ];

  it("is void once its program is changed, and counts for nothing", () => {
    const scene = given(
      ...voided,
      writes("ann", "new_text", { content: "other" }),
      writes("ann", "new_code", { code: "function run() { return 1 }" }),
      writes("ann", "new_face", { interface: { description: "better", methods: [] } }),
    );
    scene.when(resolves()).thenHappened(
      {
        kind: "auction_resolved",
        price: 9,
        won: ["anns:1"],
        lost: ["bobs:2", "cyds:3"],
        void: ["new_code:5", "new_face:6", "new_text:4"],
      },
      ...Array.from({ length: 5 }, () => "hold_released" as const),
      { kind: "hold_split", hold: "bid:1", amount: 3 },
      "hold_released",
    );
    expect(freeAndHeld(scene.state, "ann")).toEqual([91, 9]);
    expect(freeAndHeld(scene.state, "bob")).toEqual([100, 0]);
  });

  it("goes back as soon as its program is sold, and the new owner can bid at once", () => {
    const scene = given(...bidders({ ann: 12, bob: 9 }));
    scene
      .when(gives("ann", "anns", { to: "bob", askers: ["bob"] }))
      .thenHappened(
        { kind: "ownership_transferred", artifact_id: "anns", from: "ann", to: "bob" },
        { kind: "bid_cancelled", submission: "anns:1", artifact_id: "anns" },
        { kind: "hold_released", hold: "bid:1" },
      );
    expect(freeAndHeld(scene.state, "ann")).toEqual([100, 0]);
    scene.when(bids("bob", "anns", { scrip: 8 })).thenAnswered({ submission: "anns:3" });
    scene
      .when(resolves())
      .thenHappened(
        { kind: "auction_resolved", won: ["bobs:2"], lost: ["anns:3"], void: [] },
        ...(["hold_released", "hold_split", "hold_released"] as const),
      );
  });

  it("goes along with new terms, which change nothing of what is judged", () => {
    const scene = given(
      ...bidders({ ann: 12 }),
      setsPrice("ann", "anns", 9),
      setsAccess("ann", "anns", "genesis_contract_private"),
      writes("ann", "anns", { metadata: { topic: "sums" } }),
    );
    scene
      .when(resolves())
      .thenHappened(
        { kind: "auction_resolved", won: ["anns:1"], void: [] },
        "hold_split",
        "hold_released",
      );
  });

  it("stays void after a change of terms that follows a change of code", () => {
    const scene = given(
      ...bidders({ ann: 12 }),
      writes("ann", "anns", { code: "function run() { return 1 }" }),
      setsPrice("ann", "anns", 9),
    );
    scene
      .when(resolves())
      .thenHappened({ kind: "auction_resolved", void: ["anns:1"] }, "hold_released");
  });
});

describe("the results", () => {
  it("are told to all, without the bids", () => {
    const scene = givenIn(TWO_SLOTS, ...bidders(TIED));
    scene.when(resolves());
    const history = calls(at("eve", closing(0)), "genesis_mint.history");
    const { answer } = scene.when(history);
    expect(answer).toMatchObject([
      {
        auction: 0,
        at_ms: closing(0),
        price: 7,
        bids: 5,
        won: [{ artifact: "anns", score: null }, {}],
      },
    ]);
    expect(JSON.stringify(answer)).not.toMatch(/10|"amount"/);
    scene
      .when(calls(at("eve", closing(0)), "genesis_mint.status"))
      .thenAnswered({ auction: 1, open: false, opens_at_ms: opening(1), last_price: 7 });
  });

  it("are kept for the newest twenty auctions", () => {
    const scene = given(agent("ann"));
    for (let auction = 0; auction < 25; auction++) scene.when(resolves(auction));
    const ask = (limit: number) =>
      scene.when(calls(at("ann", closing(24)), "genesis_mint.history", { args: [limit] })).answer;
    expect(ask(20)).toHaveLength(20);
    expect(ask(2)).toMatchObject([{ auction: 24 }, { auction: 23 }]);
  });

  it("can be asked for by programs", () => {
    const { state } = given(agent("ann"));
    const ask = (now: number) => answerQuery(state, { kind: "auction", filter: null, now });
    expect(ask(NOW)).toMatchObject({
      answer: { auction: 0, open: true, closes_at_ms: 6_000, minimum_bid: 1, slots: 1 },
    });
    expect(ask(0)).toMatchObject({ answer: { auction: 0, open: false, opens_at_ms: 1_000 } });
    state.artifacts.remove(asId("genesis_mint"));
    expect(ask(NOW)).toMatchObject({ answer: { open: false } });
  });
});
