import { afterAll, describe, expect, it } from "vitest";
import type { Json } from "../../src/kernel/index.ts";
import { sandboxFor } from "../../src/world/index.ts";
import { PHYSICS, physicsWith } from "../support/physics.ts";
import { expectRefused, resultOf, TestWorld } from "../support/test-world.ts";

const sandbox = sandboxFor(PHYSICS);
const SHORT_TIMEOUT = physicsWith({ sandbox: { wall_timeout_ms: 300, gas_max: 2_000_000 } });
const shortTimeout = sandboxFor(SHORT_TIMEOUT);
afterAll(() => Promise.all([sandbox.close(), shortTimeout.close()]));

/** Mallory owns hostile programs; alice and bob have something to lose. */
const town = (): TestWorld => {
  const v = new TestWorld(sandbox).agent("mallory").agent("alice").agent("bob");
  v.writes("alice", "alice_note", { content: "hers" });
  v.writes("alice", "secret", { content: "SECRET", access: "genesis_contract_private" });
  v.standing("alice", "bank", {
    code: "function run() { state.visits = 1 } function drain() { if (caller !== 'alice') throw 'no' }",
    scrip: 30,
  });
  return v;
};

const possessions = (v: TestWorld, except: string): Json => {
  const accounts = [...v.state.accounts.rows()].filter(({ id }) => id !== except);
  const artifacts = [...v.state.artifacts.rows()].filter(({ owner }) => owner !== except);
  return JSON.parse(JSON.stringify([accounts, artifacts]));
};

/** Fails with the refusal of the kernel, so that the test sees the attempt. */
const attempt = (body: string): string =>
  `function run(victim) { ${body}; return "got away with it" }`;

/** Fails with the refusal of the call. */
const invoking = (args: string): string =>
  `const r = kernel.invoke(${args}); if (!r.success) throw r.error.code`;

const native = (artifact: string, method: string, args: string): string =>
  invoking(`'genesis_${artifact}', '${method}', [${args}]`);
const attaching = (what: string): string => invoking(`'bank', 'run', [], { attach: { ${what} } }`);
const writing = (fields: string): string => `kernel.write({ ${fields} })`;

const THEFTS: readonly (readonly [what: string, body: string])[] = [
  ["pays itself from another's account", "kernel.pay('mallory', 50, 'alice')"],
  ["pays in another's name", "kernel.pay.call({ actor: 'alice' }, 'mallory', 50)"],
  ["gives away what is not its own", "kernel.give('alice_note', 'mallory')"],
  ["gives away who called it", "kernel.give(origin, 'mallory')"],
  ["writes over another's note", writing("artifact_id: 'alice_note', content: 'mine'")],
  [
    "writes as another",
    writing("artifact_id: 'alice_note', content: 'x', by: 'alice', owner: 'mallory'"),
  ],
  ["takes a reserved id", writing("artifact_id: 'genesis_mint', content: 'x'")],
  ["takes an id of another agent", writing("artifact_id: 'bob_working_memory', content: 'x'")],
  ["reads what is private", "kernel.read('secret')"],
  ["reads a memory", "kernel.read('alice_memory')"],
  ["reads an agent", "kernel.read('alice')"],
  ["names another actor in a call", invoking("'bank', 'drain', [], { caller: 'alice' }")],
  ["pays a negative amount", "kernel.pay('alice', -50)"],
  ["pays more than all scrip", "kernel.pay('mallory', 2 ** 53 - 1)"],
  ["pays two amounts", "kernel.pay('mallory', { valueOf() { return 1 }, toJSON() { return 5 } })"],
  ["attaches another's artifact", attaching("artifacts: ['alice_note']")],
  ["attaches scrip that it does not have", attaching("scrip: 5")],
  ["breaks out through a constructor", "(function () {}).constructor('return this')()"],
  ["mints scrip", "kernel.mint('mallory', 1e6)"],
  ["creates a principal without an account", "kernel.create_principal({ id: 'x' })"],
  ["changes the kernel", "kernel.pay = () => true; kernel.pay('mallory', 5)"],
  ["changes its own id", "self = 'alice'; kernel.pay('mallory', 5)"],
  ["changes its caller", "'use strict'; caller = 'alice'"],
  ["transfers another's scrip", native("ledger", "transfer", "'mallory', 5")],
  ["transfers an artifact", native("ledger", "transfer_ownership", "'alice_note', 'mallory'")],
  ["accepts an offer to another agent", native("ledger", "accept", "'alice_note'")],
  ["deletes another agent's artifact", native("store", "delete", "'alice_note'")],
  ["sets a price on another's artifact", native("store", "set_price", "'bank', 1000")],
  ["opens a secret", native("store", "set_access", "'secret', 'genesis_contract_public'")],
  ["takes another's quota", native("rights_registry", "transfer_quota", "'mallory', 'disk', 1")],
  ["takes another's model budget", native("ledger", "transfer_budget", "'mallory', 1")],
];

