import { describe, expect, it } from "vitest";
import { asId, type Json } from "../../src/kernel/index.ts";
import { physicsWith } from "../support/physics.ts";
import { expectRefused, fileSandbox, resultOf, TestWorld } from "../support/test-world.ts";

const sandbox = fileSandbox();

const check = (body: string): string => `function check_permission(request) { ${body} }`;

/** Carol's contract `door` guards alice's program `it`. */
const guarded = (body: string, fields: { readonly [field: string]: Json } = {}): TestWorld => {
  const v = new TestWorld(sandbox).agent("alice").agent("bob").agent("carol");
  v.program("carol", "door", check(body), fields);
  const terms = { content: "text", access: "door", price: 3 };
  v.program("alice", "it", "function run(n) { state.n = n; return 'in' }", terms);
  return v;
};

const GUEST_LIST = `return { allowed: request.caller === "bob", reason: "not on the list" }`;

describe("a contract that an agent wrote", () => {
  it("decides who may call", () => {
    const v = guarded(GUEST_LIST);
    expect(v.calls("bob", "it", [1])).toMatchObject({ success: true, charged: { scrip: 3 } });
    const words = /carol may not invoke it .*door says: not on the list/;
    expectRefused(v.calls("carol", "it", [1]), "not_authorized", words);
  });

  it("receives the caller, verb, target, owner, method and arguments", () => {
    const v = guarded(`return { allowed: false, reason: JSON.stringify(request) }`);
    const { message } = v.calls("bob", "it", [7, "x"]);
    expect(JSON.parse(/says: (.*)$/.exec(message)?.[1] ?? "null")).toEqual({
      ...{ caller: "bob", verb: "invoke", target: "it", owner: "alice" },
      ...{ method: "run", args: [7, "x"] },
    });
  });

  it.each(["read", "write", "invoke", "delete"])("is asked before a %s", (verb) => {
    const v = guarded(`return { allowed: request.verb !== "${verb}" }`);
    const outcomes = {
      read: v.reads("bob", "it"),
      write: v.writes("bob", "it", { content: "new" }),
      invoke: v.calls("bob", "it"),
      delete: v.calls("bob", "genesis_store.delete", ["it"]),
    };
    for (const [each, outcome] of Object.entries(outcomes)) {
      expect([each, outcome.success]).toEqual([each, each !== verb]);
    }
  });

  it("charges its gas to the caller, whether it allows the call or not", () => {
    const v = guarded(GUEST_LIST);
    expect(v.reads("carol", "it").charged.gas).toBeGreaterThan(100);
    expect(v.reads("bob", "it").charged.gas).toBeGreaterThan(100);
    expect(v.calls("carol", "genesis_ledger.balance").charged.gas).toBeLessThan(100);
  });

  it("can query the world", () => {
    const v = guarded(`
      const rich = kernel.balance(request.caller) > 99;
      const known = kernel.query("artifact", { id: request.target }).owner;
      return { allowed: rich && known === "alice" && kernel.now() > 0 };`);
    expect(v.calls("bob", "it")).toMatchObject({ success: true });
    expect(v.calls("bob", "it")).toMatchObject({ success: false });
  });

  it("sees the calling program as the caller of a nested call", () => {
    const v = guarded(`return { allowed: request.caller === "relay" }`);
    v.program("carol", "relay", `function run() { return kernel.invoke("it", "run", []) }`);
    const outcome = v.calls("bob", "relay", [], { attach: { scrip: 3 } });
    expect(resultOf(outcome)).toMatchObject({ success: true, result: "in" });
    expectRefused(v.calls("bob", "it"), "not_authorized");
  });
});

/** An answer of the contract, and the balances after bob has also paid the price of 3. */
const COSTS: readonly (readonly [string, string, Readonly<Record<string, number>>])[] = [
  ["paid to the owner", "cost: 10", { alice: 113, bob: 87 }],
  ["paid to a third party", "cost: 10, recipient: 'carol'", { alice: 103, bob: 87, carol: 60 }],
  ["paid by the owner", "cost: 10, payer: 'alice', recipient: 'bob'", { alice: 93, bob: 107 }],
  ["paid by the contract", "cost: 10, payer: 'door', recipient: 'bob'", { bob: 107, door: 40 }],
];

