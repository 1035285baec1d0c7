import { describe, expect, it } from "vitest";
import {
  asId,
  type Call,
  type Command,
  decide,
  type Ran,
  type Subject,
} from "../../../src/kernel/index.ts";

import {
  accepts,
  by,
  deletes,
  inside,
  offersOwnership,
  opens,
  pays,
  transfers,
  writes,
} from "../../support/commands.ts";
import {
  accountOf,
  agent,
  artifactOf,
  balances,
  given,
  givenIn,
  note,
  type Past,
  program,
  refusesInOrder,
  type Scene,
  standing,
} from "../../support/given-when-then.ts";
import { physicsWith } from "../../support/physics.ts";

const ALICE = agent("alice");
const BOB = agent("bob");

/** Opens a call that must be allowed. */
const open = (scene: Scene, command: ReturnType<typeof opens>): Call => {
  const decision = decide(scene.state, command);
  expect(decision).toMatchObject({ kind: "accepted" });
  scene.when(command);
  if (decision.kind !== "accepted") throw new Error("unreachable");
  return decision.answer;
};

const ran = (more: Partial<Ran> = {}): Ran => ({ state: null, gas: 7, log: "", ...more });
const close = (call: Call, more?: Partial<Ran>): Command => ({
  kind: "close_invocation",
  call,
  ran: ran(more),
});

const heldBy = (scene: Scene, id: string) => accountOf(scene.state, id).held;
const holdsOf = (scene: Scene) =>
  [...scene.state.holds.rows()].map(({ owner, amount }) => [owner, amount]);

const ADD = {
  description: "",
  methods: [
    {
      name: "run",
      description: "",
      input_schema: { properties: { n: { type: "integer" } }, required: ["n"] },
    },
  ],
};

describe("calling a program", () => {
  it("pays the price to its owner and lets the code run as the program itself", () => {
    const scene = given(ALICE, BOB, program("tool", "alice", { price: 5 }));
    const call = open(scene, opens("bob", "tool", { args: [1] }));
    expect(call).toMatchObject({
      method: "run",
      args: [1],
      price: 5,
      paidTo: "alice",
      self: { actor: "tool", origin: "bob", purse: null, stack: ["tool"], readOnly: false },
    });
    scene.when(close(call, { gas: 120, log: "hi" })).thenHappened({
      kind: "artifact_invoked",
      artifact_id: "tool",
      caller: "bob",
      depth: 0,
      price: 5,
      paid_to: "alice",
      gas: 120,
      log: "hi",
    });
    expect(balances(scene.state)).toEqual({ alice: 105, bob: 95 });
  });

  it("is checked from the id down to the money", () => {
    const past: readonly Past[] = [
      ALICE,
      agent("poor", { scrip: 9 }),
      note("dead", "alice"),
      deletes("alice", "dead"),
      note("text", "alice"),
      program("inner", "alice"),
      program("closed", "alice", { access: "genesis_contract_private" }),
      program("dear", "alice", { price: 5, interface: ADD }),
    ];
    const scene = given(...past);
    const of =
      (artifact: string, more: object = {}) =>
      (command: ReturnType<typeof opens>) => ({
        ...command,
        request: { ...command.request, artifact_id: asId(artifact), ...more },
      });
    const deep: Subject = { ...by("poor"), stack: ["inner", "b", "c", "d", "e"].map(asId) };
    const worst = opens(deep, "nothing", {
      method: "fly",
      args: ["x".repeat(5_000)],
      scrip: 5,
      artifacts: ["text"],
      max_price: 4,
    });
    refusesInOrder(scene, worst, [
      ["not_found", /no artifact/, of("dead")],
      ["deleted", null, of("text")],
      ["invalid_type", /has no code/, of("inner")],
      ["not_found", /no method "fly"; it has: run/, of("inner", { method: "run" })],
      ["reentrant_call", null, of("closed")],
      ["depth_exceeded", /nested 5 deep/, { by: by("poor") }],
      ["invalid_argument", /args are 5004 bytes/, of("closed", { args: ["x"] })],
      ["not_authorized", null, of("dear")],
      ["interface_mismatch", null, of("dear", { args: ["4"] })],
      ["price_exceeded", /costs 5/, of("dear", { max_price: 5 })],
      [
        "not_owner",
        /poor cannot attach text, which alice owns/,
        of("dear", { attach: { scrip: 5, artifacts: [] } }),
      ],
      [
        "insufficient_funds",
        /takes 10 scrip and poor has 9/,
        of("dear", { attach: { scrip: 4, artifacts: [] } }),
      ],
    ]).thenHappened(
      { kind: "scrip_transferred", amount: 5, reason: "price" },
      { kind: "scrip_held", from: "poor", amount: 4 },
    );
  });

  it("costs its owner nothing", () => {
    const scene = given(ALICE, program("tool", "alice", { price: 5 }));
    const call = open(scene, opens("alice", "tool", { max_price: 0 }));
    expect(call).toMatchObject({ price: 0, paidTo: null });
    expect(balances(scene.state)).toEqual({ alice: 100 });
  });

  it("costs its owner's other programs what it costs anybody", () => {
    const scene = given(
      ALICE,
      program("tool", "alice", { price: 5 }),
      standing("shop", "alice", { scrip: 10 }),
    );
    open(scene, opens(inside("alice", "shop"), "tool"));
    expect(balances(scene.state)).toEqual({ alice: 95, shop: 5 });
  });

  it("counts calls, customers and what they paid; the owner's own are no customers", () => {
    const scene = given(ALICE, BOB, program("tool", "alice", { price: 5 }));
    for (const who of ["bob", "alice", "bob"]) scene.when(close(open(scene, opens(who, "tool"))));
    const tool = asId("tool");
    expect(scene.state.trades.get(tool)).toMatchObject({ calls: 3, callsByOthers: 2, revenue: 10 });
    expect([...scene.state.customers.rows()]).toEqual([
      { artifact: "tool", principal: "bob", calls: 2, paid: 10, paidTo: { alice: 10 } },
    ]);
  });

  it.each(["constructor", "toString", "valueOf"])("counts what %s is paid like anybody", (odd) => {
    const scene = given(agent(odd), BOB, program("tool", odd, { price: 5 }));
    for (let n = 0; n < 2; n++) scene.when(close(open(scene, opens("bob", "tool"))));
    const [customer] = scene.state.customers.rows();
    expect(Object.entries(customer?.paidTo ?? {})).toEqual([[odd, 10]]);
  });

  it("goes five deep and not six", () => {
    const programs = ["a", "b", "c", "d", "e", "f"].map((id) => program(id, "alice"));
    const scene = given(ALICE, ...programs);
    let actor: Subject = by("alice");
    for (const id of ["a", "b", "c", "d", "e"]) actor = open(scene, opens(actor, id)).self;
    scene.when(opens(actor, "f")).thenRefused("depth_exceeded");
    scene.when(opens(actor, "a")).thenRefused("reentrant_call");
  });
});

