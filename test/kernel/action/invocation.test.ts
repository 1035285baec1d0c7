import { describe, expect, it } from "vitest";
import { asId, type Call, type Command, type Subject } from "../../../src/kernel/index.ts";
import {
  accepts,
  by,
  deletes,
  inside,
  offersOwnership,
  opens,
  pays,
  sells,
  transfers,
  writes,
} from "../../support/commands.ts";
import { physicsWith } from "../../support/physics.ts";
import {
  agent,
  given,
  givenIn,
  note,
  type Past,
  program,
  refusesInOrder,
  type Scenario,
  standing,
} from "../../support/scenario.ts";

const ALICE = agent("alice");
const BOB = agent("bob");

/** Opens a call that must be accepted. */
const open = (scene: Scenario, command: ReturnType<typeof opens>): Call =>
  scene.when(command).answer as Call;

const close = (call: Call, more: object = {}): Command => ({
  kind: "close_invocation",
  call,
  ran: { state: null, gas: 7, log: "", notified: [], ...more },
});

const heldBy = (scene: Scenario, id: string) => scene.account(id).held;
const holdsOf = (scene: Scenario) =>
  [...scene.state.holds.rows()].map(({ owner, amount }) => [owner, amount]);

const input_schema = { properties: { n: { type: "integer" } }, required: ["n"] };
const ADD = { description: "", methods: [{ name: "run", description: "", input_schema }] };

