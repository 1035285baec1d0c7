import { describe, expect, it } from "vitest";
import { asId, type Command, type Permit } from "../../../src/kernel/index.ts";

import { calls, inside, pays, reads, writes } from "../../support/commands.ts";
import {
  agent,
  balances,
  given,
  note,
  type Past,
  program,
  standing,
} from "../../support/given-when-then.ts";

const CHECK = { evidence: { code_check: { methods: ["check_permission"], print: "" } } } as const;
const TOLL: Permit = {
  contract: asId("door"),
  allowed: true,
  reason: "",
  cost: 10,
  payer: asId("bank"),
  recipient: asId("alice"),
};
const read = (id: string, payer = "bank") =>
  reads("carol", id, { permit: { ...TOLL, payer: asId(payer) } });
const sells = (id: string, from: string, to: string): readonly [Command, Command] => [
  calls(from, "genesis_ledger.transfer_ownership", { args: [id, to] }),
  calls(to, "genesis_ledger.accept", { args: [id] }),
];

/** Alice's bank, which has put its note under her door, and has 50 scrip. */
const PAST: readonly Past[] = [
  ...["alice", "bob", "carol"].map((id) => agent(id)),
  writes("alice", "door", { code: "function check_permission() {}", ...CHECK }),
  standing("bank", "alice", { disk: 500 }),
  note("rules", inside("alice", "bank"), { access: "door" }),
  pays("alice", "bank", 50),
];

const mayRead = (scene: ReturnType<typeof given>, id: string, payer = "bank") =>
  scene.when(read(id, payer)).decision.kind;

describe("who named a contract", () => {
  it("can be charged by it as the owner", () => {
    const scene = given(...PAST);
    expect(mayRead(scene, "rules")).toBe("accepted");
    expect(balances(scene.state)).toMatchObject({ alice: 60, bank: 40 });
  });

  it("is the actor that wrote, and not the owner for whom it did", () => {
    const scene = given(
      ...PAST,
      program("maker", "bob"),
      note("trap", inside("alice", "maker"), { access: "door" }),
    );
    expect(scene.state.artifacts.get(asId("trap"))).toMatchObject({ owner: "bob" });
    scene
      .when(read("trap", "bob"))
      .thenRefused("not_authorized", /names bob as payer: bob has not agreed/);
    scene.when(calls("bob", "genesis_store.set_access", { args: ["trap", "door"] }));
    expect(mayRead(scene, "trap", "bob")).toBe("accepted");
  });
});

describe("a sale", () => {
  it("ends what a sold program named for what it owns, and its contract goes on to govern", () => {
    const scene = given(...PAST, ...sells("bank", "alice", "bob"));
    scene.when(read("rules")).thenRefused("not_authorized", /bank has not agreed to be charged/);
    scene.when(reads("carol", "rules")).thenAsked("door");
    // The bank, which is another's now, can agree again.
    scene.when(writes(inside("bob", "bank"), "rules", { access: "door", permit: FREE }));
    expect(mayRead(scene, "rules")).toBe("accepted");
  });

  it("ends it all the way down, and for nobody beside", () => {
    const scene = given(
      ...PAST,
      standing("branch", inside("alice", "bank"), { disk: 0 }),
      pays("alice", "branch", 20),
      calls("alice", "genesis_rights_registry.transfer_quota", { args: ["branch", "disk", 500] }),
      note("leaf", inside("alice", "branch"), { access: "door" }),
      note("hers", "alice", { access: "door" }),
      ...sells("bank", "alice", "bob"),
    );
    scene.when(read("leaf", "branch")).thenRefused("not_authorized", /branch has not agreed/);
    const { ruledOf } = scene.state.indexes;
    expect(["bank", "branch", "alice"].map((id) => ruledOf.sizeOf(id))).toEqual([0, 0, 1]);
  });

  it("ends what a sold program had offered, to its seller even", () => {
    const offers = (owner: string, id: string, to: string) =>
      calls(inside("alice", owner), "genesis_ledger.transfer_ownership", { args: [id, to] });
    const past = [
      ...PAST,
      standing("branch", inside("alice", "bank"), { disk: 0 }),
      calls("alice", "genesis_rights_registry.transfer_quota", { args: ["branch", "disk", 500] }),
      note("leaf", inside("alice", "branch")),
      note("hers", "alice"),
      offers("bank", "rules", "alice"),
      offers("branch", "leaf", "carol"),
      calls("alice", "genesis_ledger.transfer_ownership", { args: ["hers", "carol"] }),
    ];
    const [offered, accepted] = sells("bank", "alice", "bob");
    const scene = given(...past, offered);
    scene
      .when(accepted)
      .thenHappened(
        { kind: "ownership_transferred", artifact_id: "bank" },
        { kind: "ownership_offer_ended", artifact_id: "rules", from: "bank", to: "alice" },
        { kind: "ownership_offer_ended", artifact_id: "leaf", from: "branch", to: "carol" },
      );
    const takes = (who: string, id: string) => calls(who, "genesis_ledger.accept", { args: [id] });
    scene.when(takes("alice", "rules")).thenRefused("not_found", /not on offer to alice/);
    scene.when(takes("carol", "leaf")).thenRefused("not_found");
    scene.when(takes("carol", "hers")).thenAnswered({ owner: "carol" });
    // The bank, which is another's now, can offer again.
    scene.when(offers("bank", "rules", "alice"));
    scene.when(takes("alice", "rules")).thenAnswered({ owner: "alice" });
  });

  it("ends it for the artifact itself, also when it comes back", () => {
    const scene = given(...PAST, note("hers", "alice", { access: "door" }));
    const toll = (payer: string) =>
      reads("carol", "hers", { permit: { ...TOLL, payer: asId(payer), recipient: asId("bob") } });
    scene
      .when(toll("alice"))
      .thenHappened({ kind: "scrip_transferred" }, { kind: "artifact_read" });
    for (const [from, to] of [
      ["alice", "bob"],
      ["bob", "alice"],
    ] as const) {
      scene.when(calls(from, "genesis_ledger.transfer_ownership", { args: ["hers", to] }));
      scene.when(calls(to, "genesis_ledger.accept", { args: ["hers"] }));
    }
    scene.when(toll("alice")).thenRefused("not_authorized", /alice has not agreed/);
  });
});

const FREE: Permit = { ...TOLL, cost: 0, payer: null, recipient: null };
