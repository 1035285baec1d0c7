import { afterAll, describe, expect, it } from "vitest";
import { asId } from "../../../src/kernel/index.ts";
import { sandboxFor } from "../../../src/world/index.ts";
import { netSalesOf } from "../../../src/world/scoring/net-sales.ts";
import { LIBRARY_PHYSICS, libraryWorld, scripOf } from "../../genesis/library-world.ts";
import { auctioned, candidateOn } from "../../support/market.ts";
import { PHYSICS } from "../../support/physics.ts";
import { Village } from "../../support/world.ts";

const sandbox = sandboxFor(PHYSICS);
const library = sandboxFor(LIBRARY_PHYSICS);
afterAll(() => [sandbox, library].forEach((each) => void each.close()));

/** Alice's program costs 20; everyone has 500. */
const town = (): Village => {
  const village = new Village(sandbox);
  for (const id of ["alice", "bob", "cyd", "dee"]) village.agent(id, { scrip: 500, disk: 50_000 });
  return village.program("alice", "tool", "function run() { return 1 }", { price: 20 });
};

const custom = ({ state }: Village, bidder = "alice", artifact = "tool") =>
  netSalesOf(state, { artifact: asId(artifact), bidder: asId(bidder) }).map(({ family, net }) => ({
    family,
    net,
  }));

const pay = (village: Village, from: string, gift: readonly [to: string, scrip: number]): void => {
  village.must(village.calls(from, "genesis_ledger.transfer", gift));
};

const buy = (village: Village, who: string, target = "tool"): void => {
  village.must(village.calls(who, target));
};

/** Spawns an agent with its own means. */
const spawn = (village: Village, parent: string, child: string | [id: string, owner: string]) => {
  const [id, owner] = typeof child === "string" ? [child, "parent"] : child;
  const means = { disk_bytes: 5_000, actions: 50, cpu_gas: 100_000, owner };
  const args = [id, {}, means];
  const call = { attach: { scrip: 100 } };
  village.must(village.calls(parent, "genesis_ledger.spawn_principal", args, call));
};

