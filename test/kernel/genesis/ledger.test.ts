import { describe, expect, it } from "vitest";
import { asId, type Json } from "../../../src/kernel/index.ts";

import { by, calls, inside, pays, transfersBudget } from "../../support/commands.ts";
import {
  agent,
  agentOf,
  balances,
  given,
  note,
  program,
  standing,
} from "../../support/given-when-then.ts";
import { NOW } from "../../support/physics.ts";

const ALICE = agent("alice");
const BOB = agent("bob");
const MAX = Number.MAX_SAFE_INTEGER;

const transfer = (...args: readonly Json[]) => calls("alice", "genesis_ledger.transfer", { args });
const budget = (to: string, micros: Json, who = "alice") => transfersBudget(who, to, micros);

describe("a transfer", () => {
  it("moves scrip at once, with a memo cut to 200", () => {
    const scene = given(ALICE, BOB);
    scene.when(transfer("bob", 30, `${"x".repeat(199)}y`)).thenHappened({
      kind: "scrip_transferred",
      from: "alice",
      to: "bob",
      amount: 30,
      reason: "transfer",
      memo: `${"x".repeat(199)}y`,
    });
    expect(balances(scene.state)).toEqual({ alice: 70, bob: 130 });
  });

  it("takes all one has, and not one more", () => {
    const scene = given(ALICE, BOB);
    scene
      .when(transfer("bob", 101))
      .thenRefused("insufficient_funds", /takes 101 scrip and alice has 100/);
    scene.when(transfer("bob", 100)).thenHappened("scrip_transferred");
    scene.when(transfer("bob", 1)).thenRefused("insufficient_funds");
  });

  it.each<readonly [string, Json, RegExp]>([
    ["nothing", 0, /at least 1/],
    ["less than nothing", -5, /at least 1/],
    ["a fraction", 0.5, /must be integer/],
    ["more than can be counted", 2 ** 53, /an amount is a whole number/],
    ["a lot more than can be counted", 1e300, /an amount is a whole number/],
    ["minus nothing in words", "-0", /must be integer/],
    ["a fraction in words", "1.5", /must be integer/],
    ["words", "all of it", /must be integer/],
    ["null", null, /must be integer/],
    ["a list", [5], /must be integer/],
  ])("of %s is refused", (_, amount, words) => {
    const { decision } = given(ALICE, BOB).when(transfer("bob", amount));
    expect(decision.kind === "refused" && decision.refusal.message).toMatch(words);
  });

  it.each([
    ["oneself", "alice", "invalid_argument", /cannot transfer to yourself/],
    ["nobody", "nobody", "not_found", /is not a principal/],
    ["a thing", "poem", "not_found", /is not a principal/],
    ["the world", "genesis_ledger", "not_found", /is not a principal/],
    ["no id", "a b", "invalid_argument", /an id has/],
  ] as const)("to %s is refused", (_, to, code, words) => {
    given(ALICE, note("poem", "alice")).when(transfer(to, 5)).thenRefused(code, words);
  });

  it("cannot reach an account that could not count it", () => {
    // All the scrip there can be is countable, so this world cannot come about by itself.
    const scene = given(ALICE, BOB, (state) => {
      const bob = state.accounts.get(asId("bob"));
      if (bob !== undefined) state.accounts.put(bob.id, { ...bob, scrip: MAX });
      const whole = state.world.get("world");
      if (whole === undefined) return;
      const supply = { ...whole.supply, endowed: MAX + 100 };
      state.world.put("world", { ...whole, supply });
    });
    scene.when(transfer("bob", 1)).thenRefused("invalid_argument", /of bob would be too large/);
  });
});

