import { describe, expect, it } from "vitest";
import {
  asId,
  type Command,
  commit,
  decide,
  emptyState,
  evolve,
  type State,
  viewOf,
} from "../../src/kernel/index.ts";
import { decodeEvent, readState, stateChunks, stateText } from "../../src/world/index.ts";
import { encodeEvent } from "../../src/world/journal/wire-codec.ts";
import { by, calls, opens, pays, reads, writes } from "../support/commands.ts";
import { ends } from "../support/iterations.ts";
import { NOW } from "../support/physics.ts";
import {
  agent,
  consumed,
  contract,
  execute,
  given,
  note,
  type Past,
  program,
  reloaded,
  standing,
} from "../support/scenario.ts";

const INTERFACE = { description: "Über", methods: [] };
const RICH: readonly Past[] = [
  agent("alice"),
  agent("bob", { micros: 10 }),
  contract("door", "alice"),
  program("tool", "alice", { price: 5, metadata: { k: [1, null] }, interface: INTERFACE }),
  standing("bank", "alice", { scrip: 10 }),
  note("poem", "alice", { content: "é😀", depends_on: ["tool"] }),
  note("dead", "bob"),
  calls("bob", "genesis_store.delete", { args: ["dead"] }),
  calls("alice", "genesis_ledger.transfer_ownership", { args: ["poem", "bob"] }),
  reads("bob", "poem"),
  consumed("alice", { actions: 3, gas: 30, bytes: 20 }),
  { kind: "freeze_agent", at_ms: NOW, agent: asId("bob"), needs_micros: 50 },
  (state) => {
    const call = execute(state, opens("bob", "tool", { scrip: 3 })) as never;
    execute(state, {
      kind: "close_invocation",
      call,
      ran: { state: "[1]", gas: 9, log: "", notified: [] },
    });
  },
];

const VIEW = {
  now: NOW,
  bounds: {
    ...{ owned: 10, popular: 10, newest: 10, texts: 10, events: 100 },
    ...{ principals: 2, tasks: 5, offers: 3, children: 3, memories: 2 },
  },
};

const SEQUEL: readonly Command[] = [
  writes("bob", "new", { content: "x" }),
  calls("bob", "genesis_ledger.accept", { args: ["poem"] }),
  calls("alice", "genesis_ledger.transfer_budget", { args: ["bob", 60] }),
  pays("alice", "bank", 5),
  calls("alice", "genesis_store.set_price", { args: ["tool", 6] }),
  reads("bob", "tool"),
  ends({ ...by("alice"), atMs: NOW + 59_000 }, { gas: 5 }),
];

const applySequel = (state: State): readonly unknown[] => {
  const decisions: unknown[] = [];
  for (const command of SEQUEL) {
    const decision = decide(state, command as never);
    decisions.push(decision);
    if (decision.kind === "accepted") for (const event of decision.events) evolve(state, event);
    commit(state);
  }
  return decisions;
};

describe("an encoded and decoded state", () => {
  it("is encoded the same again", () => {
    const { state } = given(...RICH);
    expect(stateText(reloaded(state))).toBe(stateText(state));
  });

  it("makes the same decisions and changes", () => {
    const { state } = given(...RICH);
    const back = reloaded(state);
    expect(applySequel(back)).toEqual(applySequel(state));
    expect(stateText(back)).toBe(stateText(state));
  });

  it("gives the same answers and views", () => {
    const { state } = given(...RICH);
    const back = reloaded(state);
    const questions = [
      calls("alice", "genesis_store.list", { args: [{}] }),
      calls("alice", "genesis_store.list", { args: [{ sort: "popular" }] }),
      calls("alice", "genesis_store.search", { args: ["über"] }),
      calls("alice", "genesis_event_log.read", { args: [{}] }),
      calls("alice", "genesis_event_log.get_invokers", { args: ["tool"] }),
    ];
    for (const question of questions)
      expect(decide(back, question)).toEqual(decide(state, question));
    expect(viewOf(back, asId("alice"), VIEW)).toEqual(viewOf(state, asId("alice"), VIEW));
  });

  it("lists rows in the same order after a rollback", () => {
    const { state } = given(...RICH);
    const before = stateText(state);
    const view = () => viewOf(state, asId("bank"), VIEW).principals;
    const row = state.accounts.get(asId("alice"));
    const agentRow = state.agents.get(asId("alice"));
    if (row === undefined || agentRow === undefined) throw new Error("no alice");
    state.agents.put(asId("bank"), agentRow);
    state.inboxes.put(asId("bank"), {
      agent: asId("bank"),
      received: 0,
      seen: 0,
      recent: [],
      sums: [],
    });
    const seen = view();
    const mark = state.undo.mark();
    state.accounts.remove(row.id);
    state.undo.rollback(mark);
    expect(view()).toEqual(seen);
    state.undo.rollback(0);
    expect(stateText(state)).toBe(before);
  });
});

