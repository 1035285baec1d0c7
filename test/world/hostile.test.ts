import { afterAll, describe, expect, it } from "vitest";
import type { Json } from "../../src/kernel/index.ts";

import { sandboxFor } from "../../src/world/index.ts";
import { PHYSICS, physicsWith } from "../support/physics.ts";
import { resultOf, Village } from "../support/world.ts";

const sandbox = sandboxFor(PHYSICS);
const SHORT_TIMEOUT = physicsWith({ sandbox: { wall_timeout_ms: 300, gas_max: 2_000_000 } });
const shortTimeout = sandboxFor(SHORT_TIMEOUT);
afterAll(() => Promise.all([sandbox.close(), shortTimeout.close()]));

/** Mallory, whose programs others are made to call, and agents with something to lose. */
const town = (): Village => {
  const v = new Village(sandbox).agent("mallory").agent("alice").agent("bob");
  v.writes("alice", "alice_note", { content: "hers" });
  v.writes("alice", "secret", { content: "SECRET", access: "genesis_contract_private" });
  v.standing("alice", "bank", {
    code: "function run() { state.visits = 1 } function drain() { if (caller !== 'alice') throw 'no' }",
    scrip: 30,
  });
  return v;
};

/** What only the owner may change: all accounts and artifacts of the others. */
const possessions = (v: Village, but: string): Json => {
  const accounts = [...v.state.accounts.rows()].filter(({ id }) => id !== but);
  const artifacts = [...v.state.artifacts.rows()].filter(({ owner }) => owner !== but);
  return JSON.parse(JSON.stringify([accounts, artifacts]));
};

/** Ends the call with what the kernel said, so that the test sees it was asked. */
const attempt = (body: string): string =>
  `function run(victim) { ${body}; return "got away with it" }`;

const THEFTS: readonly (readonly [what: string, body: string])[] = [
  ["pays itself from another's account", "kernel.pay('mallory', 50, 'alice')"],
  ["pays in another's name", "kernel.pay.call({ actor: 'alice' }, 'mallory', 50)"],
  ["gives away what is not its own", "kernel.give('alice_note', 'mallory')"],
  ["gives away who called it", "kernel.give(origin, 'mallory')"],
  ["writes over another's note", "kernel.write({ artifact_id: 'alice_note', content: 'mine' })"],
  [
    "writes as another",
    "kernel.write({ artifact_id: 'alice_note', content: 'x', by: 'alice', owner: 'mallory' })",
  ],
  ["takes a reserved id", "kernel.write({ artifact_id: 'genesis_mint', content: 'x' })"],
  [
    "takes an id that is kept for another",
    "kernel.write({ artifact_id: 'bob_working_memory', content: 'x' })",
  ],
  ["reads what is private", "kernel.read('secret')"],
  ["reads a memory", "kernel.read('alice_memory')"],
  ["reads an agent", "kernel.read('alice')"],
  [
    "calls with arguments that name another actor",
    "const r = kernel.invoke('bank', 'drain', [], { caller: 'alice' }); if (!r.success) throw r.error.code",
  ],
  ["pays minus", "kernel.pay('alice', -50)"],
  ["pays more than everything", "kernel.pay('mallory', 2 ** 53 - 1)"],
  [
    "pays a sum that lies about itself",
    "kernel.pay('mallory', { valueOf() { return 1 }, toJSON() { return 5 } })",
  ],
  [
    "hands over what it does not own",
    "const r = kernel.invoke('bank', 'run', [], { attach: { artifacts: ['alice_note'] } }); if (!r.success) throw r.error.code",
  ],
  [
    "attaches money that it does not have",
    "const r = kernel.invoke('bank', 'run', [], { attach: { scrip: 5 } }); if (!r.success) throw r.error.code",
  ],
  ["breaks out through a constructor", "(function () {}).constructor('return this')()"],
  [
    "calls a syscall there is not",
    "kernel.mint ? kernel.mint('mallory', 1e6) : kernel.create_principal({ id: 'x' })",
  ],
  ["changes the kernel", "kernel.pay = () => true; kernel.pay('mallory', 5)"],
  ["changes who it is", "self = 'alice'; kernel.pay('mallory', 5)"],
  ["changes who called", "'use strict'; caller = 'alice'"],
  [
    "asks for money through genesis",
    "const r = kernel.invoke('genesis_ledger', 'transfer', ['mallory', 5]); if (!r.success) throw r.error.code",
  ],
  [
    "asks for another's artifact through genesis",
    "const r = kernel.invoke('genesis_ledger', 'transfer_ownership', ['alice_note', 'mallory']); if (!r.success) throw r.error.code",
  ],
  [
    "accepts what is offered to another",
    "const r = kernel.invoke('genesis_ledger', 'accept', ['alice_note']); if (!r.success) throw r.error.code",
  ],
  [
    "deletes what is another's",
    "const r = kernel.invoke('genesis_store', 'delete', ['alice_note']); if (!r.success) throw r.error.code",
  ],
  [
    "prices what is another's",
    "const r = kernel.invoke('genesis_store', 'set_price', ['bank', 1000]); if (!r.success) throw r.error.code",
  ],
  [
    "opens what is another's",
    "const r = kernel.invoke('genesis_store', 'set_access', ['secret', 'genesis_contract_public']); if (!r.success) throw r.error.code",
  ],
  [
    "takes another's quota",
    "const r = kernel.invoke('genesis_rights_registry', 'transfer_quota', ['mallory', 'disk', 1]); if (!r.success) throw r.error.code",
  ],
  [
    "takes another's model budget",
    "const r = kernel.invoke('genesis_ledger', 'transfer_budget', ['mallory', 1]); if (!r.success) throw r.error.code",
  ],
];

