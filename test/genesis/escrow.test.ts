import { describe, expect, it } from "vitest";
import type { Json } from "../../src/kernel/index.ts";
import type { TestWorld } from "../support/test-world.ts";
import {
  answerOf,
  DEPUTY,
  FREEWARE,
  HOUR_MS,
  libraryWorlds,
  ownerAndAccess,
  PRIVATE,
  refusalCode,
  scripOf,
  spawnsChild,
  totalScrip,
} from "./library-world.ts";

const newWorld = libraryWorlds();

const ESCROW = "genesis_escrow";
const TOOL = "function run() { state.n = (state.n ?? 0) + 1; return state.n }";
const NINE = Array.from({ length: 9 }, (_, n) => `note_${n}`);
const EMPTY = { listings: [], next: null };

type Listings = { readonly listings: readonly Json[]; readonly next: number | null };

type Deposit = readonly [id: string, args?: readonly Json[]];
const deposits = (v: TestWorld, who: string, ...[id, args = [40]]: Deposit) =>
  v.calls(who, `${ESCROW}.deposit`, args, { attach: { artifacts: [id] } });
type Purchase = readonly [scrip: number, args?: readonly Json[]];
const buys = (v: TestWorld, who: string, ...[scrip, args = ["tool"]]: Purchase) =>
  v.calls(who, `${ESCROW}.purchase`, args, { attach: { scrip } });
const cancels = (v: TestWorld, who: string, id = "tool") => v.calls(who, `${ESCROW}.cancel`, [id]);
const listingOf = (v: TestWorld, id = "tool") => answerOf(v, "carol", "escrow.check", [id]);
const activeListings = (v: TestWorld, ...args: readonly Json[]) =>
  answerOf(v, "carol", "escrow.list_active", args) as Listings;

/** Alice's tool is for sale, for 40 unless the arguments say otherwise. */
const listed = (args?: readonly Json[], access = FREEWARE): TestWorld => {
  const v = newWorld().program("alice", "tool", TOOL, { price: 3, access });
  v.must(deposits(v, "alice", "tool", args));
  return v;
};

