import { describe, expect, it } from "vitest";
import { asId, type Json } from "../../src/kernel/index.ts";
import { thinks } from "../support/iterations.ts";
import { physicsWith } from "../support/physics.ts";
import { expectRefused, fileSandbox, resultOf, TestWorld } from "../support/test-world.ts";

const sandbox = fileSandbox();

const world = (): TestWorld => new TestWorld(sandbox).agent("alice").agent("bob");

/** Spawns a principal from the given fields and gives it to the caller. */
const SPAWNER = `
function run(fields) {
  const child = kernel.create_principal(fields);
  kernel.give(child.id, caller);
  return child;
}
function twice(fields) { kernel.create_principal(fields); return kernel.create_principal(fields); }
function failsAfter(fields) { kernel.create_principal(fields); throw new Error("never mind"); }
function spare(fields) {
  const call = kernel.invoke("failing", "run", [fields]);
  return [call.success, kernel.balance()];
}`;
const FIELDS: Json = { id: "kid", config: { mind: "x" }, scrip: 5, quotas: { actions: 4 } };

const worldWithSpawner = (): TestWorld => {
  const v = world().standing("bob", "spawner", { code: SPAWNER, scrip: 20, disk: 1_000 });
  v.must(v.calls("bob", "genesis_rights_registry.transfer_quota", ["spawner", "actions", 20]));
  return v;
};