describe("keeping state", () => {
  const TOOL: readonly Past[] = [agent("alice", { disk: 200 }), BOB, program("tool", "alice")];

  it("charges the owner's disk, whoever called", () => {
    const scene = given(...TOOL);
    scene
      .when(close(open(scene, opens("bob", "tool")), { state: '{"n":1}' }))
      .thenHappened(
        { kind: "artifact_state_changed", artifact_id: "tool", state: '{"n":1}' },
        "artifact_invoked",
      );
    expect(artifactOf(scene.state, "tool").state).toBe('{"n":1}');
  });

  it("is refused where it does not fit the owner's disk", () => {
    const scene = given(...TOOL);
    const call = open(scene, opens("bob", "tool"));
    scene
      .when(close(call, { state: JSON.stringify("x".repeat(300)) }))
      .thenRefused("insufficient_disk", /the state of tool needs/);
  });

  it("is nothing where the state is as it was", () => {
    const scene = given(...TOOL);
    scene
      .when(close(open(scene, opens("bob", "tool")), { state: "{}" }))
      .thenHappened("artifact_invoked");
  });

  it("keeps what was rewritten meanwhile, and costs whoever owns it by then", () => {
    const scene = given(...TOOL, (state) => state.undo.forget());
    const call = open(scene, opens("bob", "tool"));
    scene.when(writes("alice", "tool", { content: "rewritten", price: 9 }));
    scene.when(offersOwnership("alice", "tool", "bob"));
    scene.when(accepts("bob", "tool"));
    scene.when(close(call, { state: "[1]" }));
    expect(artifactOf(scene.state, "tool")).toMatchObject({
      content: "rewritten",
      price: 9,
      owner: "bob",
      state: "[1]",
    });
  });

  it("is not for a contract", () => {
    const scene = given(...TOOL);
    const call = open(scene, opens({ ...by("bob"), readOnly: true }, "tool"));
    scene
      .when(close(call, { state: "[1]" }))
      .thenRefused("not_authorized", /may only read; it cannot pay or change/);
  });
});

