import { describe, expect, it } from "vitest";
import { asId, decide, emptyState, evolve, type WorldCommand } from "../../../src/kernel/index.ts";

import { createsAgent, reads, writes } from "../../support/commands.ts";
import {
  accountOf,
  agent,
  agentOf,
  artifactOf,
  balances,
  given,
  givenIn,
  note,
  refusesInOrder,
} from "../../support/given-when-then.ts";
import { NOW, PHYSICS, physicsWith } from "../../support/physics.ts";

const MAX = Number.MAX_SAFE_INTEGER;

describe("a world", () => {
  it("is created once", () => {
    given()
      .when({ kind: "create_world", at_ms: 0, physics: PHYSICS })
      .thenRefused("already_exists", /created once/);
  });

  it("needs no other event to know its physics", () => {
    const state = emptyState();
    const decision = decide(state, { kind: "create_world", at_ms: 0, physics: PHYSICS });
    if (decision.kind === "accepted") for (const event of decision.events) evolve(state, event);
    expect(state.world.get("world")?.physics).toEqual(PHYSICS);
  });
});

describe("an agent of the first day", () => {
  it("is an account, an artifact, a memory and a loop, and none of it takes its disk", () => {
    const scene = given(agent("alice", { disk: 500 }));
    expect(accountOf(scene.state, "alice")).toMatchObject({
      scrip: 100,
      diskUsed: 2 + 5 + 2 + 6,
      diskQuota: 500 + 2 + 5 + 2 + 6,
      parent: null,
      owned: 1,
    });
    expect(artifactOf(scene.state, "alice")).toMatchObject({
      owner: "alice",
      hasStanding: true,
      canExecute: true,
      memoryArtifactId: "alice_memory",
      access: "genesis_contract_self_owned",
    });
    scene.when(reads("alice", "alice_memory")).thenHappened("artifact_read");
    expect(agentOf(scene.state, "alice")).toMatchObject({ state: "running", order: 0 });
  });

  const with_ = (more: object) => (command: ReturnType<typeof createsAgent>) => ({
    ...command,
    ...more,
  });
  const endowed = (more: object) => (command: ReturnType<typeof createsAgent>) => ({
    ...command,
    endowment: { ...command.endowment, ...more },
  });

  it("is checked from the id down to what it is given", () => {
    const scene = given(
      agent("alice", { scrip: 90 }),
      note("taken", "alice"),
      note("half_memory", "alice"),
    );
    const worst = createsAgent("a b", { scrip: -1, micros: 1.5, disk: MAX });
    refusesInOrder(scene, worst, [
      ["invalid_argument", /an id has/, with_({ id: "x".repeat(114) })],
      ["invalid_argument", /an id has/, with_({ id: "Genesis_bob" })],
      ["not_authorized", /reserved word/, with_({ id: "taken" })],
      ["already_exists", /"taken" exists/, with_({ id: "half" })],
      ["already_exists", /"half_memory" exists/, with_({ id: "x".repeat(113) })],
      ["invalid_argument", /scrip must be a whole number/, endowed({ scrip: MAX })],
      ["invalid_argument", /llm_budget_micros must be/, endowed({ llm_budget_micros: 0 })],
      ["invalid_argument", /scrip supply would be too large/, endowed({ scrip: MAX - 90 })],
      ["invalid_argument", /too large to count/, endowed({ disk_bytes: 9 })],
    ]).thenHappened("principal_created", "artifact_written", "artifact_written", {
      kind: "agent_created",
      order: 1,
    });
    expect(balances(scene.state)).toEqual({ alice: 90, ["x".repeat(113)]: MAX - 90 });
  });

  it.each([
    ["a stranger's memory for its working memory", ["ann", "ann_working"], "ann_working_memory"],
    ["a working memory that is a stranger's memory", ["ann_working", "ann"], "ann_working_memory"],
  ])("has not %s", (_what, [first, second], name) => {
    const refused = given(agent(String(first))).when(createsAgent(String(second)));
    expect(refused.decision).toMatchObject({
      kind: "refused",
      refusal: { message: expect.stringContaining(`"${name}"`) },
    });
  });

  it("is refused a quota that is no whole number", () => {
    for (const value of [-1, 0.5, Number.NaN, -0]) {
      given()
        .when(createsAgent("alice", { quotas: { cpu_gas: value } }))
        .thenRefused("invalid_argument", /cpu_gas must be/);
    }
  });

  it("finds room, or not", () => {
    const physics = physicsWith({ agents: { principals_max: 1 } });
    givenIn(physics, agent("alice"))
      .when(createsAgent("bob"))
      .thenRefused("quota_exceeded", /1 principals/);
  });
});

describe("what the world begins with", () => {
  const installs = (more: object = {}): Extract<WorldCommand, { kind: "install_artifact" }> => ({
    kind: "install_artifact",
    at_ms: NOW,
    id: asId("genesis_escrow"),
    owner: asId("genesis_escrow"),
    fields: { code: "function run() {}", methods: ["run"] },
    ...more,
  });

  it("belongs to itself, takes nobody's disk, and is nobody's to change", () => {
    const scene = given(agent("alice"));
    scene.when(installs()).thenHappened({ kind: "artifact_written", owner: "genesis_escrow" });
    scene.when(writes("alice", "genesis_escrow", { code: null })).thenRefused("not_authorized");
    scene.when(installs()).thenRefused("already_exists");
  });

  it("has an account where it has standing, with room for itself", () => {
    const scene = given();
    scene
      .when(installs({ fields: { type: "service", content: "x", has_standing: true, price: 5 } }))
      .thenHappened(
        { kind: "principal_created", id: "genesis_escrow", scrip: 0, disk_quota: 5_008 },
        { kind: "artifact_written", size_bytes: 8 },
      );
    expect(accountOf(scene.state, "genesis_escrow")).toMatchObject({
      diskUsed: 8,
      owned: 0,
    });
  });

  it("asks no price that nobody could be paid", () => {
    given()
      .when(installs({ fields: { price: 5 } }))
      .thenRefused("invalid_argument", /owner has no account/);
    given()
      .when(installs({ fields: { read_price: 5 } }))
      .thenRefused("invalid_argument");
    given()
      .when(installs({ owner: asId("nobody") }))
      .thenRefused("not_found", /only principals can own/);
  });

  it("may belong to an agent", () => {
    const scene = given(agent("alice"));
    const before = accountOf(scene.state, "alice").diskUsed ?? 0;
    scene
      .when(installs({ owner: asId("alice"), fields: { type: "t", content: "x", price: 5 } }))
      .thenHappened({ kind: "artifact_written", owner: "alice" });
    expect(accountOf(scene.state, "alice")).toMatchObject({
      diskUsed: before + 2,
      owned: 2,
    });
  });
});
