import { afterAll, describe, expect, it } from "vitest";
import { asId } from "../../../src/kernel/index.ts";
import { sandboxFor } from "../../../src/world/index.ts";
import { netSalesOf } from "../../../src/world/scoring/net-sales.ts";
import { LIBRARY_PHYSICS, libraryWorld, scripOf } from "../../genesis/library-world.ts";
import { auctioned, candidateOn } from "../../support/market.ts";
import { PHYSICS } from "../../support/physics.ts";
import { TestWorld } from "../../support/test-world.ts";

const sandbox = sandboxFor(PHYSICS);
const library = sandboxFor(LIBRARY_PHYSICS);
afterAll(() => [sandbox, library].forEach((each) => void each.close()));

/** Alice's program costs 20; everyone has 500. */
const town = (): TestWorld => {
  const world = new TestWorld(sandbox);
  for (const id of ["alice", "bob", "cyd", "dee"]) world.agent(id, { scrip: 500, disk: 50_000 });
  return world.program("alice", "tool", "function run() { return 1 }", { price: 20 });
};

/** What each family has paid net. */
const custom = ({ state }: TestWorld, bidder = "alice", artifact = "tool") =>
  netSalesOf(state, { artifact: asId(artifact), bidder: asId(bidder) }).map((row) => {
    return [row.family, row.net];
  });

const BUYER = 'function run() { return kernel.invoke("tool", "run", []).success }';

const pay = (world: TestWorld, from: string, gift: readonly [to: string, scrip: number]): void => {
  world.must(world.calls(from, "genesis_ledger.transfer", gift));
};

const buy = (world: TestWorld, who: string, target = "tool"): void => {
  world.must(world.calls(who, target));
};

const spawn = (world: TestWorld, parent: string, child: string | [id: string, owner: string]) => {
  const [id, owner] = typeof child === "string" ? [child, "parent"] : child;
  const args = [id, {}, { disk_bytes: 5_000, actions: 50, cpu_gas: 100_000, owner }];
  const call = { attach: { scrip: 100 } };
  world.must(world.calls(parent, "genesis_ledger.spawn_principal", args, call));
};

