import { describe, expect, it } from "vitest";
import { asId, type State } from "../../../src/kernel/index.ts";

import { calls, gives, inside, opens, reads } from "../../support/commands.ts";
import {
  agent,
  climb,
  contract,
  given,
  note,
  type Past,
  program,
  standing,
} from "../../support/given-when-then.ts";

const ALICE = agent("alice");
const BOB = agent("bob", { disk: 100 });

const offer = (who: Parameters<typeof calls>[0], artifact: string, to: string) =>
  calls(who, "genesis_ledger.transfer_ownership", { args: [artifact, to] });
const take = (who: Parameters<typeof calls>[0], artifact: string) =>
  calls(who, "genesis_ledger.accept", { args: [artifact] });
const offers = (who: string) => calls(who, "genesis_ledger.offers");

const ownerOf = (state: State, artifact: string) => state.artifacts.get(asId(artifact))?.owner;
const diskOf = (state: State, principal: string) => {
  const account = state.accounts.get(asId(principal));
  return (account?.diskQuota ?? 0) - (account?.diskUsed ?? 0);
};

describe("offering an artifact", () => {
  it("changes nothing until it is accepted", () => {
    const scene = given(ALICE, BOB, note("poem", "alice"));
    scene.when(offer("alice", "poem", "bob")).thenHappened({
      kind: "ownership_offered",
      artifact_id: "poem",
      from: "alice",
      to: "bob",
    });
    expect(ownerOf(scene.state, "poem")).toBe("alice");
    scene.when(offers("bob")).thenAnswered([{ artifact: "poem", from: "alice" }]);
    scene.when(offers("alice")).thenAnswered([]);
    scene.when(take("bob", "poem")).thenHappened({
      kind: "ownership_transferred",
      artifact_id: "poem",
      from: "alice",
      to: "bob",
    });
    expect(ownerOf(scene.state, "poem")).toBe("bob");
    scene.when(offers("bob")).thenAnswered([]);
    scene.when(take("bob", "poem")).thenRefused("not_found", /not on offer/);
  });

  it("is checked from the id down to the disk", () => {
    const scene = given(
      ALICE,
      BOB,
      standing("bank", "alice", { disk: 0 }),
      note("dead", "alice"),
      calls("alice", "genesis_store.delete", { args: ["dead"] }),
      note("theirs", "bob"),
      note("big", "alice", { content: "x".repeat(200) }),
      note("small", "alice"),
    );
    const args =
      (...list: readonly string[]) =>
      (command: ReturnType<typeof offer>) => ({
        ...command,
        args: list,
      });
    climb(scene, offer("alice", "nothing", "nobody"), [
      { refused: "not_found", words: /no artifact "nothing"/, mend: args("dead", "nobody") },
      { refused: "deleted", mend: args("theirs", "nobody") },
      { refused: "not_owner", words: /bob does/, mend: args("big", "nobody") },
      { refused: "invalid_argument", words: /is not a principal/, mend: args("big", "small") },
      { refused: "invalid_argument", words: /only principals can own/, mend: args("big", "bob") },
      { refused: "insufficient_disk", words: /big needs/, mend: args("small", "bob") },
    ]).thenHappened({ kind: "ownership_offered" });
  });

  it("to oneself does nothing", () => {
    given(ALICE, note("poem", "alice"))
      .when(offer("alice", "poem", "alice"))
      .thenHappened();
  });

  it("stands for the last one named only", () => {
    const scene = given(
      ALICE,
      BOB,
      agent("carol"),
      note("poem", "alice"),
      offer("alice", "poem", "bob"),
    );
    scene.when(offer("alice", "poem", "carol"));
    scene.when(take("bob", "poem")).thenRefused("not_found");
    scene.when(take("carol", "poem")).thenHappened({ kind: "ownership_transferred" });
  });

  it("lapses when the artifact goes elsewhere or is deleted", () => {
    const past: readonly Past[] = [
      ALICE,
      BOB,
      agent("carol"),
      note("poem", "alice"),
      offer("alice", "poem", "bob"),
    ];
    const gone = given(...past, calls("alice", "genesis_store.delete", { args: ["poem"] }));
    gone.when(take("bob", "poem")).thenRefused("deleted");
    gone.when(offers("bob")).thenAnswered([]);
    const sold = given(
      ...past,
      standing("shop", "alice"),
      opens("alice", "shop", { artifacts: ["poem"] }),
    );
    sold.when(take("bob", "poem")).thenRefused("not_found");
    expect(ownerOf(sold.state, "poem")).toBe("shop");
  });

  it("is accepted only while there is still room", () => {
    const scene = given(
      ALICE,
      BOB,
      note("poem", "alice", { content: "x".repeat(60) }),
      offer("alice", "poem", "bob"),
      note("filler", "bob", { content: "x".repeat(60) }),
    );
    scene.when(take("bob", "poem")).thenRefused("insufficient_disk", /bob has/);
  });
});