describe("custom", () => {
  it("is what each other family paid", () => {
    const village = town();
    buy(village, "bob");
    buy(village, "cyd");
    buy(village, "cyd");
    expect(custom(village)).toEqual([
      { family: "bob", net: 20 },
      { family: "cyd", net: 40 },
    ]);
  });

  it("is 0 between two who pay each other", () => {
    const village = town().program("bob", "bobs", "function run() { return 1 }", { price: 20 });
    for (let n = 0; n < 5; n++) {
      buy(village, "bob");
      buy(village, "alice", "bobs");
    }
    expect(custom(village)).toEqual([{ family: "bob", net: 0 }]);
  });

  it.each<readonly [string, (village: Village) => void]>([
    ["by transfer", (village) => pay(village, "alice", ["bob", 20])],
    ["attached to a call", (village) => attachTo(village)],
    ["as a task reward", (village) => reward(village)],
  ])("is 0 if the customer got the scrip from the seller: %s", (_, give) => {
    const village = town();
    give(village);
    buy(village, "bob");
    expect(custom(village)).toEqual([{ family: "bob", net: 0 }]);
  });

  it("is reduced by what was given back, down to 0", () => {
    const village = town();
    buy(village, "bob");
    pay(village, "alice", ["bob", 5]);
    expect(custom(village)).toEqual([{ family: "bob", net: 15 }]);
    pay(village, "alice", ["bob", 50]);
    expect(custom(village)).toEqual([{ family: "bob", net: 0 }]);
  });

  it("is reduced by the customer's share of the bidder's payment at the mint", () => {
    const village = town();
    buy(village, "bob");
    auctioned(village, 0, [["alice", "tool"]]);
    village.must(village.acts("bob", { noop: {} }));
    const { submission } = candidateOn(village, "tool");
    const judged = { score: 0, reason: "none", memo: null };
    village.must(
      village.submit({ kind: "score_artifact", at_ms: village.atMs, submission, ...judged }),
    );
    const share = (village.scrip("bob") ?? 0) - 480;
    expect(share).toBeGreaterThan(0);
    expect(custom(village)).toEqual([{ family: "bob", net: 20 - share }]);
  });

  it("belongs to a payee called constructor, too", () => {
    const village = town().agent("constructor", { scrip: 500, disk: 50_000 });
    village.program("constructor", "odd", "function run() { return 1 }", { price: 20 });
    buy(village, "bob", "odd");
    expect(custom(village, "constructor", "odd")).toEqual([{ family: "bob", net: 20 }]);
  });

  it("leaves out the seller's own family", () => {
    const village = town();
    spawn(village, "alice", "kid");
    spawn(village, "alice", ["heir", "self"]);
    for (const id of ["kid", "heir"]) buy(village, id);
    expect(custom(village)).toEqual([]);
  });

  it("counts a family of several as one", () => {
    const village = town();
    spawn(village, "bob", ["kid", "self"]);
    buy(village, "bob");
    buy(village, "kid");
    expect(custom(village)).toEqual([{ family: "bob", net: 40 }]);
  });

  it("leaves out agents that the seller owns", () => {
    const village = town();
    village.must(village.calls("bob", "genesis_ledger.transfer_ownership", ["bob", "alice"]));
    village.must(village.calls("alice", "genesis_ledger.accept", ["bob"]));
    buy(village, "bob");
    expect(custom(village)).toEqual([]);
  });

  it("belongs to the owner of a program that pays for its callers", () => {
    const village = town();
    const code = 'function run() { return kernel.invoke("tool", "run", []).success }';
    village.standing("alice", "lure", { code, scrip: 100 });
    village.standing("cyd", "front", { code, scrip: 100 });
    buy(village, "bob", "lure");
    buy(village, "bob", "front");
    expect(custom(village)).toEqual([{ family: "cyd", net: 20 }]);
  });

  it("belongs to the caller if the program pays with attached scrip", () => {
    const village = town();
    const code = 'function run() { return kernel.invoke("tool", "run", []).success }';
    village.program("cyd", "relay", code);
    village.must(village.calls("bob", "relay", [], { attach: { scrip: 20 } }));
    expect(custom(village)).toEqual([{ family: "bob", net: 20 }]);
  });

  it.each([
    ["to the customer", "bob", 480, 0],
    ["to another", "cyd", 480, 20],
    ["of less to the customer", "bob", 5, 15],
  ])(
    "is reduced by what may have returned through an ownerless principal: %s",
    (_, to, scrip, net) => {
      const village = town();
      freed(village, { code: `function run(to) { kernel.pay(to, ${scrip}); return 1 }`, scrip: 0 });
      buy(village, "bob");
      village.must(village.calls("alice", "pool", [to], { attach: { scrip: 480 } }));
      expect(custom(village)).toEqual([{ family: "bob", net }]);
    },
  );

  it("is 0 if the customer sold the bidder something through the escrow", () => {
    const village = libraryWorld(library);
    village.program("alice", "tool", "function run() { return 1 }", { price: 95 });
    buy(village, "bob");
    expect(custom(village)).toEqual([{ family: "bob", net: 95 }]);
    village.must(village.writes("bob", "junk", { content: "x" }));
    const junk = { attach: { artifacts: ["junk"] } };
    village.must(village.calls("bob", "genesis_escrow.deposit", [95], junk));
    const price = { attach: { scrip: 95 } };
    village.must(village.calls("alice", "genesis_escrow.purchase", ["junk"], price));
    expect(scripOf(village, "alice", "bob", "genesis_escrow")).toEqual([100, 100, 0]);
    expect(custom(village)).toEqual([{ family: "bob", net: 0 }]);
  });

  it("leaves out ownerless principals", () => {
    const village = town();
    const code = 'function run() { return kernel.invoke("tool", "run", []).success }';
    freed(village, { code, scrip: 100 });
    buy(village, "bob", "pool");
    expect(village.state.accounts.get(asId("pool"))?.scrip).toBe(80);
    expect(custom(village)).toEqual([]);
  });

  it("is 0 for a new owner until someone pays", () => {
    const village = town();
    spawn(village, "alice", "kid");
    for (let n = 0; n < 4; n++) buy(village, "kid");
    hand(village, "tool", ["alice", "bob"]);
    expect(custom(village, "bob")).toEqual([]);
    buy(village, "cyd");
    expect(custom(village, "bob")).toEqual([{ family: "cyd", net: 20 }]);
  });

  it("leaves out payments to the old owner and for other artifacts", () => {
    const village = town().program("bob", "other", "function run() {}", { price: 20 });
    buy(village, "dee");
    hand(village, "tool", ["alice", "bob"]);
    buy(village, "dee", "other");
    expect(custom(village, "bob")).toEqual([]);
    expect(custom(village, "bob", "other")).toEqual([{ family: "dee", net: 20 }]);
  });

  it("counts again for an old owner who gets the artifact back", () => {
    const village = town();
    buy(village, "dee");
    hand(village, "tool", ["alice", "bob"]);
    buy(village, "cyd");
    hand(village, "tool", ["bob", "alice"]);
    expect(custom(village)).toEqual([{ family: "dee", net: 20 }]);
  });

  it("is 0 if a sold wallet passed the scrip on", () => {
    const village = town();
    const code = 'function run() { kernel.pay("cyd", 20); return 1 }';
    village.standing("cyd", "wallet", { code });
    pay(village, "alice", ["wallet", 20]);
    village.must(village.calls("cyd", "wallet"));
    buy(village, "cyd");
    hand(village, "wallet", ["cyd", "dee"]);
    expect(custom(village)).toEqual([{ family: "cyd", net: 0 }]);
  });

  it("is 0 if a sold wallet bought with the bidder's scrip", () => {
    const village = town();
    const code = 'function run() { return kernel.invoke("tool", "run", []).success }';
    village.standing("cyd", "wallet", { code });
    pay(village, "alice", ["cyd", 20]);
    pay(village, "cyd", ["wallet", 20]);
    village.must(village.calls("cyd", "wallet"));
    hand(village, "wallet", ["cyd", "dee"]);
    expect(custom(village)).toEqual([{ family: "dee", net: 0 }]);
  });

  it("belongs to the new owner of a program that was sold", () => {
    const village = town();
    const code = 'function run() { return kernel.invoke("tool", "run", []).success }';
    village.standing("cyd", "front", { code, scrip: 20 });
    hand(village, "front", ["cyd", "dee"]);
    village.must(village.calls("bob", "front"));
    expect(custom(village)).toEqual([{ family: "dee", net: 20 }]);
  });
});

