import { describe, expect, it } from "vitest";
import { asId, BUILT_IN_MEANING, NATIVES, violations } from "../../src/kernel/index.ts";
import { Meter } from "../../src/world/execution/transaction.ts";
import { openingRequests } from "../../src/world/index.ts";
import { PHYSICS, physicsWith } from "../support/physics.ts";
import { expectRefused, fileSandbox, resultOf, TestWorld } from "../support/test-world.ts";

const sandbox = fileSandbox();

const OPENING = openingRequests(PHYSICS).flatMap((request) =>
  request.kind === "install_artifact" ? [request.id] : [],
);

describe("the opening of a world", () => {
  it("installs genesis, the contracts and the handbook, and keeps all invariants", () => {
    const { state } = new TestWorld(sandbox);
    expect(violations(state)).toEqual([]);
    const expected = [...NATIVES.map(({ id }) => id), ...BUILT_IN_MEANING.keys(), "handbook_toc"];
    expect(OPENING).toEqual(expect.arrayContaining(expected));
    expect([...state.artifacts.keys()]).toEqual(OPENING);
  });

  it("leaves out disabled genesis artifacts and their handbook pages", () => {
    const physics = physicsWith({ genesis: { enabled: ["store"] } });
    const v = new TestWorld(sandbox, { physics }).agent("alice");
    expect(v.owner("genesis_ledger")).toBeUndefined();
    expectRefused(v.calls("alice", "genesis_ledger.balance"), "not_found");
    v.must(v.reads("alice", "handbook_genesis"));
    const page = v.state.artifacts.get(asId("handbook_genesis"))?.content;
    expect(page).toContain("genesis_store");
    expect(page).not.toContain("## genesis_ledger");
  });

  it.each(OPENING)("makes %s readable by everyone and changeable by no one", (id) => {
    const v = new TestWorld(sandbox).agent("alice");
    v.must(v.reads("alice", id));
    const before = v.state.artifacts.get(asId(id));
    const native = (method: string, ...args: readonly string[]) =>
      v.calls("alice", `genesis_${method}`, args);
    const attempts = [
      v.writes("alice", id, { content: "mine" }),
      v.writes("alice", id, { has_standing: true }),
      native("store.delete", id),
      native("store.set_access", id, "genesis_contract_public"),
      v.calls("alice", "genesis_store.set_price", [id, 5]),
      native("ledger.transfer_ownership", id, "alice"),
      native("ledger.accept", id),
    ];
    expect(attempts.map(({ success }) => success)).toEqual(attempts.map(() => false));
    expect(v.state.artifacts.get(asId(id))).toBe(before);
  });

  it.each(NATIVES.map(({ id }) => id))(
    "makes %s callable, with its interface in the artifact",
    (id) => {
      const v = new TestWorld(sandbox).agent("alice");
      const described = resultOf(v.calls("alice", `${id}.describe`)) as {
        readonly methods: readonly { readonly name: string }[];
      };
      const artifact = v.state.artifacts.get(asId(id));
      const names = described.methods.map(({ name }) => name);
      expect(artifact?.methods).toEqual(["describe", ...names]);
      expect(artifact?.interface?.methods.map(({ name }) => name)).toEqual(names);
    },
  );
});

describe("a meter of gas", () => {
  it("never counts past its limit", () => {
    const meter = new Meter(100);
    meter.use(70);
    meter.use(70);
    expect([meter.used, meter.left]).toEqual([100, 0]);
    expect(new Meter(-5).left).toBe(0);
  });

  it("gives a nested call nine tenths of what is left, rounded down", () => {
    expect([100, 99, 1, 0].map((left) => new Meter(left).nested().limit)).toEqual([90, 89, 0, 0]);
  });
});
