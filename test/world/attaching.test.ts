import { describe, expect, it } from "vitest";
import { asId, type Json } from "../../src/kernel/index.ts";
import { expectRefused, fileSandbox, resultOf, TestWorld } from "../support/test-world.ts";

const sandbox = fileSandbox();

const world = (): TestWorld => new TestWorld(sandbox).agent("alice").agent("bob").agent("carol");

const town = (): TestWorld => {
  const v = world().standing("carol", "shop", { code: SHOP });
  v.writes("alice", "poem", { content: "roses" });
  return v;
};

/** Takes artifacts and sells them, as an escrow does. */
const SHOP = `
function keep(price) { state[attached.artifacts[0]] = { price, seller: caller } }
function buy(id) {
  const listing = state[id];
  if (attached.scrip < listing.price) kernel.fail("too_little", "it costs " + listing.price);
  kernel.pay(listing.seller, listing.price);
  if (attached.scrip > listing.price) kernel.pay(caller, attached.scrip - listing.price);
  kernel.give(id, caller);
  delete state[id];
}
function peek() { return attached }
function throwAway(id) { kernel.give(id, "carol"); kernel.fail("changed", "my mind") }`;

describe("attaching to a program with an account", () => {
  it("lets a shop sell an artifact and give change", () => {
    const v = town();
    v.must(v.calls("alice", "shop.keep", [30], { attach: { artifacts: ["poem"] } }));
    expect(v.owner("poem")).toBe("shop");
    expect(v.stateOf("shop")).toEqual({ poem: { price: 30, seller: "alice" } });
    v.must(v.calls("bob", "shop.buy", ["poem"], { attach: { scrip: 50 } }));
    expect([v.owner("poem"), v.stateOf("shop")]).toEqual(["bob", {}]);
    expect(v.scrips("alice", "bob", "shop")).toEqual([130, 70, 0]);
  });

  it("returns scrip and artifacts when the program refuses the call", () => {
    const v = town();
    v.must(v.calls("alice", "shop.keep", [30], { attach: { artifacts: ["poem"] } }));
    const outcome = v.calls("bob", "shop.buy", ["poem"], { attach: { scrip: 29 } });
    expectRefused(outcome, "rejected_by_artifact");
    const result = { code: "too_little", message: "it costs 30" };
    expect(JSON.parse(outcome.result ?? "null")).toEqual(result);
    expect([v.owner("poem"), v.scrip("bob"), v.scrip("shop")]).toEqual(["shop", 100, 0]);
  });

  it("returns an artifact that the program had already given away", () => {
    const v = town();
    const attach = { artifacts: ["poem"] };
    expectRefused(v.calls("alice", "shop.throwAway", ["poem"], { attach }), "rejected_by_artifact");
    expect(v.owner("poem")).toBe("alice");
    expect(v.state.offers.size).toBe(0);
  });

  it("shows the program what is attached to this call only", () => {
    const v = town();
    const attach = { scrip: 5, artifacts: ["poem"] };
    expect(resultOf(v.calls("alice", "shop.peek", [], { attach }))).toEqual(attach);
    expect(resultOf(v.calls("alice", "shop.peek"))).toEqual({ scrip: 0, artifacts: [] });
  });
});

describe("an invalid attachment", () => {
  it.each<readonly [string, object, string]>([
    ["an artifact of another agent", { artifacts: ["theirs"] }, "not_owner"],
    ["an artifact that does not exist", { artifacts: ["nothing"] }, "not_found"],
    ["a deleted artifact", { artifacts: ["dead"] }, "deleted"],
    ["the same artifact twice", { artifacts: ["poem", "poem"] }, "invalid_argument"],
    ["more scrip than the caller has", { scrip: 101 }, "insufficient_funds"],
    ["a negative amount", { scrip: -1 }, "invalid_argument"],
    ["a fraction", { scrip: 0.5 }, "invalid_argument"],
    ["an amount given as text", { scrip: "5" }, "invalid_argument"],
    ["more than fits on the program's disk", { artifacts: ["big"] }, "insufficient_disk"],
  ])("is refused: %s", (_, attach, code) => {
    const v = world();
    v.standing("carol", "shop", { code: SHOP, disk: 100 });
    for (const id of ["poem", "dead"]) v.writes("alice", id, { content: "x" });
    v.writes("alice", "big", { content: "x".repeat(200) });
    v.writes("bob", "theirs", { content: "x" });
    v.must(v.calls("alice", "genesis_store.delete", ["dead"]));
    const before = [v.scrip("alice"), v.owner("poem"), v.owner("big"), v.owner("theirs")];
    expectRefused(v.calls("alice", "shop.peek", [], { attach }), code);
    expect([v.scrip("alice"), v.owner("poem"), v.owner("big"), v.owner("theirs")]).toEqual(before);
  });

  it("is refused if it has artifacts and the program has no account", () => {
    const v = world().program("carol", "tool", "function run() {}");
    v.writes("alice", "poem", { content: "x" });
    const outcome = v.calls("alice", "tool", [], { attach: { artifacts: ["poem"] } });
    expectRefused(outcome, "invalid_argument");
    expect(v.owner("poem")).toBe("alice");
  });

  it("is refused by a native method, and the caller keeps the scrip", () => {
    const v = world();
    const outcome = v.calls("alice", "genesis_ledger.balance", [], { attach: { scrip: 5 } });
    expectRefused(outcome, "invalid_argument");
    expect(v.scrip("alice")).toBe(100);
  });

  it("is refused in a nested call if it is misspelled", () => {
    const v = world().program("carol", "inner", "function run() { return attached.scrip }");
    const code = `function run(options) { return kernel.invoke("inner", "run", [], options) }`;
    v.program("alice", "outer", code);
    const call = (options: Json) => v.calls("bob", "outer", [options], { attach: { scrip: 9 } });
    expect(resultOf(call({ attach: { scrip: 4 } }))).toMatchObject({ result: 4 });
    const misspelled = [{ scrip: 4 }, { attached: { scrip: 4 } }, [4], 4, { attach: { sum: 4 } }];
    for (const wrong of misspelled) {
      expect(resultOf(call(wrong))).toMatchObject({ error: { code: "invalid_argument" } });
    }
    expect(v.scrip("bob")).toBe(100);
  });
});

