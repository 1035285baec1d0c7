import { describe, expect, it } from "vitest";
import { type Agent, asId, type Command, type State } from "../../../src/kernel/index.ts";

import { calls, gives, inside, opens, reads, spawns, writes } from "../../support/commands.ts";
import { agent, given, note, type Past, standing } from "../../support/given-when-then.ts";
import { FREE, thinks } from "../../support/iterations.ts";
import { NOW } from "../../support/physics.ts";

const ALICE = agent("alice");
const BOB = agent("bob");
const offer = (who: string, artifact: string, to: string): Command =>
  calls(who, "genesis_ledger.transfer_ownership", { args: [artifact, to] });
const take = (who: string, artifact: string): Command =>
  calls(who, "genesis_ledger.accept", { args: [artifact] });

const RESTING = { sleep: { for_ms: 5_000, until: [] } };

const becomes = (to: Agent["state"], due_at_ms: number | null = null): Command => ({
  kind: "change_agent_state",
  at_ms: NOW,
  agent: asId("alice"),
  to,
  reason: "told to",
  due_at_ms,
});
const FREEZE: Command = {
  kind: "freeze_agent",
  at_ms: NOW,
  agent: asId("alice"),
  needs_micros: 5_000,
};

const aliceIn = (state: State): Agent | undefined => state.agents.get(asId("alice"));
const ownerOf = (state: State, id: string) => state.artifacts.get(asId(id))?.owner;

const PASSED = { kind: "ownership_transferred", artifact_id: "alice" } as const;

describe("an agent that is handed over", () => {
  it("forgets what it was about to do, and looks about it anew", () => {
    const scene = given(ALICE, BOB, thinks("alice", RESTING), offer("alice", "alice", "bob"));
    scene.when(take("bob", "alice")).thenHappened(PASSED, {
      kind: "agent_handed_over",
      agent: "alice",
      from: "alice",
      to: "bob",
      dropped: true,
      due_at_ms: NOW + 100,
      principal: "bob",
    });
    expect(aliceIn(scene.state)).toMatchObject({
      state: "running",
      reason: "bob owns it now",
      pending: null,
      sleep: null,
      epoch: 1,
      due: { step: "think", atMs: NOW + 100 },
      mind: { turn: 1 },
    });
  });

  it("does not count the thought that it had not ended", () => {
    const scene = given(ALICE, BOB, offer("alice", "alice", "bob"));
    scene.when(take("bob", "alice")).thenHappened(PASSED, {
      kind: "agent_handed_over",
      dropped: false,
    });
    const usage = { ...FREE, cost_micros: 300 };
    scene
      .when(thinks("alice", { ...RESTING, usage }))
      .thenHappened({ kind: "thought_dropped", usage });
    expect(scene.state.accounts.get(asId("alice"))?.llmBudgetMicros).toBe(700);
    expect(aliceIn(scene.state)).toMatchObject({ pending: null, due: { step: "think" } });
    scene
      .when(thinks("alice", { ...RESTING, epoch: 1 }))
      .thenHappened({ kind: "thought_completed" });
  });

  it.each<readonly [string, Past, object]>([
    ["sleeps", becomes("sleeping", NOW + 9_000), { state: "running", due: { atMs: NOW + 100 } }],
    ["is paused", becomes("paused"), { state: "running", due: { atMs: NOW + 100 } }],
    ["is frozen", FREEZE, { state: "frozen", due: { atMs: NOW + 20_000 } }],
    ["has stopped", becomes("stopped"), { state: "stopped", due: null }],
  ])("that %s goes on only where it lacks nothing but a word", (_, past, after) => {
    const scene = given(ALICE, BOB, past, offer("alice", "alice", "bob"), take("bob", "alice"));
    expect(aliceIn(scene.state)).toMatchObject(after);
    expect(scene.state.sleepers.size).toBe(0);
  });

  it("is forgiven the failures that paused it", () => {
    const scene = given(ALICE, BOB, becomes("paused"), (state: State) => {
      const row = aliceIn(state);
      const counters = { ...row?.counters, errors: 3 } as Agent["counters"];
      if (row !== undefined) state.agents.put(row.id, { ...row, counters });
    });
    scene.when(offer("alice", "alice", "bob"));
    scene.when(take("bob", "alice"));
    expect(aliceIn(scene.state)?.counters.errors).toBe(0);
  });

  it("is wherever it is attached, and wherever it is given", () => {
    const scene = given(ALICE, BOB, standing("shop", "bob", { disk: 900 }));
    scene
      .when(opens("alice", "shop", { artifacts: ["alice", "alice_memory"] }))
      .thenHappened(
        { ...PASSED, to: "shop" },
        { kind: "agent_handed_over", from: "alice", to: "shop", dropped: false },
        { kind: "ownership_transferred", artifact_id: "alice_memory", to: "shop" },
      );
    const shop = inside("bob", "shop");
    scene
      .when(gives(shop, "alice", { to: "bob", askers: ["bob"] }))
      .thenHappened({ ...PASSED, from: "shop", to: "bob" }, { kind: "agent_handed_over" });
    expect(aliceIn(scene.state)?.epoch).toBe(2);
    expect(ownerOf(scene.state, "alice_memory")).toBe("shop");
  });

  it("does not drop the action by which it sells itself", () => {
    const scene = given(ALICE, BOB, standing("shop", "bob", { disk: 900 }), thinks("alice"));
    scene
      .when(opens("alice", "shop", { artifacts: ["alice"] }))
      .thenHappened(PASSED, { kind: "agent_handed_over", dropped: false });
  });

  it("is not when something else is", () => {
    const scene = given(ALICE, BOB, standing("bank", "alice"), note("poem", "alice"));
    for (const id of ["bank", "poem"]) {
      scene.when(offer("alice", id, "bob"));
      scene.when(take("bob", id)).thenHappened({ kind: "ownership_transferred" });
    }
  });
});

