import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type AgentCommand,
  asId,
  type MemoryNote,
  type State,
  selfOf,
  viewOf,
  windowsLeft,
} from "../../../src/kernel/index.ts";

import { stateText } from "../../../src/world/state-codec/state-codec.ts";
import { accepts, offersOwnership, reads, writes } from "../../support/commands.ts";
import {
  agent,
  consumed,
  contract,
  given,
  type Past,
  reloaded,
} from "../../support/given-when-then.ts";
import { ends } from "../../support/iterations.ts";
import { NOW } from "../../support/physics.ts";

type Remember = Extract<AgentCommand, { kind: "remember" }>;

const alice = asId("alice");
const MEMORY = asId("alice_memory");
const WORKING = asId("alice_working_memory");
const ALICE = agent("alice");

const did = (text: string): MemoryNote => ({ kind: "action", text });
const saw = (text: string): MemoryNote => ({ kind: "observation", text });

const remembers = (about: Partial<Remember> = {}): Remember => ({
  kind: "remember",
  at_ms: NOW,
  agent: alice,
  notes: [],
  through: 0,
  write: null,
  ...about,
});

/** Alice has acted so often. */
const acted = (times: number): Past[] => Array.from({ length: times }, () => ends("alice"));

const memoriesOf = (state: State) => selfOf(state, alice).agent.memories;
const diskOf = (state: State) => state.accounts.get(alice)?.diskUsed ?? 0;
/** What a write took of the window of bytes. */
const bytesOf = (answer: unknown): object => z.object({ bytes: z.int().min(1) }).parse(answer);
const bytesLeft = (state: State) => windowsLeft(state, alice, NOW).bytes_written.available;

describe("what is remembered", () => {
  it("is numbered from 1 on, through all that was ever remembered", () => {
    const scene = given(ALICE, ...acted(3));
    scene
      .when(remembers({ notes: [did("a"), saw("b")], through: 1 }))
      .thenHappened(
        { kind: "memory_recorded", principal: "alice", number: 1, memory: "action", text: "a" },
        { kind: "memory_recorded", number: 2, memory: "observation", text: "b", through: 1 },
      );
    scene
      .when(remembers({ notes: [did("c")], through: 3 }))
      .thenHappened({ kind: "memory_recorded", number: 3, text: "c", through: 3 });
    expect(memoriesOf(scene.state)).toEqual({ count: 3, through: 3 });
  });

  it("goes forward through the agent's actions and never past them", () => {
    const scene = given(ALICE, ...acted(2), remembers({ notes: [did("a")], through: 2 }));
    for (const through of [1, 3, -1]) {
      scene
        .when(remembers({ notes: [did("b")], through }))
        .thenRefused("invalid_argument", /in order: through must be from 2 to 2/);
    }
    scene
      .when(remembers({ notes: [saw("b")], through: 2 }))
      .thenHappened({ kind: "memory_recorded", number: 2, through: 2 });
  });

  it("is an agent's own: programs and strangers remember nothing", () => {
    const scene = given(ALICE, contract("door", "alice"));
    for (const stranger of ["door", "nobody"]) {
      const command = remembers({ agent: asId(stranger), notes: [did("a")] });
      scene.when(command).thenRefused("not_found", /is not an agent/);
    }
  });

  it("may be nothing, and then nothing happens", () => {
    given(ALICE).when(remembers()).thenHappened();
  });

  it("is part of the state and survives its being written down", () => {
    const { state } = given(ALICE, ...acted(1), remembers({ notes: [did("a")], through: 1 }));
    const again = reloaded(state);
    expect(stateText(again)).toBe(stateText(state));
    expect(memoriesOf(again)).toEqual({ count: 1, through: 1 });
  });
});

