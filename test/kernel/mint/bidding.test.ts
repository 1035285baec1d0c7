import { describe, expect, it } from "vitest";
import { asId, type Json, viewOf } from "../../../src/kernel/index.ts";

import {
  by,
  calls,
  codeDefines,
  deletes,
  gives,
  inside,
  opens,
  writes,
} from "../../support/commands.ts";
import {
  agent,
  balances,
  given,
  note,
  program,
  refusesInOrder,
  standing,
} from "../../support/given-when-then.ts";
import {
  at,
  bids,
  cancels,
  closing,
  freeAndHeld,
  opening,
  resolves,
  scores,
} from "../../support/mint.ts";
import { NOW } from "../../support/physics.ts";
import { WIDE_VIEW } from "../../support/view.ts";

const ALICE = agent("alice");
const BOB = agent("bob");
const TOOL = program("tool", "alice");

describe("a bid", () => {
  it("is held, and nothing of it is public but that there is one", () => {
    const scene = given(ALICE, BOB, TOOL);
    scene
      .when(bids("alice", "tool", { scrip: 12 }))
      .thenHappened(
        { kind: "scrip_held", from: "alice", amount: 12, hold: "bid:1" },
        {
          kind: "bid_placed",
          submission: "tool:1",
          artifact_id: "tool",
          bidder: "alice",
          amount: 12,
          hold: "bid:1",
          auction: 0,
          version: 1,
        },
      )
      .thenAnswered({
        submission: "tool:1",
        artifact: "tool",
        amount: 12,
        auction: 0,
        closes_at_ms: closing(0),
      });
    expect(freeAndHeld(scene.state, "alice")).toEqual([88, 12]);
  });

  it("is checked from the account down to the amount", () => {
    const scene = given(
      ALICE,
      agent("bob", { scrip: 3 }),
      TOOL,
      note("poem", "bob"),
      program("other", "bob"),
      program("own", "bob"),
      program("shell", "bob"),
      bids("bob", "other", { scrip: 1 }),
    );
    const of = (artifact: string) => (command: ReturnType<typeof bids>) => ({
      ...command,
      args: [artifact],
    });
    const early = { ...inside("bob", "shell"), atMs: opening(0) - 1 };
    const worst = { ...bids("bob", "nothing", { scrip: 0 }), by: early };
    const later = (command: ReturnType<typeof bids>) => ({ ...command, by: by("bob") });
    refusesInOrder(scene, worst, [
      [
        "not_authorized",
        /shell has no account/,
        { by: { ...early, actor: asId("bob"), stack: [] } },
      ],
      ["not_found", /no artifact "nothing"/, of("tool")],
      ["not_owner", /alice does; bid your own/, of("bob")],
      ["invalid_type", /an agent or its memory/, of("bob_memory")],
      ["invalid_type", /an agent or its memory/, of("poem")],
      ["invalid_type", /no code to be scored/, of("other")],
      ["already_exists", /already has an open bid, as other:1/, of("own")],
      ["not_open", /opens again at 1000 ms; it is 999/, later],
      [
        "missing_argument",
        /attach the bid, 1 scrip or more/,
        { attach: { scrip: 3, artifacts: [] } },
      ],
      [
        "insufficient_funds",
        /takes 3 scrip and bob has 2/,
        { attach: { scrip: 2, artifacts: [] } },
      ],
    ]).thenHappened("scrip_held", "bid_placed");
    expect(freeAndHeld(scene.state, "bob")).toEqual([0, 3]);
  });

  it("is open from the first moment of its window to the last", () => {
    const past = [ALICE, TOOL];
    given(...past)
      .when(bids("alice", "tool", { atMs: closing(0) - 1 }))
      .thenAnswered({ auction: 0 });
    given(...past)
      .when(bids("alice", "tool", { atMs: closing(0) }))
      .thenRefused("not_open", new RegExp(`opens again at ${opening(1)} ms`));
    given(...past)
      .when(bids("alice", "tool", { atMs: opening(3) }))
      .thenAnswered({ auction: 3, closes_at_ms: closing(3) });
  });

  it("of a program with an account is its own", () => {
    const scene = given(ALICE, standing("bank", "alice", { scrip: 20 }));
    const gift = gives("alice", "tool", { to: "bank", askers: ["bank"] });
    const owned = given(ALICE, standing("bank", "alice", { scrip: 20 }), TOOL, gift);
    const bank = inside("alice", "bank");
    scene.when({ ...bids("alice", "bank"), by: bank }).thenRefused("not_owner");
    owned
      .when({ ...bids("alice", "tool"), by: bank })
      .thenHappened({ kind: "scrip_held", from: "bank" }, { kind: "bid_placed", bidder: "bank" });
  });
});