describe("the cost that a contract asks for", () => {
  const toll = (answer: string): TestWorld => {
    const v = guarded(`return { allowed: true, ${answer} }`, { has_standing: true });
    v.must(v.calls("carol", "genesis_ledger.transfer", ["door", 50]));
    return v;
  };

  it.each(COSTS)("may be %s", (_, answer, books) => {
    const v = toll(answer);
    v.must(v.calls("bob", "it"));
    const all = [...v.state.accounts.rows()].map(({ id, scrip }) => [id, scrip]);
    expect(Object.fromEntries(all)).toEqual({ alice: 103, bob: 97, carol: 50, door: 50, ...books });
  });

  it.each([
    ["paid by another without consent", "cost: 10, payer: 'carol'", /names carol as payer/],
    ["paid to an unknown recipient", "cost: 10, recipient: 'unknown'", /has no account/],
    ["paid to a program without an account", "cost: 10, recipient: 'it'", /has no account/],
    ["negative", "cost: -10", /whole number/],
    ["a fraction", "cost: 0.5", /whole number/],
    ["text", "cost: '10'", /whole number/],
    ["paid by something that is not an id", "cost: 1, payer: {}", /not an id/],
    ["more than all scrip", "cost: 2 ** 53 - 1", /this takes/],
  ])("may not be %s", (_, answer, words) => {
    const v = toll(answer);
    const before = v.text();
    const outcome = v.calls("bob", "it");
    expect(outcome.success).toBe(false);
    expect(outcome.message).toMatch(words);
    expect(v.kinds).toEqual(["action_refused"]);
    expect(v.scrips("alice", "bob", "carol", "door")).toEqual([100, 100, 50, 50]);
    expect(v.text()).not.toBe(before);
  });

  it("counts towards the caller's max_price together with the price", () => {
    const v = toll("cost: 10");
    expectRefused(v.calls("bob", "it", [], { max_price: 12 }), "price_exceeded");
    expect(v.calls("bob", "it", [], { max_price: 13 })).toMatchObject({ success: true });
  });

  it("is paid in a nested call by the calling program, from its purse or account", () => {
    const v = toll("cost: 4, recipient: 'carol'");
    v.program("carol", "relay", `function run() { return kernel.invoke("it", "run", []).success }`);
    expect(resultOf(v.calls("bob", "relay", [], { attach: { scrip: 6 } }))).toBe(false);
    expect(resultOf(v.calls("bob", "relay", [], { attach: { scrip: 7 } }))).toBe(true);
    expect([...v.scrips("bob", "carol", "alice"), v.held("bob")]).toEqual([93, 54, 103, 0]);
  });

  it("is returned when the call fails", () => {
    const v = toll("cost: 10, recipient: 'carol'");
    v.program("alice", "bad", "function run() { kernel.fail('no', 'never') }", { access: "door" });
    expectRefused(v.calls("bob", "bad"), "rejected_by_artifact");
    expect(v.scrips("bob", "carol")).toEqual([100, 50]);
  });
});

describe("a contract with a bad answer", () => {
  it.each([
    ["throws", "throw new Error('x')", /contract failed/],
    ["fails", "kernel.fail('no', 'way')", /contract failed/],
    ["loops", "for (;;) {}", /contract failed/],
    ["recurses", "return check_permission(request)", /contract failed/],
    ["fills its memory", "const a = []; for (;;) a.push('x'.repeat(9e3) + 1)", /contract failed/],
    ["returns nothing", "", /did not return/],
    ["returns true", "return true", /did not return/],
    ["returns a list", "return [{ allowed: true }]", /did not return/],
    ["returns allowed as text", "return { allowed: 'true' }", /denied it/],
    ["returns what is not plain data", "return { allowed: true, cost: NaN }", /contract failed/],
    ["asks the kernel for too much", "for (;;) kernel.balance('alice')", /contract failed/],
  ])("denies when it %s, and does no harm", (_, body, words) => {
    const v = guarded(body);
    const outcome = v.calls("bob", "it");
    expectRefused(outcome, "not_authorized");
    expect(outcome.message).toMatch(words);
    expect(outcome.charged.gas).toBeGreaterThan(0);
    expect(v.scrips("alice", "bob", "carol")).toEqual([100, 100, 100]);
    expect(v.acts("bob", { noop: {} })).toMatchObject({ success: true });
  });

  it("denies when its code no longer defines the check", () => {
    const v = guarded(GUEST_LIST);
    v.must(v.writes("carol", "door", { code: "function other() {}" }));
    expect(v.calls("bob", "it").message).toMatch(/no method "check_permission"/);
    v.must(v.writes("carol", "door", { code: null }));
    expect(v.calls("bob", "it").message).toMatch(/the contract no longer exists/);
  });

  it("leaves only the owner access once it is deleted", () => {
    const v = guarded(GUEST_LIST);
    v.must(v.calls("carol", "genesis_store.delete", ["door"]));
    expect(v.calls("bob", "it").message).toMatch(/does not exist, so only its owner alice/);
    v.must(v.calls("alice", "it"));
    expect(v.kinds[0]).toBe("dangling_contract");
  });

  it("leaves the caller enough gas to continue", () => {
    const v = guarded("for (;;) {}");
    const relay = `function run() { return kernel.invoke("it", "run", []).error.code }`;
    v.program("bob", "relay", relay);
    expect(resultOf(v.calls("bob", "relay"))).toBe("not_authorized");
  });
});

