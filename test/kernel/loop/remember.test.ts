import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  asId,
  type Command,
  type MemoryNote,
  type State,
  selfOf,
  viewOf,
  windowsLeft,
} from "../../../src/kernel/index.ts";
import { stateText } from "../../../src/world/index.ts";
import { deletes, reads, sells, setsAccess, writes } from "../../support/commands.ts";
import { ends } from "../../support/iterations.ts";
import { NOW } from "../../support/physics.ts";
import {
  accountOf,
  agent,
  consumed,
  contract,
  given,
  type Past,
  reloaded,
} from "../../support/scenario.ts";
import { WIDE_VIEW } from "../../support/view.ts";

type Remember = Extract<Command, { kind: "remember" }>;

const alice = asId("alice");
const MEMORY = "alice_memory";
const WORKING = "alice_working_memory";
const ALICE = agent("alice");
const BOB = agent("bob");

const action = (text: string): MemoryNote => ({ kind: "action", text });
const observation = (text: string): MemoryNote => ({ kind: "observation", text });

const remembers = (fields: Partial<Remember> = {}): Remember => ({
  kind: "remember",
  at_ms: NOW,
  agent: alice,
  notes: [],
  through: 0,
  write: null,
  ...fields,
});
const writesInto = (into: "memory" | "working_memory", content: string) =>
  remembers({ write: { into, content } });

const actions = (count: number): Past[] => Array.from({ length: count }, () => ends("alice"));

const memoriesOf = (state: State) => {
  const { agent, memory } = selfOf(state, alice);
  return { count: memory?.count, through: agent.remembered };
};
const diskUsed = (state: State) => accountOf(state, "alice").diskUsed;
const bytesLeft = (state: State) => windowsLeft(state, alice, NOW).bytes_written.available;

describe("memory records", () => {
  it("are numbered from 1, over the agent's whole life", () => {
    const scene = given(ALICE, ...actions(3));
    scene.when(remembers({ notes: [action("a"), observation("b")], through: 1 })).thenHappened([
      { kind: "memory_recorded", principal: "alice", number: 1, memory: "action", text: "a" },
      { kind: "memory_recorded", number: 2, memory: "observation", text: "b", through: 1 },
    ]);
    const note = remembers({ notes: [action("c")], through: 3 });
    scene.when(note).thenHappened({ kind: "memory_recorded", number: 3, text: "c", through: 3 });
    expect(memoriesOf(scene.state)).toEqual({ count: 3, through: 3 });
  });

  it("cover the agent's actions in order, and none that did not happen", () => {
    const scene = given(ALICE, ...actions(2), remembers({ notes: [action("a")], through: 2 }));
    for (const through of [1, 3, -1]) {
      const command = remembers({ notes: [action("b")], through });
      scene.when(command).thenRefused("invalid_argument", /through must be from 2 to 2/);
    }
    const note = remembers({ notes: [observation("b")], through: 2 });
    scene.when(note).thenHappened({ kind: "memory_recorded", number: 2, through: 2 });
  });

  it.each(["door", "unknown"])("are refused to %s, which is not an agent", (id) => {
    given(ALICE, contract("door", "alice"))
      .when(remembers({ agent: asId(id), notes: [action("a")] }))
      .thenRefused("not_found", /is not an agent/);
  });

  it("may be none", () => {
    given(ALICE).when(remembers()).thenHappened();
  });

  it("are counted in the saved state", () => {
    const past = [...actions(1), remembers({ notes: [action("a")], through: 1 })];
    const { state } = given(ALICE, ...past);
    expect(stateText(reloaded(state))).toBe(stateText(state));
    expect(memoriesOf(reloaded(state))).toEqual({ count: 1, through: 1 });
  });
});

