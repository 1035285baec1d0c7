import { describe, expect, it } from "vitest";
import type { Json, RefusalCode, Subject } from "../../../src/kernel/index.ts";
import {
  accepts,
  by,
  calls,
  charges,
  deletes,
  inside,
  offersOwnership,
  permit,
  reads,
  sells,
  transfers,
} from "../../support/commands.ts";
import { NOW, PHYSICS } from "../../support/physics.ts";
import {
  agent,
  contract,
  given,
  note,
  type Past,
  program,
  type Scenario,
  standing,
} from "../../support/scenario.ts";

const WINDOW_MS = PHYSICS.resources.window_ms;

type Actor = string | Subject;
const grants = (who: Actor, ...args: readonly Json[]) =>
  calls(who, "genesis_ledger.grant", { args });
const revokes = (who: string, id: string) => calls(who, "genesis_ledger.revoke", { args: [id] });
const grantsOf = (who: Actor, ...args: readonly Json[]) =>
  calls(who, "genesis_ledger.grants", { args });

/** Carol's club has an account. Bob calls it. */
const CLUB = [agent("alice"), agent("bob"), agent("carol"), standing("club", "carol")];
const club = (atMs = NOW): Subject => ({ ...inside("bob", "club"), atMs });
const givenClub = (...past: readonly Past[]): Scenario => given(...CLUB, ...past);
const readOnly = { ...club(), readOnly: true };

describe("a grant", () => {
  const bounds = { max_per_call: 5, max_per_window: 20 };

  it("lets a program charge its grantor", () => {
    const grant = { grantor: "alice", contract: "club", ...bounds };
    givenClub()
      .when(grants("alice", "club", 5, 20))
      .thenHappened({ kind: "delegation_granted", ...grant })
      .thenAnswered(grant);
  });

  it("is visible to everyone, since a buyer of the grantor must know of it", () => {
    const scene = givenClub(grants("alice", "club", 5, 20));
    const left = { ...bounds, left_in_window: 20 };
    const ofAlice = { given: [{ contract: "club", ...left }], received: [] };
    const ofClub = { given: [], received: [{ grantor: "alice", ...left }] };
    scene.when(grantsOf("alice")).thenAnswered(ofAlice);
    scene.when(grantsOf("bob", "alice")).thenAnswered(ofAlice);
    scene.when(grantsOf(club())).thenAnswered(ofClub);
    scene.when(grantsOf("bob", "club")).thenAnswered(ofClub);
    scene.when(grantsOf("bob")).thenAnswered({ given: [], received: [] });
    scene.when(grantsOf("alice", "bob")).thenAnswered({ given: [], received: [] });
    scene.when(grantsOf("alice", "unknown")).thenRefused("not_found");
  });

  it.each<readonly [string, readonly Json[], RefusalCode, RegExp]>([
    ["to an unknown artifact", ["nothing", 5, 20], "not_found", /no artifact/],
    ["to a note", ["poem", 5, 20], "invalid_argument", /name a program/],
    ["to an agent", ["bob", 5, 20], "invalid_argument", /name a program/],
    ["to the world", ["genesis_ledger", 5, 20], "invalid_argument", /name a program/],
    ["of zero per call", ["club", 0, 20], "interface_mismatch", /at least 1/],
    ["of zero per window", ["club", 5, 0], "interface_mismatch", /at least 1/],
    ["of a fraction", ["club", 0.5, 20], "interface_mismatch", /integer/],
    [
      "of an unsafe integer",
      ["club", 5, 2 ** 53],
      "invalid_argument",
      /whole numbers from 1 to 9007/,
    ],
    ["without a limit", ["club", 5], "interface_mismatch", /max_per_window, is missing/],
  ])("%s is refused", (_, args, code, words) => {
    const scene = givenClub(note("poem", "alice"));
    scene.when(grants("alice", ...args)).thenRefused(code, words);
  });

  it("can only be made by its grantor itself, not by a program that the grantor calls", () => {
    const scene = givenClub(program("tool", "carol"));
    const asTool = grants(inside("alice", "tool"), "club", 5, 20);
    scene.when(asTool).thenRefused("not_authorized", /tool has no account/);
    scene.when(grants(inside("alice", "club"), "club", 5, 20)).thenRefused("invalid_argument");
    const cannotPay = /may only read; it cannot pay or change/;
    scene.when(grants(readOnly, "club", 5, 20)).thenRefused("not_authorized", cannotPay);
    scene.when(grantsOf("alice")).thenAnswered({ given: [] });
  });

  it("can be made by a program with an account", () => {
    const scene = givenClub(standing("bank", "bob", { scrip: 30 }));
    const granted = { kind: "delegation_granted", grantor: "bank" } as const;
    scene.when(grants(inside("bob", "bank"), "club", 5, 20)).thenHappened(granted);
    scene.when(charges(club(), "bank", 5)).thenAnswered({ from: "bank", to: "club", amount: 5 });
    expect(scene.balances()).toMatchObject({ bank: 25, bob: 70, club: 5 });
  });

  it("replaces an earlier one to the same program, and past charges still count", () => {
    const scene = givenClub(grants("alice", "club", 5, 5), charges(club(), "alice", 4));
    scene.when(grants("alice", "club", 9, 10)).thenHappened("delegation_granted");
    scene.when(charges(club(), "alice", 7)).thenRefused("rate_limited", /6 is left/);
    scene.when(charges(club(), "alice", 6)).thenAnswered({ amount: 6 });
  });

  it("is one of at most a hundred", () => {
    const many = Array.from({ length: 101 }, (_, n) => program(`p${n}`, "carol"));
    const first = many.slice(1).map((_, n) => grants("alice", `p${n}`, 1, 1));
    const scene = givenClub(...many, ...first);
    scene.when(grants("alice", "p100", 1, 1)).thenRefused("quota_exceeded", /revoke one/);
    scene.when(grants("alice", "p7", 2, 2)).thenHappened("delegation_granted");
    scene.when(revokes("alice", "p7")).thenHappened("delegation_revoked");
    scene.when(grants("alice", "p100", 1, 1)).thenHappened("delegation_granted");
  });
});