describe("a sale through the escrow", () => {
  it("happens once, for the exact price", () => {
    const v = listed();
    expect(ownerAndAccess(v, "tool")).toEqual([ESCROW, PRIVATE]);
    v.must(buys(v, "bob", 55));
    expect(scripOf(v, "alice", "bob", ESCROW)).toEqual([140, 60, 0]);
    expect(ownerAndAccess(v, "tool")).toEqual(["bob", FREEWARE]);
    const sold = { artifact: "tool", seller: "alice", price: 40, buyer: null, status: "sold" };
    const details = {
      n: 1,
      version: 2,
      access: FREEWARE,
      expires_at_ms: v.atMs + 600_000,
      more: [],
    };
    expect(listingOf(v)).toEqual({ ...sold, ...details });
    expect(activeListings(v)).toEqual(EMPTY);
    expect(refusalCode(buys(v, "carol", 40))).toBe("not_listed");
    expect(refusalCode(cancels(v, "alice"))).toBe("not_listed");
    expect(scripOf(v, "alice", "bob", "carol", ESCROW)).toEqual([140, 60, 100, 0]);
    expect([v.owner("tool"), totalScrip(v)]).toEqual(["bob", 400]);
  });

  it("needs the whole price, and a buyer other than the seller", () => {
    const v = listed();
    expect(refusalCode(buys(v, "bob", 39))).toBe("too_little");
    expect(refusalCode(v.calls("bob", `${ESCROW}.purchase`, ["tool"]))).toBe("too_little");
    expect(refusalCode(buys(v, "bob", 101))).toBe("insufficient_funds");
    expect(refusalCode(buys(v, "alice", 40))).toBe("own_listing");
    expect(scripOf(v, "alice", "bob", ESCROW)).toEqual([100, 100, 0]);
    expect(v.owner("tool")).toBe(ESCROW);
  });

  it("can be reserved for one buyer", () => {
    const v = listed([40, "carol"]);
    expect(refusalCode(buys(v, "bob", 40))).toBe("not_for_you");
    v.must(buys(v, "carol", 40));
    expect(scripOf(v, "alice", "bob", "carol", ESCROW)).toEqual([140, 100, 60, 0]);
  });

  it("can require the version that the buyer saw", () => {
    const v = listed();
    const { version } = listingOf(v) as { version: number };
    expect(version).toBe(2);
    v.must(cancels(v, "alice"));
    v.must(v.writes("alice", "tool", { code: "function run() { return 'trash' }" }));
    v.must(deposits(v, "alice", "tool"));
    expect(refusalCode(buys(v, "bob", 40, ["tool", version]))).toBe("changed");
    expect(scripOf(v, "alice", "bob", ESCROW)).toEqual([100, 100, 0]);
  });

  it("keeps the state of the artifact", () => {
    const v = newWorld().program("alice", "tool", TOOL);
    v.must(v.calls("bob", "tool"));
    v.must(deposits(v, "alice", "tool", [5]));
    v.must(buys(v, "bob", 5));
    expect(v.stateOf("tool")).toEqual({ n: 1 });
  });

  it("can be made by a program with an account, for its own money", () => {
    const v = listed().program("bob", "poor", DEPUTY);
    v.standing("bob", "broker", { code: DEPUTY, scrip: 50 });
    const buy = [ESCROW, "purchase", ["tool"], { scrip: 50 }];
    const poor = v.calls("bob", "poor.call", buy, { attach: { scrip: 50 } });
    expect(refusalCode(poor)).toBe("no_standing");
    v.must(v.calls("bob", "broker.call", buy));
    expect([v.owner("tool"), ...scripOf(v, "broker", "alice")]).toEqual(["broker", 10, 140]);
  });
});

describe("the sale of an agent", () => {
  const withKid = (): TestWorld => {
    const v = newWorld();
    spawnsChild(v, "alice", "kid");
    return v;
  };

  it("gives the buyer the agent, which keeps what it has", () => {
    const v = withKid();
    v.must(deposits(v, "alice", "kid", [30]));
    expect(ownerAndAccess(v, "kid")).toEqual([ESCROW, PRIVATE]);
    for (const who of ["alice", "kid"]) {
      expect(v.writes(who, "kid", { content: "{}" }).error_code).toBe("not_authorized");
    }
    v.must(buys(v, "bob", 30, ["kid"]));
    expect(ownerAndAccess(v, "kid")).toEqual(["bob", "genesis_contract_self_owned"]);
    expect(v.owner("kid_memory")).toBe("kid");
    expect(scripOf(v, "alice", "bob", "kid")).toEqual([110, 70, 20]);
    v.must(v.writes("bob", "kid", { content: "{}" }));
    expect(v.writes("alice", "kid", { content: "{}" }).error_code).toBe("not_authorized");
  });

  it("does not include its memory, which it can sell separately", () => {
    const v = withKid();
    v.must(deposits(v, "kid", "kid_memory", [5]));
    v.must(buys(v, "bob", 5, ["kid_memory"]));
    expect([v.owner("kid_memory"), v.owner("kid")]).toEqual(["bob", "alice"]);
    expect(scripOf(v, "bob", "kid")).toEqual([95, 25]);
    v.must(v.reads("bob", "kid_memory"));
    expect(v.reads("kid", "kid_memory").error_code).toBe("not_authorized");
  });

  it("can be made by the agent itself, which still votes for its own family", () => {
    const v = newWorld();
    v.must(deposits(v, "dave", "dave", [60]));
    v.must(buys(v, "bob", 60, ["dave"]));
    expect([v.owner("dave"), ...scripOf(v, "dave", "bob")]).toEqual(["bob", 160, 40]);
    v.must(v.calls("alice", "genesis_voting.create_proposal", ["Well?", ["yes", "no"]]));
    v.must(v.calls("bob", "genesis_voting.vote", ["proposal_1", "yes"]));
    v.must(v.calls("dave", "genesis_voting.vote", ["proposal_1", "no"]));
  });
});

