import { describe, expect, it } from "vitest";
import { asId, type Json, rootOf } from "../../../src/kernel/index.ts";
import { by, calls, inside, reads, spawns, writes } from "../../support/commands.ts";
import { NOW, physicsWith } from "../../support/physics.ts";
import {
  agent,
  given,
  givenIn,
  note,
  program,
  refusesInOrder,
  standing,
} from "../../support/scenario.ts";

const ALICE = agent("alice");
const BOB = agent("bob");

/** The same request through the ledger. */
const ledgerSpawns = (args: readonly Json[], { scrip = 0 } = {}) => ({
  ...calls("alice", "genesis_ledger.spawn_principal", { args, scrip }),
  agent_check: { problem: null },
});

describe("a child", () => {
  it("has an account, an artifact owned by its parent, its own memory, and a loop", () => {
    const scene = given(ALICE);
    scene.when(ledgerSpawns(["kid", { mind: "script" }])).thenHappened([
      { kind: "principal_created", id: "kid", scrip: 0, disk_quota: 0, parent: "alice" },
      { kind: "quota_transferred", from: "alice", to: "kid", resource: "actions", amount: 2 },
      { kind: "quota_transferred", resource: "disk", amount: 100 },
      { kind: "artifact_written", artifact_id: "kid", owner: "alice", by: "alice" },
      { kind: "artifact_written", artifact_id: "kid_memory", owner: "kid", by: "alice" },
      { kind: "agent_created", id: "kid", order: 1, due_at_ms: NOW + 100 },
    ]);
    const kid = { type: "agent", content: '{"mind":"script"}', createdBy: "alice" };
    const rights = { access: "genesis_contract_self_owned", hasStanding: true, canExecute: true };
    const memory = { type: "memory", content: "[]", access: "genesis_contract_private" };
    const expected = { ...kid, ...rights, memoryArtifactId: "kid_memory" };
    expect(scene.artifact("kid")).toMatchObject(expected);
    expect(scene.artifact("kid_memory")).toMatchObject(memory);
    const due = { step: "think", atMs: NOW + 100 };
    expect(scene.agent("kid")).toMatchObject({ state: "running", due });
    scene.when(reads("alice", "kid_memory")).thenRefused("not_authorized");
    scene.when(reads("kid", "kid_memory")).thenHappened("artifact_read");
  });

  it("gets exactly what its parent loses", () => {
    const scene = given(ALICE);
    const means = { llm_budget_micros: 300, disk_bytes: 1_000, actions: 20, cpu_gas: 5_000 };
    const noQuotas = { llm_calls: 0, llm_tokens: 0, bytes_written: 0 };
    const quotas = { ...noQuotas, actions: 20, cpu_gas: 5_000, disk: 1_000 };
    const kid = { id: "kid", owner: "alice", memory_artifact_id: "kid_memory" };
    const answer = { ...kid, scrip: 40, llm_budget_micros: 300, starts_at_ms: NOW + 100, quotas };
    const spawn = ledgerSpawns(["kid", { mind: "script" }, means], { scrip: 40 });
    scene.when(spawn).thenAnswered(answer);
    expect(scene.balances()).toMatchObject({ alice: 60, kid: 40 });
    // Alice began with 10,000 bytes and her own 15: {}, agent, [], memory. The child takes 22.
    expect(scene.account("alice")).toMatchObject({
      llmBudgetMicros: 700,
      diskQuota: 9_015,
      diskUsed: 15 + 22,
      quotas: { actions: 980, llm_calls: 100, cpu_gas: 9_995_000 },
      owned: 2,
    });
    expect(scene.account("kid")).toMatchObject({
      llmBudgetMicros: 300,
      diskQuota: 1_000,
      diskUsed: 8,
      quotas: { actions: 20, llm_calls: 0, cpu_gas: 5_000 },
      owned: 1,
    });
  });

  it("can own itself, and then its artifact takes its own disk", () => {
    const scene = given(ALICE, ledgerSpawns(["kid", { mind: "script" }, { owner: "self" }]));
    expect(scene.artifact("kid").owner).toBe("kid");
    expect(scene.account("kid")).toMatchObject({ diskUsed: 22 + 8, owned: 1 });
    expect(scene.account("alice")).toMatchObject({ owned: 1, diskUsed: 15 });
    scene.when(writes("alice", "kid", { content: "{}" })).thenRefused("not_authorized");
  });

  it("is a copy of its parent by default", () => {
    const scene = given(ALICE, writes("alice", "alice", { content: '{"a":1}' }));
    scene.when(ledgerSpawns([])).thenAnswered({ id: "alice_child_1", owner: "alice" });
    expect(scene.artifact("alice_child_1").content).toBe('{"a":1}');
    scene.when(ledgerSpawns([null, '{"b":2}'])).thenAnswered({ id: "alice_child_2" });
    expect(scene.artifact("alice_child_2").content).toBe('{"b":2}');
  });

  it("gets the first name that is free, also for its memory", () => {
    given(ALICE, ...["alice_child_1", "alice_child_2_memory"].map((id) => note(id, "alice")))
      .when(ledgerSpawns([]))
      .thenAnswered({ id: "alice_child_3" });
  });

  it("of a program belongs to the program and its family, not to the caller", () => {
    const crib = inside("bob", "crib");
    const quota = calls("alice", "genesis_rights_registry.transfer_quota", {
      args: ["crib", "actions", 5],
    });
    const scene = given(ALICE, BOB, standing("crib", "alice", { disk: 500 }), quota);
    const noConfig = spawns(crib, { id: "kid" });
    scene.when(noConfig).thenRefused("missing_argument", /not an agent.*a config/);
    scene.when(spawns(crib, { id: "kid", config: {}, quotas: { actions: 5 } })).thenHappened([
      { kind: "principal_created", parent: "crib" },
      { kind: "quota_transferred", from: "crib", resource: "actions", amount: 5 },
      { kind: "quota_transferred", from: "crib", resource: "disk" },
      { kind: "artifact_written", owner: "crib", by: "crib" },
      { kind: "artifact_written", artifact_id: "kid_memory" },
      { kind: "agent_created", id: "kid" },
    ]);
    expect(rootOf(scene.state, asId("kid"))).toBe("alice");
  });

  it("belongs to the group of its parent", () => {
    const scene = given(agent("alice", { group: "bold" }));
    expect(scene.agent("alice")).toMatchObject({ group: "bold" });
    scene.when(ledgerSpawns(["kid", { mind: "script" }]));
    expect(scene.agent("kid")).toMatchObject({ group: "bold" });
  });

  it("does not count as an account that its parent opened for a program", () => {
    const physics = physicsWith({ agents: { standing_max: 1 } });
    const opens = (id: string) => writes("alice", id, { code: "x", has_standing: true });
    const scene = givenIn(physics, ALICE, spawns("alice"), spawns("alice"));
    scene.when(opens("bank")).thenHappened("artifact_written", "principal_created");
    scene.when(opens("bank2")).thenRefused("quota_exceeded", /the maximum of 1 accounts/);
    scene.when(spawns("alice")).thenAnswered({ id: "alice_child_3" });
  });

  it("starts with the minimum if the request names no means", () => {
    const scene = given(ALICE, spawns("alice", { id: "kid" }));
    expect(scene.account("kid")).toMatchObject({
      quotas: { actions: 2, cpu_gas: 0, bytes_written: 0 },
      diskQuota: 100,
    });
    const tooFew = spawns("alice", { id: "kid2", quotas: { actions: 1 } });
    const minimum = /at least 2 actions and 100 disk_bytes, not 1 and 100/;
    scene.when(tooFew).thenRefused("invalid_argument", minimum);
  });
});