describe("a program that tries to take what it does not own", () => {
  it.each(THEFTS)("is refused when it %s", (_, body) => {
    const v = town().program("mallory", "trick", attempt(body));
    const before = possessions(v, "mallory");
    const outcome = v.calls("mallory", "trick", ["alice"]);
    expect(outcome.success).toBe(false);
    expect(outcome.message).not.toContain("SECRET");
    expect(outcome.charged.gas).toBeGreaterThan(0);
    expect(v.kinds).toEqual(["invocation_failed", "action_refused"]);
    expect(possessions(v, "mallory")).toEqual(before);
    v.must(v.acts("alice", { noop: {} }));
  });

  it.each(THEFTS)("costs its caller only gas when it %s", (_, body) => {
    const v = town().program("mallory", "trick", attempt(body));
    const scrip = () => ["mallory", "alice", "bob", "bank"].map((id) => v.scrip(id));
    const owners = () => [...v.state.artifacts.rows()].map(({ id, owner }) => [id, owner]);
    const before = [scrip(), owners()];
    expect(v.calls("bob", "trick", ["bob"], { max_price: 0 }).charged.scrip).toBe(0);
    expect([scrip(), owners()]).toEqual(before);
  });

  it("cannot create scrip by passing it in a circle", () => {
    const v = town();
    for (const [id, next] of Object.entries({ a: "b", b: "c", c: "mallory" })) {
      const code = `function run() {
        const third = () => Math.max(1, Math.floor(kernel.balance() / 3));
        for (let i = 0; i < 3; i++) kernel.pay("${next}", third());
      }`;
      v.standing("mallory", id, { code, scrip: 9, disk: 200 });
    }
    for (const id of ["a", "b", "c", "a", "b", "c"]) v.calls("bob", id);
    const all = ["mallory", "a", "b", "c"].map((id) => v.scrip(id) ?? 0);
    expect(all.reduce((sum, scrip) => sum + scrip, 0)).toBe(100);
  });
});

/** Code that does not end, breaks a limit, or returns bad data. */
const MISBEHAVIOUR: readonly (readonly [what: string, body: string])[] = [
  ["loops endlessly", "for (;;) {}"],
  ["fills the memory", "let a = null; for (;;) a = [a, { a }]"],
  ["makes syscalls endlessly", "for (;;) kernel.balance()"],
  [
    "writes endlessly",
    "for (let i = 0; ; i++) kernel.write({ artifact_id: 'n' + i, content: '' })",
  ],
  ["returns a huge text", "return 'x'.repeat(1e6)"],
  ["returns a lone surrogate", "return '\\ud800'"],
  ["returns an object whose toJSON throws", "return { toJSON() { throw 1 } }"],
  ["keeps a cycle in its state", "state.me = state"],
  ["keeps a huge state", "state.x = 'x'.repeat(5000)"],
  ["throws an error whose message throws", "throw { get message() { throw this } }"],
  ["throws a huge text", "throw 'x'.repeat(1e5)"],
  ["fails with a huge code and message", "kernel.fail('c'.repeat(1e4), 'm'.repeat(1e5))"],
  ["fails with lone surrogates", "kernel.fail('\\ud800', '\\udc00\\u0000')"],
  ["calls itself through another", "return kernel.invoke('trick', 'run', []).result.length"],
];