describe("a call of a program", () => {
  it("pays the price to the owner and runs the code as the program", () => {
    const scene = given(ALICE, BOB, program("tool", "alice", { price: 5 }));
    const call = open(scene, opens("bob", "tool", { args: [1] }));
    const self = { actor: "tool", origin: "bob", purse: null, stack: ["tool"], readOnly: false };
    expect(call).toMatchObject({ method: "run", args: [1], price: 5, paidTo: "alice", self });
    const ran = { artifact_id: "tool", caller: "bob", depth: 0, gas: 120, log: "hi" };
    const end = close(call, { gas: 120, log: "hi" });
    const paid = { price: 5, paid_to: "alice" };
    scene.when(end).thenHappened({ kind: "artifact_invoked", ...ran, ...paid });
    expect(scene.balances()).toEqual({ alice: 105, bob: 95 });
  });

  it("is checked in order, from the id to the money", () => {
    const scene = given(
      ALICE,
      agent("poor", { scrip: 9 }),
      note("dead", "alice"),
      deletes("alice", "dead"),
      note("text", "alice"),
      program("inner", "alice"),
      program("closed", "alice", { access: "genesis_contract_private" }),
      program("dear", "alice", { price: 5, interface: ADD }),
    );
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
    const attach = (scrip: number) => of("dear", { attach: { scrip, artifacts: [] } });
    refusesInOrder(scene, worst, [
      ["not_found", /no artifact/, of("dead")],
      ["deleted", null, of("text")],
      ["invalid_type", /has no code/, of("inner")],
      ["not_found", /no method "fly"; it has: run/, of("inner", { method: "run" })],
      ["reentrant_call", null, of("closed")],
      ["depth_exceeded", /nested at most 5 deep/, { by: by("poor") }],
      ["invalid_argument", /args are 5004 bytes/, of("closed", { args: ["x"] })],
      ["not_authorized", null, of("dear")],
      ["interface_mismatch", null, of("dear", { args: ["4"] })],
      ["price_exceeded", /costs 5/, of("dear", { max_price: 5 })],
      ["not_owner", /poor cannot attach text, which alice owns/, attach(5)],
      ["insufficient_funds", /takes 10 scrip, but poor has 9/, attach(4)],
    ]).thenHappened([
      { kind: "scrip_transferred", amount: 5, reason: "price" },
      { kind: "scrip_held", from: "poor", amount: 4 },
    ]);
  });

  it("is free for the owner, but not for the owner's programs", () => {
    const shop = standing("shop", "alice", { scrip: 10 });
    const scene = given(ALICE, program("tool", "alice", { price: 5 }), shop);
    const call = open(scene, opens("alice", "tool", { max_price: 0 }));
    expect(call).toMatchObject({ price: 0, paidTo: null });
    expect(scene.balances()).toEqual({ alice: 90, shop: 10 });
    open(scene, opens(inside("alice", "shop"), "tool"));
    expect(scene.balances()).toEqual({ alice: 95, shop: 5 });
  });

  it("is counted with its customer and price; the owner is not a customer", () => {
    const scene = given(ALICE, BOB, program("tool", "alice", { price: 5 }));
    for (const who of ["bob", "alice", "bob"]) scene.when(close(open(scene, opens(who, "tool"))));
    const trade = scene.state.trades.get(asId("tool"));
    expect(trade).toMatchObject({ calls: 3, callsByOthers: 2, revenue: 10 });
    expect([...scene.state.customers.rows()]).toEqual([
      { artifact: "tool", principal: "bob", calls: 2, paid: 10, paidTo: { alice: 10 } },
    ]);
  });

  it.each(["constructor", "toString", "valueOf"])(
    "counts the revenue of an agent named %s",
    (id) => {
      const scene = given(agent(id), BOB, program("tool", id, { price: 5 }));
      for (let n = 0; n < 2; n++) scene.when(close(open(scene, opens("bob", "tool"))));
      const [customer] = scene.state.customers.rows();
      expect(Object.entries(customer?.paidTo ?? {})).toEqual([[id, 10]]);
    },
  );

  it("can be nested five deep, not six", () => {
    const scene = given(ALICE, ...["a", "b", "c", "d", "e", "f"].map((id) => program(id, "alice")));
    let actor: Subject = by("alice");
    for (const id of ["a", "b", "c", "d", "e"]) actor = open(scene, opens(actor, id)).self;
    scene.when(opens(actor, "f")).thenRefused("depth_exceeded");
    scene.when(opens(actor, "a")).thenRefused("reentrant_call");
  });

  it("that fails is recorded with its code and counted against the program", () => {
    const scene = given(ALICE, BOB, program("tool", "alice"));
    const refusal = { code: "runtime_error", message: "no", retriable: false } as const;
    const fails: Command = {
      kind: "fail_invocation",
      by: by("bob"),
      request: { artifact_id: asId("tool"), method: "run" },
      failed: { refusal, gas: 55, timedOut: false, log: "" },
    };
    const failure = { artifact_id: "tool", caller: "bob", code: "runtime_error", gas: 55 };
    scene.when(fails).thenHappened({ kind: "invocation_failed", ...failure, timed_out: false });
    expect(scene.state.trades.get(asId("tool"))).toMatchObject({ failures: 1, calls: 0 });
  });
});

