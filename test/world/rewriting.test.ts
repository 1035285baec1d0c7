import { afterAll, describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";

import { sandboxFor } from "../../src/world/index.ts";
import { PHYSICS } from "../support/physics.ts";
import { resultOf, Village } from "../support/world.ts";

const sandbox = sandboxFor(PHYSICS);
afterAll(() => sandbox.close());

const village = (): Village => new Village(sandbox).agent("alice").agent("bob").agent("carol");

/** Asks genesis for what it is told and says how it went. */
const ASK = `const ask = (id, method, args) => {
  const { success, result, error } = kernel.invoke(id, method, args);
  return success ? result : error.code;
};`;

describe("a program that changes itself while it runs", () => {
  const NEW = "function run() { return 'new' }";

  it("continues as it was, and is the new one from the next call on, with its state", () => {
    const v = village().program(
      "alice",
      "phoenix",
      `function run() {
        state.runs = 1;
        kernel.write({ artifact_id: self, code: ${JSON.stringify(NEW)} });
        return "old";
      }`,
      { access: "genesis_contract_self_owned" },
    );
    expect(resultOf(v.calls("alice", "phoenix"))).toBe("old");
    expect(v.state.artifacts.get(asId("phoenix"))).toMatchObject({ code: NEW, version: 2 });
    expect(v.stateOf("phoenix")).toEqual({ runs: 1 });
    expect(resultOf(v.calls("alice", "phoenix"))).toBe("new");
    expect(v.stateOf("phoenix")).toEqual({ runs: 1 });
  });

  it("is what it was when it then fails", () => {
    const v = village().program(
      "alice",
      "phoenix",
      `function run() { kernel.write({ artifact_id: self, code: "function run() {}" }); throw "no" }`,
      { access: "genesis_contract_self_owned" },
    );
    expect(v.calls("alice", "phoenix")).toMatchObject({ success: false });
    expect(v.state.artifacts.get(asId("phoenix"))?.version).toBe(1);
  });

  it("cannot do so where only its owner may write", () => {
    const v = village().program(
      "alice",
      "meek",
      `function run() { kernel.write({ artifact_id: self, content: "x" }) }`,
    );
    expect(v.calls("alice", "meek").message).toMatch(/not_authorized/);
  });

  it("cannot take its own code away from under it", () => {
    const v = village().program(
      "alice",
      "lemming",
      `${ASK} function run() { return ask("genesis_store", "delete", [self]) }`,
      { access: "genesis_contract_public" },
    );
    expect(resultOf(v.calls("alice", "lemming"))).toBe("not_empty");
    expect(v.owner("lemming")).toBe("alice");
  });

  it("can be deleted by no one while it runs, not even by its owner further down", () => {
    const v = village();
    v.standing("alice", "owner", {
      code: `${ASK} function keep() {} function run(id) { return ask("genesis_store", "delete", [id]) }`,
    });
    v.program("alice", "tool", `${ASK} function run() { return ask("owner", "run", [self]) }`);
    v.must(v.calls("alice", "owner.keep", [], { attach: { artifacts: ["tool"] } }));
    expect(resultOf(v.calls("bob", "tool"))).toBe("not_empty");
    expect(resultOf(v.calls("bob", "owner", ["tool"]))).toMatchObject({ artifact: "tool" });
    expect(v.calls("bob", "tool")).toMatchObject({ error_code: "deleted" });
  });
});

describe("a program whose caller is changed while it runs", () => {
  it("changes the caller for the next call only", () => {
    const v = village();
    v.program(
      "alice",
      "writer",
      `function run() { kernel.write({ artifact_id: caller, content: "touched" }) }`,
    );
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

  it("can take the caller's code away, and the caller still ends its call", () => {
    const v = village();
    v.program(
      "alice",
      "eraser",
      `function run() { kernel.write({ artifact_id: caller, code: null }) }`,
    );
    v.program(
      "alice",
      "open",
      `function run() { kernel.invoke("eraser", "run", []); state.n = 1; return 7 }`,
      {
        access: "genesis_contract_public",
      },
    );
    expect(resultOf(v.calls("bob", "open"))).toBe(7);
    expect(v.calls("bob", "open")).toMatchObject({ error_code: "invalid_type" });
    expect(v.stateOf("open")).toEqual({ n: 1 });
  });

  it("can be sold while it runs; its new state is on the new owner's disk", () => {
    const v = village();
    v.standing("alice", "seller", {
      code: `function keep() {} function run(id, to) { return kernel.give(id, to).owner }`,
    });
    v.program(
      "alice",
      "tool",
      `function run() {
        const { success, result } = kernel.invoke("seller", "run", [self, origin]);
        state.memo = "x".repeat(60);
        return success && result;
      }`,
    );
    v.must(v.calls("alice", "seller.keep", [], { attach: { artifacts: ["tool"] } }));
    const before = v.state.accounts.get(asId("bob"))?.diskUsed ?? 0;
    expect(resultOf(v.calls("bob", "tool"))).toBe("bob");
    const size = v.state.artifacts.get(asId("tool"))?.sizeBytes;
    expect((v.state.accounts.get(asId("bob"))?.diskUsed ?? 0) - before).toBe(size);
    expect(v.state.accounts.get(asId("seller"))?.diskUsed).toBe(0);
  });

  it("cannot keep a state that no longer fits its new owner's disk", () => {
    const v = village().agent("poor", { disk: 260 });
    v.standing("alice", "seller", {
      code: `function keep() {} function run(id, to) { return kernel.give(id, to).owner }`,
    });
    v.program(
      "alice",
      "tool",
      `function run() { kernel.invoke("seller", "run", [self, origin]); state.memo = "x".repeat(200) }`,
    );
    v.must(v.calls("alice", "seller.keep", [], { attach: { artifacts: ["tool"] } }));
    expect(v.calls("poor", "tool")).toMatchObject({ error_code: "insufficient_disk" });
    expect([v.owner("tool"), v.stateOf("tool")]).toEqual(["seller", {}]);
  });
});

describe("a program with an account", () => {
  const BANK = `function run() { return kernel.balance() }
    function empty(to) { return kernel.pay(to, kernel.balance()) }`;

  it("is deleted with its account, once that is empty, and its quota goes home", () => {
    const v = village();
    v.standing("alice", "bank", { code: BANK, scrip: 10, disk: 300 });
    const free = () => {
      const account = v.state.accounts.get(asId("alice"));
      return (account?.diskQuota ?? 0) - (account?.diskUsed ?? 0);
    };
    const remove = () => v.calls("alice", "genesis_store.delete", ["bank"]);
    expect(remove()).toMatchObject({ error_code: "not_empty" });
    v.must(v.calls("alice", "bank.empty", ["bob"]));
    const before = free();
    v.must(remove());
    expect(free()).toBeGreaterThan(before + 300);
    expect(v.scrip("bank")).toBeUndefined();
    expect(v.calls("bob", "genesis_ledger.transfer", ["bank", 1])).toMatchObject({
      error_code: "not_found",
    });
    expect(v.calls("bob", "genesis_ledger.balance", ["bank"])).toMatchObject({
      error_code: "not_found",
    });
    expect(v.writes("alice", "bank", { content: "x" })).toMatchObject({ error_code: "deleted" });
    v.must(v.acts("alice", { noop: {} }));
  });

  it("deleted in a call that fails is there again, with everything", () => {
    const v = village();
    v.standing("alice", "bank", { code: BANK });
    v.standing("alice", "boss", {
      code: `${ASK} function keep() {}
        function run() { ask("genesis_store", "delete", ["bank"]); throw "no" }`,
    });
    v.must(v.calls("alice", "boss.keep", [], { attach: { artifacts: ["bank"] } }));
    const before = v.state.accounts.get(asId("bank"));
    expect(v.calls("bob", "boss")).toMatchObject({ success: false });
    expect(v.state.accounts.get(asId("bank"))).toBe(before);
    v.must(v.calls("bob", "bank"));
  });

  it("deleted by the program it has just been called by is paid no more", () => {
    const v = village();
    v.standing("alice", "bank", { code: BANK });
    v.standing("alice", "boss", {
      code: `${ASK} function keep() {}
        function run() {
          return [ask("bank", "run", []), ask("genesis_store", "delete", ["bank"]).artifact,
            ask("genesis_ledger", "transfer", ["bank", 1]), ask("bank", "run", [])];
        }`,
      scrip: 5,
    });
    v.must(v.calls("alice", "boss.keep", [], { attach: { artifacts: ["bank"] } }));
    expect(resultOf(v.calls("bob", "boss"))).toEqual([0, "bank", "not_found", "deleted"]);
    expect(v.scrip("boss")).toBe(5);
  });

  it("given its account while it holds a purse pays everyone their own", () => {
    const v = village();
    v.program("alice", "last", "function run() { return kernel.balance() }");
    v.standing("alice", "maker", {
      code: `function keep() {}
        function run(id) {
          return kernel.write({ artifact_id: id, has_standing: true }).artifact_id;
        }`,
      scrip: 40,
    });
    v.standing("alice", "donor", {
      code: "function run(to) { return kernel.pay(to, 30) }",
      scrip: 30,
    });
    v.program(
      "alice",
      "rising",
      `function run() {
        kernel.invoke("maker", "run", [self]);
        kernel.invoke("donor", "run", [self]);
        return kernel.invoke("last", "run", [], { attach: { scrip: 12 } }).result;
      }`,
    );
    v.must(v.calls("alice", "maker.keep", [], { attach: { artifacts: ["rising"] } }));
    // Of her 100 the maker has 40 and the donor 30; what she attaches comes back to her.
    expect(resultOf(v.calls("alice", "rising", [], { attach: { scrip: 20 } }))).toBe(12);
    expect([v.scrip("alice"), v.held("alice"), v.scrip("rising"), v.held("rising")]).toEqual([
      30, 0, 30, 0,
    ]);
  });

  it("owns what it makes, and cannot be deleted while it does", () => {
    const v = village();
    v.standing("alice", "firm", {
      code: `function run() { kernel.write({ artifact_id: "desk", content: "x" }) }`,
    });
    v.must(v.calls("bob", "firm"));
    const outcome = v.calls("alice", "genesis_store.delete", ["firm"]);
    expect(outcome).toMatchObject({ error_code: "not_empty" });
    expect(outcome.message).toMatch(/owns 1 artifacts/);
  });
});

describe("an agent that rewrites itself", () => {
  it("must stay a valid agent", () => {
    const v = village();
    const outcome = v.writes("alice", "alice", { content: "broken" });
    expect(outcome).toMatchObject({ success: false, error_code: "invalid_argument" });
    expect(outcome.message).toMatch(/alice must stay a valid agent: it is broken/);
    v.must(v.writes("alice", "alice", { content: "better" }));
    expect(v.state.artifacts.get(asId("alice"))).toMatchObject({ content: "better", version: 2 });
  });

  it("must do so through a program as well", () => {
    const v = village();
    v.must(v.writes("alice", "alice", { access: "genesis_contract_public" }));
    v.program(
      "bob",
      "vandal",
      `function run() { kernel.write({ artifact_id: "alice", content: "broken" }) }`,
    );
    expect(v.calls("bob", "vandal").message).toMatch(/must stay a valid agent/);
  });

  it("stays an agent, whatever it writes about itself", () => {
    const v = village();
    v.must(
      v.writes("alice", "alice", { artifact_type: "rock", code: "function run() {}", price: 9 }),
    );
    expect(v.state.artifacts.get(asId("alice"))).toMatchObject({
      hasStanding: true,
      canExecute: true,
    });
    expect(v.calls("alice", "genesis_store.delete", ["alice"])).toMatchObject({
      error_code: "not_empty",
    });
    expect(v.calls("alice", "genesis_store.delete", ["alice_memory"])).toMatchObject({
      error_code: "not_empty",
    });
  });
});

describe("a request from outside", () => {
  it("of someone who is not there is refused, and nothing is recorded", () => {
    const v = village();
    const length = v.committed.length;
    expect(v.acts("ghost", { noop: {} })).toMatchObject({
      success: false,
      error_code: "not_found",
    });
    expect(v.acts("constructor", { noop: {} })).toMatchObject({ error_code: "not_found" });
    expect(v.committed).toHaveLength(length);
  });

  it("in the name of a program is done as that program", () => {
    const v = village();
    v.standing("alice", "bank", { code: "function run() {}", scrip: 5 });
    expect(v.acts("bank", { noop: {} })).toMatchObject({ error_code: "rate_limited" });
    v.must(v.calls("alice", "genesis_rights_registry.transfer_quota", ["bank", "actions", 5]));
    v.must(v.calls("bank", "genesis_ledger.transfer", ["bob", 5]));
    expect([v.scrip("bank"), v.scrip("bob")]).toEqual([0, 105]);
    const self = v.calls("bank", "genesis_store.delete", ["bank"]);
    expect(self).toMatchObject({ error_code: "not_authorized" });
    v.must(v.writes("alice", "bank", { access: "genesis_contract_public" }));
    expect(v.calls("bank", "genesis_store.delete", ["bank"])).toMatchObject({
      error_code: "not_empty",
    });
  });
});