describe("a program that misbehaves", () => {
  it.each(MISBEHAVIOUR)("fails that action only when it %s", (_, body) => {
    const v = town().program("mallory", "trick", `function run() { ${body} }`);
    const before = possessions(v, "bob");
    const outcome = v.calls("bob", "trick", [], { attach: { scrip: 40 } });
    expect(outcome.success).toBe(false);
    expect(outcome.charged.gas).toBeGreaterThan(0);
    expect(outcome.charged.scrip).toBe(0);
    expect(outcome.message.length).toBeLessThanOrEqual(1_000);
    expect(outcome.message.isWellFormed()).toBe(true);
    expect(possessions(v, "bob")).toEqual(before);
    expect(v.scrip("bob")).toBe(100);
    v.must(v.calls("bob", "bank"));
  });

  it("cannot be written if its top-level code fails", () => {
    const v = town();
    for (const code of ["for (;;) {}", "throw 1", "function ("]) {
      const outcome = v.writes("mallory", "trick", { code });
      expect(outcome.success).toBe(false);
      expect(outcome.charged.gas).toBeGreaterThan(0);
      expect(v.owner("trick")).toBeUndefined();
    }
  });
});

describe("a program that blocks the engine", () => {
  const SLOW =
    'function run() { let s = "a".repeat(2e6); for (;;) { s += "b"; s.charCodeAt(0); } }';
  const worldWithSlowProgram = (): TestWorld => {
    const v = new TestWorld(shortTimeout, { physics: SHORT_TIMEOUT }).agent("mallory").agent("bob");
    return v.program("mallory", "slow", SLOW);
  };

  it("is stopped and charged all its gas, and the transaction is marked timed_out", () => {
    const v = worldWithSlowProgram();
    const outcome = v.calls("bob", "slow", [], { attach: { scrip: 5 } });
    const gas = SHORT_TIMEOUT.sandbox.gas_max;
    expect(outcome).toMatchObject({ error_code: "gas_exhausted", charged: { gas, scrip: 0 } });
    expect(v.committed.at(-1)?.timedOut).toBe(true);
    expect(v.events[0]).toMatchObject({ kind: "invocation_failed", timed_out: true });
    expect(v.scrip("bob")).toBe(100);
    v.program("mallory", "quick", "function run() { return 1 }");
    expect(resultOf(v.calls("bob", "quick"))).toBe(1);
    expect(v.committed.at(-1)?.timedOut).toBe(false);
  });

  it("ends its callers too, and the whole action is undone", () => {
    const v = worldWithSlowProgram().program(
      "bob",
      "outer",
      `function run() {
        state.n = 1;
        kernel.write({ artifact_id: "page", content: "x" });
        try { return kernel.invoke("slow", "run", []) } catch (e) { return "caught" }
      }`,
    );
    expectRefused(v.calls("bob", "outer"), "gas_exhausted");
    expect([v.stateOf("outer"), v.owner("page")]).toEqual([{}, undefined]);
    expect(v.kinds).toEqual(["invocation_failed", "action_refused"]);
  });

  it("denies access if it is a contract", () => {
    const v = worldWithSlowProgram();
    v.program("mallory", "door", SLOW.replace("run", "check_permission"));
    v.writes("mallory", "note", { content: "x", access: "door" });
    expectRefused(v.reads("bob", "note"), "not_authorized");
    expect(v.committed.at(-1)?.timedOut).toBe(true);
    v.must(v.acts("bob", { noop: {} }));
  });

  it("cannot be written if its top-level code blocks", () => {
    const v = worldWithSlowProgram();
    const outcome = v.writes("mallory", "slower", { code: SLOW.replace("function run()", "") });
    expectRefused(outcome, "gas_exhausted");
    expect(v.committed.at(-1)?.timedOut).toBe(true);
  });
});