const hand = (village: Village, id: string, [from, to]: readonly [string, string]): void => {
  village.must(village.calls(from, "genesis_ledger.transfer_ownership", [id, to]));
  village.must(village.calls(to, "genesis_ledger.accept", [id]));
};

/** Dee's program with an account, which then belongs to itself. */
const freed = (village: Village, { code, scrip }: { code: string; scrip: number }): void => {
  const free = 'function free() { kernel.invoke("genesis_ledger", "accept", ["pool"]) }';
  village.standing("dee", "pool", { code: `${free}\n${code}`, scrip });
  village.must(village.calls("dee", "genesis_ledger.transfer_ownership", ["pool", "pool"]));
  village.must(village.calls("dee", "pool.free"));
  expect(village.state.artifacts.get(asId("pool"))?.owner).toBe("pool");
};

const attachTo = (village: Village): void => {
  village.standing("bob", "till", { code: "function run() { return 1 }" });
  village.must(village.calls("alice", "till", [], { attach: { scrip: 20 } }));
};

const reward = (village: Village): void => {
  const test = { args: [1], result: 1 };
  const posted = ["Echo.", [test]];
  village.must(village.calls("alice", "genesis_mint.post_task", posted, { attach: { scrip: 20 } }));
  village.program("bob", "echo", "function run(a) { return a }");
  village.must(village.calls("bob", "genesis_mint.solve", ["task:1", "echo"]));
};