describe("owning", () => {
  it("takes the bytes from one disk to the other", () => {
    const scene = given(
      ALICE,
      BOB,
      note("poem", "alice", { artifact_type: "t", content: "x".repeat(49) }),
    );
    const before = diskOf(scene.state, "alice");
    scene.when(offer("alice", "poem", "bob"));
    scene.when(take("bob", "poem"));
    expect(diskOf(scene.state, "alice") - before).toBe(50);
    expect(diskOf(scene.state, "bob")).toBe(50);
  });

  it("is what sets prices, not having made it", () => {
    const scene = given(
      ALICE,
      BOB,
      note("poem", "alice"),
      offer("alice", "poem", "bob"),
      take("bob", "poem"),
    );
    const set = (who: string) => calls(who, "genesis_store.set_price", { args: ["poem", 1] });
    scene.when(set("alice")).thenRefused("not_owner");
    scene.when(set("bob")).thenHappened({ kind: "artifact_written", by: "bob" });
    scene.when(offer("alice", "poem", "alice")).thenRefused("not_owner");
  });

  it("never goes in a circle", () => {
    const scene = given(
      ALICE,
      standing("a", "alice"),
      standing("b", inside("alice", "a"), { disk: 0 }),
    );
    scene
      .when(offer("alice", "a", "b"))
      .thenRefused("invalid_argument", /b belongs to a, directly or through/);
    scene.when(offer("alice", "alice", "b")).thenRefused("invalid_argument", /b belongs to alice/);
    scene.when(offer("alice", "alice", "a")).thenRefused("invalid_argument", /a belongs to alice/);
  });

  it("never goes in a circle that closes between offer and acceptance", () => {
    const scene = given(
      ALICE,
      standing("a", "alice", { disk: 800 }),
      standing("b", "alice", { disk: 800 }),
      offer("alice", "a", "b"),
      offer("alice", "b", "a"),
      take(inside("alice", "a"), "b"),
    );
    scene.when(take(inside("alice", "b"), "a")).thenRefused("invalid_argument", /b belongs to a/);
  });

  it("goes through three at the most", () => {
    const scene = given(
      ALICE,
      standing("a", "alice", { disk: 3_000 }),
      standing("b", inside("alice", "a"), { disk: 2_000 }),
      standing("c", inside("alice", "b"), { disk: 1_000 }),
      note("poem", "alice"),
    );
    scene.when(offer("alice", "poem", "c")).thenRefused("invalid_argument", /pass 3 links/);
    scene.when(offer("alice", "poem", "b")).thenHappened({ kind: "ownership_offered" });
  });

  it("of an agent can be sold with all that it owns, and of its memory apart", () => {
    const scene = given(ALICE, agent("bob"), note("poem", "alice"));
    scene.when(offer("alice", "alice", "bob"));
    scene
      .when(take("bob", "alice"))
      .thenHappened(
        { kind: "ownership_transferred", from: "alice", to: "bob" },
        { kind: "agent_handed_over", agent: "alice" },
      );
    expect([ownerOf(scene.state, "alice"), ownerOf(scene.state, "alice_memory")]).toEqual([
      "bob",
      "alice",
    ]);
    scene.when(reads("alice", "alice_memory")).thenHappened({ kind: "artifact_read" });
    scene.when(reads("bob", "alice_memory")).thenRefused("not_authorized");
    scene.when(offer("alice", "alice_memory", "bob"));
    scene.when(take("bob", "alice_memory")).thenHappened({ kind: "ownership_transferred" });
    expect(ownerOf(scene.state, "poem")).toBe("alice");
  });

  it("of oneself is the end of every chain", () => {
    const scene = given(ALICE, standing("free", "alice", { disk: 900 }));
    scene.when(offer("alice", "free", "free")).thenHappened({ kind: "ownership_offered" });
    scene
      .when(take(inside("alice", "free"), "free"))
      .thenHappened({ kind: "ownership_transferred" });
    expect(ownerOf(scene.state, "free")).toBe("free");
    const price = calls("alice", "genesis_store.set_price", { args: ["free", 1] });
    scene.when(price).thenRefused("not_owner", /free does/);
  });
});