describe("a program with an account", () => {
  it("spawns a child from its own means and may give it away at once", () => {
    const v = worldWithSpawner();
    const child = resultOf(v.calls("alice", "spawner", [FIELDS]));
    expect(child).toMatchObject({ id: "kid", owner: "spawner", scrip: 5 });
    expect(v.owner("kid")).toBe("alice");
    expect(v.owner("kid_memory")).toBe("kid");
    expect(v.scrips("alice", "spawner", "kid")).toEqual([100, 15, 5]);
    expect(v.state.accounts.get(asId("kid"))?.parent).toBe("spawner");
    expect(v.kinds).toContain("agent_created");
    expect(v.kinds).toContain("agent_handed_over");
    expect(new Set(v.events.map(({ principal }) => principal))).toEqual(new Set(["alice"]));
  });

  it("spawns nothing in a call that fails", () => {
    const v = worldWithSpawner();
    const before = v.state.accounts.size;
    expectRefused(v.calls("alice", "spawner.failsAfter", [FIELDS]), "runtime_error");
    expect(v.calls("alice", "spawner.twice", [FIELDS])).toMatchObject({ success: false });
    expect(v.state.accounts.size).toBe(before);
    expect(v.state.artifacts.has(asId("kid"))).toBe(false);
    expect(v.state.agents.has(asId("kid"))).toBe(false);
    expect(v.scrip("spawner")).toBe(20);
    // The id is still free.
    expect(resultOf(v.calls("alice", "spawner", [FIELDS]))).toMatchObject({ id: "kid" });
  });

  it("spawns nothing in a nested call that fails, and continues", () => {
    const v = worldWithSpawner().standing("bob", "failing", {
      code: "function run(f) { kernel.create_principal(f); kernel.fail('no', 'no'); }",
      scrip: 9,
      disk: 900,
    });
    expect(resultOf(v.calls("alice", "spawner.spare", [FIELDS]))).toEqual([false, 20]);
    expect(v.state.agents.has(asId("kid"))).toBe(false);
    expect(v.scrip("failing")).toBe(9);
  });

  it("gets an error that says what is wrong", () => {
    const v = worldWithSpawner();
    const tries = `function run(list) {
      return list.map((fields) => {
        try { return kernel.create_principal(fields).id }
        catch (error) { return error.code + ": " + error.message }
      });
    }`;
    v.standing("bob", "tries", { code: tries, disk: 500 });
    const given = [null, "kid", { wings: 1 }, { config: "broken" }, { scrip: "5", config: {} }];
    expect(resultOf(v.calls("alice", "tries", [given]))).toEqual([
      expect.stringMatching(/^quota_exceeded: tries has 0 of actions/),
      expect.stringMatching(/^invalid_argument: create_principal\(\{id\?/),
      expect.stringMatching(/^invalid_argument: "wings" is unknown/),
      expect.stringMatching(/^quota_exceeded/),
      expect.stringMatching(/^invalid_argument: scrip must be 0 or an amount/),
    ]);
  });
});

describe("spawning is refused", () => {
  it("to a program that has only its purse", () => {
    const v = world().program("bob", "hand", SPAWNER);
    const outcome = v.calls("alice", "hand", [FIELDS], { attach: { scrip: 50 } });
    expectRefused(outcome, "runtime_error", /no standing/);
    expect(v.scrip("alice")).toBe(100);
  });

  it("during a permission check", () => {
    const v = world();
    const code = `function check_permission() {
      try { kernel.create_principal({}); }
      catch (e) { return { allowed: false, reason: e.message } }
      return { allowed: true };
    }`;
    v.standing("bob", "law", { code, disk: 900 });
    v.must(v.writes("bob", "poem", { content: "x", access: "law" }));
    const words = /may only read; it cannot pay or change/;
    expectRefused(v.reads("alice", "poem"), "not_authorized", words);
  });

  it("with a configuration that is not valid for an agent", () => {
    const v = worldWithSpawner();
    const spawned = v.calls("alice", "genesis_ledger.spawn_principal", ["kid", "broken"]);
    expectRefused(spawned, "invalid_argument", /^config is not valid for an agent: it is broken$/);
    const outcome = v.calls("alice", "spawner", [{ id: "kid", config: "broken" }]);
    expectRefused(outcome, "runtime_error", /it is broken/);
  });

  it("when the world has principals_max principals", () => {
    const physics = physicsWith({ agents: { principals_max: 4 } });
    const v = new TestWorld(sandbox, { physics }).agent("alice").agent("bob");
    const spawn = () => v.calls("alice", "genesis_ledger.spawn_principal");
    const outcomes = [spawn(), spawn(), spawn()].map(({ success }) => success);
    expect(outcomes.filter((success) => !success).length).toBeGreaterThan(0);
    expect(v.state.accounts.size).toBe(4);
    expectRefused(spawn(), "quota_exceeded", /4 principals/);
  });
});

describe("a sleeping agent", () => {
  const sleeps = (v: TestWorld): void => {
    const sleep = { for_ms: 5_000, until: [{ scrip_at_least: 110 }] };
    v.submit(thinks("bob", { at_ms: v.atMs, sleep, think_ms: 0 }));
    v.submit({ kind: "execute_decision", at_ms: v.atMs, principal: asId("bob") });
  };

  it("wakes in the transaction that meets its condition", () => {
    const v = world();
    sleeps(v);
    expect(v.kinds).toEqual(["action_completed", "agent_state_changed"]);
    v.atMs += 50;
    v.must(v.calls("alice", "genesis_ledger.transfer", ["bob", 10]));
    expect(v.events.at(-1)).toEqual({
      ...{ kind: "agent_state_changed", atMs: v.atMs, principal: "alice", agent: "bob" },
      ...{ from: "sleeping", to: "running", reason: "it has 110 scrip", due_at_ms: v.atMs + 50 },
    });
    expect(v.kinds).toEqual(["scrip_transferred", "action_completed", "agent_state_changed"]);
  });

  it("does not wake for an effect that is undone", () => {
    const v = world();
    v.standing("alice", "lavish", {
      code: "function run() { kernel.pay('bob', 20); throw new Error('no') }",
      scrip: 30,
    });
    sleeps(v);
    expect(v.calls("alice", "lavish")).toMatchObject({ success: false });
    expect(v.state.sleepers.has(asId("bob"))).toBe(true);
  });
});
