import { describe, expect, it } from "vitest";
import { asId, type Json, viewOf } from "../../../src/kernel/index.ts";
import { by, calls, deletes, gives, inside, opens, permit } from "../../support/commands.ts";
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
import {
  agent,
  contract,
  given,
  note,
  type Past,
  program,
  refusesInOrder,
  standing,
} from "../../support/scenario.ts";
import { WIDE_VIEW } from "../../support/view.ts";

const ALICE = agent("alice");
const BOB = agent("bob");
const TOOL = program("tool", "alice");

/** Alice's bank owns the tool. */
const BANK: readonly Past[] = [
  ALICE,
  standing("bank", "alice", { scrip: 90 }),
  TOOL,
  gives("alice", "tool", { to: "bank", callers: ["bank"] }),
];
const bankBids = (artifact: string, scrip: number) => ({
  ...bids("alice", artifact, { scrip }),
  by: inside("alice", "bank"),
});

describe("a bid", () => {
  it("holds its scrip", () => {
    const scene = given(ALICE, TOOL);
    const bid = { submission: "tool:1", amount: 12, auction: 0 };
    const placed = { artifact_id: "tool", bidder: "alice", hold: "bid:1", version: 1 };
    scene
      .when(bids("alice", "tool", { scrip: 12 }))
      .thenHappened([
        { kind: "scrip_held", from: "alice", amount: 12, hold: "bid:1" },
        { kind: "bid_placed", ...bid, ...placed },
      ])
      .thenAnswered({ ...bid, artifact: "tool", closes_at_ms: closing(0) });
    expect(freeAndHeld(scene.state, "alice")).toEqual([88, 12]);
  });

  it("is checked in order, from the account to the amount", () => {
    const scene = given(
      ALICE,
      agent("bob", { scrip: 3 }),
      TOOL,
      note("poem", "bob"),
      ...["other", "own", "shell"].map((id) => program(id, "bob")),
      bids("bob", "other", { scrip: 1 }),
    );
    const of = (artifact: string) => ({ args: [artifact] });
    const attach = (scrip: number) => ({ attach: { scrip, artifacts: [] } });
    const early = { ...inside("bob", "shell"), atMs: opening(0) - 1 };
    refusesInOrder(scene, { ...bids("bob", "nothing", { scrip: 0 }), by: early }, [
      ["not_authorized", /shell has no account/, { by: at("bob", early.atMs) }],
      ["not_found", /no artifact "nothing"/, of("tool")],
      ["not_owner", /belongs to alice; bid a program that you own/, of("bob")],
      ["invalid_type", /an agent or its memory/, of("bob_memory")],
      ["invalid_type", /an agent or its memory/, of("poem")],
      ["invalid_type", /no code to be scored/, of("other")],
      ["already_exists", /already has an open bid; its submission is other:1/, of("own")],
      ["not_open", /opens again at 1 s; it is 0.999 s now/, { by: by("bob") }],
      ["missing_argument", /attach the bid, 1 scrip or more/, attach(3)],
      ["insufficient_funds", /takes 3 scrip, but bob has 2/, attach(2)],
    ]).thenHappened("scrip_held", "bid_placed");
    expect(freeAndHeld(scene.state, "bob")).toEqual([0, 3]);
  });

  it("can be placed until its window closes", () => {
    const bidAt = (atMs: number) => given(ALICE, TOOL).when(bids("alice", "tool", { atMs }));
    bidAt(closing(0) - 1).thenAnswered({ auction: 0 });
    bidAt(closing(0)).thenRefused("not_open", new RegExp(`opens again at ${opening(1) / 1_000} s`));
    bidAt(opening(3)).thenAnswered({ auction: 3, closes_at_ms: closing(3) });
  });

  it("by a program is for artifacts that the program owns", () => {
    const scene = given(...BANK);
    scene.when(bankBids("bank", 5)).thenRefused("not_owner");
    const held = { kind: "scrip_held", from: "bank" } as const;
    scene.when(bankBids("tool", 5)).thenHappened(held, { kind: "bid_placed", bidder: "bank" });
  });
});