describe("what a program gives", () => {
  const SHOP: readonly Past[] = [
    ALICE,
    agent("bob"),
    agent("carol"),
    standing("shop", "alice", { disk: 1_000 }),
    note("poem", inside("alice", "shop")),
  ];
  const shop = inside("bob", "shop");

  it("to whoever asked is theirs at once", () => {
    given(...SHOP)
      .when(gives(shop, "poem", { to: "bob", askers: ["bob", "bob"] }))
      .thenHappened({ kind: "ownership_transferred", from: "shop", to: "bob" });
  });

  it("to a third is an offer", () => {
    given(...SHOP)
      .when(gives(shop, "poem", { to: "carol", askers: ["bob"] }))
      .thenHappened({ kind: "ownership_offered", from: "shop", to: "carol" });
  });

  it("is an offer where it is locked to its contract, also to whoever asked", () => {
    const trap = note("trap", inside("alice", "shop"), { access_locked: true });
    given(...SHOP, trap)
      .when(gives(shop, "trap", { to: "bob", askers: ["bob"] }))
      .thenHappened({ kind: "ownership_offered", from: "shop", to: "bob" });
  });

  it("must be its own", () => {
    const past = [...SHOP, note("theirs", "alice")];
    given(...past)
      .when(gives(shop, "theirs", { to: "bob", askers: ["bob"] }))
      .thenRefused("not_owner", /shop does not own theirs; alice does/);
  });

  it("must find room and an account", () => {
    const big = note("big", inside("alice", "shop"), { content: "x".repeat(300) });
    given(...SHOP, agent("dave", { disk: 100 }), big)
      .when(gives(shop, "big", { to: "dave", askers: ["dave"] }))
      .thenRefused("insufficient_disk", /dave has/);
    given(...SHOP, program("hand", "bob"))
      .when(gives(shop, "poem", { to: "hand", askers: ["hand"] }))
      .thenRefused("invalid_argument", /is not a principal/);
  });

  it("to itself stays where it is, however full its disk", () => {
    given(
      ALICE,
      standing("shop", "alice", { disk: 20 }),
      note("n", inside("alice", "shop"), { content: "x".repeat(10) }),
    )
      .when(gives(inside("alice", "shop"), "n", { to: "shop", askers: ["shop"] }))
      .thenHappened();
  });
});

