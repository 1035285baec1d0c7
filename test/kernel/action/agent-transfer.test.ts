import { describe, expect, it } from "vitest";
import {
  accepts,
  deletes,
  gives,
  inside,
  offersOwnership,
  opens,
  reads,
  sells,
  setsAccess,
  spawns,
  transfers,
  writes,
} from "../../support/commands.ts";
import { changesState, FREE, fails, freezes, thinks } from "../../support/iterations.ts";
import { NOW } from "../../support/physics.ts";
import { agent, agentOf, given, note, type Past, standing } from "../../support/scenario.ts";

const ALICE = agent("alice");
const BOB = agent("bob");
const OFFERED = [ALICE, BOB, offersOwnership("alice", "alice", "bob")];
const SOLD = [ALICE, BOB, ...sells("alice", "alice", "bob")];
const SOLD_MEMORY = [ALICE, BOB, ...sells("alice", "alice_memory", "bob")];

const SLEEP = { sleep: { for_ms: 5_000, until: [] } };
const RUNS_SOON = { state: "running", due: { atMs: NOW + 100 } };
const CHANGED = { kind: "agent_state_changed", agent: "alice", to: "running" } as const;
const TRANSFERRED = { kind: "ownership_transferred", artifact_id: "alice" } as const;

describe("an agent that gets a new owner", () => {
  it("drops its pending decision and thinks again", () => {
    const scene = given(
      ALICE,
      BOB,
      thinks("alice", SLEEP),
      offersOwnership("alice", "alice", "bob"),
    );
    const sale = { agent: "alice", from: "alice", to: "bob", principal: "bob" };
    const handedOver = { kind: "agent_handed_over", ...sale } as const;
    const dropped = { ...handedOver, dropped: true };
    const runs = { ...CHANGED, principal: "bob", reason: "bob owns it now", due_at_ms: NOW + 100 };
    scene.when(accepts("bob", "alice")).thenHappened(TRANSFERRED, dropped, runs);
    const running = { state: "running", reason: "bob owns it now", epoch: 1, mind: { turn: 1 } };
    const due = { step: "think", atMs: NOW + 100 };
    expect(scene.agent("alice")).toMatchObject({ ...running, due, pending: null, sleep: null });
  });

  it("pays for a thought that began before the transfer, and drops it", () => {
    const scene = given(...OFFERED);
    const handedOver = { kind: "agent_handed_over", dropped: false } as const;
    scene.when(accepts("bob", "alice")).thenHappened(TRANSFERRED, handedOver, CHANGED);
    const usage = { ...FREE, cost_micros: 300 };
    const late = thinks("alice", { ...SLEEP, usage });
    scene.when(late).thenHappened({ kind: "thought_dropped", usage });
    expect(scene.account("alice").llmBudgetMicros).toBe(700);
    expect(scene.agent("alice")).toMatchObject({ pending: null, due: { step: "think" } });
    scene.when(thinks("alice", { ...SLEEP, epoch: 1 })).thenHappened("thought_completed");
  });

  it.each<readonly [string, Past, object]>([
    ["resumes if it slept", changesState("alice", "sleeping", NOW + 9_000), RUNS_SOON],
    ["resumes if it was paused", changesState("alice", "paused"), RUNS_SOON],
    ["stays frozen", freezes("alice", 5_000), { state: "frozen", due: { atMs: NOW + 20_000 } }],
    ["stays stopped", changesState("alice", "stopped"), { state: "stopped", due: null }],
  ])("%s", (_, past, after) => {
    const { state } = given(ALICE, BOB, past, ...sells("alice", "alice", "bob"));
    expect(agentOf(state, "alice")).toMatchObject(after);
    expect(state.sleepers.size).toBe(0);
  });

  it("starts with no failures, so that a paused agent does not pause again at once", () => {
    const failures = [fails("alice"), fails("alice"), fails("alice")];
    const { state } = given(ALICE, BOB, ...failures, ...sells("alice", "alice", "bob"));
    expect(agentOf(state, "alice")).toMatchObject({ state: "running", counters: { errors: 0 } });
  });

  it("is handed over when it is attached to a call and when a program gives it", () => {
    const scene = given(ALICE, BOB, standing("shop", "bob", { disk: 900 }));
    scene
      .when(opens("alice", "shop", { artifacts: ["alice", "alice_memory"] }))
      .thenHappened([
        { ...TRANSFERRED, to: "shop" },
        { kind: "agent_handed_over", from: "alice", to: "shop", dropped: false },
        CHANGED,
        { kind: "ownership_transferred", artifact_id: "alice_memory", to: "shop" },
      ]);
    const give = gives(inside("bob", "shop"), "alice", { to: "bob", callers: ["bob"] });
    scene
      .when(give)
      .thenHappened({ ...TRANSFERRED, from: "shop", to: "bob" }, "agent_handed_over", CHANGED);
    expect(scene.agent("alice").epoch).toBe(2);
    expect(scene.artifact("alice_memory").owner).toBe("shop");
  });

  it("does not drop the action by which it sells itself", () => {
    given(ALICE, BOB, standing("shop", "bob", { disk: 900 }), thinks("alice"))
      .when(opens("alice", "shop", { artifacts: ["alice"] }))
      .thenHappened(TRANSFERRED, { kind: "agent_handed_over", dropped: false }, CHANGED);
  });
});