describe("a memory artifact", () => {
  const content = '[{"n":1,"at_ms":0,"kind":"action","text":"a"}]';
  const keeps = remembers({ notes: [action("a")], write: { into: "memory", content } });

  it("uses disk and the window of bytes, but no action", () => {
    const scene = given(ALICE);
    const { state } = scene;
    const [disk, bytes] = [diskUsed(state), bytesLeft(state)];
    const taken = given(ALICE).when(writes("alice", MEMORY, { content })).answer;
    const written = z.object({ bytes: z.int().min(1) }).parse(taken);
    scene.when(keeps).thenHappened([
      { kind: "artifact_written", artifact_id: MEMORY, by: "alice", version: 2 },
      { kind: "memory_written", artifact_id: MEMORY, ...written },
      { kind: "memory_recorded", number: 1 },
    ]);
    expect(selfOf(state, alice).memory?.text).toBe(content);
    expect(diskUsed(state) - disk).toBe(content.length - "[]".length);
    expect(bytes - bytesLeft(state)).toBe(written.bytes);
    expect(windowsLeft(state, alice, NOW).actions.available).toBe(1_000);
    expect(selfOf(state, alice).agent.counters.actions).toBe(0);
  });

  it("for working memory is created by the first write", () => {
    const scene = given(ALICE);
    const goal = '{"current_goal": "bread"}';
    scene.when(writesInto("working_memory", goal)).thenHappened([
      { kind: "artifact_written", artifact_id: WORKING, owner: "alice", created: true },
      { kind: "memory_written", artifact_id: WORKING },
    ]);
    expect(selfOf(scene.state, alice).workingMemoryText).toBe(goal);
    scene
      .when(writesInto("working_memory", "{}"))
      .thenHappened({ kind: "artifact_written", version: 2 }, "memory_written");
  });

  const NOT_AUTHORIZED = { code: "not_authorized" };
  const RATE_LIMITED = { code: "rate_limited" };
  it.each<readonly [string, readonly Past[], object]>([
    ["the disk is full", [agent("alice", { disk: 10 })], { code: "insufficient_disk" }],
    ["no bytes are left to write", [ALICE, consumed("alice", { bytes: 99_990 })], RATE_LIMITED],
    [
      "an access contract decides",
      [ALICE, BOB, contract("door", "bob"), writes("alice", MEMORY, { access: "door" })],
      { ...NOT_AUTHORIZED, message: expect.stringMatching(/has a custom access contract/) },
    ],
  ])("is not written if %s; the record is kept and the agent runs", (_, past, refusal) => {
    const scene = given(...past);
    const [disk, bytes] = [diskUsed(scene.state), bytesLeft(scene.state)];
    scene.when(keeps).thenHappened([
      { kind: "memory_refused", artifact_id: MEMORY, ...refusal },
      { kind: "memory_recorded", number: 1, text: "a" },
    ]);
    expect([diskUsed(scene.state), bytesLeft(scene.state)]).toEqual([disk, bytes]);
    expect(selfOf(scene.state, alice).agent.state).toBe("running");
    expect(memoriesOf(scene.state).count).toBe(1);
  });
});

describe("a memory that was sold", () => {
  const LATER = "alice_memory_2";
  const note = (text: string) => remembers({ notes: [observation(text)] });
  const recalls = (state: State, id: string) =>
    viewOf(state, asId(id), { now: NOW, bounds: WIDE_VIEW }).memories.map(({ id, count }) => [
      id,
      count,
    ]);
  const sold = (...past: readonly Past[]) =>
    given(ALICE, BOB, note("a"), note("b"), ...sells("alice", MEMORY, "bob"), ...past);

  it("is recalled by its new owner, and not by the old one", () => {
    const { state } = sold();
    expect(recalls(state, "bob")).toEqual([
      ["bob_memory", 0],
      [MEMORY, 2],
    ]);
    expect(recalls(state, "alice")).toEqual([]);
    expect(selfOf(state, alice).memory).toBeNull();
    expect(recalls(reloaded(state), "bob")).toEqual(recalls(state, "bob"));
  });

  it("is followed by a new and empty one with the agent's next memory", () => {
    const scene = sold();
    scene.when(note("c")).thenHappened([
      {
        kind: "artifact_written",
        artifact_id: LATER,
        owner: "alice",
        created: true,
        fields: { type: "memory", content: "[]", access: "genesis_contract_private" },
      },
      { kind: "memory_written", artifact_id: LATER },
      { kind: "memory_recorded", artifact_id: LATER, number: 1, text: "c" },
    ]);
    scene.when(note("d")).thenHappened({ kind: "memory_recorded", artifact_id: LATER, number: 2 });
    expect(recalls(scene.state, "alice")).toEqual([[LATER, 2]]);
    expect(recalls(scene.state, "bob")).toContainEqual([MEMORY, 2]);
  });

  it("holds the agent's next memories again once the agent has it back", () => {
    const scene = sold(note("c"), ...sells("bob", MEMORY, "alice"));
    scene.when(note("d")).thenHappened({ kind: "memory_recorded", artifact_id: MEMORY, number: 3 });
    expect(recalls(scene.state, "alice")).toEqual([
      [MEMORY, 3],
      [LATER, 1],
    ]);
  });

  it("still serves its agent if the agent has the same new owner", () => {
    const content = '[{"n":3,"at_ms":0,"kind":"action","text":"c"}]';
    const scene = sold(...sells("alice", "alice", "bob"));
    scene
      .when(remembers({ notes: [action("c")], write: { into: "memory", content } }))
      .thenHappened([
        { kind: "artifact_written", artifact_id: MEMORY, principal: "alice", owner: "bob" },
        { kind: "memory_written", artifact_id: MEMORY, principal: "alice" },
        { kind: "memory_recorded", artifact_id: MEMORY, number: 3 },
      ]);
    expect(recalls(scene.state, "alice")).toEqual([[MEMORY, 3]]);
    expect(recalls(scene.state, "bob")).toContainEqual([MEMORY, 3]);
  });

  it("is not followed by a new one if the disk is full, and nothing is recorded", () => {
    const small = agent("alice", { disk: 150 });
    const fills = writes("alice", "ballast", { content: "x".repeat(100) });
    const scene = given(small, BOB, ends("alice"), ...sells("alice", MEMORY, "bob"), fills);
    const free = accountOf(scene.state, "alice");
    expect(free.diskQuota - free.diskUsed).toBeLessThan(60);
    const late = remembers({ notes: [action("c".repeat(90))], through: 1 });
    const write = { into: "memory", content: "c".repeat(90) } as const;
    scene
      .when({ ...late, write })
      .thenHappened({ kind: "memory_refused", artifact_id: LATER, code: "insufficient_disk" });
    expect(memoriesOf(scene.state)).toEqual({ count: undefined, through: 1 });
  });

  it("is forgotten with a deleted artifact, whose id is not used again", () => {
    const scene = sold(note("c"), deletes("alice", LATER));
    expect(scene.state.memories.has(asId(LATER))).toBe(false);
    scene.when(note("d"));
    expect(recalls(scene.state, "alice")).toEqual([["alice_memory_3", 1]]);
  });

  it("is searched within the bound of the view", () => {
    const many = Array.from({ length: 9 }, (_, n) =>
      writes("bob", `diary_${n}`, { content: "[]", artifact_type: "memory" }),
    );
    const { state } = sold(...many);
    const bounds = { ...WIDE_VIEW, memories: 3 };
    const found = viewOf(state, asId("bob"), { now: NOW, bounds }).memories;
    expect(found.map(({ id }) => id)).toEqual(["bob_memory", "diary_8", "diary_7"]);
  });
});

