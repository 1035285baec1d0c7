import { describe, expect, it } from "vitest";
import type { Json, RefusalCode } from "../../../src/kernel/index.ts";
import { calls, inside, opens, pays, transfers, transfersBudget } from "../../support/commands.ts";
import { freezes } from "../../support/iterations.ts";
import { NOW } from "../../support/physics.ts";
import { agent, changedAccount, given, note, program, standing } from "../../support/scenario.ts";

const ALICE = agent("alice");
const BOB = agent("bob");
const MAX = Number.MAX_SAFE_INTEGER;

describe("a transfer", () => {
  it("moves scrip at once, with a memo", () => {
    const scene = given(ALICE, BOB);
    const memo = "x".repeat(200);
    const transfer = { from: "alice", to: "bob", amount: 30, reason: "transfer", memo };
    const call = calls("alice", "genesis_ledger.transfer", { args: ["bob", 30, memo] });
    scene.when(call).thenHappened({ kind: "scrip_transferred", ...transfer });
    expect(scene.balances()).toEqual({ alice: 70, bob: 130 });
  });

  it("can take the whole balance, and not more", () => {
    const scene = given(ALICE, BOB);
    const tooMuch = /takes 101 scrip, but alice has 100/;
    scene.when(transfers("alice", "bob", 101)).thenRefused("insufficient_funds", tooMuch);
    scene.when(transfers("alice", "bob", 100)).thenHappened("scrip_transferred");
    scene.when(transfers("alice", "bob", 1)).thenRefused("insufficient_funds");
  });

  it.each<readonly [string, Json, RegExp]>([
    ["zero", 0, /at least 1/],
    ["a negative amount", -5, /at least 1/],
    ["a fraction", 0.5, /must be integer/],
    ["an unsafe integer", 2 ** 53, /an amount must be a whole number/],
    ["a huge number", 1e300, /an amount must be a whole number/],
    ["minus zero as text", "-0", /must be integer/],
    ["a fraction as text", "1.5", /must be integer/],
    ["words", "all of it", /must be integer/],
    ["null", null, /must be integer/],
    ["a list", [5], /must be integer/],
  ])("of %s is refused", (_, amount, words) => {
    const { decision } = given(ALICE, BOB).when(transfers("alice", "bob", amount));
    expect(decision.kind === "refused" && decision.refusal.message).toMatch(words);
  });

  it.each([
    ["oneself", "alice", "invalid_argument", /cannot transfer to yourself/],
    ["an unknown principal", "unknown", "not_found", /is not a principal/],
    ["a note", "poem", "not_found", /is not a principal/],
    ["the world", "genesis_ledger", "not_found", /is not a principal/],
    ["an invalid id", "a b", "invalid_argument", /an id has/],
  ] as const)("to %s is refused", (_, to, code, words) => {
    const scene = given(ALICE, note("poem", "alice"));
    scene.when(transfers("alice", to, 5)).thenRefused(code, words);
  });

  it("is refused if the recipient's balance would be too large", () => {
    // The supply of scrip is bounded, so this world cannot occur.
    const scene = given(ALICE, BOB, changedAccount("bob", { scrip: MAX }), (state) => {
      const world = state.world.get("world");
      const supply = { endowed: MAX + 100, minted: 0, burned: 0 };
      if (world !== undefined) state.world.put("world", { ...world, supply });
    });
    const tooLarge = /of bob would be too large/;
    scene.when(transfers("alice", "bob", 1)).thenRefused("invalid_argument", tooLarge);
  });
});

