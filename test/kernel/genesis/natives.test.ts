import { describe, expect, it } from "vitest";
import {
  asId,
  decide,
  fitArgs,
  nativesIn,
  type Physics,
  REFUSAL_CODES,
} from "../../../src/kernel/index.ts";
import { stateText } from "../../../src/world/index.ts";
import { accepts, by, calls, deletes, permit, transfers } from "../../support/commands.ts";
import { PHYSICS, physicsWith } from "../../support/physics.ts";
import {
  agent,
  contract,
  given,
  givenIn,
  note,
  refusesInOrder,
  standing,
} from "../../support/scenario.ts";

const ALICE = agent("alice");
const BOB = agent("bob");

const COSTLY = physicsWith({
  genesis: {
    costs: {
      genesis_ledger: { transfer: 2, balance: 1, accept: 60 },
      genesis_store: { delete: 5 },
    },
  },
});

describe("a call of a genesis artifact", () => {
  it("is checked in order, from the id to the money", () => {
    const scene = givenIn(COSTLY, agent("alice", { scrip: 5 }), BOB);
    const method = (name: string) => ({ artifact_id: asId("genesis_ledger"), method: name });
    const attach = (scrip: number, ...artifacts: readonly string[]) => ({
      attach: { scrip, artifacts: artifacts.map(asId) },
    });
    const worst = calls({ ...by("alice"), readOnly: true }, "genesis_moon.fly", {
      args: ["bob", "much", "x".repeat(5_000)],
      scrip: 1,
      max_price: 1,
    });
    const noAttachments = /accepts no attached (artifacts|scrip; leave out attach)$/;
    refusesInOrder(scene, worst, [
      ["not_found", /does not exist in this world/, method("fly")],
      ["not_found", /no method "fly"; it has: describe, balance/, method("transfer")],
      ["not_authorized", /may only read; it cannot pay or change/, { by: by("alice") }],
      ["invalid_argument", noAttachments, attach(0, "x")],
      ["invalid_argument", noAttachments, attach(0)],
      ["interface_mismatch", /scrip must be integer/, { args: ["bob", 6] }],
      ["price_exceeded", /costs 2/, { max_price: 2 }],
      ["insufficient_funds", /takes 8 scrip, but alice has 5/, { args: ["bob", 3] }],
    ]).thenHappened([
      { kind: "scrip_burned", from: "alice", amount: 2, reason: "genesis_ledger.transfer" },
      { kind: "scrip_transferred", from: "alice", to: "bob", amount: 3 },
    ]);
    expect(scene.balances()).toEqual({ alice: 0, bob: 103 });
  });

  it("burns its cost, also for a query", () => {
    givenIn(COSTLY, ALICE)
      .when(calls("alice", "genesis_ledger.balance"))
      .thenHappened({ kind: "scrip_burned", amount: 1 })
      .thenAnswered({ id: "alice", scrip: 100 });
  });

  it("costs nothing if it is refused", () => {
    const scene = givenIn(COSTLY, ALICE, note("poem", "alice"));
    scene.when(accepts("alice", "poem")).thenRefused("not_found");
    expect(scene.balances()).toEqual({ alice: 100 });
  });

  it("must be affordable together with the toll of an access contract", () => {
    const guarded = [contract("door", "bob"), note("wall", "bob", { access: "door" })];
    const scene = givenIn(COSTLY, agent("alice", { scrip: 9 }), BOB, ...guarded);
    const remove = (cost: number, max_price: number | null = null) => ({
      ...deletes("alice", "wall"),
      permit: permit("door", { cost }),
      max_price,
    });
    scene.when(remove(5)).thenRefused("insufficient_funds", /takes 10 scrip, but alice has 9/);
    scene.when(remove(4, 8)).thenRefused("price_exceeded", /costs 9 scrip now/);
    scene.when(remove(4, 9)).thenHappened([
      { kind: "scrip_burned", amount: 5 },
      { kind: "scrip_transferred", amount: 4 },
      { kind: "artifact_deleted", by: "alice" },
    ]);
    expect(scene.balances()).toEqual({ alice: 0, bob: 104 });
  });

  it("is refused if the sum of cost and amount is too large", () => {
    const dear = Number.MAX_SAFE_INTEGER;
    const physics = physicsWith({ genesis: { costs: { genesis_ledger: { transfer: dear } } } });
    const scene = givenIn(physics, ALICE, BOB);
    scene.when(transfers("alice", "bob", dear)).thenRefused("insufficient_funds");
  });

  it("has arguments of limited size", () => {
    const long = calls("alice", "genesis_store.list", { args: [{ text: "x".repeat(5_000) }] });
    const tooLong = /bytes of JSON; the maximum is 5000/;
    given(ALICE).when(long).thenRefused("invalid_argument", tooLong);
  });

  it("is refused if the world has no such artifact", () => {
    givenIn(physicsWith({ genesis: { enabled: ["ledger"] } }), ALICE)
      .when(calls("alice", "genesis_store.count"))
      .thenRefused("not_found", /does not exist in this world/);
  });

  it.each(nativesIn(PHYSICS))("to $id.describe lists its methods", ({ id, methods }) => {
    const { answer } = given(ALICE).when(calls("alice", `${id}.describe`));
    expect(answer).toMatchObject({ methods: methods.map(({ name }) => ({ name })) });
  });

  it("has the methods for the sale of its world", () => {
    const namesIn = (sale: Physics["compute"]["sale"], supply_micros = 1_000) => {
      const physics = physicsWith({ compute: { sale, supply_micros } });
      const { answer } = givenIn(physics, ALICE).when(calls("alice", "genesis_compute.describe"));
      const { methods } = answer as { methods: readonly { name: string }[] };
      return methods.map(({ name }) => name).join(" ");
    };
    expect(namesIn("auction", 0)).toBe("status");
    expect(namesIn("auction")).toBe("status bid cancel standing history");
    expect(namesIn("posted")).toBe("status standing buy");
    expect(namesIn("equal")).toBe("status");
    expect(namesIn("none")).toBe("status");
  });
});