describe("a bid that is taken back", () => {
  it("comes back whole", () => {
    const scene = given(ALICE, TOOL, bids("alice", "tool", { scrip: 12 }));
    scene
      .when(cancels("alice", "tool:1", { atMs: closing(0) - 1 }))
      .thenHappened(
        { kind: "bid_cancelled", submission: "tool:1", artifact_id: "tool" },
        { kind: "hold_released", hold: "bid:1", into: null },
      )
      .thenAnswered({ refunded: 12 });
    expect(freeAndHeld(scene.state, "alice")).toEqual([100, 0]);
  });

  it("is one's own, and its auction is open", () => {
    const scene = given(ALICE, BOB, TOOL, bids("alice", "tool"));
    scene.when(cancels("alice", "tool:2")).thenRefused("not_found", /no open submission "tool:2"/);
    scene.when(cancels("alice", "tool")).thenRefused("not_found");
    scene.when(cancels("bob", "tool:1")).thenRefused("not_owner", /a bid of alice/);
    scene
      .when(cancels("alice", "tool:1", { atMs: closing(0) }))
      .thenRefused("invalid_argument", /closed at 6000 ms/);
  });

  it("can be made anew, for more", () => {
    const scene = given(ALICE, TOOL, bids("alice", "tool"), cancels("alice", "tool:1"));
    scene.when(bids("alice", "tool", { scrip: 9 })).thenAnswered({ submission: "tool:2" });
  });
});

describe("what is at the mint", () => {
  const remove = deletes("alice", "tool");
  const later = (atMs: number) => ({ ...remove, by: at("alice", atMs) });

  it("cannot be deleted before it is over", () => {
    const scene = given(ALICE, TOOL, bids("alice", "tool"));
    scene.when(remove).thenRefused("not_empty", /at the mint, as tool:1, until the auction ends/);
    scene.when(resolves());
    scene.when(later(closing(0))).thenRefused("not_empty", /until it is scored/);
    scene.when(scores("tool:1"));
    scene.when(later(closing(0))).thenHappened("artifact_deleted");
  });
});

/** All that bob can find out about alice's money. */
const snooping = (): readonly [string, ReturnType<typeof calls>][] => [
  ["her balance", calls("bob", "genesis_ledger.balance", { args: ["alice"] })],
  ["all balances", calls("bob", "genesis_ledger.all_balances")],
  ["the principals", calls("bob", "genesis_store.list_principals")],
  ["her bank", calls("bob", "genesis_store.get", { args: ["bank"] })],
  ["the mint", calls("bob", "genesis_mint.status")],
  ["her program", calls("bob", "genesis_mint.check", { args: ["tool"] })],
  ["the events", calls("bob", "genesis_event_log.read")],
  ["her bid", cancels("bob", "tool:1")],
];

describe("a sealed bid", () => {
  const worlds = [3, 70].map((scrip) =>
    given(
      ALICE,
      BOB,
      standing("bank", "alice", { scrip: 90 }),
      TOOL,
      gives("alice", "tool", { to: "bank", askers: ["bank"] }),
      { ...bids("alice", "tool", { scrip }), by: inside("alice", "bank") },
    ),
  );

  it.each(snooping())("is not told by %s", (_, question) => {
    const [low, high] = worlds.map((scene) => scene.when(question).decision);
    expect(low).toEqual(high);
  });

  it("is not told by what one sees of the world", () => {
    const [low, high] = worlds.map(({ state }) =>
      viewOf(state, asId("bob"), { now: NOW, bounds: WIDE_VIEW }),
    );
    expect(low).toEqual(high);
  });

  it("is not told by what a contract of hers can still pay", () => {
    const toll = (scrip: number) =>
      given(
        ALICE,
        BOB,
        TOOL,
        writes("alice", "door", {
          code: "function check_permission() {}",
          evidence: codeDefines("check_permission"),
        }),
        program("shop", "alice", { access: "door" }),
        bids("alice", "tool", { scrip }),
      ).when(
        opens("bob", "shop", {
          permit: {
            contract: asId("door"),
            allowed: true,
            reason: "",
            cost: 98,
            payer: asId("alice"),
            recipient: asId("bob"),
          },
        }),
      );
    const [low, high] = [toll(3).thenRefused("insufficient_funds"), toll(70)];
    expect(low.decision).toEqual(high.decision);
  });

  it("is told to its bidder", () => {
    const scene = given(ALICE, TOOL, bids("alice", "tool", { scrip: 12 }));
    const own = { id: "tool:1", artifact: "tool", auction: 0, amount: 12, stage: "bid" };
    const ask = (method: string, args: readonly Json[] = []) =>
      scene.when(calls("alice", `genesis_mint.${method}`, { args }));
    ask("status").thenAnswered({ auction: 0, open: true, submissions: [own] });
    ask("check", ["tool"]).thenAnswered({ artifact: "tool", submission: own, score: null });
    expect(balances(scene.state)).toEqual({ alice: 88 });
  });
});