describe("a lot of several artifacts", () => {
  const LOT = ["dave", "dave_memory", "tool"];
  const OWN = "genesis_contract_self_owned";
  const owners = (v: TestWorld) => LOT.map((id) => ownerAndAccess(v, id));
  /** Dave lists himself, his memory and a tool together, for 60. */
  const lot = (): TestWorld => {
    const v = newWorld().program("dave", "tool", TOOL);
    v.must(v.calls("dave", `${ESCROW}.deposit`, [60], { attach: { artifacts: LOT } }));
    return v;
  };

  it("is one listing with one price, under the name of its first artifact", () => {
    const v = lot();
    expect(owners(v)).toEqual(LOT.map(() => [ESCROW, PRIVATE]));
    const more = [
      { artifact: "dave_memory", access: PRIVATE },
      { artifact: "tool", access: FREEWARE },
    ];
    const { listings } = activeListings(v);
    expect(listings).toMatchObject([{ artifact: "dave", price: 60, access: OWN, more }]);
    expect(listingOf(v, "dave_memory")).toEqual(listingOf(v, "dave"));
  });

  it("is bought as a whole, by the name of any of its artifacts", () => {
    for (const id of LOT) {
      const v = lot();
      const answer = v.must(buys(v, "bob", 65, [id])).result ?? "";
      expect(JSON.parse(answer)).toEqual({ artifacts: LOT, seller: "dave", paid: 60 });
      expect(owners(v)).toEqual([
        ["bob", OWN],
        ["bob", PRIVATE],
        ["bob", FREEWARE],
      ]);
      expect(scripOf(v, "dave", "bob", ESCROW)).toEqual([160, 40, 0]);
      expect(refusalCode(buys(v, "carol", 60, [id]))).toBe("not_listed");
      expect(listingOf(v, "tool")).toMatchObject({ status: "sold", artifact: "dave" });
    }
  });

  it("comes back as a whole", () => {
    const v = lot();
    v.must(cancels(v, "dave", "tool"));
    expect(owners(v)).toEqual([
      ["dave", OWN],
      ["dave", PRIVATE],
      ["dave", FREEWARE],
    ]);
    expect(activeListings(v)).toEqual(EMPTY);
  });

  it("is not bought in part if it does not fit on the buyer's disk", () => {
    const v = newWorld().agent("tiny", { disk: 40, scrip: 90 });
    v.must(v.writes("alice", "small", { content: "x" }));
    v.must(v.writes("alice", "large", { content: "x".repeat(500) }));
    v.must(
      v.calls("alice", `${ESCROW}.deposit`, [5], { attach: { artifacts: ["small", "large"] } }),
    );
    expect(refusalCode(buys(v, "tiny", 5, ["small"]))).toBe("insufficient_disk");
    expect([v.owner("small"), v.owner("large"), v.scrip("tiny")]).toEqual([ESCROW, ESCROW, 90]);
  });

  it("has another version after it was listed again with other artifacts", () => {
    const v = lot();
    const { version } = listingOf(v, "dave") as { version: number };
    v.must(cancels(v, "dave", "dave"));
    v.must(deposits(v, "dave", "dave", [60]));
    expect(refusalCode(buys(v, "bob", 60, ["dave", version]))).toBe("changed");
  });

  it("counts with all its bytes for the family", () => {
    const v = newWorld().agent("rich", { disk: 90_000 });
    const big = ["b1", "b2", "b3", "b4", "b5", "b6", "b7"];
    for (const id of big) v.must(v.writes("rich", id, { content: "x".repeat(9_000) }));
    const all = v.calls("rich", `${ESCROW}.deposit`, [5], { attach: { artifacts: big } });
    expect(refusalCode(all)).toBe("full");
  });
});

