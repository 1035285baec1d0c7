import { describe, expect, it } from "vitest";
import { asId, type Command, emptyState } from "../../../src/kernel/index.ts";
import { createsAgent, reads, writes } from "../../support/commands.ts";
import { NOW, PHYSICS, physicsWith } from "../../support/physics.ts";
import { agent, execute, given, givenIn, note, refusesInOrder } from "../../support/scenario.ts";

const MAX = Number.MAX_SAFE_INTEGER;

describe("a world", () => {
  const creates = { kind: "create_world", at_ms: 0, physics: PHYSICS } as const;

  it("has its physics from its first event", () => {
    const state = emptyState();
    execute(state, creates);
    expect(state.world.get("world")?.physics).toEqual(PHYSICS);
  });

  it("is created once", () => {
    const scene = given();
    scene.when(creates).thenRefused("already_exists", /the world already exists/);
  });
});

describe("an agent that the world begins with", () => {
  it("has an account, an artifact, a memory and a loop, which take none of its disk", () => {
    const scene = given(agent("alice", { disk: 500 }));
    const diskUsed = 2 + 5 + 2 + 6;
    const account = { scrip: 100, diskUsed, diskQuota: 500 + diskUsed, parent: null, owned: 1 };
    expect(scene.account("alice")).toMatchObject(account);
    const rights = { hasStanding: true, canExecute: true, access: "genesis_contract_self_owned" };
    const alice = { owner: "alice", memoryArtifactId: "alice_memory", ...rights };
    expect(scene.artifact("alice")).toMatchObject(alice);
    scene.when(reads("alice", "alice_memory")).thenHappened("artifact_read");
    expect(scene.agent("alice")).toMatchObject({ state: "running", order: 0 });
  });

  it("can have a workspace, which is private and takes its disk", () => {
    const workspace = '{"AGENTS.md":"Be kind."}';
    const scene = given();
    const bytes = workspace.length + "workspace".length;
    const creates = (disk: number) => ({ ...createsAgent("alice", { disk }), workspace });
    scene
      .when(creates(bytes - 1))
      .thenRefused("insufficient_disk", /its workspace starts with 33 bytes, more than .* 32/);
    scene
      .when(creates(bytes))
      .thenHappened(
        "principal_created",
        "artifact_written",
        { kind: "artifact_written", artifact_id: "alice_memory" },
        { kind: "artifact_written", artifact_id: "alice_workspace", owner: "alice" },
        "agent_created",
      );
    const private_ = { type: "workspace", access: "genesis_contract_private", content: workspace };
    expect(scene.artifact("alice_workspace")).toMatchObject(private_);
    const { diskQuota, diskUsed } = scene.account("alice") ?? {};
    expect(diskUsed).toBe(diskQuota);
  });

  it("is checked in order, from the id to the endowment", () => {
    const long = (chars: number) => ({ id: asId("x".repeat(chars)) });
    const id = (text: string) => ({ id: asId(text) });
    const endowed = (fields: object) => (command: ReturnType<typeof createsAgent>) => ({
      ...command,
      endowment: { ...command.endowment, ...fields },
    });
    const notes = ["taken", "half_memory"].map((name) => note(name, "alice"));
    const scene = given(agent("alice", { scrip: 90 }), ...notes);
    refusesInOrder(scene, createsAgent("a b", { scrip: -1, micros: 1.5, disk: MAX }), [
      ["invalid_argument", /an id has/, long(114)],
      ["invalid_argument", /an id has/, id("Genesis_bob")],
      ["not_authorized", /starts with genesis or handbook/, id("taken")],
      ["already_exists", /"taken" exists/, id("half")],
      ["already_exists", /"half_memory" exists/, long(113)],
      ["invalid_argument", /scrip must be a whole number/, endowed({ scrip: MAX })],
      ["invalid_argument", /llm_budget_micros must be/, endowed({ llm_budget_micros: 0 })],
      ["invalid_argument", /would make the scrip supply too large/, endowed({ scrip: MAX - 90 })],
      ["invalid_argument", /disk quota of \d+ bytes is too large/, endowed({ disk_bytes: 9 })],
    ]).thenHappened("principal_created", "artifact_written", "artifact_written", {
      kind: "agent_created",
      order: 1,
    });
    expect(scene.balances()).toEqual({ alice: 90, ["x".repeat(113)]: MAX - 90 });
  });

  it.each([
    ["its working memory is the memory of another", "ann", "ann_working"],
    ["its memory is the working memory of another", "ann_working", "ann"],
  ])("is refused if %s", (_, first, second) => {
    const { decision } = given(agent(first)).when(createsAgent(second));
    const message = expect.stringContaining('"ann_working_memory"');
    expect(decision).toMatchObject({ kind: "refused", refusal: { message } });
  });

  it.each([-1, 0.5, Number.NaN, -0])("is refused with a quota of %d", (cpu_gas) => {
    given()
      .when(createsAgent("alice", { quotas: { cpu_gas } }))
      .thenRefused("invalid_argument", /cpu_gas must be/);
  });

  it("is refused if the world is full", () => {
    const scene = givenIn(physicsWith({ agents: { principals_max: 1 } }), agent("alice"));
    scene.when(createsAgent("bob")).thenRefused("quota_exceeded", /1 principals/);
  });
});

describe("an artifact that the world begins with", () => {
  const installs = (more: object = {}): Extract<Command, { kind: "install_artifact" }> => ({
    kind: "install_artifact",
    at_ms: NOW,
    id: asId("genesis_escrow"),
    owner: asId("genesis_escrow"),
    fields: { code: "function run() {}", methods: ["run"] },
    ...more,
  });

  it("owns itself and cannot be changed", () => {
    const scene = given(agent("alice"));
    scene.when(installs()).thenHappened({ kind: "artifact_written", owner: "genesis_escrow" });
    scene.when(writes("alice", "genesis_escrow", { code: null })).thenRefused("not_authorized");
    scene.when(installs()).thenRefused("already_exists");
  });

  it("can have an account, with room for itself", () => {
    const scene = given();
    const fields = { type: "service", content: "x", has_standing: true, price: 5 };
    scene.when(installs({ fields })).thenHappened([
      { kind: "principal_created", id: "genesis_escrow", scrip: 0, disk_quota: 5_008 },
      { kind: "artifact_written", size_bytes: 8 },
    ]);
    expect(scene.account("genesis_escrow")).toMatchObject({ diskUsed: 8, owned: 0 });
  });

  it("can have a price only if its owner has an account", () => {
    const scene = given();
    const price = installs({ fields: { price: 5 } });
    scene.when(price).thenRefused("invalid_argument", /owner has no account/);
    scene.when(installs({ fields: { read_price: 5 } })).thenRefused("invalid_argument");
    const owner = asId("unknown");
    scene.when(installs({ owner })).thenRefused("not_found", /only principals can own/);
  });

  it("can belong to an agent, and then takes its disk", () => {
    const scene = given(agent("alice"));
    const { diskUsed } = scene.account("alice");
    const fields = { type: "t", content: "x", price: 5 };
    const install = installs({ owner: asId("alice"), fields });
    scene.when(install).thenHappened({ kind: "artifact_written", owner: "alice" });
    expect(scene.account("alice")).toMatchObject({ diskUsed: diskUsed + 2, owned: 2 });
  });
});
