import { describe, expect, it } from "vitest";
import { asId, InvariantBroken, must } from "../../src/kernel/index.ts";
import type { Outcome } from "../../src/world/index.ts";
import { freezes } from "../support/iterations.ts";
import { expectRefused, fileSandbox, resultOf, TestWorld } from "../support/test-world.ts";

const sandbox = fileSandbox();

const fillableJournal = () => {
  const disk = { full: false };
  const append = (): void => {
    if (disk.full) throw new Error("the disk is full");
  };
  return { disk, journal: { append } };
};

const BUSY = `function run(to) {
  state.runs = (state.runs ?? 0) + 1;
  kernel.pay(to, 5);
  kernel.write({ artifact_id: "page", content: "x", has_standing: true });
  kernel.invoke("genesis_store", "delete", ["old"]);
  kernel.invoke("genesis_ledger", "transfer_ownership", ["kept", to]);
  return kernel.random();
}
function take() {}`;

describe("a transaction that the journal cannot take", () => {
  const worldWithDisk = () => {
    const { disk, journal } = fillableJournal();
    const v = new TestWorld(sandbox, { journal }).agent("alice").agent("bob");
    v.standing("alice", "busy", { code: BUSY, scrip: 20 });
    for (const id of ["old", "kept"]) v.writes("alice", id, { content: "x" });
    v.must(v.calls("alice", "busy.take", [], { attach: { artifacts: ["old", "kept"] } }));
    return { v, disk };
  };

  it("changes nothing in the state or its indexes", () => {
    const { v, disk } = worldWithDisk();
    const before = v.text();
    const [newest, popular] = [[...v.state.catalogue.newest({})], v.state.catalogue.popular(50)];
    disk.full = true;
    const attach = { scrip: 3 };
    expect(() => v.calls("alice", "busy", ["bob"], { attach })).toThrow("disk is full");
    expect(() => v.agent("carol")).toThrow("disk is full");
    expect(() => v.acts("bob", { noop: {} })).toThrow("disk is full");
    expect(v.text()).toBe(before);
    expect([...v.state.catalogue.newest({})]).toEqual(newest);
    expect(v.state.catalogue.popular(50)).toEqual(popular);
  });

  it("uses up no random number, event number or id", () => {
    const retried = (breaks: boolean) => {
      const { v, disk } = worldWithDisk();
      if (breaks) {
        disk.full = true;
        expect(() => v.calls("alice", "busy", ["bob"])).toThrow();
        disk.full = false;
      }
      return [resultOf(v.calls("alice", "busy", ["bob"])), v.events, v.text()];
    };
    expect(retried(true)).toEqual(retried(false));
  });

  it("is not published", () => {
    const { v, disk } = worldWithDisk();
    const length = v.committed.length;
    disk.full = true;
    expect(() => v.acts("bob", { noop: {} })).toThrow();
    expect(v.committed).toHaveLength(length);
  });
});

/** Changes a table without an event. */
const makeRich = (id: string, { state }: TestWorld): void => {
  const row = must(state.accounts.get(asId(id)), "the account exists");
  state.accounts.put(row.id, { ...row, scrip: 1_000_000 });
  state.undo.forget();
};

describe("a transaction that breaks an invariant", () => {
  it("stops the world before the journal has it", () => {
    const v = new TestWorld(sandbox).agent("alice").agent("bob");
    const length = v.committed.length;
    makeRich("bob", v);
    expect(() => v.acts("alice", { noop: {} })).toThrow(InvariantBroken);
    expect(v.committed).toHaveLength(length);
  });

  it("is checked for less often in a larger world, by its size at the last check", () => {
    const v = new TestWorld(sandbox).agent("alice").agent("bob");
    const about = { at_ms: v.atMs, principal: asId("alice"), action: { noop: {} } };
    const acts = (): Outcome => v.world.submit({ kind: "take_action", ...about });
    let size = 1_500;
    Object.defineProperty(v.state.artifacts, "size", { get: () => size });
    acts();
    makeRich("bob", v);
    // The size at the last check counts.
    size = 1_000_000;
    expect(acts()).toMatchObject({ success: true });
    expect(acts).toThrow(InvariantBroken);
  });
});

describe("a refused command", () => {
  it("makes no transaction if the world sent it", () => {
    const v = new TestWorld(sandbox).agent("alice");
    const [length, before] = [v.committed.length, v.text()];
    expectRefused(v.submit(freezes("alice", 1)), "invalid_argument");
    expect([v.committed.length, v.text()]).toEqual([length, before]);
  });

  it("is recorded if an agent sent it, and changes only the agent's counters and inboxes", () => {
    const v = new TestWorld(sandbox).agent("alice").agent("bob");
    v.writes("alice", "note", { content: "x", access: "genesis_contract_private" });
    const withoutCounters = (text: string) => {
      const { world, agents, usages, inboxes, ...rest } = JSON.parse(text);
      return rest;
    };
    const before = withoutCounters(v.text());
    const refused = [
      v.reads("bob", "note"),
      v.reads("bob", "nothing"),
      v.writes("bob", "note", { content: "y" }),
      v.calls("bob", "note"),
      v.calls("bob", "genesis_ledger.transfer", ["alice", 101]),
      v.calls("bob", "genesis_ledger.transfer", ["unknown", 1]),
      v.acts("bob", { steal: {} }),
      v.acts("bob", null),
    ];
    expect(refused.map(({ success }) => success)).toEqual(refused.map(() => false));
    expect(withoutCounters(v.text())).toEqual(before);
  });
});
