import { describe, expect, it } from "vitest";
import type { Json, Subject } from "../../../src/kernel/index.ts";

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
  transfers,
} from "../../support/commands.ts";
import {
  agent,
  balances,
  contract,
  given,
  note,
  type Past,
  program,
  type Scene,
  standing,
} from "../../support/given-when-then.ts";
import { NOW, PHYSICS } from "../../support/physics.ts";

const WINDOW_MS = PHYSICS.resources.window_ms;

const grants = (who: string, ...args: readonly Json[]) =>
  calls(who, "genesis_ledger.grant", { args });
const revokes = (who: string, id: string) => calls(who, "genesis_ledger.revoke", { args: [id] });
const asks = (who: string | Subject, ...args: readonly Json[]) =>
  calls(who, "genesis_ledger.grants", { args });

/** Carol's club has an account; it runs, called by bob. */
const CLUB = [agent("alice"), agent("bob"), agent("carol"), standing("club", "carol")];
const club = (atMs = NOW): Subject => ({ ...inside("bob", "club"), atMs });
const village = (...past: readonly Past[]): Scene => given(...CLUB, ...past);

describe("a grant", () => {
  it("lets a program charge its grantor, and shows to both", () => {
    const scene = village();
    scene
      .when(grants("alice", "club", 5, 20))
      .thenHappened({
        kind: "delegation_granted",
        grantor: "alice",
        contract: "club",
        max_per_call: 5,
        max_per_window: 20,
      })
      .thenAnswered({ grantor: "alice", contract: "club", max_per_call: 5, max_per_window: 20 });
    const bounds = { max_per_call: 5, max_per_window: 20, left_in_window: 20 };
    scene
      .when(asks("alice"))
      .thenAnswered({ given: [{ contract: "club", ...bounds }], received: [] });
    scene
      .when(asks(club()))
      .thenAnswered({ given: [], received: [{ grantor: "alice", ...bounds }] });
    scene.when(asks("bob")).thenAnswered({ given: [], received: [] });
  });

  it("is seen by everybody, since a buyer of the grantor must know of it", () => {
    const scene = village(grants("alice", "club", 5, 20));
    const bounds = { max_per_call: 5, max_per_window: 20, left_in_window: 20 };
    scene
      .when(asks("bob", "alice"))
      .thenAnswered({ given: [{ contract: "club", ...bounds }], received: [] });
    scene
      .when(asks("bob", "club"))
      .thenAnswered({ given: [], received: [{ grantor: "alice", ...bounds }] });
    scene.when(asks("alice", "bob")).thenAnswered({ given: [], received: [] });
    scene.when(asks("alice", "nobody")).thenRefused("not_found");
  });

  it.each<readonly [string, readonly Json[], string, RegExp]>([
    ["to nobody", ["nothing", 5, 20], "not_found", /no artifact/],
    ["to what cannot charge", ["poem", 5, 20], "invalid_argument", /name a program/],
    ["to an agent", ["bob", 5, 20], "invalid_argument", /name a program/],
    ["to the world", ["genesis_ledger", 5, 20], "invalid_argument", /name a program/],
    ["of nothing", ["club", 0, 20], "interface_mismatch", /at least 1/],
    ["of nothing in a window", ["club", 5, 0], "interface_mismatch", /at least 1/],
    ["of a fraction", ["club", 0.5, 20], "interface_mismatch", /integer/],
    ["of more than can be counted", ["club", 5, 2 ** 53], "invalid_argument", /amounts/],
    ["without a bound", ["club", 5], "interface_mismatch", /max_per_window, is missing/],
  ])("%s is refused", (_, args, code, words) => {
    village(note("poem", "alice"))
      .when(grants("alice", ...args))
      .thenRefused(code as "not_found", words);
  });

  it("is made by who asks for it at first hand, and by nobody in another's name", () => {
    const scene = village(program("tool", "carol"));
    const tool = inside("alice", "tool");
    scene
      .when({ ...grants("alice", "club", 5, 20), by: tool })
      .thenRefused("not_authorized", /tool has no account/);
    scene
      .when({ ...grants("alice", "club", 5, 20), by: inside("alice", "club") })
      .thenRefused("invalid_argument");
    scene.when(asks("alice")).thenAnswered({ given: [] });
  });

  it("can be made by a program with standing", () => {
    const scene = village(standing("bank", "bob", { scrip: 30 }));
    scene.when({ ...grants("bob", "club", 5, 20), by: inside("bob", "bank") }).thenHappened({
      kind: "delegation_granted",
      grantor: "bank",
    });
    scene.when(charges(club(), "bank", 5)).thenAnswered({ from: "bank", to: "club", amount: 5 });
    expect(balances(scene.state)).toMatchObject({ bank: 25, bob: 70, club: 5 });
  });

  it("may not be made by a contract that was only asked", () => {
    const asked = { ...inside("alice", "club"), readOnly: true };
    village()
      .when({ ...grants("alice", "club", 5, 20), by: asked })
      .thenRefused("not_authorized", /may only read; it cannot pay or change/);
  });

  it("is replaced by the next one to the same, what was charged counting on", () => {
    const scene = village(grants("alice", "club", 5, 5), charges(club(), "alice", 4));
    scene.when(grants("alice", "club", 9, 10)).thenHappened("delegation_granted");
    scene.when(charges(club(), "alice", 7)).thenRefused("rate_limited", /6 is left/);
    scene.when(charges(club(), "alice", 6)).thenAnswered({ amount: 6 });
  });

  it("is one of a hundred at the most", () => {
    const many = Array.from({ length: 101 }, (_, n) => program(`p${n}`, "carol"));
    const scene = village(...many, ...many.slice(1).map((_, n) => grants("alice", `p${n}`, 1, 1)));
    scene.when(grants("alice", "p100", 1, 1)).thenRefused("quota_exceeded", /revoke one/);
    scene.when(grants("alice", "p7", 2, 2)).thenHappened("delegation_granted");
    scene.when(revokes("alice", "p7")).thenHappened("delegation_revoked");
    scene.when(grants("alice", "p100", 1, 1)).thenHappened("delegation_granted");
  });
});