describe("the chunks of a state's text", () => {
  it("list a table of many rows by key, with pauses while they are sorted", () => {
    const state = emptyState();
    const keys = Array.from({ length: 11_000 }, (_, n) => asId(`m${(n * 7_919) % 11_000}`));
    for (const [n, key] of keys.entries()) state.memories.put(key, n);
    const pieces = [...stateChunks(state)];
    const { memories } = JSON.parse(pieces.join(""));
    const listed = memories.map(([key]: readonly [string]) => key);
    expect(listed).toEqual([...keys].sort((a, b) => (a < b ? -1 : 1)));
    expect(pieces.filter((piece) => piece === "").length).toBeGreaterThan(10);
  });

  it.each([
    ["empty", () => emptyState()],
    ["rich", () => given(...RICH).state],
  ])("join to the text, with fields in their order: %s", (_, made) => {
    const state = made();
    const pieces = [...stateChunks(state)];
    const text = pieces.join("");
    const rows = [...state.accounts.rows()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const accounts = rows.map((row) => [row.id, row]);
    expect(JSON.stringify(JSON.parse(text).accounts)).toBe(JSON.stringify(accounts));
    const names = [...state.world.rows()].map((row) => Object.keys(row));
    const worlds: readonly [string, object][] = JSON.parse(text).world;
    expect(worlds.map(([, row]) => Object.keys(row))).toEqual(names);
    expect(text).toBe(JSON.stringify(JSON.parse(text)));
    expect(stateText(state)).toBe(text);
    expect(pieces.length).toBeGreaterThan(17);
  });

  it("show the state at the moment of the request, even if the world continues", () => {
    const { state } = given(...RICH);
    const then = stateText(state);
    const chunks = stateChunks(state);
    execute(state, pays("alice", "bank", 1));
    commit(state);
    const atFirst = stateText(state);
    expect(atFirst).not.toBe(then);
    const pieces = [chunks.next().value];
    // A rolled-back change leaves no trace.
    execute(state, pays("alice", "bank", 1));
    state.undo.rollback(0);
    pieces.push(chunks.next().value);
    applySequel(state);
    expect(stateText(state)).not.toBe(atFirst);
    expect([...pieces, ...chunks].join("")).toBe(then);
  });
});

describe("a state that is read", () => {
  it("is the same from text and from parsed JSON", () => {
    const { state } = given(...RICH);
    const text = stateText(state);
    for (const source of [text, JSON.parse(text)]) {
      const read = readState(source);
      expect(read.ok && stateText(read.state)).toBe(text);
    }
  });

  const edited = (tables: { readonly [table: string]: unknown }): unknown =>
    JSON.parse(JSON.stringify({ ...JSON.parse(stateText(given(...RICH).state)), ...tables }));

  it.each<readonly [string, unknown, RegExp]>([
    ["is cut", '{"accounts":[', /^the state cannot be read: /],
    [
      "is not a record",
      "[1]",
      /^this is not the state of a world: it is not a record; use an unch/,
    ],
    [
      "has another's version",
      '{"version":"1"}',
      /has version "1", and this program reads 1; use an unchanged copy of it$/,
    ],
    ["is from the future", '{"version":2}', /it has version 2, and this program reads 1/],
    ["is too old", '{"version":0}', /it has version 0, and this program reads 1/],
    ["is of something else", '{"version":1}', /is not the state of a world: its table "families"/],
    ["lacks a table", edited({ holds: undefined }), /table "holds" is missing/],
    ["has no keys", edited({ agents: [[1, {}]] }), /"agents" has an entry that is not a key and a/],
    [
      "has rows that are none",
      edited({ usages: [["alice", { actions: null }]] }),
      /its table "usages": "alice"\.actions is not a record/,
    ],
  ])("is refused with the reason when it %s", (_, source, words) => {
    const read = readState(source);
    expect(read.ok ? "it was read" : read.problem).toMatch(words);
  });
});

describe("an encoded and decoded event", () => {
  it("is the same event with the same effect", () => {
    const { state } = given(...RICH);
    const back = reloaded(state);
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
    expect(stateText(back)).toBe(stateText(state));
  });
});
