import { describe, expect, it } from "vitest";
import { asId, type State } from "../../../src/kernel/index.ts";
import {
  accepts,
  calls,
  deletes,
  gives,
  inside,
  offersOwnership,
  opens,
  permit,
  sells,
  setsPrice,
  transfers,
  transfersBudget,
  transfersQuota,
} from "../../support/commands.ts";
import {
  accountOf,
  agent,
  artifactOf,
  contract,
  given,
  note,
  type Past,
  program,
  refusesInOrder,
  standing,
} from "../../support/scenario.ts";

const ALICE = agent("alice");
const BOB = agent("bob", { disk: 100 });
const CAROL = agent("carol");
const POEM = note("poem", "alice");
const OFFERED: readonly Past[] = [ALICE, BOB, CAROL, POEM, offersOwnership("alice", "poem", "bob")];

const offers = (who: string) => calls(who, "genesis_ledger.offers");
const otherArgs = (...args: readonly string[]) => ({ args });
const ownerOf = (state: State, id: string) => artifactOf(state, id).owner;
const freeDisk = (state: State, id: string) => {
  const { diskQuota, diskUsed } = accountOf(state, id);
  return diskQuota - diskUsed;
};

describe("an offer of ownership", () => {
  it("changes the owner when it is accepted", () => {
    const scene = given(ALICE, BOB, POEM);
    const parties = { artifact_id: "poem", from: "alice", to: "bob" };
    scene
      .when(offersOwnership("alice", "poem", "bob"))
      .thenHappened({ kind: "ownership_offered", ...parties });
    expect(ownerOf(scene.state, "poem")).toBe("alice");
    scene.when(offers("bob")).thenAnswered([{ artifact: "poem", from: "alice" }]);
    scene.when(offers("alice")).thenAnswered([]);
    scene.when(accepts("bob", "poem")).thenHappened({ kind: "ownership_transferred", ...parties });
    expect(ownerOf(scene.state, "poem")).toBe("bob");
    scene.when(offers("bob")).thenAnswered([]);
    scene.when(accepts("bob", "poem")).thenRefused("not_found", /not offered to bob/);
  });

  it("is checked in order: id, owner, recipient, disk", () => {
    const scene = given(
      ALICE,
      BOB,
      standing("bank", "alice", { disk: 0 }),
      note("dead", "alice"),
      deletes("alice", "dead"),
      note("theirs", "bob"),
      note("big", "alice", { content: "x".repeat(200) }),
      note("small", "alice"),
    );
    refusesInOrder(scene, offersOwnership("alice", "nothing", "unknown"), [
      ["not_found", /no artifact "nothing"/, otherArgs("dead", "unknown")],
      ["deleted", null, otherArgs("theirs", "unknown")],
      ["not_owner", /bob does/, otherArgs("big", "unknown")],
      ["invalid_argument", /is not a principal/, otherArgs("big", "small")],
      ["invalid_argument", /only principals can own/, otherArgs("big", "bob")],
      ["insufficient_disk", /big needs/, otherArgs("small", "bob")],
    ]).thenHappened("ownership_offered");
  });

  it("to the owner itself does nothing", () => {
    const scene = given(ALICE, POEM);
    scene.when(offersOwnership("alice", "poem", "alice")).thenHappened();
  });

  it("is replaced by the next offer of the same artifact", () => {
    const scene = given(...OFFERED, offersOwnership("alice", "poem", "carol"));
    scene.when(accepts("bob", "poem")).thenRefused("not_found");
    scene.when(accepts("carol", "poem")).thenHappened("ownership_transferred");
  });

  it("ends when the artifact gets another owner or is deleted", () => {
    const gone = given(...OFFERED, deletes("alice", "poem"));
    gone.when(accepts("bob", "poem")).thenRefused("deleted");
    gone.when(offers("bob")).thenAnswered([]);
    const attached = opens("alice", "shop", { artifacts: ["poem"] });
    const sold = given(...OFFERED, standing("shop", "alice"), attached);
    sold.when(accepts("bob", "poem")).thenRefused("not_found");
    expect(ownerOf(sold.state, "poem")).toBe("shop");
  });

  it("can be accepted only while the recipient has room", () => {
    const content = "x".repeat(60);
    const [big, filler] = [note("big", "alice", { content }), note("filler", "bob", { content })];
    const scene = given(ALICE, BOB, big, offersOwnership("alice", "big", "bob"), filler);
    scene.when(accepts("bob", "big")).thenRefused("insufficient_disk", /bob has/);
  });
});