describe("paying from inside a program", () => {
  it("pays from the program's own account", () => {
    const scene = given(ALICE, BOB, standing("bank", "alice", { scrip: 40 }));
    scene.when(pays(inside("bob", "bank"), "bob", 40)).thenHappened({
      kind: "scrip_transferred",
      from: "bank",
      to: "bob",
      amount: 40,
      reason: "pay",
    });
  });

  it.each<readonly [string, Json]>([
    ["a fraction", 1.5],
    ["minus nothing", -0],
    ["nothing", 0],
    ["text", "5"],
    ["true", true],
    ["null", null],
    ["not a number", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["too much to count", 2 ** 53],
    ["a list", [5]],
  ])("of %s is refused", (_, scrip) => {
    given(ALICE, BOB, standing("bank", "alice", { scrip: 40 }))
      .when(pays(inside("bob", "bank"), "bob", scrip))
      .thenRefused("invalid_argument", /an amount is/);
  });

  it("is refused to itself, to nobody, and without money", () => {
    const scene = given(ALICE, BOB, standing("bank", "alice"), program("hand", "alice"));
    const bank = inside("bob", "bank");
    scene.when(pays(bank, "bank", 1)).thenRefused("invalid_argument", /to yourself/);
    scene.when(pays(bank, "hand", 1)).thenRefused("not_found");
    scene.when(pays(bank, "bob", 1)).thenRefused("insufficient_funds", /bank has 0/);
    scene
      .when(pays(inside("bob", "hand"), "bob", 1))
      .thenRefused("insufficient_funds", /without standing/);
  });
});

describe("model budget", () => {
  it("moves between principals, in micro-dollars", () => {
    const scene = given(ALICE, BOB);
    scene.when(budget("bob", 400)).thenHappened({ kind: "budget_transferred", micros: 400 });
    const told = (who: string) => calls(who, "genesis_ledger.get_budget");
    scene.when(told("alice")).thenAnswered({ id: "alice", llm_budget_micros: 600 });
    scene.when(told("bob")).thenAnswered({ id: "bob", llm_budget_micros: 1_400 });
  });

  it("is refused beyond what one has, to oneself, to nobody", () => {
    const scene = given(ALICE, BOB);
    scene.when(budget("bob", 1_001)).thenRefused("insufficient_funds", /has 1000 micro-dollars/);
    scene.when(budget("alice", 1)).thenRefused("invalid_argument");
    scene.when(budget("nobody", 1)).thenRefused("not_found");
    scene.when(budget("bob", 0)).thenRefused("interface_mismatch");
  });

  it("is refused where it could no longer be counted", () => {
    given(ALICE, agent("bob", { micros: MAX }))
      .when(budget("bob", 1))
      .thenRefused("invalid_argument", /of bob would be too large/);
  });

  it("wakes an agent that was frozen for want of it, as soon as it is enough", () => {
    const freeze = {
      kind: "freeze_agent",
      at_ms: NOW,
      agent: asId("bob"),
      needs_micros: 500,
    } as const;
    const scene = given(ALICE, agent("bob", { micros: 100 }), freeze);
    expect(agentOf(scene.state, "bob")).toMatchObject({
      state: "frozen",
      due: { atMs: NOW + 20_000 },
    });
    scene.when(budget("bob", 399)).thenHappened("budget_transferred");
    scene
      .when(budget("bob", 1))
      .thenHappened("budget_transferred", { kind: "agent_unfrozen", agent: "bob", due_at_ms: NOW });
    expect(agentOf(scene.state, "bob")).toMatchObject({
      state: "running",
      reason: "funded by alice",
      due: { step: "think", atMs: NOW },
      needsMicros: 0,
    });
    scene.when(budget("bob", 1)).thenHappened("budget_transferred");
  });
});

describe("looking at the ledger", () => {
  it("shows all that others have, and of one's own what is free and what is held", () => {
    const scene = given(ALICE, BOB, program("tool", "bob"));
    scene.when({
      kind: "open_invocation",
      by: by("alice"),
      request: {
        artifact_id: asId("tool"),
        method: "run",
        args: [],
        attach: { scrip: 30, artifacts: [] },
        max_price: null,
      },
    });
    const balance = (...args: readonly Json[]) => calls("bob", "genesis_ledger.balance", { args });
    expect(scene.when(balance("alice")).answer).toEqual({ id: "alice", scrip: 100 });
    scene
      .when(calls("alice", "genesis_ledger.balance"))
      .thenAnswered({ id: "alice", scrip: 70, held: 30 });
    scene.when(balance()).thenAnswered({ id: "bob", scrip: 100, held: 0 });
    scene.when(balance(null)).thenAnswered({ id: "bob" });
    scene.when(balance("tool")).thenRefused("not_found");
    scene.when(balance("a b")).thenRefused("invalid_argument");
    scene.when(calls("bob", "genesis_ledger.all_balances")).thenAnswered({ alice: 100, bob: 100 });
  });
});
