import { describe, expect, it } from "vitest";
import {
  asId,
  decide,
  fitArgs,
  type Json,
  NATIVES,
  REFUSAL_CODES,
} from "../../../src/kernel/index.ts";

import { stateText } from "../../../src/world/state-codec/state-codec.ts";
import { accepts, by, calls, permit, transfers } from "../../support/commands.ts";
import {
  agent,
  balances,
  contract,
  given,
  givenIn,
  note,
  type Past,
  refusesInOrder,
  standing,
} from "../../support/given-when-then.ts";
import { physicsWith } from "../../support/physics.ts";

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

describe("calling genesis", () => {
  it("is checked from the id down to the cost", () => {
    const scene = givenIn(COSTLY, agent("alice", { scrip: 5 }), BOB);
    const of =
      (native: string, more: object = {}) =>
      (command: ReturnType<typeof calls>) => {
        const [artifact = "", method = ""] = native.split(".");
        return { ...command, artifact_id: asId(artifact), method, ...more };
      };
    const looking = { ...by("alice"), readOnly: true };
    const worst = calls(looking, "genesis_moon.fly", {
      args: ["bob", "much", "x".repeat(5_000)],
      scrip: 1,
      max_price: 1,
    });
    refusesInOrder(scene, worst, [
      ["not_found", /does not exist in this world/, of("genesis_ledger.fly")],
      ["not_found", /no method "fly"; it has: describe, balance/, of("genesis_ledger.transfer")],
      ["not_authorized", /may only read; it cannot pay or change/, { by: by("alice") }],
      [
        "invalid_argument",
        /accepts no attached (artifacts|scrip)/,
        { attach: { scrip: 0, artifacts: [asId("x")] } },
      ],
      [
        "invalid_argument",
        /accepts no attached (artifacts|scrip)/,
        { attach: { scrip: 0, artifacts: [] } },
      ],
      ["interface_mismatch", /scrip must be integer/, { args: ["bob", 6] }],
      ["price_exceeded", /costs 2/, { max_price: 2 }],
      ["insufficient_funds", /takes 8 scrip and alice has 5/, { args: ["bob", 3] }],
    ]).thenHappened(
      { kind: "scrip_burned", from: "alice", amount: 2, reason: "genesis_ledger.transfer" },
      { kind: "scrip_transferred", from: "alice", to: "bob", amount: 3 },
    );
    expect(balances(scene.state)).toEqual({ alice: 0, bob: 103 });
  });

  it("burns its cost, also for a look", () => {
    const scene = givenIn(COSTLY, ALICE);
    scene
      .when(calls("alice", "genesis_ledger.balance"))
      .thenHappened({ kind: "scrip_burned", amount: 1 })
      .thenAnswered({ id: "alice", scrip: 100 });
  });

  it("costs nothing when it is refused", () => {
    const scene = givenIn(COSTLY, ALICE, note("poem", "alice"));
    scene.when(accepts("alice", "poem")).thenRefused("not_found");
    expect(balances(scene.state)).toEqual({ alice: 100 });
  });

  it("adds its cost to the toll of a contract before looking whether both can be paid", () => {
    const past: readonly Past[] = [
      agent("alice", { scrip: 9 }),
      BOB,
      contract("door", "bob"),
      note("wall", "bob", { access: "door" }),
    ];
    const remove = (cost: number, max_price: number | null = null) =>
      calls("alice", "genesis_store.delete", {
        args: ["wall"],
        permit: permit("door", { cost }),
        max_price,
      });
    const scene = givenIn(COSTLY, ...past);
    scene.when(remove(5)).thenRefused("insufficient_funds", /takes 10 scrip and alice has 9/);
    scene.when(remove(4, 8)).thenRefused("price_exceeded", /costs 9 scrip now/);
    scene
      .when(remove(4, 9))
      .thenHappened(
        { kind: "scrip_burned", amount: 5 },
        { kind: "scrip_transferred", amount: 4 },
        "artifact_deleted",
      );
    expect(balances(scene.state)).toEqual({ alice: 0, bob: 104 });
  });

  it("cannot cost more than can be counted", () => {
    const dear = Number.MAX_SAFE_INTEGER;
    const physics = physicsWith({ genesis: { costs: { genesis_ledger: { transfer: dear } } } });
    givenIn(physics, ALICE, BOB)
      .when(transfers("alice", "bob", dear))
      .thenRefused("insufficient_funds");
  });

  it("bounds the length of arguments", () => {
    given(ALICE)
      .when(calls("alice", "genesis_store.list", { args: [{ text: "x".repeat(5_000) }] }))
      .thenRefused("invalid_argument", /bytes of JSON; the maximum is 5000/);
  });

  it("is for what the world was made with", () => {
    const bare = physicsWith({ genesis: { enabled: ["ledger"] } });
    givenIn(bare, ALICE)
      .when(calls("alice", "genesis_store.count"))
      .thenRefused("not_found", /does not exist in this world/);
  });

  it.each(NATIVES.map((native) => [native.id, native] as const))(
    "%s describes itself",
    (id, native) => {
      const judged = given(ALICE).when(calls("alice", `${id}.describe`));
      const names = native.methods.map(({ name }) => name);
      expect(
        (judged.answer as { methods: { name: string }[] }).methods.map(({ name }) => name),
      ).toEqual(names);
    },
  );
});

const METHODS = NATIVES.flatMap(({ id, methods }) =>
  methods.map((method) => [`${id}.${method.name}`, method] as const),
);

/** What agents send instead of what a method takes. */
const NONSENSE: readonly Json[] = [
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 53,
  1e300,
  "",
  "-0",
  "5",
  "alice",
  "nobody",
  "a b",
  "x".repeat(300),
  "constructor",
  "__proto__",
  [],
  [[]],
  {},
  { owner: 5, type: [], text: {}, limit: -3, after: "no", sort: {}, kind: [], principal: 1 },
  { limit: 1e300, after: 1e300 },
];

describe("every method of genesis", () => {
  it.each(METHODS)("%s: its examples fit what it says it takes", (_, method) => {
    for (const { args } of method.examples) {
      expect(fitArgs(method, args)).toMatchObject({ kind: "accepted", answer: args });
    }
  });

  it.each(METHODS)("%s: no nonsense breaks it", (name, method) => {
    const { state } = given(ALICE, BOB, note("poem", "alice"), standing("bank", "alice"));
    const arity = Object.keys((method.input_schema.properties ?? {}) as object).length;
    const before = stateText(state);
    for (const first of NONSENSE) {
      for (const second of NONSENSE) {
        const args = [first, second, 1].slice(0, Math.max(1, arity));
        const decision = decide(state, calls("alice", name, { args }));
        if (decision.kind === "refused") expect(REFUSAL_CODES).toContain(decision.refusal.code);
        else expect(decision.kind).toBe("accepted");
      }
    }
    expect(stateText(state)).toBe(before);
  });

  it.each(METHODS)("%s: a look changes nothing", (name, method) => {
    if (method.writes) return;
    const scene = given(ALICE, BOB, note("my_tool", "alice"));
    const args = [...(method.examples[0]?.args ?? [])];
    scene.when(calls("alice", name, { args })).thenHappened();
  });
});