describe("a charge", () => {
  const GRANT = grants("alice", "club", 5, 12);

  it("moves scrip from the grantor to the program, and counts", () => {
    const scene = village(GRANT);
    scene
      .when(charges(club(), "alice", 5))
      .thenHappened(
        { kind: "scrip_transferred", from: "alice", to: "club", amount: 5, reason: "charge" },
        { kind: "delegation_used", grantor: "alice", contract: "club", amount: 5 },
      );
    expect(balances(scene.state)).toEqual({ alice: 95, bob: 100, carol: 100, club: 5 });
    scene.when(asks(club())).thenAnswered({ received: [{ left_in_window: 7 }] });
  });

  it("is bounded by the call and by the rolling window", () => {
    const scene = village(GRANT, charges(club(), "alice", 5));
    scene.when(charges(club(), "alice", 6)).thenRefused("not_authorized", /5 per call, not 6/);
    scene.when(charges(club(NOW + 1_000), "alice", 5)).thenAnswered({ amount: 5 });
    scene
      .when(charges(club(NOW + 1_000), "alice", 3))
      .thenRefused("rate_limited", /12 per window; 2 is left, not 3/);
    scene.when(charges(club(NOW + WINDOW_MS - 1), "alice", 3)).thenRefused("rate_limited");
    // The first five have left the window.
    scene.when(charges(club(NOW + WINDOW_MS), "alice", 5)).thenAnswered({ amount: 5 });
    scene.when(charges(club(NOW + WINDOW_MS), "alice", 3)).thenRefused("rate_limited");
    expect(balances(scene.state)).toMatchObject({ alice: 85, club: 15 });
  });

  it.each<readonly [string, readonly Past[], string, Json, string, RegExp]>([
    ["of who has not agreed", [], "alice", 1, "not_authorized", /genesis_ledger\.grant\("club"/],
    [
      "of who let another",
      [grants("bob", "club", 5, 12)],
      "alice",
      1,
      "not_authorized",
      /not agreed/,
    ],
    [
      "of who took it back",
      [GRANT, revokes("alice", "club")],
      "alice",
      1,
      "not_authorized",
      /agreed/,
    ],
    ["of its caller, who has not agreed", [GRANT], "bob", 1, "not_authorized", /not agreed/],
    ["of itself", [GRANT], "club", 1, "invalid_argument", /cannot charge itself/],
    ["of nobody", [GRANT], "nobody", 1, "not_authorized", /not agreed/],
    ["of nothing", [GRANT], "alice", 0, "invalid_argument", /whole number/],
    ["of less than nothing", [GRANT], "alice", -5, "invalid_argument", /whole number/],
    ["of words", [GRANT], "alice", "5", "invalid_argument", /whole number/],
  ])("%s is refused", (_, past, from, scrip, code, words) => {
    const scene = village(...past);
    const before = balances(scene.state);
    scene.when(charges(club(), from, scrip)).thenRefused(code as "not_authorized", words);
    expect(balances(scene.state)).toEqual(before);
  });

  it("is refused when the grantor has not got that much", () => {
    const scene = village(GRANT, transfers("alice", "bob", 98));
    scene.when(charges(club(), "alice", 3)).thenRefused("insufficient_funds");
    scene.when(charges(club(), "alice", 2)).thenAnswered({ amount: 2 });
  });

  it("needs an account, and a program that may touch", () => {
    const scene = village(program("tool", "carol"), grants("alice", "tool", 5, 12), GRANT);
    scene
      .when(charges(inside("bob", "tool"), "alice", 1))
      .thenRefused("not_authorized", /has_standing: true/);
    scene
      .when(charges({ ...club(), readOnly: true }, "alice", 1))
      .thenRefused("not_authorized", /may only read; it cannot pay or change/);
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
  const toll = (cost: number, payer = "alice") =>
    reads("bob", "it", { permit: permit("door", { cost, payer, recipient: "carol" }) });

  it("charges it only with its consent", () => {
    const scene = given(...GUARDED);
    scene.when(toll(4)).thenRefused("not_authorized", /door names alice as payer: .*not agreed/);
    scene.when(grants("alice", "door", 5, 9)).thenAnswered({ contract: "door" });
    scene
      .when(toll(4))
      .thenHappened(
        { kind: "delegation_used", grantor: "alice", contract: "door", amount: 4 },
        { kind: "scrip_transferred", from: "alice", to: "carol", amount: 4, reason: "access" },
        { kind: "artifact_read", by: "bob" },
      );
    expect(balances(scene.state)).toEqual({ alice: 96, bob: 100, carol: 104 });
  });

  it("stays within what each call and each window may cost", () => {
    const scene = given(...GUARDED, grants("alice", "door", 5, 9), toll(5));
    scene.when(toll(6)).thenRefused("not_authorized", /5 per call/);
    scene.when(toll(5)).thenRefused("rate_limited", /4 is left/);
    scene.when(toll(4)).thenAnswered({ artifact_id: "it" });
    const later = { ...by("bob"), atMs: NOW + WINDOW_MS };
    scene.when({ ...toll(5), by: later }).thenAnswered({ artifact_id: "it" });
    expect(balances(scene.state)).toEqual({ alice: 86, bob: 100, carol: 114 });
  });

  it("counts towards the max_price of who asked, whoever pays", () => {
    const scene = given(...GUARDED, grants("alice", "door", 5, 9));
    scene.when({ ...toll(4), max_price: 3 }).thenRefused("price_exceeded");
  });
});

describe("the end of a delegation", () => {
  const ENDED = [...CLUB, grants("alice", "club", 5, 12)];

  it("comes when it is revoked, once", () => {
    const scene = given(...ENDED);
    scene.when(revokes("bob", "club")).thenRefused("not_found", /has no grant to "club"/);
    scene.when(revokes("alice", "club")).thenHappened("delegation_revoked");
    scene.when(revokes("alice", "club")).thenRefused("not_found");
    scene.when(asks(club())).thenAnswered({ received: [] });
  });

  it("comes with the end of the program", () => {
    const scene = given(...ENDED);
    // Its quota of disk goes back to carol with it.
    scene.when(deletes("carol", "club")).thenHappened("quota_transferred", "artifact_deleted");
    scene.when(asks("alice")).thenAnswered({ given: [] });
    scene.when(grants("alice", "club", 5, 12)).thenRefused("deleted");
  });

  it("comes when the grantor gets another owner, who has not agreed to it", () => {
    const passes = (who: string, id: string, to: string) => offersOwnership(who, id, to);
    const scene = given(
      ...ENDED,
      standing("bank", "bob", { scrip: 30 }),
      { ...grants("bob", "club", 5, 12), by: inside("bob", "bank") },
      charges(club(), "bank", 5),
      passes("bob", "bank", "alice"),
    );
    // An offer changes nothing yet.
    scene
      .when(asks("alice", "bank"))
      .thenAnswered({ given: [{ contract: "club", left_in_window: 7 }] });
    scene.when(accepts("alice", "bank"));
    scene.when(asks("alice", "bank")).thenAnswered({ given: [], received: [] });
    scene.when(charges(club(), "bank", 5)).thenRefused("not_authorized", /bank has not agreed/);
    expect(balances(scene.state)).toMatchObject({ alice: 100, bob: 70, bank: 25, club: 5 });
    // Alice keeps her own, and what others let the bank do stays.
    scene.when(asks("alice")).thenAnswered({ given: [{ contract: "club" }] });
    scene.when(grants("alice", "bank", 5, 12)).thenAnswered({ contract: "bank" });
    scene.when(passes("alice", "bank", "bob"));
    scene.when(accepts("bob", "bank"));
    scene.when(asks("alice", "bank")).thenAnswered({ received: [{ grantor: "alice" }] });
  });

  it("comes also for what belongs to whatever gets another owner, however far down", () => {
    const lets = (id: string) => ({ ...grants("bob", "club", 5, 12), by: inside("bob", id) });
    const passes = (actor: Subject, id: string, to: string) => [
      { ...calls("bob", "genesis_ledger.transfer_ownership", { args: [id, to] }), by: actor },
      { ...calls("bob", "genesis_ledger.accept", { args: [id] }), by: inside("bob", to) },
    ];
    const scene = given(
      ...ENDED,
      ...["firm", "bank", "till", "shop"].map((id) => standing(id, "bob")),
      ...["firm", "bank", "till", "shop"].map(lets),
      ...passes(by("bob"), "bank", "firm"),
      ...passes(by("bob"), "till", "bank"),
      // What passed already had to agree anew.
      lets("bank"),
      lets("till"),
      offersOwnership("bob", "firm", "alice"),
    );
    const own = [{ contract: "club" }];
    for (const id of ["firm", "bank", "till", "shop"]) {
      scene.when(asks("bob", id)).thenAnswered({ given: own });
    }
    scene.when(accepts("alice", "firm"));
    for (const id of ["firm", "bank", "till"]) {
      scene.when(asks("bob", id)).thenAnswered({ given: [] });
    }
    scene.when(asks("bob", "shop")).thenAnswered({ given: own });
    scene.when(charges(club(), "till", 1)).thenRefused("not_authorized", /till has not agreed/);
  });

  it("comes with the end of the grantor", () => {
    const scene = given(...ENDED, standing("bank", "bob"), {
      ...grants("bob", "club", 5, 12),
      by: inside("bob", "bank"),
    });
    scene
      .when(asks(club()))
      .thenAnswered({ received: [{ grantor: "alice" }, { grantor: "bank" }] });
    scene.when(deletes("bob", "bank")).thenAnswered({ artifact: "bank" });
    scene.when(asks(club())).thenAnswered({ received: [{ grantor: "alice" }] });
  });
});