describe("a chain of five children", () => {
  it("passes means from parent to child and creates none", () => {
    const scene = givenIn(physicsWith({ artifacts: { owner_chain_max: 6 } }), ALICE);
    const ids = ["alice", "c1", "c2", "c3", "c4", "c5"];
    for (let depth = 1; depth <= 5; depth++) {
      const [parent = "", child = ""] = ids.slice(depth - 1);
      const quotas = { actions: 900 - 100 * depth };
      const gift = { scrip: 100 - 10 * depth, llm_budget_micros: 1_000 - 100 * depth, quotas };
      const spawn = spawns(parent, { id: child, ...gift, disk_bytes: 8_000 - 1_000 * depth });
      scene.when(spawn).thenAnswered({ id: child, owner: parent });
    }
    expect(scene.balances()).toEqual({ alice: 10, c1: 10, c2: 10, c3: 10, c4: 10, c5: 50 });
    const rows = ids.map((id) => {
      const { parent, llmBudgetMicros, quotas, diskQuota } = scene.account(id);
      return [parent, llmBudgetMicros, quotas.actions, diskQuota];
    });
    expect(rows).toEqual([
      [null, 100, 200, 3_015],
      ["alice", 100, 100, 1_000],
      ["c1", 100, 100, 1_000],
      ["c2", 100, 100, 1_000],
      ["c3", 100, 100, 1_000],
      ["c4", 500, 400, 3_000],
    ]);
    const tooLong = /chain of owners would have more than 6 links/;
    scene.when(spawns("c5", { id: "c6" })).thenRefused("invalid_argument", tooLong);
    scene.when(spawns("c5", { id: "c6", owner: "self" })).thenAnswered({ owner: "c6" });
  });
});