describe("a listing whose seller was sold", () => {
  const sells = (v: TestWorld, id: string, to: string): void => {
    v.must(deposits(v, "alice", id, [30, to]));
    v.must(buys(v, to, 30, [id]));
  };
  /** Alice's shop lists its gem, for alice and 1 scrip. The shop may belong to a holding. */
  const listedBy = (below: "shop" | "holding"): TestWorld => {
    const v = newWorld().standing("alice", "shop", { code: DEPUTY });
    v.must(v.calls("alice", "shop.make", ["gem"]));
    const deposit = [ESCROW, "deposit", [1, "alice", 86_400], { artifacts: ["gem"] }];
    v.must(v.calls("alice", "shop.call", deposit));
    if (below === "shop") return v;
    v.standing("alice", "holding", { code: DEPUTY, disk: 5_000 });
    v.must(v.calls("alice", "holding.keep", [], { attach: { artifacts: ["shop"] } }));
    return v;
  };
  const bargain = (v: TestWorld) => buys(v, "alice", 1, ["gem"]);

  it("cannot be bought, but the seller can cancel it", () => {
    const v = listedBy("shop");
    sells(v, "shop", "bob");
    expect(refusalCode(bargain(v))).toBe("void");
    expect([v.owner("gem"), listingOf(v, "gem")]).toMatchObject([ESCROW, { status: "void" }]);
    expect(activeListings(v)).toEqual(EMPTY);
    v.must(v.calls("bob", "shop.call", [ESCROW, "cancel", ["gem"]]));
    expect(v.owner("gem")).toBe("shop");
  });

  it("cannot be bought if the seller's owner was sold either", () => {
    const v = listedBy("holding");
    expect(listingOf(v, "gem")).toMatchObject({ status: "active" });
    sells(v, "holding", "bob");
    expect([v.owner("shop"), refusalCode(bargain(v))]).toEqual(["holding", "void"]);
  });

  it("can be bought after the seller came back to its former owner", () => {
    const v = listedBy("shop");
    v.must(deposits(v, "alice", "shop", [30]));
    expect(refusalCode(bargain(v))).toBe("void");
    v.must(cancels(v, "alice", "shop"));
    v.must(bargain(v));
  });
});

describe("a listing", () => {
  it.each<readonly [string, readonly Json[], number]>([
    ["10 minutes by default", [40], 600_000],
    ["the requested time", [40, null, 10], 10_000],
    ["a day at most", [40, null, 86_400], 86_400_000],
  ])("lasts for %s; after that the seller can cancel it", (_, args, ms) => {
    const [v, bought] = [listed(args), listed(args)];
    v.atMs += ms;
    bought.atMs += ms - 1;
    bought.must(buys(bought, "bob", 40));
    expect(refusalCode(buys(v, "bob", 40))).toBe("expired");
    expect(listingOf(v)).toMatchObject({ status: "expired" });
    expect(activeListings(v)).toMatchObject({ listings: [] });
    expect(refusalCode(cancels(v, "bob"))).toBe("not_yours");
    v.must(cancels(v, "alice"));
    expect(ownerAndAccess(v, "tool")).toEqual(["alice", FREEWARE]);
  });

  it("can be taken by any agent an hour after it expired", () => {
    const v = listed();
    v.atMs += 600_000 + HOUR_MS - 1;
    expect(refusalCode(cancels(v, "bob"))).toBe("not_yours");
    v.atMs += 1;
    v.must(cancels(v, "bob"));
    expect(ownerAndAccess(v, "tool")).toEqual(["bob", FREEWARE]);
    expect(activeListings(v)).toEqual(EMPTY);
    const late = listed();
    late.atMs += 600_000 + 2 * HOUR_MS;
    late.must(cancels(late, "alice"));
    expect(late.owner("tool")).toBe("alice");
  });

  it("of a deleted seller can be cancelled by its family", () => {
    const v = newWorld().standing("alice", "shop", { code: DEPUTY });
    v.must(v.calls("alice", "shop.make", ["tool"]));
    v.must(v.calls("alice", "shop.call", [ESCROW, "deposit", [1], { artifacts: ["tool"] }]));
    for (const who of ["alice", "bob"]) expect(refusalCode(cancels(v, who))).toBe("not_yours");
    v.must(v.calls("alice", "genesis_store.delete", ["shop"]));
    expect(buys(v, "bob", 1).success).toBe(false);
    expect(refusalCode(cancels(v, "bob"))).toBe("not_yours");
    v.must(cancels(v, "alice"));
    expect(v.owner("tool")).toBe("alice");
    expect(scripOf(v, "alice", "bob", ESCROW)).toEqual([100, 100, 0]);
  });
});

