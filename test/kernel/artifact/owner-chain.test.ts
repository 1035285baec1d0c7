import { describe, expect, it } from "vitest";
import {
  accepts,
  inside,
  offersOwnership,
  pays,
  permit,
  reads,
  sells,
  setsAccess,
  transfersQuota,
  writes,
} from "../../support/commands.ts";
import {
  agent,
  contract,
  given,
  note,
  type Past,
  program,
  standing,
} from "../../support/scenario.ts";

const bank = inside("alice", "bank");

/** Carol reads an artifact behind alice's door, which charges 10 to the payer. */
const readFor = (payer: string, id: string, recipient = "alice") =>
  reads("carol", id, { permit: permit("door", { cost: 10, payer, recipient }) });

/** Alice's bank has 50 scrip and an artifact, `rules`, behind her door. */
const PAST: readonly Past[] = [
  ...["alice", "bob", "carol"].map((id) => agent(id)),
  contract("door", "alice"),
  standing("bank", "alice", { scrip: 50 }),
  note("rules", bank, { access: "door" }),
];
/** The bank owns a branch, which owns `leaf`. Alice owns `hers`. */
const BRANCH: readonly Past[] = [
  ...PAST,
  standing("branch", bank, { disk: 0 }),
  transfersQuota("alice", "branch", "disk", 500),
  pays("alice", "branch", 20),
  note("leaf", inside("alice", "branch"), { access: "door" }),
  note("hers", "alice", { access: "door" }),
];

describe("an owner who named an access contract", () => {
  it("can be charged by it", () => {
    const scene = given(...PAST);
    scene.when(readFor("bank", "rules")).thenHappened("scrip_transferred", "artifact_read");
    expect(scene.balances()).toMatchObject({ alice: 60, bank: 40 });
  });

  it("cannot be charged if a program named it", () => {
    const trap = note("trap", inside("alice", "maker"), { access: "door" });
    const scene = given(...PAST, program("maker", "bob"), trap);
    expect(scene.artifact("trap").owner).toBe("bob");
    const refusal = /names bob as payer: bob has not agreed/;
    scene.when(readFor("bob", "trap")).thenRefused("not_authorized", refusal);
    scene.when(setsAccess("bob", "trap", "door"));
    scene.when(readFor("bob", "trap")).thenHappened("scrip_transferred", "artifact_read");
  });
});

describe("a sale", () => {
  it("of a program ends its consent to be charged; the contract still decides", () => {
    const scene = given(...PAST, ...sells("alice", "bank", "bob"));
    const refusal = /bank has not agreed to be charged/;
    scene.when(readFor("bank", "rules")).thenRefused("not_authorized", refusal);
    scene.when(reads("carol", "rules")).thenAsksContract("door");
    const agrees = writes(inside("bob", "bank"), "rules", {
      access: "door",
      permit: permit("door"),
    });
    scene.when(agrees).thenHappened("artifact_written");
    scene.when(readFor("bank", "rules")).thenHappened("scrip_transferred", "artifact_read");
  });

  it("ends the consent of everything below the program, and of nothing else", () => {
    const scene = given(...BRANCH, ...sells("alice", "bank", "bob"));
    scene.when(readFor("branch", "leaf")).thenRefused("not_authorized", /branch has not agreed/);
    const { ruledOf } = scene.state.indexes;
    expect(["bank", "branch", "alice"].map((id) => ruledOf.sizeOf(id))).toEqual([0, 0, 1]);
  });

  it("ends the offers of the program and of everything below it", () => {
    const offers = (owner: string, id: string, to: string) =>
      offersOwnership(inside("alice", owner), id, to);
    const scene = given(
      ...BRANCH,
      offers("bank", "rules", "alice"),
      offers("branch", "leaf", "carol"),
      offersOwnership("alice", "hers", "carol"),
      offersOwnership("alice", "bank", "bob"),
    );
    scene.when(accepts("bob", "bank")).thenHappened([
      { kind: "ownership_transferred", artifact_id: "bank" },
      { kind: "ownership_offer_ended", artifact_id: "rules", from: "bank", to: "alice" },
      { kind: "ownership_offer_ended", artifact_id: "leaf", from: "branch", to: "carol" },
    ]);
    scene.when(accepts("alice", "rules")).thenRefused("not_found", /not offered to alice/);
    scene.when(accepts("carol", "leaf")).thenRefused("not_found");
    scene.when(accepts("carol", "hers")).thenAnswered({ owner: "carol" });
    // The bank can offer it again under its new owner.
    scene.when(offers("bank", "rules", "alice"));
    scene.when(accepts("alice", "rules")).thenAnswered({ owner: "alice" });
  });

  it("ends the seller's consent for good, even if the artifact comes back", () => {
    const scene = given(...PAST, note("hers", "alice", { access: "door" }));
    const read = readFor("alice", "hers", "bob");
    scene.when(read).thenHappened("scrip_transferred", "artifact_read");
    for (const step of [...sells("alice", "hers", "bob"), ...sells("bob", "hers", "alice")]) {
      scene.when(step);
    }
    scene.when(read).thenRefused("not_authorized", /alice has not agreed/);
  });
});
