import { afterAll, describe, expect, it } from "vitest";
import type { Json } from "../../src/kernel/index.ts";

import { sandboxFor } from "../../src/world/index.ts";
import type { Village } from "../support/world.ts";
import {
  accessOf,
  allScrip,
  answerOf,
  LIBRARY_PHYSICS,
  libraryVillage,
  purses,
  reasonOf,
  family as spawns,
} from "./village.ts";

const sandbox = sandboxFor(LIBRARY_PHYSICS);
afterAll(() => sandbox.close());

const ESCROW = "genesis_escrow";
const TOOL = "function run() { state.n = (state.n ?? 0) + 1; return state.n }";

type Terms = { readonly args?: readonly Json[]; readonly access?: string };

/** Alice has put her tool up for sale, for 40 unless other terms are given. */
const listed = ({ args = [40], access }: Terms = {}): Village => {
  const v = libraryVillage(sandbox);
  v.program("alice", "tool", TOOL, { price: 3, ...(access === undefined ? {} : { access }) });
  v.must(v.calls("alice", `${ESCROW}.deposit`, args, { attach: { artifacts: ["tool"] } }));
  return v;
};

type Bid = { readonly scrip: number; readonly args?: readonly Json[] };
const buying = (v: Village, who: string, { scrip, args = ["tool"] }: Bid) =>
  v.calls(who, `${ESCROW}.purchase`, args, { attach: { scrip } });
const buys = (v: Village, who: string, scrip: number) => buying(v, who, { scrip });

describe("a sale through the escrow", () => {
  it("gives the artifact to the buyer, the price to the seller, the change back", () => {
    const v = listed();
    expect([v.owner("tool"), accessOf(v, "tool")]).toEqual([ESCROW, "genesis_contract_private"]);
    v.must(buys(v, "bob", 55));
    expect(purses(v, "alice", "bob", ESCROW)).toEqual([140, 60, 0]);
    expect([v.owner("tool"), accessOf(v, "tool")]).toEqual(["bob", "genesis_contract_freeware"]);
    expect(answerOf(v, "carol", "escrow.check", ["tool"])).toEqual({
      n: 1,
      artifact: "tool",
      seller: "alice",
      price: 40,
      buyer: null,
      expires_at_ms: v.atMs + 600_000,
      version: 2,
      access: "genesis_contract_freeware",
      status: "sold",
    });
    expect(answerOf(v, "carol", "escrow.list_active")).toEqual({ listings: [], next: null });
    expect(allScrip(v)).toBe(400);
  });

  it("happens once", () => {
    const v = listed();
    v.must(buys(v, "bob", 40));
    expect(reasonOf(buys(v, "carol", 40))).toBe("not_listed");
    expect(reasonOf(v.calls("alice", `${ESCROW}.cancel`, ["tool"]))).toBe("not_listed");
    expect(purses(v, "alice", "bob", "carol", ESCROW)).toEqual([140, 60, 100, 0]);
    expect(v.owner("tool")).toBe("bob");
  });

  it("is sold to an agent who pays the price, not for less", () => {
    const v = listed();
    expect(reasonOf(buys(v, "bob", 39))).toBe("too_little");
    expect(reasonOf(v.calls("bob", `${ESCROW}.purchase`, ["tool"]))).toBe("too_little");
    expect(reasonOf(buys(v, "bob", 101))).toBe("insufficient_funds");
    expect(purses(v, "alice", "bob", ESCROW)).toEqual([100, 100, 0]);
    expect(v.owner("tool")).toBe(ESCROW);
  });

  it("can be kept for one buyer", () => {
    const v = listed({ args: [40, "carol"] });
    expect(reasonOf(buys(v, "bob", 40))).toBe("not_for_you");
    v.must(buys(v, "carol", 40));
    expect(purses(v, "alice", "bob", "carol", ESCROW)).toEqual([140, 100, 60, 0]);
  });

  it("ends when it expires, and the seller takes the artifact back", () => {
    const v = listed({ args: [40, null, 10] });
    v.atMs += 9_999;
    expect(answerOf(v, "bob", "escrow.check", ["tool"])).toMatchObject({ status: "active" });
    v.atMs += 1;
    expect(reasonOf(buys(v, "bob", 40))).toBe("expired");
    expect(answerOf(v, "bob", "escrow.check", ["tool"])).toMatchObject({ status: "expired" });
    expect(answerOf(v, "bob", "escrow.list_active")).toMatchObject({ listings: [] });
    expect(reasonOf(v.calls("bob", `${ESCROW}.cancel`, ["tool"]))).toBe("not_yours");
    v.must(v.calls("alice", `${ESCROW}.cancel`, ["tool"]));
    expect([v.owner("tool"), accessOf(v, "tool")]).toEqual(["alice", "genesis_contract_freeware"]);
  });

  it("shows the version for sale and refuses any other", () => {
    const v = listed();
    const { version } = answerOf(v, "bob", "escrow.check", ["tool"]) as { version: number };
    expect(version).toBe(2);
    v.must(v.calls("alice", `${ESCROW}.cancel`, ["tool"]));
    v.must(v.writes("alice", "tool", { code: "function run() { return 'trash' }" }));
    const attach = { artifacts: ["tool"] };
    v.must(v.calls("alice", `${ESCROW}.deposit`, [40], { attach }));
    expect(reasonOf(buying(v, "bob", { scrip: 40, args: ["tool", version] }))).toBe("changed");
    expect(purses(v, "alice", "bob", ESCROW)).toEqual([100, 100, 0]);
  });

  it("keeps the state that the artifact had", () => {
    const v = libraryVillage(sandbox).program("alice", "tool", TOOL);
    v.must(v.calls("bob", "tool"));
    const attach = { artifacts: ["tool"] };
    v.must(v.calls("alice", `${ESCROW}.deposit`, [5], { attach }));
    v.must(buys(v, "bob", 5));
    expect(v.stateOf("tool")).toEqual({ n: 1 });
  });

  it("can be made by a program with standing, for its own money", () => {
    const v = listed();
    const agent = `
      function buy(id) {
        return kernel.invoke("genesis_escrow", "purchase", [id], { attach: { scrip: 50 } });
      }`;
    v.program("bob", "poor", agent);
    v.standing("bob", "broker", { code: agent, scrip: 50 });
    const refused = v.calls("bob", "poor.buy", ["tool"], { attach: { scrip: 50 } });
    expect(refused.result).toContain("no_standing");
    v.must(v.calls("bob", "broker.buy", ["tool"]));
    expect([v.owner("tool"), v.scrip("broker"), v.scrip("alice")]).toEqual(["broker", 10, 140]);
  });
});

