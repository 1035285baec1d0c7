import { describe, expect, it } from "vitest";
import { asId, type Physics, viewOf } from "../../../src/kernel/index.ts";
import { calls } from "../../support/commands.ts";
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
import {
  agent,
  consumed,
  given,
  givenIn,
  type Past,
  program,
  type Scenario,
} from "../../support/scenario.ts";
import { WIDE_VIEW } from "../../support/view.ts";

/** Ann's tool has won at this price, which her second bid sets. */
const won = (price: number, ...past: readonly Past[]): Scenario => wonIn(PHYSICS, price, ...past);

const wonIn = (physics: Physics, price: number, ...past: readonly Past[]): Scenario =>
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
  ids.flatMap((id) => [agent(id), consumed(id, {})]);

/** The price is collected, and these recipients get equal shares. */
const shares = (price: number, to: readonly string[], amount = 0) => [
  { kind: "artifact_scored", submission: "tool:1" } as const,
  { kind: "proceeds_collected", amount: price, artifact_id: "tool" } as const,
  ...to.map((id) => ({ kind: "proceeds_shared", to: id, amount, payer: "ann" }) as const),
  "hold_released" as const,
];

describe("a score", () => {
  it("pays out the price and mints a part of the score", () => {
    const scene = won(10, ...active("bob", "cyd"));
    expect(freeAndHeld(scene.state, "ann")).toEqual([90, 10]);
    const share = { kind: "proceeds_shared", amount: 5, payer: "ann", of_price: 5 } as const;
    scene.when(scores("tool:1", { score: 67, memo: { seen: 1 } })).thenHappened([
      {
        kind: "artifact_scored",
        submission: "tool:1",
        artifact_id: "tool",
        score: 67,
        minted: 6,
        reason: "it is useful",
        memo: { seen: 1 },
      },
      { kind: "proceeds_collected", hold: "bid:1", amount: 10, artifact_id: "tool" },
      { ...share, to: "bob" },
      { ...share, to: "cyd" },
      { kind: "hold_released", hold: "bid:1", into: null },
      { kind: "scrip_minted", to: "ann", amount: 6, reason: "mint" },
    ]);
    expect(scene.balances()).toEqual({ ann: 96, bob: 105, cyd: 105 });
    expect([...scene.state.flows.rows()]).toEqual([
      { from: "ann", to: "bob", amount: 5 },
      { from: "ann", to: "cyd", amount: 5 },
    ]);
    expect(scene.state.holds.size + scene.state.submissions.size).toBe(0);
    const call = calls(at("bob", closing(0)), "genesis_mint.check", { args: ["tool"] });
    scene.when(call).thenAnswered({ submission: null, score: { score: 67, minted: 6, price: 10 } });
  });

  it("below the mint ratio mints nothing", () => {
    const scene = won(10, ...active("bob"));
    scene.when(scores("tool:1", { score: 9 })).thenHappened(...shares(10, ["bob"], 10));
    expect(scene.balances()).toEqual({ ann: 90, bob: 110 });
    expect(scene.state.scores.get(asId("tool"))).toMatchObject({ minted: 0 });
  });

  it.each([-1, 101, Number.NaN, Number.POSITIVE_INFINITY])("cannot be %d", (score) => {
    const scene = won(10);
    scene.when(scores("tool:1", { score })).thenRefused("invalid_argument", /from 0 to 100/);
  });

  it("is given once, and only to a winner", () => {
    const scene = won(10);
    scene.when(scores("other:2")).thenRefused("not_found", /no winner "other:2"/);
    scene.when(scores("tool:1"));
    scene.when(scores("tool:1")).thenRefused("not_found");
    const open = given(agent("ann"), program("tool", "ann"), bids("ann", "tool"));
    open.when(scores("tool:1")).thenRefused("not_found");
  });

  it("can be given again after another auction", () => {
    const again = bids("ann", "tool", { scrip: 4, atMs: 11_000 });
    const scene = won(10);
    for (const step of [scores("tool:1", { score: 80 }), again]) scene.when(step);
    const resolved = { kind: "auction_resolved", won: ["tool:3"], price: 1 } as const;
    scene.when(resolves(1)).thenHappened(resolved, "hold_split", "hold_released");
    scene.when(scores("tool:3", { score: 20, atMs: closing(1) }));
    expect(scene.state.scores.get(asId("tool"))).toMatchObject({ score: 20, minted: 2 });
    // 100 - 10 paid + 8 minted - 1 paid + 2 minted.
    expect(scene.balances()).toEqual({ ann: 99 });
  });

  it("mints at most what the supply has room for", () => {
    const room = 4;
    const rich = agent("rex", { scrip: Number.MAX_SAFE_INTEGER - 100 - room });
    const scored = { kind: "artifact_scored", minted: room } as const;
    const minted = { kind: "scrip_minted", amount: room } as const;
    won(10, rich)
      .when(scores("tool:1", { score: 99 }))
      .thenHappened(scored, "proceeds_collected", "hold_released", minted);
  });
});

