import { describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import { expectRefused, fileSandbox, resultOf, TestWorld } from "../support/test-world.ts";

const sandbox = fileSandbox();

const world = (): TestWorld => new TestWorld(sandbox).agent("alice").agent("bob").agent("carol");

/** Calls a method and returns its result or error code. */
const ASK = `const ask = (id, method, args) => {
  const { success, result, error } = kernel.invoke(id, method, args);
  return success ? result : error.code;
};`;

describe("a program that changes itself while it runs", () => {
  const NEW_CODE = "function run() { return 'new' }";

  it("runs to its end unchanged, and the next call runs the new code with the old state", () => {
    const v = world().program(
      "alice",
      "phoenix",
      `function run() {
        state.runs = 1;
        kernel.write({ artifact_id: self, code: ${JSON.stringify(NEW_CODE)} });
        return "old";
      }`,
      { access: "genesis_contract_self_owned" },
    );
    expect(resultOf(v.calls("alice", "phoenix"))).toBe("old");
    expect(v.state.artifacts.get(asId("phoenix"))).toMatchObject({ code: NEW_CODE, version: 2 });
    expect(v.stateOf("phoenix")).toEqual({ runs: 1 });
    expect(resultOf(v.calls("alice", "phoenix"))).toBe("new");
    expect(v.stateOf("phoenix")).toEqual({ runs: 1 });
  });

  it("keeps its old code if the call fails", () => {
    const code = `function run() {
      kernel.write({ artifact_id: self, code: "function run() {}" });
      throw "no";
    }`;
    const v = world().program("alice", "phoenix", code, { access: "genesis_contract_self_owned" });
    expect(v.calls("alice", "phoenix")).toMatchObject({ success: false });
    expect(v.state.artifacts.get(asId("phoenix"))?.version).toBe(1);
  });

  it("needs an access contract that lets it write", () => {
    const code = `function run() { kernel.write({ artifact_id: self, content: "x" }) }`;
    const v = world().program("alice", "meek", code);
    expect(v.calls("alice", "meek").message).toMatch(/not_authorized/);
  });

  it("cannot delete itself", () => {
    const code = `${ASK} function run() { return ask("genesis_store", "delete", [self]) }`;
    const v = world().program("alice", "lemming", code, { access: "genesis_contract_public" });
    expect(resultOf(v.calls("alice", "lemming"))).toBe("not_empty");
    expect(v.owner("lemming")).toBe("alice");
  });

  it("cannot be deleted while it runs, not even by its owner in a nested call", () => {
    const v = world();
    v.standing("alice", "owner", {
      code: `${ASK} function keep() {} function run(id) { return ask("genesis_store", "delete", [id]) }`,
    });
    v.program("alice", "tool", `${ASK} function run() { return ask("owner", "run", [self]) }`);
    v.attaches("alice", "tool", "owner.keep");
    expect(resultOf(v.calls("bob", "tool"))).toBe("not_empty");
    expect(resultOf(v.calls("bob", "owner", ["tool"]))).toMatchObject({ artifact: "tool" });
    expectRefused(v.calls("bob", "tool"), "deleted");
  });
});

describe("a program that changes its caller", () => {
  it("affects only the next call", () => {
    const v = world();
    const writer = `function run() { kernel.write({ artifact_id: caller, content: "touched" }) }`;
    v.program("alice", "writer", writer);
    v.program(
      "alice",
      "open",
      `function run() { state.n = 1; return kernel.invoke("writer", "run", []).success }`,
      { access: "genesis_contract_public", content: "as it was" },
    );
    expect(resultOf(v.calls("bob", "open"))).toBe(true);
    expect(v.state.artifacts.get(asId("open"))).toMatchObject({ content: "touched", version: 2 });
    expect(v.stateOf("open")).toEqual({ n: 1 });
  });

  it("can remove the caller's code, and the caller still finishes its call", () => {
    const v = world();
    const eraser = `function run() { kernel.write({ artifact_id: caller, code: null }) }`;
    v.program("alice", "eraser", eraser);
    v.program(
      "alice",
      "open",
      `function run() { kernel.invoke("eraser", "run", []); state.n = 1; return 7 }`,
      { access: "genesis_contract_public" },
    );
    expect(resultOf(v.calls("bob", "open"))).toBe(7);
    expectRefused(v.calls("bob", "open"), "invalid_type");
    expect(v.stateOf("open")).toEqual({ n: 1 });
  });

  const SELLER = "function keep() {} function run(id, to) { return kernel.give(id, to).owner }";

  it("charges the state of a program sold while it runs to the new owner's disk", () => {
    const v = world();
    v.standing("alice", "seller", { code: SELLER });
    v.programs("alice", {
      tool: `function run() {
        const { success, result } = kernel.invoke("seller", "run", [self, origin]);
        state.memo = "x".repeat(60);
        return success && result;
      }`,
    });
    v.attaches("alice", "tool", "seller.keep");
    const before = v.state.accounts.get(asId("bob"))?.diskUsed ?? 0;
    expect(resultOf(v.calls("bob", "tool"))).toBe("bob");
    const size = v.state.artifacts.get(asId("tool"))?.sizeBytes;
    expect((v.state.accounts.get(asId("bob"))?.diskUsed ?? 0) - before).toBe(size);
    expect(v.state.accounts.get(asId("seller"))?.diskUsed).toBe(0);
  });

  it("fails if the state does not fit on the new owner's disk", () => {
    const v = world().agent("poor", { disk: 260 });
    v.standing("alice", "seller", { code: SELLER });
    const tool = `function run() { kernel.invoke("seller", "run", [self, origin]); state.memo = "x".repeat(200) }`;
    v.program("alice", "tool", tool);
    v.attaches("alice", "tool", "seller.keep");
    expectRefused(v.calls("poor", "tool"), "insufficient_disk");
    expect([v.owner("tool"), v.stateOf("tool")]).toEqual(["seller", {}]);
  });
});

describe("a program with an account", () => {
  const BANK = `function run() { return kernel.balance() }
    function empty(to) { return kernel.pay(to, kernel.balance()) }`;

  it("is deleted with its account once that is empty, and its quota returns to the owner", () => {
    const v = world();
    v.standing("alice", "bank", { code: BANK, scrip: 10, disk: 300 });
    const free = () => {
      const account = v.state.accounts.get(asId("alice"));
      return (account?.diskQuota ?? 0) - (account?.diskUsed ?? 0);
    };
    const remove = () => v.calls("alice", "genesis_store.delete", ["bank"]);
    expectRefused(remove(), "not_empty");
    v.must(v.calls("alice", "bank.empty", ["bob"]));
    const before = free();
    v.must(remove());
    expect(free()).toBeGreaterThan(before + 300);
    expect(v.scrip("bank")).toBeUndefined();
    expectRefused(v.calls("bob", "genesis_ledger.transfer", ["bank", 1]), "not_found");
    expectRefused(v.calls("bob", "genesis_ledger.balance", ["bank"]), "not_found");
    expectRefused(v.writes("alice", "bank", { content: "x" }), "deleted");
    v.must(v.acts("alice", { noop: {} }));
  });

  it("still exists if the call that deleted it fails", () => {
    const v = world();
    v.standing("alice", "bank", { code: BANK });
    v.standing("alice", "boss", {
      code: `${ASK} function keep() {}
        function run() { ask("genesis_store", "delete", ["bank"]); throw "no" }`,
    });
    v.attaches("alice", "bank", "boss.keep");
    const before = v.state.accounts.get(asId("bank"));
    expect(v.calls("bob", "boss")).toMatchObject({ success: false });
    expect(v.state.accounts.get(asId("bank"))).toBe(before);
    v.must(v.calls("bob", "bank"));
  });

  it("cannot be paid after its caller has deleted it", () => {
    const v = world();
    v.standing("alice", "bank", { code: BANK });
    v.standing("alice", "boss", {
      code: `${ASK} function keep() {}
        function run() {
          return [ask("bank", "run", []), ask("genesis_store", "delete", ["bank"]).artifact,
            ask("genesis_ledger", "transfer", ["bank", 1]), ask("bank", "run", [])];
        }`,
      scrip: 5,
    });
    v.attaches("alice", "bank", "boss.keep");
    expect(resultOf(v.calls("bob", "boss"))).toEqual([0, "bank", "not_found", "deleted"]);
    expect(v.scrip("boss")).toBe(5);
  });

  it("keeps its purse and its account apart if it gets the account during a call", () => {
    const v = world();
    v.program("alice", "last", "function run() { return kernel.balance() }");
    v.standing("alice", "maker", {
      code: `function keep() {}
        function run(id) {
          return kernel.write({ artifact_id: id, has_standing: true }).artifact_id;
        }`,
      scrip: 40,
    });
    const donor = "function run(to) { return kernel.pay(to, 30) }";
    v.standing("alice", "donor", { code: donor, scrip: 30 });
    v.programs("alice", {
      rising: `function run() {
        kernel.invoke("maker", "run", [self]);
        kernel.invoke("donor", "run", [self]);
        return kernel.invoke("last", "run", [], { attach: { scrip: 12 } }).result;
      }`,
    });
    v.attaches("alice", "rising", "maker.keep");
    // Of alice's 100 the maker has 40 and the donor 30; the attached 20 return to her.
    expect(resultOf(v.calls("alice", "rising", [], { attach: { scrip: 20 } }))).toBe(12);
    expect(v.scrips("alice", "rising")).toEqual([30, 30]);
    expect([v.held("alice"), v.held("rising")]).toEqual([0, 0]);
  });

  it("cannot be deleted while it owns artifacts", () => {
    const v = world();
    const code = `function run() { kernel.write({ artifact_id: "desk", content: "x" }) }`;
    v.standing("alice", "firm", { code });
    v.must(v.calls("bob", "firm"));
    const outcome = v.calls("alice", "genesis_store.delete", ["firm"]);
    expectRefused(outcome, "not_empty");
    expect(outcome.message).toMatch(/owns 1 artifacts/);
  });
});

describe("an agent that rewrites its artifact", () => {
  it("must stay a valid agent", () => {
    const v = world();
    expectRefused(
      v.writes("alice", "alice", { content: "broken" }),
      "invalid_argument",
      /alice must stay a valid agent: it is broken/,
    );
    v.must(v.writes("alice", "alice", { content: "better" }));
    expect(v.state.artifacts.get(asId("alice"))).toMatchObject({ content: "better", version: 2 });
  });

  it("must stay a valid agent when a program writes, too", () => {
    const v = world();
    v.must(v.writes("alice", "alice", { access: "genesis_contract_public" }));
    const vandal = `function run() { kernel.write({ artifact_id: "alice", content: "broken" }) }`;
    v.program("bob", "vandal", vandal);
    expect(v.calls("bob", "vandal").message).toMatch(/must stay a valid agent/);
  });

  it("keeps its standing and its loop, and cannot be deleted", () => {
    const v = world();
    const fields = { artifact_type: "rock", code: "function run() {}", price: 9 };
    v.must(v.writes("alice", "alice", fields));
    const artifact = v.state.artifacts.get(asId("alice"));
    expect(artifact).toMatchObject({ hasStanding: true, canExecute: true });
    expectRefused(v.calls("alice", "genesis_store.delete", ["alice"]), "not_empty");
    expectRefused(v.calls("alice", "genesis_store.delete", ["alice_memory"]), "not_empty");
  });
});

describe("a request of a principal", () => {
  it("is refused and not recorded if the principal does not exist", () => {
    const v = world();
    const length = v.committed.length;
    expectRefused(v.acts("unknown", { noop: {} }), "not_found");
    expectRefused(v.acts("constructor", { noop: {} }), "not_found");
    expect(v.committed).toHaveLength(length);
  });

  it("acts as a program if the program is the principal", () => {
    const v = world();
    v.standing("alice", "bank", { code: "function run() {}", scrip: 5 });
    expectRefused(v.acts("bank", { noop: {} }), "rate_limited");
    v.must(v.calls("alice", "genesis_rights_registry.transfer_quota", ["bank", "actions", 5]));
    v.must(v.calls("bank", "genesis_ledger.transfer", ["bob", 5]));
    expect(v.scrips("bank", "bob")).toEqual([0, 105]);
    expectRefused(v.calls("bank", "genesis_store.delete", ["bank"]), "not_authorized");
    v.must(v.writes("alice", "bank", { access: "genesis_contract_public" }));
    expectRefused(v.calls("bank", "genesis_store.delete", ["bank"]), "not_empty");
  });
});
