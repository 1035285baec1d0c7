import { describe, expect, it } from "vitest";
import { asId, type Json, windowsLeft } from "../../src/kernel/index.ts";
import type { Outcome } from "../../src/world/index.ts";
import { physicsWith } from "../support/physics.ts";
import { expectRefused, fileSandbox, TestWorld } from "../support/test-world.ts";

const SANDBOX = { wall_timeout_ms: 300, gas_max: 2_000_000 };
const PHYSICS = physicsWith({ sandbox: SANDBOX, mint: { test_gas: 500_000 } });
const sandbox = fileSandbox(PHYSICS);

const PUBLIC: Json = [{ args: [2, 3], result: 5 }];
const HIDDEN: Json = [
  { args: [10, -4], result: 6 },
  { args: [7, 7], result: 14 },
];

/** Alice offers 20 for an adder; bob has an answer. */
const worldWithTask = (code: string): TestWorld => {
  const world = new TestWorld(sandbox, { physics: PHYSICS }).agent("alice").agent("bob");
  const call = { attach: { scrip: 20 } };
  const task = ["Adds two numbers.", PUBLIC, HIDDEN];
  world.must(world.calls("alice", "genesis_mint.post_task", task, call));
  return world.program("bob", "answer", code);
};

const solve = (world: TestWorld): Outcome =>
  world.calls("bob", "genesis_mint.solve", ["task:1", "answer"]);

describe("a program that solves a task", () => {
  it("is run on every test and pays its owner", () => {
    const world = worldWithTask("function run(a, b) { return a + b }");
    const outcome = world.must(solve(world));
    // A native call and three tests.
    expect(outcome.charged).toEqual({ scrip: 0, gas: 50 + 3 * 500_000, bytes: 0 });
    expect([...world.scrips("alice", "bob"), world.held("alice")]).toEqual([80, 120, 0]);
    expectRefused(solve(world), "not_found");
  });

  it("is not run without enough gas for all tests", () => {
    const world = worldWithTask("function run(a, b) { return a + b }");
    const quota = ["alice", "cpu_gas", 9_000_000];
    world.must(world.calls("bob", "genesis_rights_registry.transfer_quota", quota));
    expectRefused(solve(world), "tests_failed", /all tests together take 1500000 gas/);
  });

  it("is run with exactly the gas for all tests", () => {
    const world = worldWithTask("function run(a, b) { return a + b }");
    const { available } = windowsLeft(world.state, asId("bob"), world.atMs).cpu_gas;
    // The transfer and the call of `solve` take 50 gas each.
    const quota = ["alice", "cpu_gas", available - 3 * 500_000 - 100];
    world.must(world.calls("bob", "genesis_rights_registry.transfer_quota", quota));
    world.must(solve(world));
  });

  it("has no syscalls and no state during a test", () => {
    const asks = worldWithTask("function run(a, b) { return kernel.balance() * 0 + a + b }");
    expectRefused(solve(asks), "tests_failed", /public test 1: .* failed/);
    const counts = worldWithTask(
      "function run(a, b) { state.n = (state.n || 0) + 1; return state.n + 4 }",
    );
    expectRefused(solve(counts), "tests_failed");
    expect(counts.stateOf("answer")).toEqual({});
  });
});

/** Each passes the public test and tries to reveal the hidden arguments. */
const SPIES: readonly (readonly [how: string, code: string])[] = [
  ["returning something else", "function run(a, b) { return a === 10 ? [a, b] : a + b }"],
  ["throwing", "function run(a, b) { if (a === 10) throw new Error('a is ' + a); return 5 }"],
  ["failing by code", "function run(a, b) { if (a === 10) kernel.fail('a_is_10', 'x'); return 5 }"],
  ["writing a log", "function run(a, b) { if (a !== 2) kernel.log('a is ' + a); return 5 }"],
  ["using gas", "function run(a, b) { if (a === 10) for (;;) {} return 5 }"],
  ["using memory", "function run(a) { const m = []; if (a === 10) for (;;) m.push(m); return 5 }"],
  ["keeping state", "function run(a) { if (a !== 2) state.seen = a; return 5 }"],
  [
    "blocking the engine",
    `function run(a) {
      if (a !== 10) return 5;
      let s = "a".repeat(2e6); for (;;) { s += "b"; s.charCodeAt(0); }
    }`,
  ],
];

describe("a program that leaks hidden tests", () => {
  /** All that bob can see: the outcome, the public log and his own history. */
  const seenByBob = (code: string): Json => {
    const world = worldWithTask(code);
    const outcome = solve(world);
    const { failures, last } = world.state.agents.get(asId("bob")) ?? {};
    const log = world.calls("bob", "genesis_event_log.read").result ?? "";
    return JSON.parse(JSON.stringify([outcome, failures, last, JSON.parse(log)]));
  };
  const honest = seenByBob("function run(a, b) { return 5 }");

  it.each(SPIES)("by %s reveals only that one failed", (_, code) => {
    expect(seenByBob(code)).toEqual(honest);
  });

  it("is killed if it blocks the engine, which only the journal records", () => {
    const world = worldWithTask(SPIES.at(-1)?.[1] ?? "");
    solve(world);
    expect(world.committed.at(-1)?.timedOut).toBe(true);
    expect(world.kinds).toEqual(["action_refused"]);
  });

  it("gets the message that a hidden test failed", () => {
    expect(JSON.stringify(honest)).toMatch(
      /all public tests passed, but at least one hidden test failed/,
    );
  });
});

describe("a program that calls solve", () => {
  it("is refused", () => {
    const world = worldWithTask("function run(a, b) { return a + b }");
    const code =
      'function run() { return kernel.invoke("genesis_mint", "solve", ["task:1", "x"]) }';
    world.program("bob", "broker", code);
    const outcome = world.must(world.calls("bob", "broker"));
    expect(outcome.result).toMatch(/not_authorized.*programs cannot call it/);
  });
});
