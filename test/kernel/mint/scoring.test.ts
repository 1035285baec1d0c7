import { describe, expect, it } from "vitest";
import { asId, type Physics, viewOf } from "../../../src/kernel/index.ts";

import { calls, createsAgent } from "../../support/commands.ts";
import {
  agent,
  balances,
  consumed,
  given,
  givenIn,
  type Past,
  program,
  type Scene,
} from "../../support/given-when-then.ts";
import {
  at,
  bids,
  childOf,
  closing,
  failsScoring,
  freeAndHeld,
  resolves,
  scores,
} from "../../support/mint.ts";
import { NOW, PHYSICS, physicsWith } from "../../support/physics.ts";
import { WIDE_VIEW } from "../../support/view.ts";

/** Ann has won with her tool, for as much as she says: her own second bid sets the price. */
const won = (price: number, ...past: readonly Past[]): Scene => wonIn(PHYSICS, price, ...past);

const wonIn = (physics: Physics, price: number, ...past: readonly Past[]): Scene =>
  givenIn(
    physics,
    agent("ann"),
    program("tool", "ann"),
    program("other", "ann"),
    bids("ann", "tool", { scrip: price + 1 }),
    bids("ann", "other", { scrip: price }),
    ...past,
    resolves(),
  );

const active = (...ids: readonly string[]): readonly Past[] =>
  ids.flatMap((id) => [createsAgent(id), consumed(id, {})]);

describe("a score", () => {
  it("pays out the price and mints a part of the score", () => {
    const scene = won(10, ...active("bob", "cyd"));
    expect(freeAndHeld(scene.state, "ann")).toEqual([90, 10]);
    scene.when(scores("tool:1", { score: 67, memo: { seen: 1 } })).thenHappened(
      {
        kind: "artifact_scored",
        submission: "tool:1",
        artifact_id: "tool",
        score: 67,
        minted: 6,
        reason: "it is useful",
        memo: { seen: 1 },
      },
      { kind: "hold_spent", hold: "bid:1", to: "bob", amount: 5, reason: "mint_share" },
      { kind: "hold_spent", hold: "bid:1", to: "cyd", amount: 5, reason: "mint_share" },
      { kind: "hold_released", hold: "bid:1", into: null },
      { kind: "scrip_minted", to: "ann", amount: 6, reason: "mint" },
    );
    expect(balances(scene.state)).toEqual({ ann: 96, bob: 105, cyd: 105 });
    expect(scene.state.holds.size + scene.state.submissions.size).toBe(0);
    scene
      .when(calls(at("bob", closing(0)), "genesis_mint.check", { args: ["tool"] }))
      .thenAnswered({ submission: null, score: { score: 67, minted: 6, price: 10 } });
  });

  it("of nothing mints nothing", () => {
    const scene = won(10, ...active("bob"));
    scene
      .when(scores("tool:1", { score: 9 }))
      .thenHappened(
        { kind: "artifact_scored", minted: 0 },
        { kind: "hold_spent", to: "bob", amount: 10 },
        "hold_released",
      );
    expect(balances(scene.state)).toEqual({ ann: 90, bob: 110 });
  });

  it.each([-1, 101, Number.NaN, Number.POSITIVE_INFINITY])("is not %d", (score) => {
    won(10)
      .when(scores("tool:1", { score }))
      .thenRefused("invalid_argument", /from 0 to 100/);
  });

  it("is given once, to a winner", () => {
    const scene = won(10);
    scene.when(scores("other:2")).thenRefused("not_found", /no winner "other:2"/);
    scene.when(scores("tool:1"));
    scene.when(scores("tool:1")).thenRefused("not_found");
    const open = given(agent("ann"), program("tool", "ann"), bids("ann", "tool"));
    open.when(scores("tool:1")).thenRefused("not_found");
  });

  it("mints no more than can be counted", () => {
    const room = 4;
    const rich = agent("rex", { scrip: Number.MAX_SAFE_INTEGER - 100 - room });
    won(10, rich)
      .when(scores("tool:1", { score: 99 }))
      .thenHappened(
        { kind: "artifact_scored", minted: room },
        { kind: "hold_spent", to: null },
        "hold_released",
        { kind: "scrip_minted", amount: room },
      );
  });
});

