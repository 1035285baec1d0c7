import { describe, expect, it } from "vitest";
import type { Json } from "../../src/kernel/index.ts";
import { PHYSICS, physicsWith } from "../support/physics.ts";
import { expectRefused, fileSandbox, resultOf, TestWorld } from "../support/test-world.ts";

const sandbox = fileSandbox();

const world = (physics = PHYSICS): TestWorld =>
  new TestWorld(sandbox, { physics }).agent("alice").agent("bob").agent("carol");

/** Calls the given program and returns "done" or the error code. */
const RELAY = `function run(id, attach, max_price) {
  const { success, error } = kernel.invoke(id, "run", [], { attach, max_price });
  return success ? "done" : error.code;
}`;

describe("paying for a call", () => {
  it("moves the price to the owner in the same transaction", () => {
    const v = world().program("alice", "tool", "function run(n) { return n * 2 }", { price: 5 });
    const outcome = v.calls("bob", "tool", [21]);
    expect(outcome).toMatchObject({ success: true, result: "42", charged: { scrip: 5 } });
    expect(v.scrips("alice", "bob")).toEqual([105, 95]);
    expect(v.kinds).toEqual(["scrip_transferred", "artifact_invoked", "action_completed"]);
  });

  it("is refused over max_price, and only the action is charged", () => {
    const v = world().program("alice", "tool", "function run() {}", { price: 5 });
    const outcome = v.calls("bob", "tool", [], { max_price: 4 });
    expectRefused(outcome, "price_exceeded");
    expect(outcome.charged).toEqual({ scrip: 0, gas: 0, bytes: 0 });
    expect(v.kinds).toEqual(["action_refused"]);
    expect(v.scrip("bob")).toBe(100);
  });

  it("is free for the owner but not for the owner's other programs", () => {
    const v = world()
      .program("alice", "tool", "function run() {}", { price: 5 })
      .program("alice", "relay", RELAY);
    expect(v.calls("alice", "tool")).toMatchObject({ success: true, charged: { scrip: 0 } });
    expect(resultOf(v.calls("alice", "relay", ["tool"]))).toBe("insufficient_funds");
    expect(resultOf(v.calls("alice", "relay", ["tool"], { attach: { scrip: 5 } }))).toBe("done");
    expect(v.scrip("alice")).toBe(100);
  });

  it("is undone when the program fails", () => {
    const code = "function run() { throw new Error('x') }";
    const v = world().program("alice", "tool", code, { price: 5 });
    const outcome = v.calls("bob", "tool", [], { attach: { scrip: 30 } });
    expectRefused(outcome, "runtime_error");
    expect(outcome.charged.scrip).toBe(0);
    expect([v.scrip("alice"), v.scrip("bob"), v.held("bob")]).toEqual([100, 100, 0]);
    expect(v.kinds).toEqual(["invocation_failed", "action_refused"]);
  });
});

describe("paying for a nested call", () => {
  const chain = (fields: { readonly [field: string]: Json } = {}): TestWorld =>
    world()
      .program("carol", "leaf", "function run() { return 'leaf' }", { price: 3 })
      .program("alice", "relay", RELAY, fields);

  it("uses the purse, and returns what is left of it", () => {
    const v = chain({ price: 2 });
    const outcome = v.calls("bob", "relay", ["leaf"], { attach: { scrip: 10 } });
    expect(outcome).toMatchObject({ success: true, charged: { scrip: 5 } });
    expect([...v.scrips("alice", "bob", "carol"), v.held("bob")]).toEqual([102, 95, 103, 0]);
  });

  it("splits the purse for the callee and takes back the rest", () => {
    const v = chain();
    v.program("alice", "spender", "function run() { kernel.pay('carol', 2); return 'spent' }");
    const args = ["spender", { scrip: 6 }];
    expect(resultOf(v.calls("bob", "relay", args, { attach: { scrip: 10 } }))).toBe("done");
    expect([v.scrip("bob"), v.scrip("carol"), v.held("bob")]).toEqual([98, 102, 0]);
  });

  it("cannot attach more than the purse holds", () => {
    const v = chain();
    const outcome = v.calls("bob", "relay", ["leaf", { scrip: 8 }], { attach: { scrip: 10 } });
    expect(resultOf(outcome)).toBe("insufficient_funds");
    expect(v.scrip("bob")).toBe(100);
  });

  it("respects max_price", () => {
    const v = chain();
    const call = (max: number) =>
      v.calls("bob", "relay", ["leaf", null, max], { attach: { scrip: 9 } });
    expect(resultOf(call(2))).toBe("price_exceeded");
    expect(resultOf(call(3))).toBe("done");
    expect(v.scrip("carol")).toBe(103);
  });

  it("uses the program's own account if it has one", () => {
    const v = world().program("carol", "leaf", "function run() {}", { price: 3 });
    v.standing("alice", "shop", { code: RELAY, scrip: 10 });
    const outcome = v.calls("bob", "shop", ["leaf"]);
    expect(outcome).toMatchObject({ success: true, charged: { scrip: 0 } });
    expect(v.scrips("shop", "carol", "bob")).toEqual([7, 103, 100]);
  });

  it("uses the price at the moment of the call", () => {
    const v = world();
    v.standing("alice", "seller", {
      code: `function keep() {}
        function raise() { return kernel.invoke("genesis_store", "set_price", ["leaf", 50]).success }`,
    });
    v.program("alice", "leaf", "function run() {}", { price: 3 });
    v.attaches("alice", "leaf", "seller.keep");
    v.programs("bob", {
      buyer: `function run() {
        const buy = () => kernel.invoke("leaf", "run", [], { max_price: 10 });
        return [buy().success, kernel.invoke("seller", "raise").result, buy().error.code];
      }`,
    });
    const outcome = v.calls("bob", "buyer", [], { attach: { scrip: 80 } });
    expect(resultOf(outcome)).toEqual([true, true, "price_exceeded"]);
    expect(v.scrips("seller", "bob")).toEqual([3, 97]);
  });

  it("keeps the agreed price if the owner raises it during the call", () => {
    const v = world();
    v.standing("bob", "greedy", {
      code: `function run() {
        kernel.invoke("genesis_store", "set_price", [self, 90]);
        return "raised";
      }`,
      price: 4,
    });
    v.must(v.calls("bob", "genesis_ledger.transfer_ownership", ["greedy", "greedy"]));
    expect(v.calls("alice", "greedy", [], { max_price: 4 }).charged.scrip).toBe(4);
  });
});