describe("the price that a winner pays", () => {
  const OLD = -PHYSICS.mint.newcomer_ms;
  const GROWN = closing(0) - PHYSICS.mint.newcomer_ms;
  const LEFT = NOW + PHYSICS.resources.window_ms;
  const END = closing(0);
  /** A child of this age acts, and its parent bob does not. */
  const childActs = (bornAtMs: number) => [
    ...[agent("bob"), ...active("kid")],
    childOf("kid", "bob", bornAtMs),
  ];
  const CHILD_OF_ANN = [...active("kid"), consumed("ann", {}), childOf("kid", "ann", OLD)];
  const GRANDCHILD = [childOf("kid", "bob", OLD), childOf("kit", "kid", OLD)];
  const THREE_FAMILIES = [...active("bob", "cyd", "dee", "kid", "kit"), ...GRANDCHILD];
  const THREE = ["bob", "cyd", "dee"];

  it.each<readonly [string, readonly Past[], number, readonly [number, readonly string[]]]>([
    ["is divided among families, and the rest waits", THREE_FAMILIES, END, [17, THREE]],
    ["waits if there are more families", THREE_FAMILIES, END, [2, []]],
    ["never goes to the payer's family", [...active("bob"), ...CHILD_OF_ANN], END, [10, ["bob"]]],
    ["goes to the root of a family whose child acts", childActs(GROWN), END, [10, ["bob"]]],
    ["does not go to a family if only a new child acts", childActs(GROWN + 1), END, [10, []]],
    ["goes to those who acted within the window", active("bob"), LEFT - 1, [10, ["bob"]]],
    ["does not go to those who acted earlier", active("bob"), LEFT, [10, []]],
  ])("%s", (_, past, atMs, [price, to]) => {
    const scene = won(price, ...past);
    const before = scene.balances() as { readonly [id: string]: number };
    const each = to.length === 0 ? 0 : Math.floor(price / to.length);
    scene.when(scores("tool:1", { score: 0, atMs })).thenHappened(...shares(price, to, each));
    const received = to.map((id) => [id, (before[id] ?? 0) + each]);
    expect(scene.balances()).toEqual({ ...before, ...Object.fromEntries(received) });
    const undistributed = price - each * to.length;
    const supply = { minted: 0, burned: 0 };
    expect(scene.state.world.get("world")).toMatchObject({ undistributed, supply });
  });

  it("is shared with the remainder of earlier prices", () => {
    const scene = won(2, ...active("bob", "cyd", "dee"));
    scene.when(scores("tool:1"));
    scene.when(bids("ann", "tool", { scrip: 1, atMs: 11_000 }));
    scene.when(resolves(1));
    scene
      .when(scores("tool:3", { score: 0, atMs: closing(1) }))
      .thenHappened(
        "artifact_scored",
        { kind: "proceeds_collected", amount: 1 },
        ...THREE.map((to) => ({ kind: "proceeds_shared", to, amount: 1, of_price: 0 }) as const),
        "hold_released",
      );
    expect(scene.state.world.get("world")).toMatchObject({ undistributed: 0 });
  });

  it("is burned if the configuration says so", () => {
    wonIn(physicsWith({ mint: { proceeds: "burn" } }), 10, ...active("bob"))
      .when(scores("tool:1"))
      .thenHappened(
        ...(["artifact_scored", "proceeds_collected"] as const),
        { kind: "proceeds_burned", amount: 10 },
        "hold_released",
        { kind: "scrip_minted", amount: 5 },
      );
  });
});

describe("a scoring that failed", () => {
  it("returns the whole price", () => {
    const scene = won(10, ...active("bob"));
    scene.when(failsScoring("tool:1")).thenHappened([
      { kind: "scoring_failed", artifact_id: "tool", reason: "the scorer is away" },
      { kind: "hold_released", hold: "bid:1", into: null },
    ]);
    expect(scene.balances()).toEqual({ ann: 100, bob: 100 });
    expect(scene.state.scores.get(asId("tool"))).toBeUndefined();
    scene.when(failsScoring("tool:1")).thenRefused("not_found");
  });
});

describe("the mint in an agent's view", () => {
  it("shows its own submissions until they are scored, and recent winners", () => {
    const scene = won(10);
    const mintAt = (now: number) =>
      viewOf(scene.state, asId("ann"), { now, bounds: WIDE_VIEW }).mint;
    const next = { auction: 1, open: false, minimum_bid: 1, slots: 1, last_price: 10 };
    const own = [{ id: "tool:1", artifact: "tool", amount: 11, stage: "won", price: 10 }];
    expect(mintAt(closing(0))).toMatchObject({ ...next, own, results: [] });
    scene.when(scores("tool:1", { score: 80 }));
    const results = [{ artifact: "tool", bidder: "ann", price: 10, score: 80, minted: 8 }];
    expect(mintAt(11_000)).toMatchObject({ auction: 1, open: true, own: [], results });
  });
});
