import { describe, expect, it } from "vitest";
import { asId, windowsLeft } from "../../src/kernel/index.ts";
import { PHYSICS, physicsWith } from "../support/physics.ts";
import { expectRefused, fileSandbox, resultOf, TestWorld } from "../support/test-world.ts";

const sandbox = fileSandbox();

const town = (): TestWorld => new TestWorld(sandbox).agent("alice").agent("bob");
const bob = asId("bob");
const left = (v: TestWorld) => windowsLeft(v.state, bob, v.atMs);

describe("gas", () => {
  it("is charged exactly as the window loses it", () => {
    const v = town();
    v.programs("alice", {
      inner: "function run(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return s }",
      outer: `function run(n) { return kernel.invoke("inner", "run", [n]).success }`,
    });
    for (const n of [10, 5_000, 90_000]) {
      const before = left(v).cpu_gas.available;
      const { charged } = v.calls("bob", n === 5_000 ? "outer" : "inner", [n]);
      expect(before - left(v).cpu_gas.available).toBe(charged.gas);
      expect(charged.gas).toBeGreaterThan(100);
    }
  });

  it("is shared by the whole action: a nested call gets nine tenths of what is left", () => {
    const v = town();
    v.programs("alice", {
      glutton: "function run() { for (;;) {} }",
      outer: `function run() {
        return [1, 2, 3].map(() => kernel.invoke("glutton", "run", []).error.code);
      }`,
    });
    const outcome = v.calls("bob", "outer");
    expect(resultOf(outcome)).toEqual(Array(3).fill("gas_exhausted"));
    expect(outcome.charged.gas).toBeLessThanOrEqual(PHYSICS.sandbox.gas_max);
    expect(outcome.charged.gas).toBeGreaterThan(PHYSICS.sandbox.gas_max * 0.99);
  });

  it("is charged to a query per page of rows that it reads", () => {
    const v = new TestWorld(sandbox).agent("alice", { disk: 50_000 }).agent("bob");
    const seeker =
      "function run(words) { return kernel.query('artifacts', { type: 'leaf', text: words }) }";
    v.program("alice", "seeker", seeker);
    const gasFor = (words: string) => v.calls("bob", "seeker", [words]).charged.gas;
    for (let n = 0; n < 50; n++) {
      for (const kind of ["odd", "even"]) {
        v.must(v.writes("alice", `${kind}_${n}`, { artifact_type: "leaf" }));
      }
      v.atMs += 60_000;
    }
    // No artifact matches "none". For "odd even" the query reads 50 odd ones and tests each for "even".
    const pages = (50 + 50) / 50;
    expect(gasFor("odd even") - gasFor("odd none")).toBe(pages * PHYSICS.sandbox.gas_table.syscall);
  });

  it("cannot be caught when it runs out, and is charged in full", () => {
    const v = town();
    const stubborn =
      "function run() { kernel.log('here'); for (;;) { try { for (;;) {} } catch (e) {} finally {} } }";
    v.program("alice", "stubborn", stubborn);
    const outcome = v.calls("bob", "stubborn", [], { attach: { scrip: 5 } });
    const gas = PHYSICS.sandbox.gas_max;
    expectRefused(outcome, "gas_exhausted");
    expect(outcome.charged).toMatchObject({ gas, scrip: 0 });
    expect(v.events[0]).toMatchObject({ kind: "invocation_failed", gas, timed_out: false });
    expect(v.scrip("bob")).toBe(100);
  });

  it("is limited by what is left in the window", () => {
    const v = new TestWorld(sandbox).agent("alice").agent("bob", { quotas: { cpu_gas: 1_000 } });
    v.program("alice", "glutton", "function run() { for (;;) {} }");
    v.program("alice", "modest", "function run() {}");
    v.must(v.calls("bob", "modest"));
    expectRefused(v.calls("bob", "glutton"), "gas_exhausted");
    expect(left(v).cpu_gas.available).toBe(0);
    const late = v.calls("bob", "modest");
    expect(late).toMatchObject({ error_code: "gas_exhausted", charged: { gas: 0 } });
    v.atMs += 60_000;
    v.must(v.calls("bob", "modest"));
  });

  it("is charged for checking code that is written", () => {
    const v = new TestWorld(sandbox).agent("alice").agent("bob", { quotas: { cpu_gas: 5 } });
    const outcome = v.writes("bob", "tool", { code: "function run() { /* a little longer */ }" });
    expectRefused(outcome, "gas_exhausted");
    expect(left(v).cpu_gas.available).toBe(0);
  });
});

describe("syscalls", () => {
  const asker = "function run(n) { for (let i = 0; i < n; i++) kernel.balance(); return n }";

  it("are counted for the whole action, nested calls included", () => {
    const v = town();
    v.programs("alice", {
      asker: asker,
      outer: `function run(a, b) {
        const inner = kernel.invoke("asker", "run", [a]);
        for (let i = 0; i < b; i++) kernel.balance();
        return inner.success ? inner.result : inner.error.code;
      }`,
    });
    expect(resultOf(v.calls("bob", "outer", [40, 23]))).toBe(40);
    expectRefused(v.calls("bob", "outer", [40, 24]), "syscalls_exhausted");
    expect(resultOf(v.calls("bob", "outer", [64, 0]))).toBe("syscalls_exhausted");
    expect(resultOf(v.calls("bob", "asker", [64]))).toBe(64);
    expectRefused(v.calls("bob", "asker", [65]), "syscalls_exhausted");
  });

  it("are not returned by a call that fails", () => {
    const v = town();
    v.programs("alice", {
      asker: `${asker.slice(0, -10)} throw "done" }`,
      outer: `function run() { return [1, 2, 3].map(() => kernel.invoke("asker", "run", [30]).error.code) }`,
    });
    const outcome = v.calls("bob", "outer");
    expect(resultOf(outcome)).toEqual(["runtime_error", "runtime_error", "syscalls_exhausted"]);
  });

  it("of a contract count as syscalls of the caller", () => {
    const v = town();
    const door =
      "function check_permission() { for (let i = 0; i < 40; i++) kernel.balance(); return { allowed: true } }";
    v.program("alice", "door", door);
    v.writes("alice", "note", { content: "x", access: "door" });
    const reader = `function run() { kernel.read("note"); kernel.read("note"); return 1 }`;
    v.program("alice", "reader", reader);
    expect(v.calls("bob", "reader").message).toMatch(/not_authorized/);
    v.must(v.reads("bob", "note"));
  });
});