describe("kernel.pay", () => {
  const bank = (): TestWorld => {
    const v = world();
    v.standing("alice", "bank", {
      code: `function pay(to, scrip) { return kernel.pay(to, scrip) }
        function odd(which) {
          const sums = { nan: NaN, inf: Infinity, minusZero: -0, big: 2 ** 53, half: 0.5, neg: -1 };
          return kernel.pay("bob", sums[which]);
        }
        function many(n) {
          for (let i = 0; i < n; i++) kernel.pay("bob", 1);
          return kernel.balance();
        }`,
      scrip: 40,
    });
    return v;
  };

  it.each<readonly [string, readonly Json[], RegExp]>([
    ["itself", ["bank", 1], /invalid_argument.*to yourself/],
    ["an unknown account", ["unknown", 1], /not_found/],
    ["an invalid id", ["a b", 1], /invalid_argument/],
    ["null", [null, 1], /invalid_argument/],
    ["a list of payees", [["bob"], 1], /invalid_argument/],
    ["a fraction", ["bob", 1.5], /invalid_argument/],
    ["text", ["bob", "5"], /invalid_argument/],
    ["zero", ["bob", 0], /invalid_argument/],
    ["more than the balance", ["bob", 41], /insufficient_funds/],
    ["no amount", ["bob"], /invalid_argument/],
  ])("refuses to pay %s", (_, args, words) => {
    const v = bank();
    expectRefused(v.calls("carol", "bank.pay", args), "runtime_error", words);
    expect(v.scrips("bank", "bob", "carol")).toEqual([40, 100, 100]);
  });

  it.each(["nan", "inf", "minusZero", "big", "half", "neg"])("refuses the amount %s", (which) => {
    const v = bank();
    expect(v.calls("carol", "bank.odd", [which])).toMatchObject({ success: false });
    expect(v.scrips("bank", "bob")).toEqual([40, 100]);
  });

  it("pays many times in one transaction, or not at all", () => {
    const v = bank();
    expect(resultOf(v.calls("carol", "bank.many", [30]))).toBe(10);
    expect(v.scrip("bob")).toBe(130);
    expect(v.calls("carol", "bank.many", [11])).toMatchObject({ success: false });
    expect(v.scrips("bob", "bank")).toEqual([130, 10]);
  });
});

describe("paying for a read", () => {
  it("happens in the same transaction, within max_price", () => {
    const v = world();
    v.writes("alice", "poem", { content: "roses", read_price: 4 });
    expectRefused(v.reads("bob", "poem", 3), "price_exceeded");
    expect(v.reads("bob", "poem", 4)).toMatchObject({ success: true, charged: { scrip: 4 } });
    expect(v.state.agents.get("bob" as never)?.last?.result).toBe("roses");
  });

  it("can be limited by a program, so that no caller can make it spend everything", () => {
    const v = world();
    v.writes("bob", "trap", { content: "x", read_price: 30 });
    v.standing("alice", "librarian", {
      code: `function run(id, most) { return kernel.read(id, { max_price: most }).content }
        function wrong(id) { return kernel.read(id, { max_prise: 1 }).content }`,
      scrip: 40,
    });
    expect(v.calls("carol", "librarian", ["trap", 5]).message).toMatch(/price_exceeded/);
    expect(v.calls("carol", "librarian.wrong", ["trap"]).message).toMatch(/invalid_argument/);
    expect(resultOf(v.calls("carol", "librarian", ["trap", 30]))).toBe("x");
    expect(v.scrip("librarian")).toBe(10);
  });
});

describe("the cost of a native method", () => {
  it("is burned from the caller's scrip, also if a program calls", () => {
    const v = world(physicsWith({ genesis: { costs: { genesis_ledger: { transfer: 2 } } } }));
    v.standing("alice", "bank", {
      code: `function run(to, n) { return kernel.invoke("genesis_ledger", "transfer", [to, n]).error }`,
      scrip: 10,
    });
    expect(v.scrip("alice")).toBe(88);
    expect(resultOf(v.calls("carol", "bank", ["bob", 8]))).toBeNull();
    expect(v.scrips("bank", "bob", "carol")).toEqual([0, 108, 100]);
    const refused = resultOf(v.calls("carol", "bank", ["bob", 8]));
    expect(refused).toMatchObject({ code: "insufficient_funds" });
  });
});

describe("a price that JSON cannot carry", () => {
  it.each<readonly [string, Json]>([
    ["minus zero", -0],
    ["not a number", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
  ])("has the same effect as its form in the journal: %s", (_, strange) => {
    const v = world();
    v.writes("alice", "tool", { code: "function run() {}", price: strange });
    const [command = ""] = v.committed.slice(-1).map((each) => each.command);
    const told = v.events;
    const again = world();
    again.submit(JSON.parse(command));
    expect(again.events).toEqual(told);
  });
});