describe("a contract that tries to act", () => {
  const invoking = (args: string): string =>
    `const r = kernel.invoke(${args}); if (!r.success) throw r`;

  it.each([
    ["pay", "kernel.pay('carol', 1)"],
    ["write", "kernel.write({ artifact_id: 'loot', content: 'x' })"],
    ["give", "kernel.give('it', 'carol')"],
    ["transfer", invoking("'genesis_ledger', 'transfer', ['carol', 1]")],
    ["call what costs", invoking("'dear', 'run', []")],
    ["attach", invoking("'free', 'run', [], { attach: { scrip: 1 } }")],
    ["read what costs", "kernel.read('dear')"],
    ["change another's state through a call", invoking("'free', 'run', []")],
  ])("may not %s", (_, attempt) => {
    const v = new TestWorld(sandbox).agent("alice").agent("bob").agent("carol");
    v.standing("carol", "door", { code: check(`${attempt}; return { allowed: true }`), scrip: 20 });
    v.program("alice", "dear", "function run() {}", { price: 1, read_price: 1 });
    v.program("alice", "free", "function run() { state.n = 1 }");
    v.program("alice", "it", "function run() {}", { access: "door" });
    expectRefused(v.calls("bob", "it"), "not_authorized");
    expect(v.scrips("alice", "bob", "carol", "door")).toEqual([100, 100, 80, 20]);
    expect(v.stateOf("free")).toEqual({});
    expect(v.kinds).toEqual(["action_refused"]);
  });

  it("keeps no state, so its answers do not change", () => {
    const v = guarded("state.n = (state.n ?? 0) + 1; return { allowed: state.n === 1 }");
    v.must(v.calls("bob", "it"));
    v.must(v.calls("bob", "it"));
    expect(v.stateOf("door")).toEqual({});
    expect(v.kinds).not.toContain("artifact_read");
  });

  it("leaves no trace of what it read", () => {
    const v = guarded("kernel.read('alice_note'); return { allowed: true }");
    v.writes("alice", "alice_note", { content: "x" });
    v.must(v.calls("bob", "it"));
    expect(v.state.trades.get(asId("alice_note"))).toBeUndefined();
  });
});

describe("contracts that ask one another", () => {
  it("deny if they lead back to one that is being asked", () => {
    const v = new TestWorld(sandbox).agent("alice").agent("bob");
    v.program("alice", "a", check("kernel.read('note_b'); return { allowed: true }"));
    v.program("alice", "b", check("kernel.read('note_a'); return { allowed: true }"));
    v.writes("alice", "note_a", { content: "x", access: "a" });
    v.writes("alice", "note_b", { content: "x", access: "b" });
    expectRefused(v.reads("bob", "note_a"), "not_authorized", /already running in this call/);
  });

  it("may be nested up to access.depth_max", () => {
    const depths = physicsWith({ sandbox: { invoke_depth_max: 1 }, access: { depth_max: 2 } });
    const v = new TestWorld(sandbox, { physics: depths }).agent("alice").agent("bob");
    for (const n of [1, 2, 3, 4]) {
      const deeper = n === 1 ? "" : `kernel.read("note_${n - 1}");`;
      v.program("alice", `c${n}`, check(`${deeper} return { allowed: true }`));
      v.writes("alice", `note_${n}`, { content: "x", access: `c${n}` });
    }
    expect(v.reads("bob", "note_3")).toMatchObject({ success: true });
    expect(v.reads("bob", "note_4").message).toMatch(/c1 says: contr/);
  });

  it("count towards the depth of calls only while they run", () => {
    const v = guarded(GUEST_LIST.replace("bob", "p5"));
    for (const n of [5, 4, 3, 2, 1]) {
      const handOn = n === 5 ? "" : ", { attach: { scrip: attached.scrip } }";
      v.programs("alice", {
        [`p${n}`]: `function run() {
          const r = kernel.invoke("${n === 5 ? "it" : `p${n + 1}`}", "run", [1]${handOn});
          return r.success ? r.result : r.error.code;
        }`,
      });
    }
    expect(resultOf(v.calls("bob", "p2", [], { attach: { scrip: 3 } }))).toBe("in");
    expect(resultOf(v.calls("bob", "p1", [], { attach: { scrip: 3 } }))).toBe("depth_exceeded");
  });
});