describe("a purse", () => {
  const PAST: readonly Past[] = [
    ALICE,
    BOB,
    program("outer", "alice"),
    program("inner", "alice", { price: 3 }),
    program("last", "alice"),
  ];

  it("holds what is attached to a program without an account, and gives back what is left", () => {
    const scene = given(...PAST);
    const call = open(scene, opens("bob", "outer", { scrip: 20 }));
    expect(balances(scene.state)).toEqual({ alice: 100, bob: 80 });
    expect([heldBy(scene, "bob"), holdsOf(scene)]).toEqual([20, [["bob", 20]]]);
    scene.when(pays(call.self, "alice", 8)).thenHappened({
      kind: "hold_spent",
      to: "alice",
      amount: 8,
      reason: "pay",
    });
    scene.when(close(call)).thenHappened({ kind: "hold_released", into: null }, "artifact_invoked");
    expect(balances(scene.state)).toEqual({ alice: 108, bob: 92 });
    expect([heldBy(scene, "bob"), holdsOf(scene)]).toEqual([0, []]);
  });

  it("cannot be spent twice, nor beyond its end", () => {
    const scene = given(...PAST);
    const call = open(scene, opens("bob", "outer", { scrip: 20 }));
    scene
      .when(pays(call.self, "alice", 21))
      .thenRefused("insufficient_funds", /this call's purse has 20/);
    scene.when(pays(call.self, "alice", 20));
    scene.when(pays(call.self, "alice", 1)).thenRefused("insufficient_funds", /purse has 0/);
    scene.when(close(call));
    scene.when(pays(call.self, "alice", 1)).thenRefused("insufficient_funds");
  });

  it("pays prices and is split for calls further down, and takes back what they leave", () => {
    const scene = given(...PAST);
    const outer = open(scene, opens("bob", "outer", { scrip: 20 }));
    const inner = open(scene, opens(outer.self, "inner", { scrip: 10 }));
    expect(holdsOf(scene)).toEqual([
      ["bob", 7],
      ["bob", 10],
    ]);
    scene.when(pays(outer.self, "alice", 8)).thenRefused("insufficient_funds");
    const last = open(scene, opens(inner.self, "last", { scrip: 4 }));
    scene.when(pays(last.self, "alice", 1));
    scene.when(close(last));
    scene.when(close(inner));
    expect(holdsOf(scene)).toEqual([["bob", 16]]);
    scene.when(close(outer));
    expect(balances(scene.state)).toEqual({ alice: 104, bob: 96 });
    expect(heldBy(scene, "bob")).toBe(0);
  });

  it("can pay whoever filled it", () => {
    const scene = given(...PAST);
    const call = open(scene, opens("bob", "outer", { scrip: 20 }));
    scene.when(pays(call.self, "bob", 5));
    scene.when(close(call));
    expect(balances(scene.state)).toEqual({ alice: 100, bob: 100 });
    expect(heldBy(scene, "bob")).toBe(0);
  });

  it("is all that a program without an account has", () => {
    const scene = given(...PAST);
    const call = open(scene, opens("alice", "outer"));
    scene
      .when(pays(call.self, "bob", 1))
      .thenRefused("insufficient_funds", /a program without standing, .* has 0/);
    scene.when(opens(call.self, "inner")).thenRefused("insufficient_funds");
    scene.when(opens(call.self, "last", { scrip: 1 })).thenRefused("insufficient_funds");
  });

  it("pays for genesis too", () => {
    const physics = physicsWith({ genesis: { costs: { genesis_ledger: { transfer: 2 } } } });
    const scene = givenIn(physics, ...PAST);
    const call = open(scene, opens("bob", "outer", { scrip: 5 }));
    const transfer = (amount: number) => transfers(call.self, "alice", amount);
    scene.when(transfer(4)).thenRefused("insufficient_funds", /takes 6 scrip/);
    scene
      .when(transfer(3))
      .thenHappened(
        { kind: "hold_spent", to: null, amount: 2, reason: "burned" },
        { kind: "hold_spent", to: "alice", amount: 3, reason: "transfer" },
      );
    scene.when(close(call));
    expect(balances(scene.state)).toEqual({ alice: 103, bob: 95 });
  });

  it("goes back to the right place when its holder is given an account while it runs", () => {
    const scene = given(...PAST, standing("giver", "alice"), (state) => state.undo.forget());
    // `giver` owns `outer`, and is called by it.
    scene.when(offersOwnership("alice", "outer", "giver"));
    scene.when(accepts(inside("alice", "giver"), "outer"));
    const outer = open(scene, opens("alice", "outer", { scrip: 20 }));
    scene.when(writes(inside("alice", "outer", "giver"), "outer", { has_standing: true }));
    scene.when(pays("bob", "outer", 30));
    const last = open(scene, opens(outer.self, "last", { scrip: 12 }));
    expect(holdsOf(scene)).toEqual([
      ["alice", 20],
      ["outer", 12],
    ]);
    scene.when(close(last)).thenHappened({ kind: "hold_released", into: null }, "artifact_invoked");
    scene.when(close(outer));
    expect(balances(scene.state)).toEqual({ alice: 100, bob: 70, giver: 0, outer: 30 });
    expect([heldBy(scene, "alice"), heldBy(scene, "outer")]).toEqual([0, 0]);
  });
});

describe("attaching to a program with an account", () => {
  const PAST: readonly Past[] = [
    ALICE,
    BOB,
    standing("shop", "alice", { disk: 120 }),
    note("poem", "bob", { artifact_type: "t", content: "x".repeat(59) }),
    note("song", "bob", { artifact_type: "t", content: "x".repeat(59) }),
    note("dirge", "bob", { artifact_type: "t", content: "x" }),
  ];

  it("hands it scrip and artifacts at once", () => {
    const scene = given(...PAST);
    scene
      .when(opens("bob", "shop", { scrip: 5, artifacts: ["poem", "song"] }))
      .thenHappened(
        { kind: "scrip_transferred", from: "bob", to: "shop", amount: 5, reason: "attached" },
        { kind: "ownership_transferred", artifact_id: "poem", from: "bob", to: "shop" },
        { kind: "ownership_transferred", artifact_id: "song", from: "bob", to: "shop" },
      );
    expect(balances(scene.state)).toEqual({ alice: 100, bob: 95, shop: 5 });
  });

  it("needs room for all of it together", () => {
    given(...PAST)
      .when(opens("bob", "shop", { artifacts: ["poem", "song", "dirge"] }))
      .thenRefused("insufficient_disk", /what is attached needs 122/);
  });

  it("is refused for artifacts where the program has no account", () => {
    given(...PAST, program("tool", "alice"))
      .when(opens("bob", "tool", { artifacts: ["poem"] }))
      .thenRefused("invalid_argument", /only principals can own/);
  });

  it("never makes a circle of owners", () => {
    const scene = given(
      ALICE,
      standing("a", "alice", { disk: 900 }),
      standing("b", inside("alice", "a")),
    );
    scene
      .when(opens("alice", "b", { artifacts: ["a"] }))
      .thenRefused("invalid_argument", /b belongs to a/);
    scene
      .when(opens("alice", "a", { artifacts: ["alice"] }))
      .thenRefused("invalid_argument", /a belongs to/);
  });

  it("lets a program be handed to itself, and then it is its own", () => {
    const scene = given(ALICE, standing("free", "alice", { disk: 900 }));
    const call = open(scene, opens("alice", "free", { artifacts: ["free"] }));
    scene.when(close(call, { state: "[1]" }));
    const account = scene.state.accounts.get(asId("free"));
    expect(artifactOf(scene.state, "free").owner).toBe("free");
    expect(account?.diskUsed).toBe(artifactOf(scene.state, "free").sizeBytes);
  });

  it("moves nothing when an agent calls its own code", () => {
    const scene = given(
      agent("alice", { disk: 150 }),
      writes("alice", "alice", { code: "function run() {}" }),
      note("poem", "alice", { content: "x".repeat(100) }),
    );
    scene.when(opens("alice", "alice", { scrip: 40, artifacts: ["poem"] })).thenHappened();
    scene.when(opens("alice", "alice", { scrip: 101 })).thenRefused("insufficient_funds");
  });
});

describe("a call that fails", () => {
  it("is recorded with its code, and counted against the program", () => {
    const scene = given(ALICE, BOB, program("tool", "alice"));
    scene
      .when({
        kind: "fail_invocation",
        by: by("bob"),
        request: { artifact_id: asId("tool"), method: "run" },
        failed: {
          refusal: { code: "runtime_error", message: "no", retriable: false },
          gas: 55,
          timedOut: false,
          log: "",
        },
      })
      .thenHappened({
        kind: "invocation_failed",
        artifact_id: "tool",
        caller: "bob",
        code: "runtime_error",
        gas: 55,
        timed_out: false,
      });
    expect(scene.state.trades.get(asId("tool"))).toMatchObject({ failures: 1, calls: 0 });
  });
});