describe("an artifact in escrow", () => {
  it.each<readonly [string, (v: TestWorld, who: string) => { readonly success: boolean }]>([
    ["written", (v, who) => v.writes(who, "tool", { code: null })],
    ["priced", (v, who) => v.calls(who, "genesis_store.set_price", ["tool", 0])],
    ["deleted", (v, who) => v.calls(who, "genesis_store.delete", ["tool"])],
    ["called", (v, who) => v.calls(who, "tool", [], { max_price: 3 })],
    ["read", (v, who) => v.reads(who, "tool")],
    ["opened", (v, who) => v.calls(who, "genesis_store.set_access", ["tool", FREEWARE])],
    ["given", (v, who) => v.calls(who, "genesis_ledger.transfer_ownership", ["tool", "dave"])],
    ["listed again", (v, who) => deposits(v, who, "tool", [1])],
  ])("cannot be %s, by its seller or others", (_, attempt) => {
    const v = listed([40], "genesis_contract_public");
    const before = [...v.state.artifacts.rows()].at(-1);
    expect(before?.id).toBe("tool");
    expect(["alice", "bob"].map((who) => attempt(v, who).success)).toEqual([false, false]);
    expect([...v.state.artifacts.rows()].at(-1)).toBe(before);
    expect(v.scrip(ESCROW)).toBe(0);
  });

  it("cannot change itself, even if its own contract allows it", () => {
    const code = `
      function run() { kernel.write({ artifact_id: self, content: "changed" }); return 1 }`;
    const access = "genesis_contract_self_owned";
    const v = newWorld().program("alice", "tool", code, { access });
    v.must(v.calls("alice", "tool"));
    v.must(deposits(v, "alice", "tool"));
    expect(v.calls("alice", "tool").error_code).toBe("not_authorized");
    v.must(buys(v, "bob", 40));
    expect(ownerAndAccess(v, "tool")).toEqual(["bob", access]);
  });

  it("stays private for its buyer if its own contract was deleted", () => {
    const v = newWorld();
    v.program("alice", "law", "function check_permission() { return { allowed: true } }");
    v.program("alice", "tool", TOOL, { access: "law" });
    v.must(deposits(v, "alice", "tool"));
    expect(listingOf(v)).toMatchObject({ access: "law" });
    v.must(v.calls("alice", "genesis_store.delete", ["law"]));
    v.must(buys(v, "bob", 40));
    expect(ownerAndAccess(v, "tool")).toEqual(["bob", PRIVATE]);
  });
});