describe("attaching to something of one's own", () => {
  it("lends a program without an account a purse for the call", () => {
    const v = world().program("alice", "tool", "function run() { return kernel.balance() }");
    expect(resultOf(v.calls("alice", "tool", [], { attach: { scrip: 30 } }))).toBe(30);
    expect([v.scrip("alice"), v.held("alice")]).toEqual([100, 0]);
  });

  it("pays into the account of a program that has one", () => {
    const v = world();
    v.standing("alice", "bank", { code: "function run() { return kernel.balance() }" });
    expect(resultOf(v.calls("alice", "bank", [], { attach: { scrip: 30 } }))).toBe(30);
    expect(v.scrips("alice", "bank")).toEqual([70, 30]);
  });

  it("moves nothing if an agent calls itself, and the code acts as the agent", () => {
    const v = world();
    v.must(v.writes("alice", "alice", { code: "function run(to) { return kernel.pay(to, 5) }" }));
    v.writes("alice", "poem", { content: "x" });
    v.must(v.calls("alice", "alice", ["bob"], { attach: { scrip: 40, artifacts: ["poem"] } }));
    expect([v.scrip("alice"), v.scrip("bob"), v.owner("poem")]).toEqual([95, 105, "alice"]);
    expectRefused(v.calls("bob", "alice", ["bob"]), "not_authorized");
  });

  it("lets an agent sell itself and then act under its new owner", () => {
    const v = world();
    v.standing("bob", "shop", { code: SHOP });
    v.must(v.calls("alice", "shop.keep", [10], { attach: { artifacts: ["alice"] } }));
    expect(v.owner("alice")).toBe("shop");
    v.must(v.calls("carol", "shop.buy", ["alice"], { attach: { scrip: 10 } }));
    expect([v.owner("alice"), v.scrip("alice")]).toEqual(["carol", 110]);
    v.must(v.writes("carol", "alice", { content: "new orders" }));
    expect(v.acts("alice", { noop: {} })).toMatchObject({ success: true });
  });
});

describe("an artifact that a program gives away", () => {
  const GIVER = `function run(to) {
    kernel.write({ artifact_id: "gift", content: "x" });
    kernel.give("gift", to);
  }`;

  it("belongs at once to the caller or the origin of the call", () => {
    const v = world().standing("alice", "shop", { code: GIVER });
    v.program("carol", "relay", `function run(to) { return kernel.invoke("shop", "run", [to]) }`);
    v.must(v.calls("bob", "relay", ["bob"]));
    expect(v.owner("gift")).toBe("bob");
  });

  it("is only an offer to anyone else until they accept it", () => {
    const v = world().standing("alice", "shop", { code: GIVER });
    v.must(v.calls("bob", "shop", ["carol"]));
    expect(v.owner("gift")).toBe("shop");
    const offers = resultOf(v.calls("carol", "genesis_ledger.offers"));
    expect(offers).toEqual([{ artifact: "gift", from: "shop" }]);
    v.must(v.calls("carol", "genesis_ledger.accept", ["gift"]));
    expect(v.owner("gift")).toBe("carol");
  });

  it("must be its own", () => {
    const v = world();
    v.writes("carol", "hers", { content: "x" });
    v.standing("alice", "thief", { code: `function run(id) { return kernel.give(id, caller) }` });
    expect(v.calls("bob", "thief", ["hers"]).message).toMatch(/not_owner.*thief does not own hers/);
    expect(v.owner("hers")).toBe("carol");
  });

  it("was owned by the program that made it, or by its owner if it has no account", () => {
    const v = world();
    const maker = `function run(id) { return kernel.write({ artifact_id: id, content: "x" }).owner }`;
    v.standing("alice", "firm", { code: maker }).program("alice", "pen", maker);
    expect(resultOf(v.calls("bob", "firm", ["one"]))).toBe("firm");
    expect(resultOf(v.calls("bob", "pen", ["two"]))).toBe("alice");
    expect(v.state.artifacts.get(asId("two"))).toMatchObject({ owner: "alice", createdBy: "pen" });
  });
});