describe("deleting", () => {
  const remove = (who: Parameters<typeof calls>[0], artifact: string, more = {}) =>
    calls(who, "genesis_store.delete", { args: [artifact], ...more });

  it("gives the quota of what belongs to itself back to whoever opened its account", () => {
    const PUBLIC = { access: "genesis_contract_public" };
    const scene = given(
      ALICE,
      BOB,
      standing("crib", "alice", { disk: 900, ...PUBLIC }),
      calls("alice", "genesis_rights_registry.transfer_quota", { args: ["crib", "actions", 5] }),
      calls("alice", "genesis_ledger.transfer_ownership", { args: ["crib", "crib"] }),
      calls(inside("alice", "crib"), "genesis_ledger.accept", { args: ["crib"] }),
    );
    const quotas = () => {
      const row = scene.state.accounts.get(asId("alice"));
      return [row?.diskQuota ?? 0, row?.quotas.actions ?? 0] as const;
    };
    const [disk, actions] = quotas();
    scene
      .when(remove("bob", "crib"))
      .thenHappened(
        { kind: "quota_transferred", from: "crib", to: "alice", resource: "actions", amount: 5 },
        { kind: "quota_transferred", from: "crib", to: "alice", resource: "disk", amount: 900 },
        { kind: "artifact_deleted" },
      );
    expect(quotas()).toEqual([disk + 900, actions + 5]);
  });

  it("frees the bytes and leaves a tombstone", () => {
    const scene = given(ALICE, program("tool", "alice", { metadata: { k: 1 }, price: 5 }));
    const before = diskOf(scene.state, "alice");
    const judged = scene
      .when(remove("alice", "tool"))
      .thenHappened({ kind: "artifact_deleted", by: "alice" });
    const freed = diskOf(scene.state, "alice") - before;
    expect(judged.answer).toEqual({ artifact: "tool", freed_bytes: freed });
    expect(scene.state.artifacts.get(asId("tool"))).toMatchObject({
      deleted: { at: 1_000, by: "alice" },
      content: "",
      code: null,
      methods: [],
      metadata: {},
      sizeBytes: 0,
    });
    scene.when(opens("alice", "tool")).thenRefused("deleted");
    scene.when(remove("alice", "tool")).thenRefused("deleted");
    scene.when(offer("alice", "tool", "alice")).thenRefused("deleted");
    scene.when(opens("alice", "tool", { artifacts: ["tool"] })).thenRefused("deleted");
  });

  it("is checked from the id down to what it holds", () => {
    const scene = given(
      ALICE,
      BOB,
      standing("bank", "alice", { scrip: 5 }),
      note("slip", inside("alice", "bank")),
      program("running", "alice"),
      note("free", "alice"),
    );
    const hand = inside("alice", "running");
    const of = (artifact: string) => (command: ReturnType<typeof remove>) => ({
      ...command,
      args: [artifact],
    });
    const asAlice = (artifact: string) => (command: ReturnType<typeof remove>) => ({
      ...of(artifact)(command),
      by: { ...hand, actor: asId("alice") },
    });
    climb(scene, remove("bob", "nothing"), [
      { refused: "not_found", mend: of("genesis_store") },
      { refused: "not_authorized", words: /belongs to the world/, mend: of("free") },
      { refused: "not_authorized", words: /bob may not delete free/, mend: asAlice("running") },
      { refused: "not_empty", words: /is running in this call/, mend: asAlice("alice") },
      { refused: "not_empty", words: /is running in this call/, mend: asAlice("alice_memory") },
      { refused: "not_empty", words: /is the memory of alice/, mend: asAlice("bank") },
      { refused: "not_empty", words: /bank owns 1 artifacts/, mend: asAlice("free") },
    ]).thenHappened({ kind: "artifact_deleted", artifact_id: "free" });
    scene.when(remove(inside("alice", "bank"), "slip"));
    scene.when(remove("alice", "bank")).thenRefused("not_empty", /still holds money/);
  });

  it("of an agent is refused, also to somebody who owns it", () => {
    const scene = given(ALICE, agent("bob"), offer("alice", "alice", "bob"), take("bob", "alice"));
    scene.when(remove("bob", "alice")).thenRefused("not_empty", /alice is an agent/);
  });

  it("of a memory is refused, also to somebody who bought it", () => {
    const scene = given(
      ALICE,
      agent("bob"),
      offer("alice", "alice_memory", "bob"),
      take("bob", "alice_memory"),
    );
    scene.when(remove("bob", "alice_memory")).thenRefused("not_empty", /is the memory of alice/);
  });

  it("closes the account of what had one, and gives its quota to its owner", () => {
    const scene = given(ALICE, standing("bank", "alice", { disk: 300 }));
    const before = diskOf(scene.state, "alice");
    scene
      .when(remove("alice", "bank"))
      .thenHappened(
        { kind: "quota_transferred", from: "bank", to: "alice", resource: "disk", amount: 300 },
        { kind: "artifact_deleted", artifact_id: "bank" },
      );
    expect(scene.state.accounts.has(asId("bank"))).toBe(false);
    expect(scene.state.usages.has(asId("bank"))).toBe(false);
    expect(diskOf(scene.state, "alice")).toBeGreaterThanOrEqual(before + 300);
    scene
      .when(calls("alice", "genesis_ledger.transfer", { args: ["bank", 1] }))
      .thenRefused("not_found", /is not a principal/);
    scene
      .when(offer("alice", "alice_memory", "bank"))
      .thenRefused("invalid_argument", /not a principal/);
  });

  it("is refused while the account holds model budget", () => {
    const budget = calls("alice", "genesis_ledger.transfer_budget", { args: ["bank", 5] });
    given(ALICE, standing("bank", "alice"), budget)
      .when(remove("alice", "bank"))
      .thenRefused("not_empty", /still holds money/);
  });

  it("pays the toll of a contract within max_price", () => {
    const past: readonly Past[] = [
      ALICE,
      agent("bob"),
      contract("door", "alice"),
      note("wall", "alice", { access: "door" }),
    ];
    const permit = {
      contract: asId("door"),
      allowed: true,
      reason: "",
      cost: 6,
      payer: null,
      recipient: null,
    };
    const scene = given(...past);
    scene.when(remove("bob", "wall")).thenAsked("door");
    scene.when(remove("bob", "wall", { permit, max_price: 5 })).thenRefused("price_exceeded");
    scene
      .when(remove("bob", "wall", { permit, max_price: 6 }))
      .thenHappened(
        { kind: "scrip_transferred", from: "bob", to: "alice", amount: 6, reason: "access" },
        { kind: "artifact_deleted" },
      );
  });
});