describe("windows", () => {
  it("of actions refuse an action over the limit without counting it", () => {
    const v = new TestWorld(sandbox).agent("bob", { quotas: { actions: 2 } });
    const [first, second, third] = [1, 2, 3].map(() => v.acts("bob", { noop: {} }));
    expect([first?.success, second?.success]).toEqual([true, true]);
    expect(third).toMatchObject({ error_code: "rate_limited", retriable: true });
    expect(third?.charged).toEqual({ gas: 0, bytes: 0, scrip: 0 });
    expect(v.state.usages.get(bob)?.actions.total).toBe(2);
    v.atMs += 59_999;
    expectRefused(v.acts("bob", { noop: {} }), "rate_limited");
    v.atMs += 1;
    v.must(v.acts("bob", { noop: {} }));
  });

  it("of bytes refuse a write over the limit, which still counts as an action", () => {
    const v = new TestWorld(sandbox).agent("bob", { quotas: { bytes_written: 150 } });
    v.must(v.writes("bob", "a", { content: "x".repeat(100) }));
    const actions = left(v).actions.available;
    expectRefused(v.writes("bob", "b", { content: "x".repeat(100) }), "rate_limited");
    const tooLong = v.writes("bob", "b", { content: "x".repeat(200) });
    expectRefused(tooLong, "quota_exceeded");
    expect(tooLong.message).toContain("bob may write 150 in 60 s; write less");
    expect(actions - left(v).actions.available).toBe(2);
    v.atMs += 60_000;
    v.must(v.writes("bob", "b", { content: "x".repeat(100) }));
  });

  it("of bytes are those of the origin, also in nested calls", () => {
    const v = new TestWorld(sandbox)
      .agent("alice")
      .agent("bob", { quotas: { bytes_written: 200 } });
    v.programs("alice", {
      pen: `function run(n) {
        const content = "x".repeat(40);
        for (let i = 0; i < n; i++) kernel.write({ artifact_id: "page" + i, content });
        return n;
      }`,
    });
    expect(v.calls("bob", "pen", [3]).message).toMatch(/rate_limited/);
    expect(v.owner("page0")).toBeUndefined();
    expect(v.calls("bob", "pen", [2]).charged.bytes).toBe(200 - left(v).bytes_written.available);
    expect(v.owner("page1")).toBe("alice");
  });

  it("of bytes are not used by a write that is undone", () => {
    const v = town();
    const pen = `function run() { kernel.write({ artifact_id: "p", content: "x" }); throw 1 }`;
    v.program("alice", "pen", pen);
    expect(v.calls("bob", "pen")).toMatchObject({ success: false, charged: { bytes: 0 } });
  });
});

describe("size limits", () => {
  it.each([
    ["a result", "function run() { return 'x'.repeat(70000) }", "result_too_large"],
    ["a state", "function run() { state.s = 'x'.repeat(5000) }", "result_too_large"],
    ["a memory", "function run() { let a = null; for (;;) a = [a, { a }] }", "memory_exhausted"],
    ["a stack", "function run() { return run() }", "stack_exhausted"],
  ])("end a call that makes %s too large", (_, code, error_code) => {
    const v = town();
    v.program("alice", "tool", code);
    expect(v.calls("bob", "tool")).toMatchObject({ success: false, error_code });
    v.must(v.acts("bob", { noop: {} }));
  });

  it("refuse arguments that are too long before the program runs", () => {
    const v = town();
    v.program("alice", "tool", "function run(a) { return a.length }");
    expect(resultOf(v.calls("bob", "tool", ["x".repeat(4_996)]))).toBe(4_996);
    expect(v.calls("bob", "tool", ["x".repeat(4_997)])).toMatchObject({
      error_code: "invalid_argument",
      charged: { gas: 0 },
    });
  });

  it("cut a log without an error", () => {
    const v = town();
    v.program("alice", "chatty", "function run() { kernel.log('x'.repeat(9999)); return 1 }");
    expect(resultOf(v.calls("bob", "chatty"))).toBe(1);
    const log = String(v.events.find(({ kind }) => kind === "artifact_invoked")?.log);
    expect(Buffer.byteLength(log)).toBeLessThanOrEqual(PHYSICS.sandbox.log_bytes_max + 64);
  });

  it("include the nesting depth of an action", () => {
    const v = new TestWorld(sandbox, {
      physics: physicsWith({ artifacts: { json_depth_max: 5 } }),
    });
    v.agent("bob");
    v.must(v.acts("bob", { noop: [[[]]] }));
    expectRefused(v.acts("bob", { noop: [[[[[]]]]] }), "invalid_argument");
  });
});