describe("an agent", () => {
  const CHILD = { disk_bytes: 2_000, actions: 10, cpu_gas: 10_000 };
  /** Alice has a child of her own, which is sold. */
  const family = (): Village => {
    const v = libraryVillage(sandbox);
    const attach = { scrip: 20 };
    v.must(v.calls("alice", "genesis_ledger.spawn_principal", ["kid", {}, CHILD], { attach }));
    return v;
  };

  it("is sold like anything else, and belongs to its buyer with all that it has", () => {
    const v = family();
    expect(v.owner("kid")).toBe("alice");
    v.must(v.calls("alice", `${ESCROW}.deposit`, [30], { attach: { artifacts: ["kid"] } }));
    expect([v.owner("kid"), accessOf(v, "kid")]).toEqual([ESCROW, "genesis_contract_private"]);
    // Neither the seller nor the agent itself can change what is on sale.
    expect(v.writes("alice", "kid", { content: "{}" }).error_code).toBe("not_authorized");
    expect(v.writes("kid", "kid", { content: "{}" }).error_code).toBe("not_authorized");
    v.must(buying(v, "bob", { scrip: 30, args: ["kid"] }));
    expect([v.owner("kid"), v.owner("kid_memory")]).toEqual(["bob", "kid"]);
    expect(accessOf(v, "kid")).toBe("genesis_contract_self_owned");
    expect(purses(v, "alice", "bob", "kid")).toEqual([110, 70, 20]);
    v.must(v.writes("bob", "kid", { content: "{}" }));
    expect(v.writes("alice", "kid", { content: "{}" }).error_code).toBe("not_authorized");
  });

  it("sells its memory apart from itself", () => {
    const v = family();
    const attach = { artifacts: ["kid_memory"] };
    v.must(v.calls("kid", `${ESCROW}.deposit`, [5], { attach }));
    v.must(buying(v, "bob", { scrip: 5, args: ["kid_memory"] }));
    expect([v.owner("kid_memory"), v.owner("kid")]).toEqual(["bob", "alice"]);
    expect(purses(v, "bob", "kid")).toEqual([95, 25]);
    v.must(v.reads("bob", "kid_memory"));
    expect(v.reads("kid", "kid_memory").error_code).toBe("not_authorized");
  });

  it("that belongs to itself can sell itself", () => {
    const v = libraryVillage(sandbox);
    v.must(v.calls("dave", `${ESCROW}.deposit`, [60], { attach: { artifacts: ["dave"] } }));
    v.must(buying(v, "bob", { scrip: 60, args: ["dave"] }));
    expect([v.owner("dave"), v.scrip("dave"), v.scrip("bob")]).toEqual(["bob", 160, 40]);
    // It is of its own family still, whosever it is, and votes for that one.
    v.must(v.calls("alice", "genesis_voting.create_proposal", ["Well?", ["yes", "no"]]));
    v.must(v.calls("bob", "genesis_voting.vote", ["proposal_1", "yes"]));
    v.must(v.calls("dave", "genesis_voting.vote", ["proposal_1", "no"]));
  });
});