describe("a spawn request", () => {
  type Spawns = ReturnType<typeof spawns>;
  const fields = (more: object) => (command: Spawns) => ({
    ...command,
    fields: { ...command.fields, ...more },
  });

  it("asks whether the configuration is valid for an agent", () => {
    const scene = given(ALICE);
    const content = '{"mind":"magic"}';
    const { agent_check: _, ...unchecked } = ledgerSpawns(["kid", { mind: "magic" }]);
    scene.when(unchecked).thenAsks({ kind: "agent_check", content });
    const invalid = { ...unchecked, agent_check: { problem: "no mind" } };
    scene.when(invalid).thenRefused("invalid_argument", /not valid for an agent: no mind/);
  });

  it("is checked in order, from its fields to the disk", () => {
    const scene = given(
      agent("alice", { scrip: 50, micros: 500, disk: 300, quotas: { actions: 10 } }),
      ...["taken", "half_memory", "third_working_memory"].map((id) => note(id, "alice")),
    );
    const quotas = { actions: 11, cpu_gas: -1 };
    const worst = spawns("alice", {
      id: "a b",
      config: 5,
      owner: "bob",
      scrip: 51,
      llm_budget_micros: 501,
      disk_bytes: 5,
      quotas: { ...quotas, luck: 1 },
      wings: 2,
    });
    const withoutWings = (command: Spawns) => {
      const { wings: _, ...rest } = command.fields;
      return { ...command, fields: rest };
    };
    const unknown = /"wings" is unknown; a child has id, .*, as in {"id": "kid", .*"actions": 20/;
    const tooLittle = /at least 2 actions and 100 disk_bytes, not 11 and 5/;
    const noBudget = /has 500 micro-dollars of llm_budget, less than 501/;
    refusesInOrder(scene, worst, [
      ["invalid_argument", unknown, withoutWings],
      ["invalid_argument", /"luck" is unknown/, fields({ quotas })],
      ["invalid_argument", /id: an id has/, fields({ id: "Genesis_kid" })],
      ["invalid_argument", /cpu_gas must be 0 or an amount/, fields({ quotas: { actions: 11 } })],
      ["invalid_argument", /owner must be "self"/, fields({ owner: "parent" })],
      ["invalid_argument", /config must be an object/, fields({ config: "{}" })],
      ["not_authorized", /starts with genesis or handbook/, fields({ id: "taken" })],
      ["already_exists", /"taken" exists/, fields({ id: "half" })],
      ["already_exists", /"half_memory"/, fields({ id: "third" })],
      ["already_exists", /"third_working_mem/, fields({ id: "kid" })],
      ["invalid_argument", tooLittle, fields({ disk_bytes: 301 })],
      ["insufficient_funds", /takes 51 scrip/, fields({ scrip: 50 })],
      ["insufficient_funds", noBudget, fields({ llm_budget_micros: 500 })],
      ["quota_exceeded", /10 of actions unused, less than 11/, fields({ quotas: { actions: 10 } })],
      ["insufficient_disk", /of disk unused, less than 301/, fields({ disk_bytes: 100 })],
    ]).thenAnswered({ id: "kid" });
    expect(scene.balances()).toEqual({ alice: 0, kid: 50 });
  });

  it("takes window quotas inside or outside of `quotas`, through both ways of asking", () => {
    const flat = { actions: 7, cpu_gas: 30, disk_bytes: 200 };
    const nested = { quotas: { actions: 7, cpu_gas: 30 }, disk_bytes: 200 };
    const config = { mind: "script" };
    const scene = given(ALICE);
    scene.when(ledgerSpawns(["k1", config, flat])).thenAnswered({ id: "k1" });
    scene.when(ledgerSpawns(["k2", config, nested])).thenAnswered({ id: "k2" });
    scene.when(spawns("alice", { id: "k3", config, ...flat })).thenAnswered({ id: "k3" });
    scene.when(spawns("alice", { id: "k4", config, ...nested })).thenAnswered({ id: "k4" });
    for (const kid of ["k1", "k2", "k3", "k4"]) {
      expect(scene.account(kid)).toMatchObject({
        diskQuota: 200,
        quotas: { actions: 7, cpu_gas: 30, llm_calls: 0, llm_tokens: 0, bytes_written: 0 },
      });
    }
    const twice = spawns("alice", { id: "k5", config, actions: 7, quotas: { actions: 7 } });
    scene.when(twice).thenRefused("invalid_argument", /actions is in quotas and at the top level/);
  });

  it.each([
    [{ wings: 1 }, /"wings" is not an option; the options are .*, as in \["kid", .*"actions": 20/],
    [{ scrip: 5 }, /"scrip" is not an option; .*attach the scrip/],
  ])("to the ledger with options %j is refused with an example", (options, words) => {
    given(ALICE)
      .when(ledgerSpawns(["kid", { mind: "script" }, options]))
      .thenRefused("interface_mismatch", words);
  });

  it.each<readonly [string, readonly Json[]]>([
    ["a fraction", ["kid", {}, { actions: 2.5 }]],
    ["a negative quota", ["kid", {}, { disk_bytes: -1 }]],
    ["an unknown owner", ["kid", {}, { owner: "bob" }]],
    ["a number as configuration", ["kid", 5]],
    ["a list as options", ["kid", {}, []]],
    ["too many arguments", ["kid", {}, {}, {}]],
  ])("to the ledger with %s is refused", (_, args) => {
    given(ALICE).when(ledgerSpawns(args)).thenRefused("interface_mismatch");
  });

  it("takes only disk that its parent has free", () => {
    const poem = note("poem", "alice", { content: "x".repeat(9_800) });
    const scene = given(agent("alice", { disk: 10_000 }), poem);
    scene.when(spawns("alice", { id: "kid", disk_bytes: 196 })).thenRefused("insufficient_disk");
    // 10,000 - 9,804 = 196 are free, and 7 are for the child's own artifact.
    scene.when(spawns("alice", { id: "kid", disk_bytes: 189 })).thenAnswered({ id: "kid" });
  });

  it("needs disk for what the child starts with", () => {
    const scene = given(ALICE);
    const heir = { id: "kid", config: { text: "x".repeat(200) }, owner: "self" };
    const noRoom = /starts with 224 bytes, more than its disk_bytes 100/;
    scene.when(spawns("alice", heir)).thenRefused("insufficient_disk", noRoom);
    scene.when(spawns("alice", { ...heir, disk_bytes: 224 }));
    expect(scene.account("kid")).toMatchObject({ diskUsed: 224, diskQuota: 224 });
  });

  it("adds its own cost to the scrip that it needs", () => {
    const physics = physicsWith({ genesis: { costs: { genesis_ledger: { spawn_principal: 5 } } } });
    const scene = givenIn(physics, ALICE);
    scene.when(ledgerSpawns(["kid"], { scrip: 96 })).thenRefused("insufficient_funds", /takes 101/);
    scene.when(ledgerSpawns(["kid"], { scrip: 95 }));
    expect(scene.balances()).toEqual({ alice: 0, kid: 95 });
  });

  it("is refused to programs without an account and to access contracts", () => {
    const scene = given(ALICE, program("hand", "alice"));
    const hand = spawns(inside("alice", "hand"), { config: {} });
    scene.when(hand).thenRefused("not_authorized", /has no standing/);
    const readOnly = { ...by("alice"), readOnly: true };
    for (const command of [spawns(readOnly), { ...ledgerSpawns(["kid"]), by: readOnly }]) {
      scene.when(command).thenRefused("not_authorized", /may only read; it cannot pay or change/);
    }
  });

  it("is refused when the world is full", () => {
    const physics = physicsWith({ agents: { principals_max: 3 } });
    const scene = givenIn(physics, ALICE, spawns("alice"), spawns("alice"));
    scene.when(spawns("alice")).thenRefused("quota_exceeded", /maximum of 3 principals/);
    expect(scene.state.accounts.size).toBe(3);
  });

  it("cannot take an id that is reserved for the memory of another", () => {
    const scene = given(ALICE, BOB, standing("bank", "bob"));
    scene.when(spawns("alice", { id: "bob_memory" })).thenRefused("already_exists");
    const working = spawns("alice", { id: "bob_working_memory" });
    scene.when(working).thenRefused("not_authorized", /reserved/);
    scene.when(spawns("alice", { id: "bank_memory" })).thenRefused("not_authorized", /for bank/);
  });

  it("cannot make the child's memory the working memory of another", () => {
    const scene = given(ALICE, BOB, note("plan", "bob"));
    for (const id of ["bob", "plan"]) {
      const reserved = new RegExp(
        `^"${id}_working_memory" is reserved for bob; choose another id$`,
      );
      scene.when(spawns("alice", { id: `${id}_working` })).thenRefused("not_authorized", reserved);
      scene.when(ledgerSpawns([`${id}_working`])).thenRefused("not_authorized", reserved);
    }
    scene.when(spawns("alice", { id: "carol_working" })).thenAnswered({ id: "carol_working" });
  });

  it("needs an id that leaves room for the ids of memories", () => {
    const long = (chars: number) => spawns("alice", { id: "x".repeat(chars) });
    const scene = given(ALICE);
    scene.when(long(114)).thenRefused("invalid_argument", /an id has 1 to 128/);
    scene.when(long(113)).thenAnswered({ id: "x".repeat(113) });
  });

  it("is refused if its configuration is nested too deeply", () => {
    let config: Json = {};
    for (let depth = 0; depth < 40; depth++) config = { config };
    const tooDeep = /not plain data: it is nested too deeply/;
    given(ALICE).when(spawns("alice", { config })).thenRefused("invalid_argument", tooDeep);
  });
});