describe("a charge", () => {
  const GRANT = grants("alice", "club", 5, 12);

  it("moves scrip from the grantor to the program, and counts", () => {
    const scene = givenClub(GRANT);
    scene.when(charges(club(), "alice", 5)).thenHappened([
      { kind: "scrip_transferred", from: "alice", to: "club", amount: 5, reason: "charge" },
      { kind: "delegation_used", grantor: "alice", contract: "club", amount: 5 },
    ]);
    expect(scene.balances()).toEqual({ alice: 95, bob: 100, carol: 100, club: 5 });
    scene.when(grantsOf(club())).thenAnswered({ received: [{ left_in_window: 7 }] });
  });

  it("is limited per call and per rolling window", () => {
    const scene = givenClub(GRANT, charges(club(), "alice", 5));
    const charge = (scrip: number, laterMs: number) =>
      scene.when(charges(club(NOW + laterMs), "alice", scrip));
    charge(6, 0).thenRefused("not_authorized", /5 per call, not 6/);
    charge(5, 1_000).thenAnswered({ amount: 5 });
    charge(3, 1_000).thenRefused("rate_limited", /12 per window; 2 is left, less than 3/);
    charge(3, WINDOW_MS - 1).thenRefused("rate_limited");
    // The first five have left the window.
    charge(5, WINDOW_MS).thenAnswered({ amount: 5 });
    charge(3, WINDOW_MS).thenRefused("rate_limited");
    expect(scene.balances()).toMatchObject({ alice: 85, club: 15 });
  });

  const REVOKED = [GRANT, revokes("alice", "club")];
  const OTHER = [grants("bob", "club", 5, 12)];
  it.each<readonly [string, readonly Past[], string, Json, RefusalCode, RegExp]>([
    ["without a grant", [], "alice", 1, "not_authorized", /genesis_ledger\.grant\("club"/],
    ["with the grant of another", OTHER, "alice", 1, "not_authorized", /not agreed/],
    ["with a revoked grant", REVOKED, "alice", 1, "not_authorized", /agreed/],
    ["of its caller, who made no grant", [GRANT], "bob", 1, "not_authorized", /not agreed/],
    ["of the program itself", [GRANT], "club", 1, "invalid_argument", /cannot charge itself/],
    ["of an unknown principal", [GRANT], "unknown", 1, "not_authorized", /not agreed/],
    ["of zero", [GRANT], "alice", 0, "invalid_argument", /whole number/],
    ["of a negative amount", [GRANT], "alice", -5, "invalid_argument", /whole number/],
    ["of text", [GRANT], "alice", "5", "invalid_argument", /whole number/],
  ])("%s is refused", (_, past, from, scrip, code, words) => {
    const scene = givenClub(...past);
    const before = scene.balances();
    scene.when(charges(club(), from, scrip)).thenRefused(code, words);
    expect(scene.balances()).toEqual(before);
  });

  it("is refused if the grantor has less", () => {
    const scene = givenClub(GRANT, transfers("alice", "bob", 98));
    scene.when(charges(club(), "alice", 3)).thenRefused("insufficient_funds");
    scene.when(charges(club(), "alice", 2)).thenAnswered({ amount: 2 });
  });

  it("is refused to a program without an account and to an access contract", () => {
    const scene = givenClub(program("tool", "carol"), grants("alice", "tool", 5, 12), GRANT);
    const asTool = charges(inside("bob", "tool"), "alice", 1);
    scene.when(asTool).thenRefused("not_authorized", /has_standing: true/);
    const cannotPay = /may only read; it cannot pay or change/;
    scene.when(charges(readOnly, "alice", 1)).thenRefused("not_authorized", cannotPay);
  });
});

describe("a contract that names a payer", () => {
  const GUARDED = [
    agent("alice"),
    agent("bob"),
    agent("carol"),
    contract("door", "carol"),
    note("it", "carol", { access: "door" }),
  ];
  const toll = (cost: number) =>
    reads("bob", "it", { permit: permit("door", { cost, payer: "alice", recipient: "carol" }) });

  it("can charge it only with its consent", () => {
    const scene = given(...GUARDED);
    scene.when(toll(4)).thenRefused("not_authorized", /door names alice as payer: .*not agreed/);
    scene.when(grants("alice", "door", 5, 9)).thenAnswered({ contract: "door" });
    scene.when(toll(4)).thenHappened([
      { kind: "delegation_used", grantor: "alice", contract: "door", amount: 4 },
      { kind: "scrip_transferred", from: "alice", to: "carol", amount: 4, reason: "access" },
      { kind: "artifact_read", by: "bob" },
    ]);
    expect(scene.balances()).toEqual({ alice: 96, bob: 100, carol: 104 });
  });

  it("is limited per call and per window", () => {
    const scene = given(...GUARDED, grants("alice", "door", 5, 9), toll(5));
    scene.when(toll(6)).thenRefused("not_authorized", /5 per call/);
    scene.when(toll(5)).thenRefused("rate_limited", /4 is left/);
    scene.when(toll(4)).thenAnswered({ artifact_id: "it" });
    const later = { ...by("bob"), atMs: NOW + WINDOW_MS };
    scene.when({ ...toll(5), by: later }).thenAnswered({ artifact_id: "it" });
    expect(scene.balances()).toEqual({ alice: 86, bob: 100, carol: 114 });
  });

  it("must charge within the caller's max_price", () => {
    const scene = given(...GUARDED, grants("alice", "door", 5, 9));
    scene.when({ ...toll(4), max_price: 3 }).thenRefused("price_exceeded");
  });
});

describe("a delegation ends", () => {
  const GRANTED = [...CLUB, grants("alice", "club", 5, 12)];

  it("when the grantor revokes it", () => {
    const scene = given(...GRANTED);
    scene.when(revokes("bob", "club")).thenRefused("not_found", /has no grant to "club"/);
    scene.when(revokes("alice", "club")).thenHappened("delegation_revoked");
    scene.when(revokes("alice", "club")).thenRefused("not_found");
    scene.when(grantsOf(club())).thenAnswered({ received: [] });
  });

  it("when the program is deleted", () => {
    const scene = given(...GRANTED, deletes("carol", "club"));
    scene.when(grantsOf("alice")).thenAnswered({ given: [] });
    scene.when(grants("alice", "club", 5, 12)).thenRefused("deleted");
  });

  it("when the grantor is deleted", () => {
    const bank = [standing("bank", "bob"), grants(inside("bob", "bank"), "club", 5, 12)];
    const scene = given(...GRANTED, ...bank);
    const received = [{ grantor: "alice" }, { grantor: "bank" }];
    scene.when(grantsOf(club())).thenAnswered({ received });
    scene.when(deletes("bob", "bank")).thenAnswered({ artifact: "bank" });
    scene.when(grantsOf(club())).thenAnswered({ received: [{ grantor: "alice" }] });
  });

  it("when the grantor gets a new owner, who did not agree to it", () => {
    const [offered, accepted] = sells("bob", "bank", "alice");
    const scene = given(
      ...GRANTED,
      standing("bank", "bob", { scrip: 30 }),
      grants(inside("bob", "bank"), "club", 5, 12),
      charges(club(), "bank", 5),
      offered,
    );
    // The offer alone does not end it.
    const open = { given: [{ contract: "club", left_in_window: 7 }] };
    scene.when(grantsOf("alice", "bank")).thenAnswered(open);
    scene.when(accepted);
    scene.when(grantsOf("alice", "bank")).thenAnswered({ given: [], received: [] });
    scene.when(charges(club(), "bank", 5)).thenRefused("not_authorized", /bank has not agreed/);
    expect(scene.balances()).toMatchObject({ alice: 100, bob: 70, bank: 25, club: 5 });
    // Alice's own grant remains, and so do grants to the bank.
    scene.when(grantsOf("alice")).thenAnswered({ given: [{ contract: "club" }] });
    scene.when(grants("alice", "bank", 5, 12)).thenAnswered({ contract: "bank" });
    for (const step of sells("alice", "bank", "bob")) scene.when(step);
    scene.when(grantsOf("alice", "bank")).thenAnswered({ received: [{ grantor: "alice" }] });
  });

  it("when an owner of the grantor gets a new owner, at any depth", () => {
    const lets = (id: string) => grants(inside("bob", id), "club", 5, 12);
    const passes = (actor: Actor, id: string, to: string) => [
      offersOwnership(actor, id, to),
      accepts(inside("bob", to), id),
    ];
    const ids = ["firm", "bank", "till", "shop"];
    const [offered, accepted] = sells("bob", "firm", "alice");
    const scene = given(
      ...GRANTED,
      ...ids.map((id) => standing(id, "bob")),
      ...ids.map(lets),
      ...passes("bob", "bank", "firm"),
      ...passes("bob", "till", "bank"),
      // Both got a new owner and must agree again.
      lets("bank"),
      lets("till"),
      offered,
    );
    const open = { given: [{ contract: "club" }] };
    for (const id of ids) scene.when(grantsOf("bob", id)).thenAnswered(open);
    scene.when(accepted);
    for (const id of ["firm", "bank", "till"]) {
      scene.when(grantsOf("bob", id)).thenAnswered({ given: [] });
    }
    scene.when(grantsOf("bob", "shop")).thenAnswered(open);
    scene.when(charges(club(), "till", 1)).thenRefused("not_authorized", /till has not agreed/);
  });
});