describe("a listing of a seller that was sold since", () => {
  const SHOP = `
    function make() { kernel.write({ artifact_id: "gem", content: "x" }) }
    function list(to) {
      const attach = { artifacts: ["gem"] };
      return kernel.invoke("${ESCROW}", "deposit", [1, to, 86400], { attach }).success;
    }
    function back() { return kernel.invoke("${ESCROW}", "cancel", ["gem"]).success }`;
  const sells = (v: Village, id: string, to: string): void => {
    v.must(v.calls("alice", `${ESCROW}.deposit`, [30, to], { attach: { artifacts: [id] } }));
    v.must(buying(v, to, { scrip: 30, args: [id] }));
  };
  /** Alice has had her shop list its gem, for herself and next to nothing. */
  const listedBy = (below: "shop" | "holding"): Village => {
    const v = libraryVillage(sandbox);
    v.standing("alice", "shop", { code: SHOP });
    v.must(v.calls("alice", "shop.make"));
    expect(v.calls("alice", "shop.list", ["alice"]).result).toBe("true");
    if (below === "shop") return v;
    v.standing("alice", "holding", { code: "function keep() {}", disk: 5_000 });
    v.must(v.calls("alice", "holding.keep", [], { attach: { artifacts: ["shop"] } }));
    return v;
  };
  const bargain = (v: Village) => buying(v, "alice", { scrip: 1, args: ["gem"] });
  const statusOf = (v: Village) => answerOf(v, "carol", "escrow.check", ["gem"]);

  it("cannot be bought by anyone, and the seller can take it back", () => {
    const v = listedBy("shop");
    sells(v, "shop", "bob");
    expect(reasonOf(bargain(v))).toBe("void");
    expect([v.owner("gem"), statusOf(v)]).toMatchObject([ESCROW, { status: "void" }]);
    expect(answerOf(v, "carol", "escrow.list_active")).toEqual({ listings: [], next: null });
    expect(v.calls("bob", "shop.back").result).toBe("true");
    expect(v.owner("gem")).toBe("shop");
  });

  it("is not either where the seller's owner is sold", () => {
    const v = listedBy("holding");
    expect(statusOf(v)).toMatchObject({ status: "active" });
    sells(v, "holding", "bob");
    expect([v.owner("shop"), reasonOf(bargain(v))]).toEqual(["holding", "void"]);
  });

  it("is sold even so where the seller comes back to whom it was of", () => {
    const v = listedBy("shop");
    const attach = { artifacts: ["shop"] };
    v.must(v.calls("alice", `${ESCROW}.deposit`, [30], { attach }));
    expect(reasonOf(bargain(v))).toBe("void");
    v.must(v.calls("alice", `${ESCROW}.cancel`, ["shop"]));
    v.must(bargain(v));
  });
});