describe("a program that takes what it does not own", () => {
  it.each(THEFTS)("%s, and gets a refusal", (_, body) => {
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

  it.each(THEFTS)("%s, and others who are made to call it lose nothing but gas", (_, body) => {
    const v = town().program("mallory", "trick", attempt(body));
    const scrip = () => ["mallory", "alice", "bob", "bank"].map((id) => v.scrip(id));
    const owners = () => [...v.state.artifacts.rows()].map(({ id, owner }) => [id, owner]);
    const before = [scrip(), owners()];
    const outcome = v.calls("bob", "trick", ["bob"], { max_price: 0 });
    expect(outcome.charged.scrip).toBe(0);
    expect([scrip(), owners()]).toEqual(before);
  });

  it("cannot mint by passing scrip round and round", () => {
    const v = town();
    for (const [id, next] of [
      ["a", "b"],
      ["b", "c"],
      ["c", "mallory"],
    ]) {
      v.standing("mallory", id ?? "", {
        code: `function run() {
          const third = () => Math.max(1, Math.floor(kernel.balance() / 3));
          for (let i = 0; i < 3; i++) kernel.pay("${next}", third());
        }`,
        scrip: 9,
        disk: 200,
      });
    }
    for (const id of ["a", "b", "c", "a", "b", "c"]) v.calls("bob", id);
    const all = ["mallory", "a", "b", "c"].map((id) => v.scrip(id) ?? 0);
    expect(all.reduce((sum, scrip) => sum + scrip, 0)).toBe(100);
  });
});

/** Code that does not end, breaks a limit, or returns bad data. */
const NUISANCES: readonly (readonly [what: string, body: string])[] = [
  ["loops endlessly", "for (;;) {}"],
  ["recurses endlessly", "return run()"],
  ["fills the memory", "let a = null; for (;;) a = [a, { a }]"],
  ["fills the log", "for (;;) kernel.log('x'.repeat(9999))"],
  ["asks endlessly", "for (;;) kernel.balance()"],
  ["rolls endlessly", "for (;;) kernel.random()"],
  [
    "writes endlessly",
    "for (let i = 0; ; i++) kernel.write({ artifact_id: 'n' + i, content: 'x' })",
  ],
  ["returns something endless", "const a = []; a.push(a); return a"],
  ["returns something huge", "return 'x'.repeat(1e6)"],
  ["returns something deep", "let a = 0; for (let i = 0; i < 99; i++) a = [a]; return a"],
  ["returns what is not plain", "return () => 1"],
  ["returns half a character", "return '\\ud800'"],
  ["returns NUL", "return 'a\\u0000b'"],
  ["returns a prototype", "return JSON.parse('{\"__proto__\": 1}')"],
  ["returns a liar", "return { toJSON() { throw 1 } }"],
  ["keeps something endless", "state.me = state"],
  ["keeps something huge", "state.x = 'x'.repeat(5000)"],
  ["keeps nothing", "state = undefined"],
  ["keeps a function", "state.f = () => 1"],
  ["throws a liar", "throw { get message() { throw this } }"],
  ["throws a symbol", "throw Symbol('x')"],
  ["throws something huge", "throw 'x'.repeat(1e5)"],
  ["fails with something huge", "kernel.fail('c'.repeat(1e4), 'm'.repeat(1e5))"],
  ["fails with half a character", "kernel.fail('\\ud800', '\\udc00\\u0000')"],
  ["searches endlessly", "return 'a'.repeat(30000).indexOf('b'.repeat(20000))"],
  ["sorts endlessly", "const a = Array.from({ length: 1e6 }, (_, i) => -i); for (;;) a.sort()"],
  ["matches endlessly", "return /^(a+)+$/.test('a'.repeat(40) + 'b')"],
  ["calls itself through another", "return kernel.invoke('trick', 'run', []).result.length"],
];

describe("a program that misbehaves", () => {
  it.each(NUISANCES)("%s, and only that action fails", (_, body) => {
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

  it("is refused as code if it does not reach a method", () => {
    const v = town();
    for (const code of [
      "for (;;) {}",
      "throw 1",
      "kernel.balance()",
      "function (",
      "import 'fs'",
      "'\\",
      "a".repeat(99),
    ]) {
      const outcome = v.writes("mallory", "trick", { code });
      expect(outcome.success).toBe(false);
      expect(outcome.charged.gas).toBeGreaterThan(0);
      expect(v.owner("trick")).toBeUndefined();
    }
  });

  it("has no methods except its own public ones", () => {
    const v = town().program("mallory", "trick", "function run() {} function _hidden() {}");
    for (const method of [
      "_hidden",
      "toString",
      "constructor",
      "eval",
      "__proto__",
      "",
      "kernel",
    ]) {
      expect(v.calls("bob", `trick.${method}`)).toMatchObject({
        success: false,
        error_code: "not_found",
      });
    }
  });
});

describe("a program that holds the engine", () => {
  const SLOW =
    'function run() { let s = "a".repeat(2e6); for (;;) { s += "b"; s.charCodeAt(0); } }';
  const hold = (): Village => {
    const v = new Village(shortTimeout, { physics: SHORT_TIMEOUT }).agent("mallory").agent("bob");
    return v.program("mallory", "slow", SLOW);
  };

  it("is stopped, pays all its gas, and the transaction says so", () => {
    const v = hold();
    const outcome = v.calls("bob", "slow", [], { attach: { scrip: 5 } });
    const gas = SHORT_TIMEOUT.sandbox.gas_max;
    expect(outcome).toMatchObject({ error_code: "gas_exhausted", charged: { gas, scrip: 0 } });
    expect(v.committed.at(-1)?.timedOut).toBe(true);
    expect(v.told[0]).toMatchObject({ kind: "invocation_failed", timed_out: true });
    expect(v.scrip("bob")).toBe(100);
    v.program("mallory", "quick", "function run() { return 1 }");
    expect(resultOf(v.calls("bob", "quick"))).toBe(1);
    expect(v.committed.at(-1)?.timedOut).toBe(false);
  });

  it("ends its caller too and undoes the whole action", () => {
    const v = hold().program(
      "bob",
      "outer",
      `function run() {
        state.n = 1;
        kernel.write({ artifact_id: "page", content: "x" });
        try { return kernel.invoke("slow", "run", []) } catch (e) { return "caught" }
      }`,
    );
    expect(v.calls("bob", "outer")).toMatchObject({ error_code: "gas_exhausted" });
    expect([v.stateOf("outer"), v.owner("page")]).toEqual([{}, undefined]);
    expect(v.kinds).toEqual(["invocation_failed", "action_refused"]);
  });

  it("denies if it is a contract", () => {
    const v = hold().program("mallory", "door", SLOW.replace("run", "check_permission"));
    v.writes("mallory", "note", { content: "x", access: "door" });
    const outcome = v.reads("bob", "note");
    expect(outcome).toMatchObject({ success: false, error_code: "not_authorized" });
    expect(v.committed.at(-1)?.timedOut).toBe(true);
    v.must(v.acts("bob", { noop: {} }));
  });

  it("is refused if it does so at the top level", () => {
    const v = hold();
    const outcome = v.writes("mallory", "slower", { code: SLOW.replace("function run()", "") });
    expect(outcome).toMatchObject({ success: false, error_code: "gas_exhausted" });
    expect(v.committed.at(-1)?.timedOut).toBe(true);
  });
});