describe("the escrow refuses", () => {
  it.each<readonly [string, readonly Json[], object, string]>([
    ["without an artifact", [40], {}, "attach_artifacts"],
    ["of nine artifacts", [40], { artifacts: NINE }, "attach_artifacts"],
    ["of a lot with locked access", [40], { artifacts: ["tool", "locked"] }, "cannot_hold"],
    ["of a lot with another's artifact", [40], { artifacts: ["tool", "bobs"] }, "not_owner"],
    ["of scrip", [40], { artifacts: ["tool"], scrip: 5 }, "no_scrip"],
    ["for nothing", [0], { artifacts: ["tool"] }, "interface_mismatch"],
    ["for a fraction", [1.5], { artifacts: ["tool"] }, "interface_mismatch"],
    ["for an unknown buyer", [40, "unknown"], { artifacts: ["tool"] }, "unknown_buyer"],
    ["for a program as buyer", [40, "two"], { artifacts: ["tool"] }, "unknown_buyer"],
    ["for __proto__", [40, "__proto__"], { artifacts: ["tool"] }, "unknown_buyer"],
    ["for a long name", [40, "x".repeat(5_000)], { artifacts: ["tool"] }, "interface_mismatch"],
    ["over a day", [40, null, 86_401], { artifacts: ["tool"] }, "interface_mismatch"],
    ["with 4 arguments", [40, "bob", 10, "eve"], { artifacts: ["tool"] }, "interface_mismatch"],
    ["of an artifact with locked access", [40], { artifacts: ["locked"] }, "cannot_hold"],
    ["of another's artifact", [40], { artifacts: ["bobs"] }, "not_owner"],
  ])("a deposit %s", (_, args, attach, code) => {
    const v = newWorld().program("alice", "tool", TOOL).program("alice", "two", TOOL);
    v.program("alice", "locked", TOOL, { access_locked: true }).program("bob", "bobs", TOOL);
    for (const id of NINE) v.must(v.writes("alice", id, { content: "x" }));
    expect(refusalCode(v.calls("alice", `${ESCROW}.deposit`, args, { attach }))).toBe(code);
    const owners = ["tool", "two", "locked", "bobs"].map((id) => v.owner(id));
    expect([...owners, v.scrip("alice")]).toEqual(["alice", "alice", "alice", "bob", 100]);
  });

  it("a deposit that another's program makes", () => {
    const v = newWorld().program("alice", "tool", TOOL).program("bob", "thief", DEPUTY);
    const deposit = [ESCROW, "deposit", [1], { artifacts: ["tool"] }];
    expect(refusalCode(v.calls("alice", "thief.call", deposit))).toBe("not_owner");
    expect(v.owner("tool")).toBe("alice");
  });

  it.each(["__proto__", "constructor", "toString", "length", "0"])(
    "the id %s, unless listed",
    (id) => {
      const v = listed();
      expect(refusalCode(buys(v, "bob", 40, [id]))).toBe("not_listed");
      expect(refusalCode(cancels(v, "bob", id))).toBe("not_listed");
      expect(listingOf(v, id)).toEqual({ artifact: id, status: "none" });
    },
  );

  it("a purchase that does not fit on the buyer's disk, and keeps the artifact for others", () => {
    const v = newWorld().agent("tiny", { disk: 0, scrip: 50 });
    v.program("alice", "constructor", TOOL);
    v.must(deposits(v, "alice", "constructor"));
    expect(refusalCode(buys(v, "tiny", 40, ["constructor"]))).toBe("insufficient_disk");
    expect(scripOf(v, "alice", "tiny", ESCROW)).toEqual([100, 50, 0]);
    v.must(buys(v, "bob", 40, ["constructor"]));
    expect(v.owner("constructor")).toBe("bob");
  });

  it("a second purchase or cancellation by a program in one call", () => {
    const v = listed();
    const code = `${DEPUTY}
      function twice(id) {
        const attach = { scrip: 40 };
        const buy = () => kernel.invoke("genesis_escrow", "purchase", [id], { attach });
        return [buy().success, buy().success, kernel.balance()];
      }`;
    v.standing("dave", "trap", { code, scrip: 80, disk: 5_000 });
    v.program("dave", "bait", TOOL);
    v.must(v.calls("dave", "trap.keep", [], { attach: { artifacts: ["bait"] } }));
    v.must(v.calls("dave", "trap.call", [ESCROW, "deposit", [10], { artifacts: ["bait"] }]));
    v.must(buys(v, "bob", 10, ["bait"]));
    const cancel = v.calls("dave", "trap.call", [ESCROW, "cancel", ["bait"]]);
    expect(refusalCode(cancel)).toBe("not_listed");
    const twice = v.calls("dave", "trap.twice", ["tool"]).result ?? "";
    expect(JSON.parse(twice)).toEqual([true, false, 50]);
    expect(scripOf(v, "alice", "bob", ESCROW)).toEqual([140, 90, 0]);
  });
});

