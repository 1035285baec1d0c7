import { afterAll, describe, expect, it } from "vitest";
import { asId, InvariantBroken, must } from "../../src/kernel/index.ts";

import { type Outcome, sandboxFor } from "../../src/world/index.ts";
import { PHYSICS } from "../support/physics.ts";
import { resultOf, Village } from "../support/world.ts";

const sandbox = sandboxFor(PHYSICS);
afterAll(() => sandbox.close());

/** A journal that can be told to take no more. */
const moody = () => {
  const mood = { full: false };
  const append = (): void => {
    if (mood.full) throw new Error("the disk is full");
  };
  return { mood, journal: { append } };
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
  const troubled = () => {
    const { mood, journal } = moody();
    const v = new Village(sandbox, { journal }).agent("alice").agent("bob");
    v.standing("alice", "busy", { code: BUSY, scrip: 20 });
    for (const id of ["old", "kept"]) v.writes("alice", id, { content: "x" });
    v.must(v.calls("alice", "busy.take", [], { attach: { artifacts: ["old", "kept"] } }));
    return { v, mood };
  };

  it("has not happened: everything is as it was, to the bit", () => {
    const { v, mood } = troubled();
    const before = v.text();
    const [newest, popular] = [[...v.state.catalogue.newest({})], v.state.catalogue.popular(50)];
    mood.full = true;
    expect(() => v.calls("alice", "busy", ["bob"], { attach: { scrip: 3 } })).toThrow(
      "disk is full",
    );
    expect(() => v.agent("carol")).toThrow("disk is full");
    expect(() => v.acts("bob", { noop: {} })).toThrow("disk is full");
    expect(v.text()).toBe(before);
    expect([...v.state.catalogue.newest({})]).toEqual(newest);
    expect(v.state.catalogue.popular(50)).toEqual(popular);
  });

  it("leaves dice, numbers and ids to those that come after it", () => {
    const told = (breaks: boolean) => {
      const { v, mood } = troubled();
      if (breaks) {
        mood.full = true;
        expect(() => v.calls("alice", "busy", ["bob"])).toThrow();
        mood.full = false;
      }
      const roll = resultOf(v.calls("alice", "busy", ["bob"]));
      return [roll, v.told, v.text()];
    };
    expect(told(true)).toEqual(told(false));
  });

  it("is told to no one", () => {
    const { v, mood } = troubled();
    const length = v.committed.length;
    mood.full = true;
    expect(() => v.acts("bob", { noop: {} })).toThrow();
    expect(v.committed).toHaveLength(length);
  });
});

/** Someone tampers with the tables behind the world's back. */
const makeRich = (id: string, { state }: Village): void => {
  const row = must(state.accounts.get(asId(id)), "there is such an account");
  state.accounts.put(row.id, { ...row, scrip: 1_000_000 });
  state.undo.forget();
};

describe("a transaction that breaks a rule", () => {
  it("stops the world before the journal has it", () => {
    const v = new Village(sandbox).agent("alice").agent("bob");
    const length = v.committed.length;
    makeRich("bob", v);
    expect(() => v.acts("alice", { noop: {} })).toThrow(InvariantBroken);
    expect(v.committed).toHaveLength(length);
  });

  it("is looked for the less often the more there is to look at, as of the last look", () => {
    const v = new Village(sandbox).agent("alice").agent("bob");
    const acts = (): Outcome =>
      v.world.submit({
        kind: "take_action",
        at_ms: v.atMs,
        principal: asId("alice"),
        action: { noop: {} },
      });
    let size = 1_500;
    Object.defineProperty(v.state.artifacts, "size", { get: () => size });
    acts();
    makeRich("bob", v);
    // What has come since does not count.
    size = 1_000_000;
    expect(acts()).toMatchObject({ success: true });
    expect(acts).toThrow(InvariantBroken);
  });
});

describe("what is not asked for", () => {
  it("is not recorded: a refused command of the world's own makes no transaction", () => {
    const v = new Village(sandbox).agent("alice");
    const [length, before] = [v.committed.length, v.text()];
    const outcome = v.submit({
      kind: "freeze_agent",
      at_ms: v.atMs,
      agent: asId("alice"),
      needs_micros: 1,
    });
    expect(outcome).toMatchObject({ success: false, error_code: "invalid_argument" });
    expect([v.committed.length, v.text()]).toEqual([length, before]);
  });

  it("of an agent is recorded as refused, and changes nothing but its own counts", () => {
    const v = new Village(sandbox).agent("alice").agent("bob");
    v.writes("alice", "note", { content: "x", access: "genesis_contract_private" });
    const but = (text: string) => {
      const { world, agents, usages, ...rest } = JSON.parse(text);
      return rest;
    };
    const before = but(v.text());
    const refused = [
      v.reads("bob", "note"),
      v.reads("bob", "nothing"),
      v.writes("bob", "note", { content: "y" }),
      v.calls("bob", "note"),
      v.calls("bob", "genesis_ledger.transfer", ["alice", 101]),
      v.calls("bob", "genesis_ledger.transfer", ["ghost", 1]),
      v.acts("bob", { steal: {} }),
      v.acts("bob", null),
    ];
    expect(refused.map(({ success }) => success)).toEqual(refused.map(() => false));
    expect(but(v.text())).toEqual(before);
  });
});