describe("the price that a winner pays", () => {
  it("is divided by families, and what cannot be divided is burned", () => {
    const scene = won(
      17,
      ...active("bob", "cyd", "dee", "kid", "kit"),
      childOf("kid", "bob", -PHYSICS.mint.newcomer_ms),
      childOf("kit", "kid", -PHYSICS.mint.newcomer_ms),
    );
    scene
      .when(scores("tool:1", { score: 0 }))
      .thenHappened(
        "artifact_scored",
        { kind: "hold_spent", to: "bob", amount: 5 },
        { kind: "hold_spent", to: "cyd", amount: 5 },
        { kind: "hold_spent", to: "dee", amount: 5 },
        { kind: "hold_spent", to: null, amount: 2, reason: "burned" },
        "hold_released",
      );
    expect(balances(scene.state)).toMatchObject({ ann: 83, bob: 105, kid: 100, kit: 100 });
  });

  it("never goes to the payer's own family", () => {
    const old = -PHYSICS.mint.newcomer_ms;
    const scene = won(10, ...active("bob", "kid"), consumed("ann", {}), childOf("kid", "ann", old));
    scene
      .when(scores("tool:1", { score: 0 }))
      .thenHappened(
        "artifact_scored",
        { kind: "hold_spent", to: "bob", amount: 10 },
        "hold_released",
      );
  });

  it("goes to the root of a family whose child acts, once the child is no newcomer", () => {
    const bornAt = (moment: number) =>
      won(10, createsAgent("bob"), ...active("kid"), childOf("kid", "bob", moment));
    const grown = closing(0) - PHYSICS.mint.newcomer_ms;
    bornAt(grown)
      .when(scores("tool:1", { score: 0 }))
      .thenHappened(
        "artifact_scored",
        { kind: "hold_spent", to: "bob", amount: 10 },
        "hold_released",
      );
    bornAt(grown + 1)
      .when(scores("tool:1", { score: 0 }))
      .thenHappened(
        "artifact_scored",
        { kind: "hold_spent", to: null, amount: 10, reason: "burned" },
        "hold_released",
      );
  });

  it("goes to those who acted within the window only", () => {
    const left = NOW + PHYSICS.resources.window_ms;
    const scene = won(10, ...active("bob"));
    scene
      .when(scores("tool:1", { score: 0, atMs: left - 1 }))
      .thenHappened("artifact_scored", { kind: "hold_spent", to: "bob" }, "hold_released");
    won(10, ...active("bob"))
      .when(scores("tool:1", { score: 0, atMs: left }))
      .thenHappened(
        "artifact_scored",
        { kind: "hold_spent", to: null, amount: 10 },
        "hold_released",
      );
  });

  it("is burned where there is less of it than there are families", () => {
    const scene = won(2, ...active("bob", "cyd", "dee"));
    scene
      .when(scores("tool:1", { score: 0 }))
      .thenHappened(
        "artifact_scored",
        { kind: "hold_spent", to: null, amount: 2 },
        "hold_released",
      );
    expect(scene.state.world.get("world")?.supply).toEqual({ endowed: 400, minted: 0, burned: 2 });
  });

  it("is burned where the world says so", () => {
    const burning = physicsWith({ mint: { proceeds: "burn" } });
    wonIn(burning, 10, ...active("bob"))
      .when(scores("tool:1"))
      .thenHappened(
        "artifact_scored",
        { kind: "hold_spent", to: null, amount: 10, reason: "burned" },
        "hold_released",
        { kind: "scrip_minted", amount: 5 },
      );
  });

  it("counts as paid by the winner to those who share in it", () => {
    const scene = won(10, ...active("bob", "cyd"));
    scene.when(scores("tool:1"));
    const share = { from: "ann", amount: 5 };
    expect([...scene.state.flows.rows()]).toEqual([
      { ...share, to: "bob" },
      { ...share, to: "cyd" },
    ]);
  });
});

describe("a scoring that failed", () => {
  it("gives the price back in full", () => {
    const scene = won(10, ...active("bob"));
    scene
      .when(failsScoring("tool:1"))
      .thenHappened(
        { kind: "scoring_failed", artifact_id: "tool", reason: "the scorer is away" },
        { kind: "hold_released", hold: "bid:1", into: null },
      );
    expect(balances(scene.state)).toEqual({ ann: 100, bob: 100 });
    expect(scene.state.scores.get(asId("tool"))).toBeUndefined();
    scene.when(failsScoring("tool:1")).thenRefused("not_found");
  });
});

describe("what an agent sees of the mint", () => {
  const look = ({ state }: Scene, now: number) =>
    viewOf(state, asId("ann"), { now, bounds: WIDE_VIEW }).mint;

  it("is its own submissions until they are scored, and what lately won", () => {
    const scene = won(10);
    expect(look(scene, closing(0))).toMatchObject({
      auction: 1,
      open: false,
      minimum_bid: 1,
      slots: 1,
      last_price: 10,
      own: [{ id: "tool:1", artifact: "tool", amount: 11, stage: "won", price: 10 }],
      results: [],
    });
    scene.when(scores("tool:1", { score: 80 }));
    expect(look(scene, 11_000)).toMatchObject({
      auction: 1,
      open: true,
      own: [],
      results: [{ artifact: "tool", bidder: "ann", price: 10, score: 80, minted: 8 }],
    });
  });
});

describe("a program that was scored", () => {
  it("can be bid and scored again", () => {
    const scene = won(10);
    scene.when(scores("tool:1", { score: 80 }));
    scene.when(bids("ann", "tool", { scrip: 4, atMs: 11_000 }));
    scene
      .when(resolves(1))
      .thenHappened(
        { kind: "auction_resolved", won: ["tool:3"], price: 1 },
        "hold_split",
        "hold_released",
      );
    scene.when(scores("tool:3", { score: 20, atMs: closing(1) }));
    expect(scene.state.scores.get(asId("tool"))).toMatchObject({ score: 20, minted: 2 });
    // 100 - 10 burned + 8 minted - 1 burned + 2 minted.
    expect(balances(scene.state)).toEqual({ ann: 99 });
  });
});