describe("the escrow's books", () => {
  type New = readonly [id: string, sizeBytes?: number];
  const depositsNew = (v: TestWorld, who: string, ...[id, sizeBytes = 1]: New) => {
    v.must(v.writes(who, id, { content: "x".repeat(sizeBytes) }));
    return deposits(v, who, id, [1_000_000_000]);
  };

  it("are listed in pages, oldest first", () => {
    const v = newWorld();
    for (const seller of ["alice", "bob", "carol"]) {
      for (let n = 0; n < 20; n++) v.must(depositsNew(v, seller, `${seller}_${n}`));
    }
    const first = activeListings(v);
    expect([first.listings.length, first.next]).toEqual([12, 12]);
    const offer = { artifact: "alice_0", seller: "alice", price: 1_000_000_000, buyer: null };
    const details = { n: 1, version: 2, access: FREEWARE, expires_at_ms: v.atMs + 600_000 };
    expect(first.listings[0]).toMatchObject({ ...offer, ...details });
    const second = activeListings(v, first.next);
    expect([second.listings.length, second.next]).toEqual([12, 24]);
  });

  it("show the revenue and a well-formed beginning of the description", () => {
    const v = newWorld();
    // The 60th code unit is half of a surrogate pair.
    const description = `${"x".repeat(59)}🛠 and more`;
    const methods = [{ name: "run", description: "runs", input_schema: { type: "object" } }];
    v.program("alice", "tool", TOOL, { price: 3, interface: { description, methods } });
    v.must(v.calls("bob", "tool"));
    v.must(deposits(v, "alice", "tool"));
    const use = { calls_by_others: 1, revenue: 3 };
    const shown = { artifact: "tool", type: "program", description: `${"x".repeat(59)}\ufffd` };
    expect(activeListings(v)).toMatchObject({ listings: [{ ...shown, ...use }] });
  });

  it("keep the latest ten closed listings", () => {
    const v = newWorld();
    for (let n = 0; n < 12; n++) {
      v.must(depositsNew(v, "alice", `x${n}`));
      v.must(cancels(v, "alice", `x${n}`));
    }
    const listings = ["x1", "x2"].map((id) => listingOf(v, id));
    expect(listings).toMatchObject([{ status: "none" }, { status: "cancelled" }]);
  });

  it("have room for 25 listings of one seller", () => {
    const v = newWorld();
    for (let n = 0; n < 25; n++) v.must(depositsNew(v, "alice", `x${n}`));
    expect(refusalCode(depositsNew(v, "alice", "x25"))).toBe("full");
    expect(v.owner("x25")).toBe("alice");
    v.must(cancels(v, "alice", "x3"));
    v.must(depositsNew(v, "alice", "x26"));
  });

  it("have a limited number of bytes for each family", () => {
    const v = newWorld().agent("rich", { disk: 90_000 });
    spawnsChild(v, "rich", "kid");
    for (let n = 0; n < 6; n++) v.must(depositsNew(v, "rich", `x${n}`, 9_000));
    const seventh = depositsNew(v, "rich", "x6", 9_000);
    expect([refusalCode(seventh), v.owner("x6")]).toEqual(["full", "rich"]);
    // The child's listings count for the family.
    v.must(depositsNew(v, "kid", "y", 2_000));
    expect(refusalCode(depositsNew(v, "rich", "x7", 4_000))).toBe("full");
    v.must(depositsNew(v, "bob", "z", 9_000));
  });
});