const METHODS = nativesIn(PHYSICS).flatMap(({ id, methods }) =>
  methods.map((method) => [`${id}.${method.name}`, method] as const),
);

const QUERIES = METHODS.filter(([, { writes }]) => !writes);

const INVALID = [
  ...[null, true, -1, 0, 1.5, 2 ** 53, 1e300],
  ...["", "-0", "5", "alice", "unknown", "a b", "x".repeat(300), "constructor", "__proto__"],
  ...[[], [[]], {}],
  { owner: 5, type: [], text: {}, limit: -3, after: "no", sort: {}, kind: [], principal: 1 },
  { limit: 1e300, after: 1e300 },
];

describe("every method of genesis", () => {
  it.each(METHODS)("%s: its examples fit its schema", (_, method) => {
    for (const { args } of method.examples(PHYSICS)) {
      const { name, input_schema } = method;
      expect(fitArgs({ name, input_schema }, args)).toMatchObject({
        kind: "accepted",
        answer: args,
      });
    }
  });

  it.each(METHODS)("%s: it refuses invalid arguments", (name, method) => {
    const { state } = given(ALICE, BOB, note("poem", "alice"), standing("bank", "alice"));
    const arity = Object.keys((method.input_schema.properties ?? {}) as object).length;
    const before = stateText(state);
    for (const first of INVALID) {
      for (const second of INVALID) {
        const args = [first, second, 1].slice(0, Math.max(1, arity));
        const decision = decide(state, calls("alice", name, { args }));
        if (decision.kind === "refused") expect(REFUSAL_CODES).toContain(decision.refusal.code);
        else expect(decision.kind).toBe("accepted");
      }
    }
    expect(stateText(state)).toBe(before);
  });

  it.each(QUERIES)("%s: it is a query and changes nothing", (name, method) => {
    const scene = given(ALICE, BOB, note("my_tool", "alice"));
    const args = [...(method.examples(PHYSICS)[0]?.args ?? [])];
    scene.when(calls("alice", name, { args })).thenHappened();
  });
});