describe("a change of owner", () => {
  it("moves the bytes from one disk to the other", () => {
    const big = note("big", "alice", { artifact_type: "t", content: "x".repeat(49) });
    const scene = given(ALICE, BOB, big);
    const before = freeDisk(scene.state, "alice");
    for (const step of sells("alice", "big", "bob")) scene.when(step);
    expect(freeDisk(scene.state, "alice") - before).toBe(50);
    expect(freeDisk(scene.state, "bob")).toBe(50);
  });

  it("gives control over prices to the new owner", () => {
    const scene = given(ALICE, BOB, POEM, ...sells("alice", "poem", "bob"));
    scene.when(setsPrice("alice", "poem", 1)).thenRefused("not_owner");
    const written = { kind: "artifact_written", by: "bob" } as const;
    scene.when(setsPrice("bob", "poem", 1)).thenHappened(written);
    scene.when(offersOwnership("alice", "poem", "alice")).thenRefused("not_owner");
  });

  it.each([
    ["a", "b"],
    ["alice", "b"],
    ["alice", "a"],
  ])("cannot give %s to %s, which it owns directly or indirectly", (id, to) => {
    given(ALICE, standing("a", "alice"), standing("b", inside("alice", "a"), { disk: 0 }))
      .when(offersOwnership("alice", id, to))
      .thenRefused("invalid_argument", new RegExp(`${to} belongs to ${id}, directly or through`));
  });

  it("cannot close a circle between offer and acceptance", () => {
    const scene = given(
      ALICE,
      standing("a", "alice", { disk: 800 }),
      standing("b", "alice", { disk: 800 }),
      offersOwnership("alice", "a", "b"),
      offersOwnership("alice", "b", "a"),
      accepts(inside("alice", "a"), "b"),
    );
    const circle = accepts(inside("alice", "b"), "a");
    scene.when(circle).thenRefused("invalid_argument", /b belongs to a/);
  });

  it("makes chains of at most three owners", () => {
    const scene = given(
      ALICE,
      standing("a", "alice", { disk: 3_000 }),
      standing("b", inside("alice", "a"), { disk: 2_000 }),
      standing("c", inside("alice", "b"), { disk: 1_000 }),
      POEM,
    );
    const tooLong = offersOwnership("alice", "poem", "c");
    scene.when(tooLong).thenRefused("invalid_argument", /more than 3 links/);
    scene.when(offersOwnership("alice", "poem", "b")).thenHappened("ownership_offered");
  });

  it("can give a program to itself, which ends its chain of owners", () => {
    const scene = given(ALICE, standing("free", "alice", { disk: 900 }));
    scene.when(offersOwnership("alice", "free", "free")).thenHappened("ownership_offered");
    scene.when(accepts(inside("alice", "free"), "free")).thenHappened("ownership_transferred");
    expect(ownerOf(scene.state, "free")).toBe("free");
    scene.when(setsPrice("alice", "free", 1)).thenRefused("not_owner", /free does/);
  });
});

describe("a program that gives an artifact", () => {
  const SHOP: readonly Past[] = [
    ALICE,
    agent("bob"),
    CAROL,
    standing("shop", "alice", { disk: 1_000 }),
    note("poem", inside("alice", "shop")),
  ];
  const gift = (id: string, to: string, asker = to) =>
    gives(inside("bob", "shop"), id, { to, callers: [asker, asker] });

  it("transfers it at once to an agent that asked for it", () => {
    const scene = given(...SHOP);
    const transfer = { kind: "ownership_transferred", from: "shop", to: "bob" } as const;
    scene.when(gift("poem", "bob")).thenHappened(transfer);
  });

  it.each([
    ["to an agent that did not ask", "poem", gift("poem", "carol", "bob"), "carol"],
    ["if its access is locked", "trap", gift("trap", "bob"), "bob"],
  ])("only offers it %s", (_, id, giving, to) => {
    given(...SHOP, note("trap", inside("alice", "shop"), { access_locked: true }))
      .when(giving)
      .thenHappened({ kind: "ownership_offered", artifact_id: id, from: "shop", to } as const);
  });

  it("must own it, and the recipient must have an account and room", () => {
    const scene = given(
      ...SHOP,
      note("theirs", "alice"),
      agent("dave", { disk: 100 }),
      note("big", inside("alice", "shop"), { content: "x".repeat(300) }),
      program("hand", "bob"),
    );
    const notOwner = /shop does not own theirs; alice does/;
    scene.when(gift("theirs", "bob")).thenRefused("not_owner", notOwner);
    scene.when(gift("big", "dave")).thenRefused("insufficient_disk", /dave has/);
    scene.when(gift("poem", "hand")).thenRefused("invalid_argument", /is not a principal/);
  });

  it("can give it to itself, even with a full disk", () => {
    const full = note("full", inside("alice", "shop"), { content: "x".repeat(10) });
    const scene = given(ALICE, standing("shop", "alice", { disk: 20 }), full);
    scene.when(gift("full", "shop")).thenHappened();
  });
});