describe("a listing", () => {
  const HOUR_MS = 3_600_000;
  const cancels = (v: Village, who: string) => v.calls(who, `${ESCROW}.cancel`, ["tool"]);

  it("is for sale for ten minutes, or for as long as was asked, at most a day", () => {
    const v = listed();
    v.atMs += 599_999;
    expect(answerOf(v, "bob", "escrow.check", ["tool"])).toMatchObject({ status: "active" });
    v.atMs += 1;
    expect(answerOf(v, "bob", "escrow.check", ["tool"])).toMatchObject({ status: "expired" });
    expect(reasonOf(buys(v, "bob", 40))).toBe("expired");
    const day = listed({ args: [40, null, 86_400] });
    day.atMs += 86_399_999;
    day.must(buys(day, "bob", 40));
    const attach = { artifacts: ["tool"] };
    const longer = day.calls("bob", `${ESCROW}.deposit`, [40, null, 86_401], { attach });
    expect(reasonOf(longer)).toBe("interface_mismatch");
  });

  it("can be taken by any agent an hour after it ended", () => {
    const v = listed();
    v.atMs += 600_000 + HOUR_MS - 1;
    expect(reasonOf(cancels(v, "bob"))).toBe("not_yours");
    v.atMs += 1;
    v.must(cancels(v, "bob"));
    expect([v.owner("tool"), accessOf(v, "tool")]).toEqual(["bob", "genesis_contract_freeware"]);
    expect(answerOf(v, "bob", "escrow.list_active")).toEqual({ listings: [], next: null });
    const late = listed();
    late.atMs += 600_000 + 2 * HOUR_MS;
    late.must(cancels(late, "alice"));
    expect(late.owner("tool")).toBe("alice");
  });

  it("of a seller that exists no more is its family's to take back", () => {
    const v = libraryVillage(sandbox);
    const code = `
      function make(id) {
        kernel.write({ artifact_id: id, content: "x" });
        return kernel.invoke("${ESCROW}", "deposit", [1], { attach: { artifacts: [id] } }).success;
      }`;
    v.standing("alice", "shop", { code });
    expect(v.calls("alice", "shop.make", ["tool"]).result).toBe("true");
    expect(["alice", "bob"].map((who) => reasonOf(cancels(v, who)))).toEqual([
      "not_yours",
      "not_yours",
    ]);
    v.must(v.calls("alice", "genesis_store.delete", ["shop"]));
    expect(buys(v, "bob", 1).success).toBe(false);
    expect(reasonOf(cancels(v, "bob"))).toBe("not_yours");
    v.must(cancels(v, "alice"));
    expect(v.owner("tool")).toBe("alice");
    expect(purses(v, "alice", "bob", ESCROW)).toEqual([100, 100, 0]);
  });
});