describe("a cancelled bid", () => {
  it("returns its whole amount and can be placed again", () => {
    const scene = given(ALICE, TOOL, bids("alice", "tool", { scrip: 12 }));
    const atMs = closing(0) - 1;
    scene
      .when(cancels("alice", "tool:1", { atMs }))
      .thenHappened([
        { kind: "bid_cancelled", submission: "tool:1", artifact_id: "tool" },
        { kind: "hold_released", hold: "bid:1", into: null },
      ])
      .thenAnswered({ refunded: 12 });
    expect(freeAndHeld(scene.state, "alice")).toEqual([100, 0]);
    scene.when(bids("alice", "tool", { scrip: 19, atMs })).thenAnswered({ submission: "tool:2" });
  });

  it("must be the caller's, in an open auction", () => {
    const scene = given(ALICE, BOB, TOOL, bids("alice", "tool"));
    scene.when(cancels("alice", "tool:2")).thenRefused("not_found", /no open submission "tool:2"/);
    scene.when(cancels("alice", "tool")).thenRefused("not_found");
    scene.when(cancels("bob", "tool:1")).thenRefused("not_owner", /a bid of alice/);
    const late = cancels("alice", "tool:1", { atMs: closing(0) });
    scene.when(late).thenRefused("invalid_argument", /closed at 6 s/);
  });
});

describe("a submitted program", () => {
  it("cannot be deleted before it is scored", () => {
    const remove = (atMs: number) => ({ ...deletes("alice", "tool"), by: at("alice", atMs) });
    const scene = given(ALICE, TOOL, bids("alice", "tool"));
    const bid = /at the mint as tool:1; wait until the auction ends/;
    scene.when(remove(NOW)).thenRefused("not_empty", bid);
    scene.when(resolves());
    scene.when(remove(closing(0))).thenRefused("not_empty", /until it is scored/);
    scene.when(scores("tool:1"));
    scene.when(remove(closing(0))).thenHappened("artifact_deleted");
  });
});

/** Everything with which bob can ask about alice's money. */
const QUERIES = [
  calls("bob", "genesis_ledger.balance", { args: ["alice"] }),
  calls("bob", "genesis_ledger.all_balances"),
  calls("bob", "genesis_store.list_principals"),
  calls("bob", "genesis_store.get", { args: ["bank"] }),
  calls("bob", "genesis_mint.status"),
  calls("bob", "genesis_mint.check", { args: ["tool"] }),
  calls("bob", "genesis_event_log.read"),
  cancels("bob", "tool:1"),
];

describe("the amount of a bid", () => {
  const worlds = [3, 70].map((scrip) => given(...BANK, BOB, bankBids("tool", scrip)));

  it.each(QUERIES)("is not revealed by $artifact_id.$method", (query) => {
    const [low, high] = worlds.map((scene) => scene.when(query).decision);
    expect(low).toEqual(high);
  });

  it("is not revealed by what an agent sees", () => {
    const [low, high] = worlds.map(({ state }) =>
      viewOf(state, asId("bob"), { now: NOW, bounds: WIDE_VIEW }),
    );
    expect(low).toEqual(high);
  });

  it("is not revealed by what an access contract of the bidder can pay", () => {
    const paid = permit("door", { cost: 98, payer: "alice", recipient: "bob" });
    const tollAfter = (scrip: number) =>
      given(
        ALICE,
        BOB,
        TOOL,
        contract("door", "alice"),
        program("shop", "alice", { access: "door" }),
        bids("alice", "tool", { scrip }),
      ).when(opens("bob", "shop", { permit: paid }));
    const [low, high] = [tollAfter(3).thenRefused("insufficient_funds"), tollAfter(70)];
    expect(low.decision).toEqual(high.decision);
  });

  it("is visible to its bidder", () => {
    const scene = given(ALICE, TOOL, bids("alice", "tool", { scrip: 12 }));
    const own = { id: "tool:1", artifact: "tool", auction: 0, amount: 12, stage: "bid" };
    const ask = (method: string, args: readonly Json[] = []) =>
      scene.when(calls("alice", `genesis_mint.${method}`, { args }));
    ask("status").thenAnswered({ auction: 0, open: true, submissions: [own] });
    ask("check", ["tool"]).thenAnswered({ artifact: "tool", submission: own, score: null });
  });
});