describe("the state of a program", () => {
  const TOOL: readonly Past[] = [agent("alice", { disk: 200 }), BOB, program("tool", "alice")];
  const opened = () => {
    const scene = given(...TOOL);
    return { scene, call: open(scene, opens("bob", "tool")) };
  };

  it("is kept on the owner's disk", () => {
    const { scene, call } = opened();
    const changed = { artifact_id: "tool", state: '{"n":1}' };
    scene
      .when(close(call, { state: '{"n":1}' }))
      .thenHappened({ kind: "artifact_state_changed", ...changed }, "artifact_invoked");
    expect(scene.artifact("tool").state).toBe('{"n":1}');
  });

  it("is refused if it does not fit on the owner's disk", () => {
    const { scene, call } = opened();
    const large = close(call, { state: JSON.stringify("x".repeat(300)) });
    scene.when(large).thenRefused("insufficient_disk", /the state of tool needs/);
  });

  it("is not recorded if it did not change", () => {
    const { scene, call } = opened();
    scene.when(close(call, { state: "{}" })).thenHappened("artifact_invoked");
  });

  it("keeps other changes of the artifact that were made during the call", () => {
    const { scene, call } = opened();
    scene.when(writes("alice", "tool", { content: "rewritten", price: 9 }));
    for (const step of sells("alice", "tool", "bob")) scene.when(step);
    scene.when(close(call, { state: "[1]" }));
    const after = { content: "rewritten", price: 9, owner: "bob", state: "[1]" };
    expect(scene.artifact("tool")).toMatchObject(after);
  });

  it("cannot be changed by an access contract that is asked", () => {
    const scene = given(...TOOL);
    const call = open(scene, opens({ ...by("bob"), readOnly: true }, "tool"));
    const readOnly = /may only read; it cannot pay or change/;
    scene.when(close(call, { state: "[1]" })).thenRefused("not_authorized", readOnly);
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
  const opened = (scrip: number) => {
    const scene = given(...PAST);
    return { scene, call: open(scene, opens("bob", "outer", { scrip })) };
  };

  it("holds the scrip attached to a program without an account, and returns the rest", () => {
    const { scene, call } = opened(20);
    expect(scene.balances()).toEqual({ alice: 100, bob: 80 });
    expect([heldBy(scene, "bob"), holdsOf(scene)]).toEqual([20, [["bob", 20]]]);
    const payment = { to: "alice", amount: 8, reason: "pay" };
    scene.when(pays(call.self, "alice", 8)).thenHappened({ kind: "hold_spent", ...payment });
    const released = { kind: "hold_released", into: null } as const;
    scene.when(close(call)).thenHappened(released, "artifact_invoked");
    expect(scene.balances()).toEqual({ alice: 108, bob: 92 });
    expect([heldBy(scene, "bob"), holdsOf(scene)]).toEqual([0, []]);
  });

  it("can be spent once, and only during the call", () => {
    const { scene, call } = opened(20);
    const paid = (scrip: number) => scene.when(pays(call.self, "alice", scrip));
    paid(21).thenRefused("insufficient_funds", /this call's purse has 20/);
    paid(20);
    paid(1).thenRefused("insufficient_funds", /purse has 0/);
    scene.when(close(call));
    paid(1).thenRefused("insufficient_funds");
  });

  it("pays for nested calls, and takes back what they leave", () => {
    const { scene, call: outer } = opened(20);
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
    expect(scene.balances()).toEqual({ alice: 104, bob: 96 });
    expect(heldBy(scene, "bob")).toBe(0);
  });

  it("can pay the principal that filled it", () => {
    const { scene, call } = opened(20);
    scene.when(pays(call.self, "bob", 5));
    scene.when(close(call));
    expect(scene.balances()).toEqual({ alice: 100, bob: 100 });
    expect(heldBy(scene, "bob")).toBe(0);
  });

  it("is the only money of a program without an account", () => {
    const scene = given(...PAST);
    const { self } = open(scene, opens("alice", "outer"));
    const noMoney = /a program without standing, .* has 0/;
    scene.when(pays(self, "bob", 1)).thenRefused("insufficient_funds", noMoney);
    scene.when(opens(self, "inner")).thenRefused("insufficient_funds");
    scene.when(opens(self, "last", { scrip: 1 })).thenRefused("insufficient_funds");
  });

  it("pays the costs of genesis artifacts", () => {
    const physics = physicsWith({ genesis: { costs: { genesis_ledger: { transfer: 2 } } } });
    const scene = givenIn(physics, ...PAST);
    const call = open(scene, opens("bob", "outer", { scrip: 5 }));
    scene.when(transfers(call.self, "alice", 4)).thenRefused("insufficient_funds", /takes 6 scrip/);
    scene.when(transfers(call.self, "alice", 3)).thenHappened([
      { kind: "hold_spent", to: null, amount: 2, reason: "burned" },
      { kind: "hold_spent", to: "alice", amount: 3, reason: "transfer" },
    ]);
    scene.when(close(call));
    expect(scene.balances()).toEqual({ alice: 103, bob: 95 });
  });

  it("returns to the right account if its program gets one during the call", () => {
    const sold = [
      offersOwnership("alice", "outer", "giver"),
      accepts(inside("alice", "giver"), "outer"),
    ];
    const scene = given(...PAST, standing("giver", "alice"), ...sold);
    const outer = open(scene, opens("alice", "outer", { scrip: 20 }));
    scene.when(writes(inside("alice", "outer", "giver"), "outer", { has_standing: true }));
    scene.when(pays("bob", "outer", 30));
    const last = open(scene, opens(outer.self, "last", { scrip: 12 }));
    expect(holdsOf(scene)).toEqual([
      ["alice", 20],
      ["outer", 12],
    ]);
    const released = { kind: "hold_released", into: null } as const;
    scene.when(close(last)).thenHappened(released, "artifact_invoked");
    scene.when(close(outer));
    expect(scene.balances()).toEqual({ alice: 100, bob: 70, giver: 0, outer: 30 });
    expect([heldBy(scene, "alice"), heldBy(scene, "outer")]).toEqual([0, 0]);
  });
});

describe("attachments to a program with an account", () => {
  const sized = (id: string, bytes: number) =>
    note(id, "bob", { artifact_type: "t", content: "x".repeat(bytes - 1) });
  const PAST: readonly Past[] = [
    ALICE,
    BOB,
    standing("shop", "alice", { disk: 120 }),
    sized("poem", 60),
    sized("song", 60),
    sized("dirge", 2),
  ];

  it("belong to the program at once", () => {
    const scene = given(...PAST);
    const transfer = { from: "bob", to: "shop" };
    const owned = { kind: "ownership_transferred", ...transfer } as const;
    scene.when(opens("bob", "shop", { scrip: 5, artifacts: ["poem", "song"] })).thenHappened([
      { kind: "scrip_transferred", ...transfer, amount: 5, reason: "attached" },
      { ...owned, artifact_id: "poem" },
      { ...owned, artifact_id: "song" },
    ]);
    expect(scene.balances()).toEqual({ alice: 100, bob: 95, shop: 5 });
  });

  it("must fit on its disk together", () => {
    const scene = given(...PAST);
    const all = opens("bob", "shop", { artifacts: ["poem", "song", "dirge"] });
    scene.when(all).thenRefused("insufficient_disk", /the attachment needs 122/);
  });

  it("cannot be artifacts if the program has no account", () => {
    const scene = given(...PAST, program("tool", "alice"));
    const attach = opens("bob", "tool", { artifacts: ["poem"] });
    scene.when(attach).thenRefused("invalid_argument", /only principals can own/);
  });

  it.each([
    ["b", "a", /b belongs to a/],
    ["a", "alice", /a belongs to/],
  ])("to %s cannot include %s, its owner", (id, owner, words) => {
    given(ALICE, standing("a", "alice", { disk: 900 }), standing("b", inside("alice", "a")))
      .when(opens("alice", id, { artifacts: [owner] }))
      .thenRefused("invalid_argument", words);
  });

  it("can be the program itself, which then owns itself", () => {
    const scene = given(ALICE, standing("free", "alice", { disk: 900 }));
    const call = open(scene, opens("alice", "free", { artifacts: ["free"] }));
    scene.when(close(call, { state: "[1]" }));
    const { owner, sizeBytes } = scene.artifact("free");
    expect([owner, scene.account("free").diskUsed]).toEqual(["free", sizeBytes]);
  });

  it("do not move if an agent calls its own code", () => {
    const code = writes("alice", "alice", { code: "function run() {}" });
    const poem = note("poem", "alice", { content: "x".repeat(100) });
    const scene = given(agent("alice", { disk: 150 }), code, poem);
    scene.when(opens("alice", "alice", { scrip: 40, artifacts: ["poem"] })).thenHappened();
    scene.when(opens("alice", "alice", { scrip: 101 })).thenRefused("insufficient_funds");
  });
});