describe("what waits in escrow", () => {
  const TRIES: readonly (readonly [string, (v: Village, who: string) => boolean])[] = [
    ["written", (v, who) => v.writes(who, "tool", { code: null }).success],
    ["priced", (v, who) => v.calls(who, "genesis_store.set_price", ["tool", 0]).success],
    ["deleted", (v, who) => v.calls(who, "genesis_store.delete", ["tool"]).success],
    ["called", (v, who) => v.calls(who, "tool").success],
    ["read", (v, who) => v.reads(who, "tool").success],
    [
      "opened",
      (v, who) =>
        v.calls(who, "genesis_store.set_access", ["tool", "genesis_contract_public"]).success,
    ],
    [
      "given away",
      (v, who) => v.calls(who, "genesis_ledger.transfer_ownership", ["tool", "dave"]).success,
    ],
    [
      "listed again",
      (v, who) =>
        v.calls(who, `${ESCROW}.deposit`, [1], { attach: { artifacts: ["tool"] } }).success,
    ],
  ];

  it.each(TRIES)("cannot be %s, by its seller or others", (_, attempt) => {
    const v = listed({ access: "genesis_contract_public" });
    const before = v.state.artifacts.get([...v.state.artifacts.keys()].at(-1) ?? ("" as never));
    expect(before?.id).toBe("tool");
    expect([attempt(v, "alice"), attempt(v, "bob")]).toEqual([false, false]);
    expect([...v.state.artifacts.rows()].at(-1)).toBe(before);
  });

  it("cannot change itself, though its contract lets it", () => {
    const v = libraryVillage(sandbox);
    const code = `
      function run() { kernel.write({ artifact_id: self, content: "changed" }); return 1 }`;
    v.program("alice", "tool", code, { access: "genesis_contract_self_owned" });
    v.must(v.calls("alice", "tool"));
    v.must(v.calls("alice", `${ESCROW}.deposit`, [40], { attach: { artifacts: ["tool"] } }));
    expect(v.calls("alice", "tool").error_code).toBe("not_authorized");
    v.must(buys(v, "bob", 40));
    expect(accessOf(v, "tool")).toBe("genesis_contract_self_owned");
  });

  it("earns nothing that the escrow would swallow", () => {
    const v = listed();
    expect(v.calls("bob", "tool", [], { max_price: 3 }).error_code).toBe("not_authorized");
    expect(v.scrip(ESCROW)).toBe(0);
  });

  it("stays private for its buyer where its own contract is gone", () => {
    const v = libraryVillage(sandbox);
    v.program("alice", "law", "function check_permission() { return { allowed: true } }");
    v.program("alice", "tool", TOOL, { access: "law" });
    v.must(v.calls("alice", `${ESCROW}.deposit`, [40], { attach: { artifacts: ["tool"] } }));
    expect(answerOf(v, "bob", "escrow.check", ["tool"])).toMatchObject({ access: "law" });
    v.must(v.calls("alice", "genesis_store.delete", ["law"]));
    v.must(buys(v, "bob", 40));
    expect([v.owner("tool"), accessOf(v, "tool")]).toEqual(["bob", "genesis_contract_private"]);
  });
});