describe("the owner of an agent", () => {
  it("can change how the agent thinks, as the agent itself can; a former owner cannot", () => {
    const quotas = { actions: 9, bytes_written: 999 };
    const scene = given(ALICE, BOB, spawns("alice", { id: "kid", quotas }));
    const configures = (who: string) => writes(who, "kid", { content: "{}" });
    scene.when(offersOwnership("alice", "kid", "bob"));
    scene.when(configures("alice")).thenHappened("artifact_written");
    scene.when(accepts("bob", "kid"));
    scene.when(configures("alice")).thenRefused("not_authorized");
    scene.when(configures("bob")).thenHappened("artifact_written");
    scene.when(configures("kid")).thenHappened("artifact_written");
    scene.when(writes("kid", "kid", { price: 5 })).thenRefused("not_owner", /bob/);
  });

  it("does not own the agent's money, artifacts and memory", () => {
    const scene = given(...SOLD, note("poem", "alice"));
    const paid = { kind: "scrip_transferred", from: "alice" } as const;
    scene.when(transfers("alice", "bob", 100)).thenHappened(paid);
    for (const id of ["poem", "alice_memory"]) {
      expect(scene.artifact(id).owner).toBe("alice");
      scene.when(offersOwnership("bob", id, "bob")).thenRefused("not_owner");
    }
    scene.when(reads("bob", "alice_memory")).thenRefused("not_authorized");
    scene.when(reads("alice", "alice_memory")).thenHappened("artifact_read");
  });

  it("can delete neither the agent nor its memory", () => {
    const scene = given(...SOLD, ...sells("alice", "alice_memory", "bob"));
    scene.when(deletes("bob", "alice")).thenRefused("not_empty", /alice is an agent/);
    scene.when(deletes("bob", "alice_memory")).thenRefused("not_empty", /is the memory of alice/);
  });

  it.each([
    ["alice", "alice", "kid"],
    ["alice", "alice", "grandkid"],
    ["alice", "kid", "grandkid"],
  ])("%s cannot give %s to %s, which would close a circle of owners", (owner, owned, to) => {
    const kid = spawns("alice", { id: "kid", disk_bytes: 900, quotas: { actions: 9 } });
    const scene = given(ALICE, kid, spawns("kid", { id: "grandkid" }));
    scene.when(offersOwnership(owner, owned, to)).thenRefused("invalid_argument", /belongs to/);
  });
});

describe("a memory that is sold", () => {
  it("can be read and written only by its new owner, and remains the agent's memory", () => {
    const scene = given(...SOLD_MEMORY);
    expect(scene.artifact("alice").memoryArtifactId).toBe("alice_memory");
    scene.when(reads("alice", "alice_memory")).thenRefused("not_authorized");
    scene.when(writes("alice", "alice_memory", { content: "[1]" })).thenRefused("not_authorized");
    scene.when(reads("bob", "alice_memory")).thenHappened("artifact_read");
    scene.when(writes("bob", "alice_memory", { content: "[2]" }));
    expect(scene.artifact("alice_memory").content).toBe("[2]");
    scene.when(thinks("alice", SLEEP)).thenHappened("thought_completed");
  });

  it("can be read by the agent again if its owner opens it, but not written", () => {
    const opensIt = setsAccess("bob", "alice_memory", "genesis_contract_freeware");
    const scene = given(...SOLD_MEMORY, opensIt);
    scene.when(reads("alice", "alice_memory")).thenHappened("artifact_read");
    scene.when(writes("alice", "alice_memory", { content: "[1]" })).thenRefused("not_authorized");
  });
});