describe("who owns an agent", () => {
  const SOLD = [ALICE, BOB, offer("alice", "alice", "bob"), take("bob", "alice")] as const;

  it("says how it thinks, and the agent may too; who sold it may not", () => {
    const quotas = { actions: 9, bytes_written: 999 };
    const scene = given(ALICE, BOB, spawns("alice", { id: "kid", quotas }));
    scene.when(offer("alice", "kid", "bob"));
    scene
      .when(writes("alice", "kid", { content: "{}" }))
      .thenHappened({ kind: "artifact_written" });
    scene.when(take("bob", "kid"));
    scene.when(writes("alice", "kid", { content: "{}" })).thenRefused("not_authorized");
    scene.when(writes("bob", "kid", { content: "{}" })).thenHappened({ kind: "artifact_written" });
    scene.when(writes("kid", "kid", { content: "{}" })).thenHappened({ kind: "artifact_written" });
    scene.when(writes("kid", "kid", { price: 5 })).thenRefused("not_owner", /bob/);
  });

  it("does not have its money, its things or its memory", () => {
    const scene = given(...SOLD, note("poem", "alice"));
    const gives_ = (who: string) => calls(who, "genesis_ledger.transfer", { args: ["bob", 100] });
    scene.when(gives_("alice")).thenHappened({ kind: "scrip_transferred", from: "alice" });
    expect(ownerOf(scene.state, "poem")).toBe("alice");
    scene.when(offer("bob", "poem", "bob")).thenRefused("not_owner");
    scene.when(offer("bob", "alice_memory", "bob")).thenRefused("not_owner");
    scene.when(reads("bob", "alice_memory")).thenRefused("not_authorized");
  });

  it("cannot delete it, nor can who owns the memory that it remembers by", () => {
    const scene = given(
      ...SOLD,
      offer("alice", "alice_memory", "bob"),
      take("bob", "alice_memory"),
    );
    const deletes = (id: string) => calls("bob", "genesis_store.delete", { args: [id] });
    scene.when(deletes("alice")).thenRefused("not_empty", /is an agent/);
    scene.when(deletes("alice_memory")).thenRefused("not_empty", /memory of alice/);
  });

  it("sells it once", () => {
    const scene = given(ALICE, BOB, agent("carol"), spawns("alice", { id: "kid" }));
    scene.when(offer("alice", "kid", "bob"));
    scene.when(offer("alice", "kid", "carol"));
    scene.when(take("bob", "kid")).thenRefused("not_found", /not on offer to bob/);
    scene
      .when(take("carol", "kid"))
      .thenHappened(
        { kind: "ownership_transferred", to: "carol" },
        { kind: "agent_handed_over", to: "carol" },
      );
    scene.when(take("carol", "kid")).thenRefused("not_found");
    scene.when(offer("alice", "kid", "bob")).thenRefused("not_owner");
  });

  it("is not owned by it, however many stand between", () => {
    const scene = given(
      ALICE,
      spawns("alice", { id: "kid", disk_bytes: 900, quotas: { actions: 9 } }),
      spawns("kid", { id: "grandkid" }),
    );
    for (const [owner, owned] of [
      ["kid", "alice"],
      ["grandkid", "alice"],
      ["grandkid", "kid"],
    ] as const) {
      scene
        .when(offer(ownerOf(scene.state, owned) ?? "", owned, owner))
        .thenRefused("invalid_argument", /belongs to/);
    }
  });
});

describe("a memory that is sold", () => {
  const SOLD = [ALICE, BOB, offer("alice", "alice_memory", "bob"), take("bob", "alice_memory")];

  it("is still the agent's own to be named by, and its owner's alone to read and write", () => {
    const scene = given(...SOLD);
    expect(scene.state.artifacts.get(asId("alice"))?.memoryArtifactId).toBe("alice_memory");
    scene.when(reads("alice", "alice_memory")).thenRefused("not_authorized");
    scene.when(writes("alice", "alice_memory", { content: "[1]" })).thenRefused("not_authorized");
    scene.when(reads("bob", "alice_memory")).thenHappened({ kind: "artifact_read" });
    scene.when(writes("bob", "alice_memory", { content: "[2]" }));
    expect(scene.state.artifacts.get(asId("alice_memory"))?.content).toBe("[2]");
    scene.when(thinks("alice", RESTING)).thenHappened({ kind: "thought_completed" });
  });

  it("opens to the agent again where its owner lets it", () => {
    const lets = { args: ["alice_memory", "genesis_contract_freeware"] };
    const scene = given(...SOLD, calls("bob", "genesis_store.set_access", lets));
    scene.when(reads("alice", "alice_memory")).thenHappened({ kind: "artifact_read" });
    scene.when(writes("alice", "alice_memory", { content: "[1]" })).thenRefused("not_authorized");
  });
});