describe("the escrow refuses", () => {
  it("what it could not keep safe", () => {
    const v = libraryVillage(sandbox).program("alice", "tool", TOOL, { access_locked: true });
    const outcome = v.calls("alice", `${ESCROW}.deposit`, [40], {
      attach: { artifacts: ["tool"] },
    });
    expect(reasonOf(outcome)).toBe("cannot_hold");
    expect(v.owner("tool")).toBe("alice");
  });

  it("deposits that are no deposit of one artifact", () => {
    const v = libraryVillage(sandbox).program("alice", "tool", TOOL).program("alice", "two", TOOL);
    const deposit = (args: readonly Json[], attach: object) =>
      reasonOf(v.calls("alice", `${ESCROW}.deposit`, args, { attach }));
    expect(deposit([40], {})).toBe("attach_one");
    expect(deposit([40], { artifacts: ["tool", "two"] })).toBe("attach_one");
    expect(deposit([40], { artifacts: ["tool"], scrip: 5 })).toBe("no_scrip");
    expect(deposit([0], { artifacts: ["tool"] })).toBe("interface_mismatch");
    expect(deposit([1.5], { artifacts: ["tool"] })).toBe("interface_mismatch");
    expect(deposit([40, "nobody"], { artifacts: ["tool"] })).toBe("unknown_buyer");
    expect(deposit([40, "two"], { artifacts: ["tool"] })).toBe("unknown_buyer");
    expect(deposit([40, "__proto__"], { artifacts: ["tool"] })).toBe("unknown_buyer");
    expect(deposit([40, "x".repeat(5_000)], { artifacts: ["tool"] })).toBe("interface_mismatch");
    expect(deposit([40, "bob", 10, "carol"], { artifacts: ["tool"] })).toBe("interface_mismatch");
    expect([v.owner("tool"), v.owner("two"), v.scrip("alice")]).toEqual(["alice", "alice", 100]);
  });

  it("to sell what is another's, whatever the arguments say", () => {
    const v = libraryVillage(sandbox).program("alice", "tool", TOOL);
    const attach = { artifacts: ["tool"] };
    expect(reasonOf(v.calls("bob", `${ESCROW}.deposit`, [1], { attach }))).toBe("not_owner");
    const code = `
      function run() {
        return kernel.invoke("genesis_escrow", "deposit", [1], { attach: { artifacts: ["tool"] } });
      }`;
    v.program("bob", "thief", code);
    expect(v.calls("alice", "thief").result).toContain("not_owner");
    expect(v.owner("tool")).toBe("alice");
  });

  it.each(["cancel", "check", "list_active"])("to swallow what is attached to %s", (method) => {
    const v = listed().program("bob", "gift", TOOL);
    const args = method === "list_active" ? [] : ["tool"];
    const call = (attach: object) =>
      reasonOf(v.calls("bob", `${ESCROW}.${method}`, args, { attach }));
    expect(call({ scrip: 5 })).toBe("no_scrip");
    expect(call({ artifacts: ["gift"] })).toBe("no_artifacts");
    const attach = { scrip: 40, artifacts: ["gift"] };
    expect(reasonOf(v.calls("bob", `${ESCROW}.purchase`, ["tool"], { attach }))).toBe(
      "no_artifacts",
    );
    expect([v.owner("gift"), v.scrip("bob"), v.scrip(ESCROW)]).toEqual(["bob", 100, 0]);
  });

  it("a seller who buys from itself", () => {
    const v = listed();
    expect(reasonOf(buys(v, "alice", 40))).toBe("own_listing");
  });

  it("names that are everywhere in JavaScript and nowhere in its books", () => {
    const v = listed();
    for (const name of ["__proto__", "constructor", "toString", "length", "0"]) {
      expect(reasonOf(buying(v, "bob", { scrip: 40, args: [name] }))).toBe("not_listed");
      expect(reasonOf(v.calls("bob", `${ESCROW}.cancel`, [name]))).toBe("not_listed");
      expect(answerOf(v, "bob", "escrow.check", [name])).toEqual({
        artifact: name,
        status: "none",
      });
    }
  });

  it("what a buyer has no room for, and the money stays where it was", () => {
    const v = libraryVillage(sandbox).agent("tiny", { disk: 0, scrip: 50 });
    v.program("alice", "constructor", TOOL);
    const attach = { artifacts: ["constructor"] };
    v.must(v.calls("alice", `${ESCROW}.deposit`, [40], { attach }));
    const tried = buying(v, "tiny", { scrip: 40, args: ["constructor"] });
    expect(reasonOf(tried)).toBe("insufficient_disk");
    expect(purses(v, "alice", "tiny", ESCROW)).toEqual([100, 50, 0]);
    v.must(buying(v, "bob", { scrip: 40, args: ["constructor"] }));
    expect(v.owner("constructor")).toBe("bob");
  });

  it("to be entered again while it pays out", () => {
    const v = listed();
    // The seller is a program that would call back if being paid ran any code.
    const code = `
      function deposit(id) {
        return kernel.invoke("genesis_escrow", "deposit", [10], { attach: { artifacts: [id] } });
      }
      function run() { return kernel.invoke("genesis_escrow", "cancel", ["bait"]) }
      function twice(id) {
        const attach = { scrip: 40 };
        const buy = () => kernel.invoke("genesis_escrow", "purchase", [id], { attach });
        return [buy().success, buy().success, kernel.balance()];
      }`;
    v.standing("dave", "trap", { code, scrip: 80, disk: 5_000 });
    v.program("dave", "bait", TOOL);
    v.must(v.calls("dave", "trap", [], { attach: { artifacts: ["bait"] } }));
    v.must(v.calls("dave", "trap.deposit", ["bait"]));
    v.must(buying(v, "bob", { scrip: 10, args: ["bait"] }));
    expect(v.calls("dave", "trap").result).toContain("not_listed");
    expect(JSON.parse(v.calls("dave", "trap.twice", ["tool"]).result ?? "")).toEqual([
      true,
      false,
      50,
    ]);
    expect(purses(v, "alice", "bob", ESCROW)).toEqual([140, 90, 0]);
  });
});

