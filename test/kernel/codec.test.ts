import { describe, expect, it } from "vitest";
import {
  asId,
  type Command,
  canonical,
  commit,
  decide,
  decodeEvent,
  decodeState,
  encodeEvent,
  encodeState,
  evolve,
  type State,
  viewOf,
} from "../../src/kernel/index.ts";
import { by, calls, opens, pays, reads, writes } from "../support/commands.ts";
import {
  agent,
  contract,
  given,
  note,
  type Past,
  program,
  standing,
  textOf,
  undertake,
  used,
} from "../support/given-when-then.ts";
import { NOW } from "../support/physics.ts";

const RICH: readonly Past[] = [
  agent("alice"),
  agent("bob", { micros: 10 }),
  contract("door", "alice"),
  program("tool", "alice", {
    price: 5,
    metadata: { k: [1, null] },
    interface: { description: "Über", methods: [] },
  }),
  standing("bank", "alice", { scrip: 10 }),
  note("poem", "alice", { content: "é😀", depends_on: ["tool"] }),
  note("dead", "bob"),
  calls("bob", "genesis_store.delete", { args: ["dead"] }),
  calls("alice", "genesis_ledger.transfer_ownership", { args: ["poem", "bob"] }),
  reads("bob", "poem"),
  used("alice", { actions: 3, gas: 30, bytes: 20 }),
  { kind: "freeze_agent", at_ms: NOW, agent: asId("bob"), needs_micros: 50 },
  (state) => {
    const call = undertake(state, opens("bob", "tool", { scrip: 3 })) as never;
    undertake(state, { kind: "close_invocation", call, ran: { state: "[1]", gas: 9, log: "" } });
  },
];

/** What goes on from there. */
const SEQUEL: readonly Command[] = [
  writes("bob", "new", { content: "x" }),
  calls("bob", "genesis_ledger.accept", { args: ["poem"] }),
  calls("alice", "genesis_ledger.transfer_budget", { args: ["bob", 60] }),
  pays("alice", "bank", 5),
  calls("alice", "genesis_store.set_price", { args: ["tool", 6] }),
  reads("bob", "tool"),
  {
    kind: "end_action",
    by: { ...by("alice"), atMs: NOW + 59_000 },
    ended: {
      action: "noop",
      target: null,
      method: null,
      refusal: null,
      message: "",
      result: null,
      scrip: 0,
      gas: 5,
      bytes: 0,
      backoff: true,
    },
  },
];

const goOn = (state: State): readonly unknown[] => {
  const told: unknown[] = [];
  for (const command of SEQUEL) {
    const decision = decide(state, command as never);
    told.push(decision);
    if (decision.kind === "accepted") for (const event of decision.events) evolve(state, event);
    commit(state);
  }
  return told;
};

const throughText = (state: State): State => decodeState(JSON.parse(canonical(encodeState(state))));

describe("a state written down and read back", () => {
  it("is written down the same again", () => {
    const { state } = given(...RICH);
    expect(textOf(throughText(state))).toBe(textOf(state));
  });

  it("decides and becomes the same from then on", () => {
    const { state } = given(...RICH);
    const back = throughText(state);
    expect(goOn(back)).toEqual(goOn(state));
    expect(textOf(back)).toBe(textOf(state));
  });

  it("answers the same questions the same way, and shows agents the same", () => {
    const { state } = given(...RICH);
    const back = throughText(state);
    const questions = [
      calls("alice", "genesis_store.list", { args: [{}] }),
      calls("alice", "genesis_store.list", { args: [{ sort: "popular" }] }),
      calls("alice", "genesis_store.search", { args: ["über"] }),
      calls("alice", "genesis_event_log.read", { args: [{}] }),
      calls("alice", "genesis_event_log.get_invokers", { args: ["tool"] }),
    ];
    for (const question of questions)
      expect(decide(back, question)).toEqual(decide(state, question));
    const bounds = {
      owned: 10,
      popular: 10,
      newest: 10,
      events: 100,
      principals: 2,
      tasks: 5,
      offers: 3,
      children: 3,
    };
    const view = (of: State) => viewOf(of, asId("alice"), { now: NOW, bounds });
    expect(view(back)).toEqual(view(state));
  });

  it("lists what is in it in the same order, whatever was taken back before", () => {
    const { state } = given(...RICH);
    const before = textOf(state);
    const bounds = {
      owned: 10,
      popular: 10,
      newest: 10,
      events: 100,
      principals: 2,
      tasks: 5,
      offers: 3,
      children: 3,
    };
    const view = () => viewOf(state, asId("bank"), { now: NOW, bounds }).principals;
    const row = state.accounts.get(asId("alice"));
    const agentRow = state.agents.get(asId("alice"));
    if (row === undefined || agentRow === undefined) throw new Error("no alice");
    state.agents.put(asId("bank"), agentRow);
    const seen = view();
    const mark = state.undo.mark();
    state.accounts.remove(row.id);
    state.undo.rollback(mark);
    expect(view()).toEqual(seen);
    state.undo.rollback(0);
    expect(textOf(state)).toBe(before);
  });

  it("shares nothing with the one that it was taken from", () => {
    const { state } = given(...RICH);
    const encoded = encodeState(state);
    const then = canonical(encoded);
    goOn(state);
    expect(canonical(encoded)).toBe(then);
    goOn(decodeState(encoded));
    expect(canonical(encoded)).toBe(then);
  });
});

describe("an event written down and read back", () => {
  it("is the same event, and does the same", () => {
    const { state } = given(...RICH);
    const back = throughText(state);
    for (const command of SEQUEL) {
      const decision = decide(state, command as never);
      if (decision.kind !== "accepted") continue;
      for (const event of decision.events) {
        const row = encodeEvent(event);
        expect(decodeEvent(row)).toEqual(event);
        evolve(state, event);
        evolve(back, decodeEvent(row));
      }
    }
    expect(textOf(back)).toBe(textOf(state));
  });
});