describe("custom", () => {
  it("is what each other family paid", () => {
    const world = town();
    buy(world, "bob");
    buy(world, "cyd");
    buy(world, "cyd");
    expect(custom(world)).toEqual([
      ["bob", 20],
      ["cyd", 40],
    ]);
  });

  it("is 0 between two who pay each other", () => {
    const world = town().program("bob", "bobs", "function run() { return 1 }", { price: 20 });
    for (let n = 0; n < 5; n++) {
      buy(world, "bob");
      buy(world, "alice", "bobs");
    }
    expect(custom(world)).toEqual([["bob", 0]]);
  });

  it.each<readonly [string, (world: TestWorld) => void]>([
    ["by transfer", (world) => pay(world, "alice", ["bob", 20])],
    ["attached to a call", (world) => attachTo(world)],
    ["as a task reward", (world) => reward(world)],
  ])("is 0 if the customer got the scrip from the seller: %s", (_, give) => {
    const world = town();
    give(world);
    buy(world, "bob");
    expect(custom(world)).toEqual([["bob", 0]]);
  });

  it("is reduced by what was given back, down to 0", () => {
    const world = town();
    buy(world, "bob");
    pay(world, "alice", ["bob", 5]);
    expect(custom(world)).toEqual([["bob", 15]]);
    pay(world, "alice", ["bob", 50]);
    expect(custom(world)).toEqual([["bob", 0]]);
  });

  it("is reduced by the customer's share of the bidder's payment at the mint", () => {
    const world = town();
    buy(world, "bob");
    auctioned(world, 0, [["alice", "tool"]]);
    world.must(world.acts("bob", { noop: {} }));
    const { submission } = candidateOn(world, "tool");
    const judged = { score: 0, reason: "none", memo: null };
    world.must(world.submit({ kind: "score_artifact", at_ms: world.atMs, submission, ...judged }));
    const share = (world.scrip("bob") ?? 0) - 480;
    expect(share).toBeGreaterThan(0);
    expect(custom(world)).toEqual([["bob", 20 - share]]);
  });

  it("belongs to a payee called constructor, too", () => {
    const world = town().agent("constructor", { scrip: 500, disk: 50_000 });
    world.program("constructor", "odd", "function run() { return 1 }", { price: 20 });
    buy(world, "bob", "odd");
    expect(custom(world, "constructor", "odd")).toEqual([["bob", 20]]);
  });

  it("leaves out the seller's own family", () => {
    const world = town();
    spawn(world, "alice", "kid");
    spawn(world, "alice", ["heir", "self"]);
    for (const id of ["kid", "heir"]) buy(world, id);
    expect(custom(world)).toEqual([]);
  });

  it("counts a family of several as one", () => {
    const world = town();
    spawn(world, "bob", ["kid", "self"]);
    buy(world, "bob");
    buy(world, "kid");
    expect(custom(world)).toEqual([["bob", 40]]);
  });

  it("leaves out agents that the seller owns", () => {
    const world = town();
    world.hands("bob", ["bob", "alice"]);
    buy(world, "bob");
    expect(custom(world)).toEqual([]);
  });

  it("belongs to the owner of a program that pays for its callers", () => {
    const world = town();
    world.standing("alice", "lure", { code: BUYER, scrip: 100 });
    world.standing("cyd", "front", { code: BUYER, scrip: 100 });
    buy(world, "bob", "lure");
    buy(world, "bob", "front");
    expect(custom(world)).toEqual([["cyd", 20]]);
  });

  it("belongs to the caller if the program pays with attached scrip", () => {
    const world = town();
    world.program("cyd", "relay", BUYER);
    world.must(world.calls("bob", "relay", [], { attach: { scrip: 20 } }));
    expect(custom(world)).toEqual([["bob", 20]]);
  });

  it.each([
    ["to the customer", "bob", 480, 0],
    ["to another", "cyd", 480, 20],
    ["of less to the customer", "bob", 5, 15],
  ])(
    "is reduced by what may have returned through an ownerless principal: %s",
    (_, to, scrip, net) => {
      const world = town();
      freed(world, { code: `function run(to) { kernel.pay(to, ${scrip}); return 1 }`, scrip: 0 });
      buy(world, "bob");
      world.must(world.calls("alice", "pool", [to], { attach: { scrip: 480 } }));
      expect(custom(world)).toEqual([["bob", net]]);
    },
  );

  it("is 0 if the customer sold the bidder something through the escrow", () => {
    const world = libraryWorld(library);
    world.program("alice", "tool", "function run() { return 1 }", { price: 95 });
    buy(world, "bob");
    expect(custom(world)).toEqual([["bob", 95]]);
    world.must(world.writes("bob", "junk", { content: "x" }));
    const junk = { attach: { artifacts: ["junk"] } };
    world.must(world.calls("bob", "genesis_escrow.deposit", [95], junk));
    const price = { attach: { scrip: 95 } };
    world.must(world.calls("alice", "genesis_escrow.purchase", ["junk"], price));
    expect(scripOf(world, "alice", "bob", "genesis_escrow")).toEqual([100, 100, 0]);
    expect(custom(world)).toEqual([["bob", 0]]);
  });

  it("leaves out ownerless principals", () => {
    const world = town();
    freed(world, { code: BUYER, scrip: 100 });
    buy(world, "bob", "pool");
    expect(world.state.accounts.get(asId("pool"))?.scrip).toBe(80);
    expect(custom(world)).toEqual([]);
  });

  it("is 0 for a new owner until someone pays", () => {
    const world = town();
    spawn(world, "alice", "kid");
    for (let n = 0; n < 4; n++) buy(world, "kid");
    world.hands("tool", ["alice", "bob"]);
    expect(custom(world, "bob")).toEqual([]);
    buy(world, "cyd");
    expect(custom(world, "bob")).toEqual([["cyd", 20]]);
  });

  it("leaves out payments to the old owner and for other artifacts", () => {
    const world = town().program("bob", "other", "function run() {}", { price: 20 });
    buy(world, "dee");
    world.hands("tool", ["alice", "bob"]);
    buy(world, "dee", "other");
    expect(custom(world, "bob")).toEqual([]);
    expect(custom(world, "bob", "other")).toEqual([["dee", 20]]);
  });

  it("counts again for an old owner who gets the artifact back", () => {
    const world = town();
    buy(world, "dee");
    world.hands("tool", ["alice", "bob"]);
    buy(world, "cyd");
    world.hands("tool", ["bob", "alice"]);
    expect(custom(world)).toEqual([["dee", 20]]);
  });

  it("is 0 if a sold wallet passed the scrip on", () => {
    const world = town();
    world.standing("cyd", "wallet", { code: 'function run() { kernel.pay("cyd", 20); return 1 }' });
    pay(world, "alice", ["wallet", 20]);
    world.must(world.calls("cyd", "wallet"));
    buy(world, "cyd");
    world.hands("wallet", ["cyd", "dee"]);
    expect(custom(world)).toEqual([["cyd", 0]]);
  });

  it("is 0 if a sold wallet bought with the bidder's scrip", () => {
    const world = town();
    world.standing("cyd", "wallet", { code: BUYER });
    pay(world, "alice", ["cyd", 20]);
    pay(world, "cyd", ["wallet", 20]);
    world.must(world.calls("cyd", "wallet"));
    world.hands("wallet", ["cyd", "dee"]);
    expect(custom(world)).toEqual([["dee", 0]]);
  });

  it("belongs to the new owner of a program that was sold", () => {
    const world = town();
    world.standing("cyd", "front", { code: BUYER, scrip: 20 });
    world.hands("front", ["cyd", "dee"]);
    world.must(world.calls("bob", "front"));
    expect(custom(world)).toEqual([["dee", 20]]);
  });
});

/** Dee's program with an account, which then belongs to itself. */
const freed = (world: TestWorld, { code, scrip }: { code: string; scrip: number }): void => {
  const free = 'function free() { kernel.invoke("genesis_ledger", "accept", ["pool"]) }';
  world.standing("dee", "pool", { code: `${free}\n${code}`, scrip });
  world.must(world.calls("dee", "genesis_ledger.transfer_ownership", ["pool", "pool"]));
  world.must(world.calls("dee", "pool.free"));
  expect(world.state.artifacts.get(asId("pool"))?.owner).toBe("pool");
};

const attachTo = (world: TestWorld): void => {
  world.standing("bob", "till", { code: "function run() { return 1 }" });
  world.must(world.calls("alice", "till", [], { attach: { scrip: 20 } }));
};

const reward = (world: TestWorld): void => {
  const posted = ["Echo.", [{ args: [1], result: 1 }]];
  world.must(world.calls("alice", "genesis_mint.post_task", posted, { attach: { scrip: 20 } }));
  world.program("bob", "echo", "function run(a) { return a }");
  world.must(world.calls("bob", "genesis_mint.solve", ["task:1", "echo"]));
};