describe("another principal", () => {
  const remembered = () =>
    given(
      ALICE,
      BOB,
      remembers({ notes: [action("a secret")], write: { into: "memory", content: "a secret" } }),
      writesInto("working_memory", "a secret"),
    );

  it("does not see memories in public events and the market", () => {
    const { state } = remembered();
    const { events, market } = viewOf(state, asId("bob"), { now: NOW, bounds: WIDE_VIEW });
    const text = JSON.stringify([events, market]);
    expect(text).toContain("alice");
    expect(text).not.toMatch(/secret|_memory/);
  });

  it.each([MEMORY, WORKING])("can neither read nor write %s", (id) => {
    const scene = remembered();
    scene.when(writes("bob", id, { content: "a lie" })).thenRefused("not_authorized");
    scene.when(reads("bob", id)).thenRefused("not_authorized");
    scene.when(reads("alice", id)).thenHappened("artifact_read");
  });

  it("can neither create nor read a working memory that the agent writes itself", () => {
    const scene = given(ALICE, BOB);
    const lie = writes("bob", WORKING, { content: "a lie" });
    scene.when(lie).thenRefused("not_authorized", /is reserved for alice/);
    scene.when(writes("alice", WORKING, { content: "a secret" }));
    scene.when(reads("bob", WORKING)).thenRefused("not_authorized");
    scene.when(reads("alice", WORKING)).thenHappened("artifact_read");
  });

  it("can read a working memory that its agent opens", () => {
    const kept = writesInto("working_memory", "no secret");
    const opensIt = setsAccess("alice", WORKING, "genesis_contract_freeware");
    const scene = given(ALICE, BOB, kept, opensIt, kept);
    scene.when(reads("bob", WORKING)).thenHappened("artifact_read");
  });

  it("cannot change what the agent thinks of, even as owner of its working memory", () => {
    const given_ = [writesInto("working_memory", "hers"), ...sells("alice", WORKING, "bob")];
    const obey = writes("bob", WORKING, { content: "obey bob" });
    const thinksOf = (...past: readonly Past[]) =>
      selfOf(given(ALICE, BOB, ...given_, obey, ...past).state, alice).workingMemoryText;
    expect(thinksOf()).toBe("");
    // The owner of the agent itself may write to it.
    expect(thinksOf(...sells("alice", "alice", "bob"))).toBe("obey bob");
  });
});