describe("the escrow's books", () => {
  it("are listed in pages, oldest first", () => {
    const v = libraryVillage(sandbox);
    const sellers = ["alice", "bob", "carol"];
    for (const seller of sellers) {
      for (let n = 0; n < 20; n++) {
        const id = `${seller}_${n}`;
        v.must(v.writes(seller, id, { content: "x" }));
        v.must(v.calls(seller, `${ESCROW}.deposit`, [1], { attach: { artifacts: [id] } }));
      }
    }
    const first = answerOf(v, "dave", "escrow.list_active") as Listings;
    expect([first.listings.length, first.next]).toEqual([12, 12]);
    expect(first.listings[0]).toMatchObject({
      n: 1,
      artifact: "alice_0",
      seller: "alice",
      price: 1,
      buyer: null,
      expires_at_ms: v.atMs + 600_000,
      version: 2,
      access: "genesis_contract_freeware",
    });
    const second = answerOf(v, "dave", "escrow.list_active", [first.next]) as Listings;
    expect([second.listings.length, second.next]).toEqual([12, 24]);
  });

  it("show what is on sale with what it earned, however odd its description", () => {
    const v = libraryVillage(sandbox);
    // The sixtieth character is half of one.
    const description = `${"x".repeat(59)}🛠 and more`;
    const methods = [{ name: "run", description: "runs", input_schema: { type: "object" } }];
    v.program("alice", "tool", TOOL, { price: 3, interface: { description, methods } });
    v.must(v.calls("bob", "tool"));
    v.must(v.calls("alice", `${ESCROW}.deposit`, [40], { attach: { artifacts: ["tool"] } }));
    expect(answerOf(v, "carol", "escrow.list_active")).toMatchObject({
      listings: [
        {
          artifact: "tool",
          type: "program",
          description: `${"x".repeat(59)}\ufffd`,
          calls_by_others: 1,
          revenue: 3,
        },
      ],
    });
  });

  it("remember the latest ten that were closed", () => {
    const v = libraryVillage(sandbox);
    for (let n = 0; n < 12; n++) {
      v.must(v.writes("alice", `x${n}`, { content: "x" }));
      v.must(v.calls("alice", `${ESCROW}.deposit`, [1], { attach: { artifacts: [`x${n}`] } }));
      v.must(v.calls("alice", `${ESCROW}.cancel`, [`x${n}`]));
    }
    const status = (n: number) => answerOf(v, "bob", "escrow.check", [`x${n}`]);
    expect([1, 2].map(status)).toMatchObject([{ status: "none" }, { status: "cancelled" }]);
  });

  it("have room for so many of one seller", () => {
    const v = libraryVillage(sandbox);
    const deposit = (n: number) => {
      v.must(v.writes("alice", `x${n}`, { content: "x" }));
      return v.calls("alice", `${ESCROW}.deposit`, [1], { attach: { artifacts: [`x${n}`] } });
    };
    for (let n = 0; n < 25; n++) v.must(deposit(n));
    expect(reasonOf(deposit(25))).toBe("full");
    expect(v.owner("x25")).toBe("alice");
    v.must(v.calls("alice", `${ESCROW}.cancel`, ["x3"]));
    v.must(deposit(26));
  });

  it("have room for so much of one family, and for others beside it", () => {
    const v = libraryVillage(sandbox);
    v.agent("rich", { disk: 90_000 });
    spawns(v, "rich", "kid");
    const deposit = (who: string, id: string, sizeBytes = 9_000) => {
      v.must(v.writes(who, id, { content: "x".repeat(sizeBytes) }));
      const attach = { artifacts: [id] };
      return v.calls(who, `${ESCROW}.deposit`, [1_000_000_000], { attach });
    };
    for (let n = 0; n < 6; n++) v.must(deposit("rich", `x${n}`));
    expect([reasonOf(deposit("rich", "x6")), v.owner("x6")]).toEqual(["full", "rich"]);
    // What its child has counts with its own.
    v.must(deposit("kid", "y", 2_000));
    expect(reasonOf(deposit("rich", "x7", 4_000))).toBe("full");
    v.must(deposit("bob", "z"));
  });
});

type Listings = { readonly listings: readonly Json[]; readonly next: number | null };