describe("a payment by a program", () => {
  it("comes from the program's own account", () => {
    const scene = given(ALICE, BOB, standing("bank", "alice", { scrip: 40 }));
    const payment = { from: "bank", to: "bob", amount: 40, reason: "pay" };
    scene
      .when(pays(inside("bob", "bank"), "bob", 40))
      .thenHappened({ kind: "scrip_transferred", ...payment });
  });

  it.each<readonly [string, Json]>([
    ["a fraction", 1.5],
    ["minus zero", -0],
    ["zero", 0],
    ["text", "5"],
    ["true", true],
    ["null", null],
    ["not a number", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["an unsafe integer", 2 ** 53],
    ["a list", [5]],
  ])("of %s is refused", (_, scrip) => {
    given(ALICE, BOB, standing("bank", "alice", { scrip: 40 }))
      .when(pays(inside("bob", "bank"), "bob", scrip))
      .thenRefused("invalid_argument", /an amount must be/);
  });

  it("is refused to itself, to an artifact without account, and without money", () => {
    const scene = given(ALICE, BOB, standing("bank", "alice"), program("hand", "alice"));
    const [bank, hand] = [inside("bob", "bank"), inside("bob", "hand")];
    scene.when(pays(bank, "bank", 1)).thenRefused("invalid_argument", /to yourself/);
    scene.when(pays(bank, "hand", 1)).thenRefused("not_found");
    scene.when(pays(bank, "bob", 1)).thenRefused("insufficient_funds", /bank has 0/);
    scene.when(pays(hand, "bob", 1)).thenRefused("insufficient_funds", /without standing/);
  });
});

describe("model budget", () => {
  it("moves between principals, in micro-dollars", () => {
    const scene = given(ALICE, BOB);
    const transfer = { kind: "budget_transferred", micros: 400 } as const;
    scene.when(transfersBudget("alice", "bob", 400)).thenHappened(transfer);
    for (const [id, llm_budget_micros] of [
      ["alice", 600],
      ["bob", 1_400],
    ] as const) {
      scene.when(calls(id, "genesis_ledger.get_budget")).thenAnswered({ id, llm_budget_micros });
    }
  });

  it.each<readonly [string, number, RefusalCode, RegExp]>([
    ["bob", 1_001, "insufficient_funds", /has 1000 micro-dollars/],
    ["alice", 1, "invalid_argument", /./],
    ["unknown", 1, "not_found", /./],
    ["bob", 0, "interface_mismatch", /./],
  ])("cannot move to %s in the amount of %d: %s", (to, micros, code, words) => {
    const scene = given(ALICE, BOB);
    scene.when(transfersBudget("alice", to, micros)).thenRefused(code, words);
  });

  it("wakes a frozen agent as soon as it is enough", () => {
    const scene = given(ALICE, agent("bob", { micros: 100 }), freezes("bob", 500));
    expect(scene.agent("bob")).toMatchObject({ state: "frozen", due: { atMs: NOW + 20_000 } });
    const gives = (micros: number) => scene.when(transfersBudget("alice", "bob", micros));
    gives(399).thenHappened("budget_transferred");
    const woken = { kind: "agent_unfrozen", agent: "bob" } as const;
    const runs = {
      kind: "agent_state_changed",
      agent: "bob",
      from: "frozen",
      due_at_ms: NOW,
    } as const;
    gives(1).thenHappened("budget_transferred", woken, runs);
    const running = { state: "running", reason: "funded by alice", needs: null };
    expect(scene.agent("bob")).toMatchObject({ ...running, due: { step: "think", atMs: NOW } });
    gives(1).thenHappened("budget_transferred");
  });
});

describe("a query of balances", () => {
  it("shows the total of others, and free and held scrip of the caller", () => {
    const scene = given(ALICE, BOB, program("tool", "bob"), opens("alice", "tool", { scrip: 30 }));
    const balance = (who: string, ...args: readonly Json[]) =>
      scene.when(calls(who, "genesis_ledger.balance", { args }));
    expect(balance("bob", "alice").answer).toEqual({ id: "alice", scrip: 100 });
    balance("alice").thenAnswered({ id: "alice", scrip: 70, held: 30 });
    balance("bob").thenAnswered({ id: "bob", scrip: 100, held: 0 });
    balance("bob", null).thenAnswered({ id: "bob" });
    balance("bob", "tool").thenRefused("not_found");
    balance("bob", "a b").thenRefused("invalid_argument");
    scene.when(calls("bob", "genesis_ledger.all_balances")).thenAnswered({ alice: 100, bob: 100 });
  });
});