describe("a deletion", () => {
  it("frees the bytes and leaves a tombstone", () => {
    const scene = given(ALICE, program("tool", "alice", { metadata: { k: 1 }, price: 5 }));
    const before = freeDisk(scene.state, "alice");
    const result = scene
      .when(deletes("alice", "tool"))
      .thenHappened({ kind: "artifact_deleted", by: "alice" });
    const freed = freeDisk(scene.state, "alice") - before;
    expect(result.answer).toEqual({ artifact: "tool", freed_bytes: freed });
    const empty = { content: "", code: null, methods: [], metadata: {}, sizeBytes: 0 };
    expect(scene.artifact("tool")).toMatchObject({ deleted: { at: 1_000, by: "alice" }, ...empty });
    for (const command of [
      opens("alice", "tool"),
      deletes("alice", "tool"),
      offersOwnership("alice", "tool", "alice"),
      opens("alice", "tool", { artifacts: ["tool"] }),
    ]) {
      scene.when(command).thenRefused("deleted");
    }
  });

  it("is checked in order: id, access, running programs, memories, possessions", () => {
    const scene = given(
      ALICE,
      BOB,
      standing("bank", "alice", { scrip: 5 }),
      note("slip", inside("alice", "bank")),
      program("running", "alice"),
      note("free", "alice"),
    );
    const asAlice = (artifact: string) => ({
      args: [artifact],
      by: { ...inside("alice", "running"), actor: asId("alice") },
    });
    refusesInOrder(scene, deletes("bob", "nothing"), [
      ["not_found", null, otherArgs("genesis_store")],
      ["not_authorized", /belongs to the world/, otherArgs("free")],
      ["not_authorized", /bob may not delete free/, asAlice("running")],
      ["not_empty", /is running in this call/, asAlice("alice")],
      ["not_empty", /is running in this call/, asAlice("alice_memory")],
      ["not_empty", /is the memory of alice/, asAlice("bank")],
      ["not_empty", /bank owns 1 artifacts/, asAlice("free")],
    ]).thenHappened({ kind: "artifact_deleted", artifact_id: "free" });
    scene.when(deletes(inside("alice", "bank"), "slip"));
    scene
      .when(deletes("alice", "bank"))
      .thenRefused("not_empty", /still has scrip or model budget; transfer it first/);
  });

  it("of a program with model budget is refused", () => {
    given(ALICE, standing("bank", "alice"), transfersBudget("alice", "bank", 5))
      .when(deletes("alice", "bank"))
      .thenRefused("not_empty", /still has scrip or model budget; transfer it first/);
  });

  it("closes the program's account and gives its quota to its owner", () => {
    const scene = given(ALICE, standing("bank", "alice", { disk: 300 }));
    const before = freeDisk(scene.state, "alice");
    scene.when(deletes("alice", "bank")).thenHappened([
      { kind: "quota_transferred", from: "bank", to: "alice", resource: "disk", amount: 300 },
      { kind: "artifact_deleted", artifact_id: "bank" },
    ]);
    expect(scene.state.accounts.has(asId("bank"))).toBe(false);
    expect(scene.state.usages.has(asId("bank"))).toBe(false);
    expect(freeDisk(scene.state, "alice")).toBeGreaterThanOrEqual(before + 300);
    const notPrincipal = /not a principal/;
    scene.when(transfers("alice", "bank", 1)).thenRefused("not_found", notPrincipal);
    const offer = offersOwnership("alice", "alice_memory", "bank");
    scene.when(offer).thenRefused("invalid_argument", notPrincipal);
  });

  it("gives the quota of a program that owns itself to the principal that opened its account", () => {
    const scene = given(
      ALICE,
      BOB,
      standing("crib", "alice", { disk: 900, access: "genesis_contract_public" }),
      transfersQuota("alice", "crib", "actions", 5),
      offersOwnership("alice", "crib", "crib"),
      accepts(inside("alice", "crib"), "crib"),
    );
    const { diskQuota, quotas } = scene.account("alice");
    scene.when(deletes("bob", "crib")).thenHappened([
      { kind: "quota_transferred", from: "crib", to: "alice", resource: "actions", amount: 5 },
      { kind: "quota_transferred", from: "crib", to: "alice", resource: "disk", amount: 900 },
      { kind: "artifact_deleted", by: "bob" },
    ]);
    expect(scene.account("alice")).toMatchObject({
      diskQuota: diskQuota + 900,
      quotas: { actions: quotas.actions + 5 },
    });
  });

  it("pays the toll of an access contract, within max_price", () => {
    const guarded = [contract("door", "alice"), note("wall", "alice", { access: "door" })];
    const scene = given(ALICE, agent("bob"), ...guarded);
    const paid = (max_price: number) => ({
      ...deletes("bob", "wall"),
      permit: permit("door", { cost: 6 }),
      max_price,
    });
    scene.when(deletes("bob", "wall")).thenAsksContract("door");
    scene.when(paid(5)).thenRefused("price_exceeded");
    scene.when(paid(6)).thenHappened([
      { kind: "scrip_transferred", from: "bob", to: "alice", amount: 6, reason: "access" },
      { kind: "artifact_deleted", by: "bob" },
    ]);
  });
});
