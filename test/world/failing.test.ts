import { describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import { expectRefused, fileSandbox, resultOf, TestWorld } from "../support/test-world.ts";

const sandbox = fileSandbox();

const world = (): TestWorld => new TestWorld(sandbox).agent("alice").agent("bob").agent("carol");

/** Pays, writes, gives and logs, then fails on request. */
const BUSY = `
function run(fails) {
  state.runs = (state.runs ?? 0) + 1;
  kernel.pay("carol", 5);
  kernel.write({ artifact_id: "draft", content: "x".repeat(50), price: 3 });
  kernel.give("draft", origin);
  kernel.log("was here");
  if (fails) kernel.fail("planned", "as told");
  return "done";
}`;

const CATCHER = `
function run(id, fails) {
  state.calls = (state.calls ?? 0) + 1;
  return kernel.invoke(id, "run", [fails]);
}`;

describe("an inner call that fails", () => {
  const town = (): TestWorld => {
    const v = world();
    v.standing("alice", "busy", { code: BUSY, scrip: 20 });
    return v.program("alice", "catcher", CATCHER);
  };

  it("is undone alone, and the outer call continues", () => {
    const v = town();
    const outcome = v.calls("bob", "catcher", ["busy", true]);
    const data = { code: "planned", message: "as told" };
    const error = { code: "rejected_by_artifact", message: "planned: as told", data };
    expect(resultOf(outcome)).toEqual({ success: false, result: null, error });
    expect([v.scrip("busy"), v.scrip("carol"), v.owner("draft")]).toEqual([20, 100, undefined]);
    expect([v.stateOf("busy"), v.stateOf("catcher")]).toEqual([{}, { calls: 1 }]);
    const kinds = ["invocation_failed", "artifact_state_changed", "artifact_invoked"];
    expect(v.kinds).toEqual([...kinds, "action_completed"]);
    expect(outcome.charged.bytes).toBe(0);
  });

  it("leaves no other row changed", () => {
    const v = town();
    const rows = () => [
      ...v.state.accounts.entries(),
      ...v.state.holds.entries(),
      ...v.state.offers.entries(),
      ...[...v.state.artifacts.entries()].filter(([id]) => id !== "catcher"),
    ];
    const before = rows();
    v.calls("bob", "catcher", ["busy", true]);
    const after = rows().filter(([id]) => id !== "alice");
    // Alice's disk holds the new state of the catcher.
    expect(after).toEqual(before.filter(([id]) => id !== "alice"));
  });

  it("keeps its effects if it does not fail", () => {
    const v = town();
    expect(resultOf(v.calls("bob", "catcher", ["busy", false]))).toMatchObject({ success: true });
    expect([v.scrip("busy"), v.scrip("carol"), v.owner("draft")]).toEqual([15, 105, "bob"]);
    expect(v.stateOf("busy")).toEqual({ runs: 1 });
  });

  it("is undone when the outer call fails later", () => {
    const v = town();
    v.programs("alice", {
      late: `function run() { kernel.invoke("busy", "run", [false]); throw "late" }`,
    });
    expectRefused(v.calls("bob", "late"), "runtime_error");
    expect([v.scrip("busy"), v.owner("draft"), v.stateOf("busy")]).toEqual([20, undefined, {}]);
    expect(v.kinds).toEqual(["invocation_failed", "action_refused"]);
  });

  it("frees the ids it had taken", () => {
    const v = town();
    v.calls("bob", "catcher", ["busy", true]);
    v.must(v.calls("bob", "catcher", ["busy", false]));
    expect(v.state.artifacts.get(asId("draft"))?.version).toBe(1);
  });

  it("is undone or kept independently of the other calls", () => {
    const v = town();
    v.programs("alice", {
      many: `function run() {
        return [true, false, true].map((fails) => kernel.invoke("busy", "run", [fails]).success);
      }`,
    });
    expect(resultOf(v.calls("bob", "many"))).toEqual([false, true, false]);
    expect([v.scrip("busy"), v.stateOf("busy")]).toEqual([15, { runs: 1 }]);
  });

  it("gets an error code if it is refused before it begins", () => {
    const v = town();
    const refused = (id: string) => resultOf(v.calls("bob", "catcher", [id, true]));
    expect(refused("nothing")).toMatchObject({ error: { code: "not_found" } });
    expect(refused("a b")).toMatchObject({ error: { code: "invalid_argument" } });
    expect(refused("genesis_ledger")).toMatchObject({ error: { code: "not_found" } });
    expect(v.kinds).not.toContain("invocation_failed");
  });
});

describe("an error that the code does not catch", () => {
  it.each([
    ["throws", "throw new Error('oops')", "runtime_error", /Error: oops \(line 1\)/],
    ["throws text", "throw 'oops'", "runtime_error", /the program threw: oops/],
    ["throws nothing", "throw undefined", "runtime_error", /threw/],
    ["fails", "kernel.fail('mine', 'because')", "rejected_by_artifact", /mine: because/],
    ["fails without words", "kernel.fail('mine')", "rejected_by_artifact", /^mine$/],
    ["is refused a syscall", "kernel.pay('bob', 1)", "runtime_error", /r \(insufficient_funds\)/],
    ["makes an unknown syscall", "kernel.teleport({})", "runtime_error", /not a function/],
    ["is not code", "return 1 +", "syntax_error", /cannot be used/],
  ])("ends the action when it %s", (_, body, code, words) => {
    const v = world();
    const written = v.writes("alice", "tool", { code: `function run() { ${body} }` });
    const outcome = written.success ? v.calls("bob", "tool") : written;
    expectRefused(outcome, code);
    expect(outcome.message).toMatch(words);
    expect(outcome.charged.gas).toBeGreaterThan(0);
  });

  it("can be caught if it is a refusal of the kernel", () => {
    const code = `function run() {
      try { kernel.pay("bob", 1) } catch (e) { return [e instanceof KernelError, e.code] }
    }`;
    const v = world().program("alice", "tool", code);
    expect(resultOf(v.calls("bob", "tool"))).toEqual([true, "insufficient_funds"]);
  });
});

describe("calling a program that is already running", () => {
  it("is refused directly and through another program", () => {
    const v = world();
    v.program("alice", "a", `function run(id) { return kernel.invoke(id, "run", ["a"]) }`);
    v.program("alice", "b", `function run(id) { return kernel.invoke(id, "run", ["b"]) }`);
    const error = { code: "reentrant_call" };
    expect(resultOf(v.calls("bob", "a", ["a"]))).toMatchObject({ error });
    const result = { success: false, error };
    expect(resultOf(v.calls("bob", "a", ["b"]))).toMatchObject({ success: true, result });
  });

  it("is allowed after it has ended", () => {
    const v = world();
    v.programs("alice", {
      counter: "function run() { state.n = (state.n ?? 0) + 1; return state.n }",
      twice: `function run() { return [1, 2].map(() => kernel.invoke("counter", "run", []).result) }`,
    });
    expect(resultOf(v.calls("bob", "twice"))).toEqual([1, 2]);
    expect(v.stateOf("counter")).toEqual({ n: 2 });
  });
});

describe("calls inside calls", () => {
  it("can be nested five deep", () => {
    const v = world();
    for (let n = 1; n <= 6; n++) {
      v.programs("alice", {
        [`p${n}`]: `function run(left) {
          if (left === 0) return ["bottom"];
          const { result, error } = kernel.invoke("p${n + 1}", "run", [left - 1]);
          return ["p${n}", ...(result ?? [error.code])];
        }`,
      });
    }
    const chain = ["p1", "p2", "p3", "p4"];
    expect(resultOf(v.calls("bob", "p1", [4]))).toEqual([...chain, "bottom"]);
    expect(resultOf(v.calls("bob", "p1", [5]))).toEqual([...chain, "p5", "depth_exceeded"]);
    const invoked = v.events.filter(({ kind }) => kind === "artifact_invoked");
    expect(invoked.map(({ depth }) => depth)).toEqual([4, 3, 2, 1, 0]);
  });

  it("know their caller and their origin", () => {
    const v = world();
    v.programs("alice", {
      inner: "function run() { return [self, caller, origin] }",
      outer: `function run() { return kernel.invoke("inner", "run", []).result }`,
    });
    expect(resultOf(v.calls("bob", "outer"))).toEqual(["inner", "outer", "bob"]);
    expect(resultOf(v.calls("bob", "inner"))).toEqual(["inner", "bob", "bob"]);
  });
});

describe("random numbers", () => {
  const ROLLER =
    "function run(fails) { const roll = kernel.random(); if (fails) throw roll; return roll }";
  const rolls = (v: TestWorld) => v.events.filter(({ kind }) => kind === "random_drawn");

  it("are used up even if the call or the action fails", () => {
    const plain = world().program("alice", "dice", ROLLER);
    const [first, second, third] = [1, 2, 3].map(() => resultOf(plain.calls("bob", "dice")));
    const v = world().program("alice", "dice", ROLLER);
    v.programs("alice", {
      again: `function run() { kernel.invoke("dice", "run", [true]); return kernel.invoke("dice", "run", []).result }`,
    });
    expect(resultOf(v.calls("bob", "again"))).toBe(second);
    expect(rolls(v)).toMatchObject([{ draws: 2, principal: "bob" }]);
    expect(v.calls("bob", "dice", [true]).message).toContain(String(third));
    expect(rolls(v)).toMatchObject([{ draws: 1 }]);
    expect(first).not.toBe(second);
  });

  it("are used up by contracts too", () => {
    const v = world().program("alice", "dice", ROLLER);
    const code = "function check_permission() { return { allowed: kernel.random() < 2 } }";
    v.program("alice", "door", code);
    v.writes("alice", "note", { content: "x", access: "door" });
    v.must(v.reads("bob", "note"));
    expect(rolls(v)).toMatchObject([{ draws: 1, principal: "bob" }]);
  });

  it("are not drawn by other actions", () => {
    const v = world();
    v.must(v.acts("bob", { noop: {} }));
    expect(v.kinds).toEqual(["action_completed"]);
  });
});