describe("a memory artifact", () => {
  const content = '[{"n":1,"at_ms":0,"kind":"action","text":"a"}]';
  const keeps = remembers({ notes: [did("a")], write: { into: "memory", content } });

  it("is written with disk and bytes of the window, and without an action", () => {
    const scene = given(ALICE);
    const { state } = scene;
    const [disk, bytes] = [diskOf(state), bytesLeft(state)];
    const taken = given(ALICE).when(writes("alice", "alice_memory", { content })).answer;
    const actions = windowsLeft(state, alice, NOW).actions.available;
    scene
      .when(keeps)
      .thenHappened(
        { kind: "artifact_written", artifact_id: "alice_memory", by: "alice", version: 2 },
        { kind: "memory_kept", artifact_id: "alice_memory", ...bytesOf(taken) },
        { kind: "memory_recorded", number: 1 },
      );
    expect(selfOf(state, alice).memoryText).toBe(content);
    expect(diskOf(state) - disk).toBe(content.length - "[]".length);
    expect({ bytes: bytes - bytesLeft(state) }).toEqual(bytesOf(taken));
    expect(windowsLeft(state, alice, NOW).actions.available).toBe(actions);
    expect(selfOf(state, alice).agent.counters.actions).toBe(0);
  });

  it("of working memory is made when it is first written", () => {
    const write = { into: "working_memory", content: '{"current_goal": "bread"}' } as const;
    const scene = given(ALICE);
    scene
      .when(remembers({ write }))
      .thenHappened(
        { kind: "artifact_written", artifact_id: WORKING, owner: "alice", created: true },
        { kind: "memory_kept", artifact_id: WORKING },
      );
    expect(selfOf(scene.state, alice).workingMemoryText).toBe(write.content);
    scene
      .when(remembers({ write: { ...write, content: "{}" } }))
      .thenHappened({ kind: "artifact_written", version: 2 }, "memory_kept");
  });

  it.each([
    ["the disk is full", [agent("alice", { disk: 10 })], "insufficient_disk"],
    ["the window of bytes is empty", [ALICE, consumed("alice", { bytes: 99_990 })], "rate_limited"],
    [
      "somebody else owns it",
      [ALICE, agent("bob"), offersOwnership("alice", MEMORY, "bob"), accepts("bob", MEMORY)],
      "not_authorized",
    ],
  ] as const)("that cannot be written because %s stops nobody", (_why, past, code) => {
    const scene = given(...past);
    const [disk, bytes] = [diskOf(scene.state), bytesLeft(scene.state)];
    scene
      .when(keeps)
      .thenHappened(
        { kind: "memory_refused", artifact_id: "alice_memory", code },
        { kind: "memory_recorded", number: 1, text: "a" },
      );
    expect([diskOf(scene.state), bytesLeft(scene.state)]).toEqual([disk, bytes]);
    expect(selfOf(scene.state, alice).agent.state).toBe("running");
    expect(memoriesOf(scene.state).count).toBe(1);
  });

  it("whose contract would have to be asked is left to the agent itself", () => {
    const guarded = writes("alice", "alice_memory", { access: "door" });
    given(ALICE, agent("bob"), contract("door", "bob"), guarded)
      .when(keeps)
      .thenHappened(
        { kind: "memory_refused", code: "not_authorized", message: /must be asked/ },
        "memory_recorded",
      );
  });
});

describe("nobody else", () => {
  const lived = () =>
    given(
      ALICE,
      agent("bob"),
      remembers({ notes: [did("a secret")], write: { into: "memory", content: "a secret" } }),
      remembers({ write: { into: "working_memory", content: "a secret" } }),
    );

  it("learns of it from the public events", () => {
    const { state } = lived();
    const bounds = {
      owned: 9,
      popular: 9,
      newest: 9,
      events: 50,
      principals: 9,
      offers: 9,
      children: 9,
      tasks: 9,
    };
    const { events, market } = viewOf(state, asId("bob"), { now: NOW, bounds });
    const text = JSON.stringify([events, market]);
    expect(text).toContain("alice");
    expect(text).not.toMatch(/secret|_memory/);
  });

  it("may write it", () => {
    lived()
      .when(writes("bob", "alice_memory", { content: "a lie" }))
      .thenRefused("not_authorized");
  });

  it("may write a working memory that is not there yet", () => {
    given(ALICE, agent("bob"))
      .when(writes("bob", "alice_working_memory", { content: "a lie" }))
      .thenRefused("not_authorized", /is reserved for alice/);
  });

  it("puts a working memory into an agent's mind, not even one that it gave away", () => {
    const gives = (from: string, to: string): Past[] => [
      offersOwnership(from, WORKING, to),
      accepts(to, WORKING),
    ];
    const write = { into: "working_memory", content: "hers" } as const;
    const past = [ALICE, agent("bob"), remembers({ write }), ...gives("alice", "bob")];
    const scene = given(...past, writes("bob", WORKING, { content: "obey bob" }));
    const mind = () => selfOf(scene.state, alice).workingMemoryText;
    expect(mind()).toBe("");
    // Whoever owns the agent may speak to it.
    scene.when(offersOwnership("alice", "alice", "bob"));
    scene.when(accepts("bob", "alice"));
    expect(mind()).toBe("obey bob");
  });

  it.each(["alice_memory", "alice_working_memory"])("may read it: %s", (memory) => {
    lived().when(reads("bob", memory)).thenRefused("not_authorized");
    expect(lived().when(reads("alice", memory)).decision.kind).toBe("accepted");
  });

  it("may read a working memory that the agent wrote itself", () => {
    const scene = given(ALICE, agent("bob"), writes("alice", WORKING, { content: "a secret" }));
    scene.when(reads("bob", WORKING)).thenRefused("not_authorized");
    expect(scene.when(reads("alice", WORKING)).decision.kind).toBe("accepted");
  });

  it("may read it, unless its agent wants that", () => {
    const open = writes("alice", WORKING, { access: "genesis_contract_freeware" });
    const write = { into: "working_memory", content: "no secret" } as const;
    const scene = given(ALICE, agent("bob"), remembers({ write }), open, remembers({ write }));
    expect(scene.when(reads("bob", WORKING)).decision.kind).toBe("accepted");
  });
});
