import { describe, expect, it } from "vitest";
import { asId, type Json, rootOf, type State } from "../../../src/kernel/index.ts";

import {
  by,
  calls,
  inside,
  reads,
  spawns,
  transfersQuota,
  writes,
} from "../../support/commands.ts";
import {
  agent,
  agentOf,
  balances,
  execute,
  given,
  givenIn,
  note,
  program,
  refusesInOrder,
  standing,
} from "../../support/given-when-then.ts";
import { NOW, physicsWith } from "../../support/physics.ts";

const ALICE = agent("alice");
const LEAST = { actions: 2, disk_bytes: 100 };
const accountOf = (state: State, id: string) => state.accounts.get(asId(id));
const artifactOf = (state: State, id: string) => state.artifacts.get(asId(id));

/** The way of the ledger, with what the world says of the configuration. */
const spawn = (args: readonly Json[], { who = "alice", scrip = 0, problem = null } = {}) => ({
  ...calls(who, "genesis_ledger.spawn_principal", { args, scrip }),
  agent_check: { problem },
});

describe("a child", () => {
  it("is an account, an artifact of its parent's, a memory of its own, and a loop", () => {
    const scene = given(ALICE);
    scene
      .when(spawn(["kid", { mind: "script" }]))
      .thenHappened(
        { kind: "principal_created", id: "kid", scrip: 0, disk_quota: 0, parent: "alice" },
        { kind: "quota_transferred", from: "alice", to: "kid", resource: "actions", amount: 2 },
        { kind: "quota_transferred", resource: "disk", amount: 100 },
        { kind: "artifact_written", artifact_id: "kid", owner: "alice", by: "alice" },
        { kind: "artifact_written", artifact_id: "kid_memory", owner: "kid", by: "alice" },
        { kind: "agent_created", id: "kid", order: 1, due_at_ms: NOW + 100 },
      );
    expect(artifactOf(scene.state, "kid")).toMatchObject({
      type: "agent",
      content: '{"mind":"script"}',
      createdBy: "alice",
      access: "genesis_contract_self_owned",
      hasStanding: true,
      canExecute: true,
      memoryArtifactId: "kid_memory",
    });
    expect(artifactOf(scene.state, "kid_memory")).toMatchObject({
      type: "memory",
      content: "[]",
      access: "genesis_contract_private",
    });
    expect(agentOf(scene.state, "kid")).toMatchObject({
      state: "running",
      due: { step: "think", atMs: NOW + 100 },
    });
    scene.when(reads("alice", "kid_memory")).thenRefused("not_authorized");
    scene.when(reads("kid", "kid_memory")).thenHappened("artifact_read");
  });

  it("has what its parent gives it, and nobody has more than before", () => {
    const scene = given(ALICE);
    const given_ = { llm_budget_micros: 300, disk_bytes: 1_000, actions: 20, cpu_gas: 5_000 };
    scene.when(spawn(["kid", { mind: "script" }, given_], { scrip: 40 })).thenAnswered({
      id: "kid",
      owner: "alice",
      memory_artifact_id: "kid_memory",
      scrip: 40,
      llm_budget_micros: 300,
      quotas: {
        actions: 20,
        llm_calls: 0,
        llm_tokens: 0,
        cpu_gas: 5_000,
        bytes_written: 0,
        disk: 1_000,
      },
      starts_at_ms: NOW + 100,
    });
    expect(balances(scene.state)).toMatchObject({ alice: 60, kid: 40 });
    // 10,000 and its own 15 bytes to begin with: {}, agent, [], memory. The child takes 22.
    expect(accountOf(scene.state, "alice")).toMatchObject({
      llmBudgetMicros: 700,
      diskQuota: 9_015,
      diskUsed: 15 + 22,
      quotas: { actions: 980, llm_calls: 100, cpu_gas: 9_995_000 },
      owned: 2,
    });
    expect(accountOf(scene.state, "kid")).toMatchObject({
      llmBudgetMicros: 300,
      diskQuota: 1_000,
      diskUsed: 8,
      quotas: { actions: 20, llm_calls: 0, cpu_gas: 5_000 },
      owned: 1,
    });
  });

  it("can belong to itself, and then has its artifact on its own disk", () => {
    const scene = given(ALICE);
    scene.when(spawn(["kid", { mind: "script" }, { owner: "self" }]));
    expect(artifactOf(scene.state, "kid")?.owner).toBe("kid");
    expect(accountOf(scene.state, "kid")).toMatchObject({ diskUsed: 22 + 8, owned: 1 });
    expect(accountOf(scene.state, "alice")).toMatchObject({ owned: 1, diskUsed: 15 });
    scene.when(writes("alice", "kid", { content: "{}" })).thenRefused("not_authorized");
  });

  it("is a copy of its parent where its parent does not say otherwise", () => {
    const scene = given(ALICE, writes("alice", "alice", { content: '{"a":1}' }));
    scene.when(spawn([])).thenAnswered({ id: "alice_child_1", owner: "alice" });
    expect(artifactOf(scene.state, "alice_child_1")?.content).toBe('{"a":1}');
    scene.when(spawn([null, '{"b":2}'])).thenAnswered({ id: "alice_child_2" });
    expect(artifactOf(scene.state, "alice_child_2")?.content).toBe('{"b":2}');
  });

  it("is told apart from others by a name that nobody has", () => {
    const scene = given(
      ALICE,
      note("alice_child_1", "alice"),
      note("alice_child_2_memory", "alice"),
    );
    scene.when(spawn([])).thenAnswered({ id: "alice_child_3" });
  });

  it("of a program with standing is the program's, and not of the family of whoever called it", () => {
    const scene = given(ALICE, agent("bob"), standing("crib", "alice", { disk: 500 }));
    execute(scene.state, transfersQuota("alice", "crib", "actions", 5));
    const crib = inside("bob", "crib");
    scene
      .when(spawns(crib, { id: "kid" }))
      .thenRefused("missing_argument", /not an agent.*a config/);
    scene
      .when(spawns(crib, { id: "kid", config: {}, quotas: { actions: 5 } }))
      .thenHappened(
        { kind: "principal_created", parent: "crib" },
        { kind: "quota_transferred", from: "crib", resource: "actions", amount: 5 },
        { kind: "quota_transferred", from: "crib", resource: "disk" },
        { kind: "artifact_written", owner: "crib", by: "crib" },
        "artifact_written",
        "agent_created",
      );
    expect(rootOf(scene.state, asId("kid"))).toBe("alice");
  });

  it("is not counted among the accounts that one may open for programs", () => {
    const physics = physicsWith({ agents: { standing_max: 1 } });
    const scene = givenIn(physics, ALICE, spawns("alice"), spawns("alice"));
    scene.when(writes("alice", "bank", { code: "x", has_standing: true }));
    expect(scene.state.accounts.has(asId("bank"))).toBe(true);
    scene
      .when(writes("alice", "bank2", { code: "x", has_standing: true }))
      .thenRefused("quota_exceeded", /the maximum of 1 accounts/);
    scene.when(spawns("alice")).thenAnswered({ id: "alice_child_3" });
  });
});

describe("what is asked of the world first", () => {
  it("is whether the configuration is that of an agent", () => {
    const scene = given(ALICE);
    const { agent_check: _, ...asking } = spawn(["kid", { mind: "magic" }]);
    expect(scene.when(asking).decision).toEqual({
      kind: "asks",
      question: { kind: "agent_check", content: '{"mind":"magic"}' },
    });
    const problem = { ...spawn(["kid", { mind: "magic" }]), agent_check: { problem: "no mind" } };
    scene.when(problem).thenRefused("invalid_argument", /not valid for an agent: no mind/);
  });
});

describe("a chain of five", () => {
  it("passes means down from parent to child, and none come into being", () => {
    const scene = givenIn(physicsWith({ artifacts: { owner_chain_max: 6 } }), ALICE);
    let parent = "alice";
    for (let depth = 1; depth <= 5; depth++) {
      const child = `c${depth}`;
      const quotas = { actions: 900 - 100 * depth };
      const gift = { scrip: 100 - 10 * depth, llm_budget_micros: 1_000 - 100 * depth, quotas };
      scene
        .when(spawns(parent, { id: child, ...gift, disk_bytes: 8_000 - 1_000 * depth }))
        .thenAnswered({ id: child, owner: parent });
      parent = child;
    }
    expect(balances(scene.state)).toEqual({ alice: 10, c1: 10, c2: 10, c3: 10, c4: 10, c5: 50 });
    const row = (id: string) => {
      const account = accountOf(scene.state, id);
      const { parent: by_, llmBudgetMicros, quotas, diskQuota } = account ?? {};
      return [by_, llmBudgetMicros, quotas?.actions, diskQuota];
    };
    expect(["alice", "c1", "c2", "c3", "c4", "c5"].map(row)).toEqual([
      [null, 100, 200, 3_015],
      ["alice", 100, 100, 1_000],
      ["c1", 100, 100, 1_000],
      ["c2", 100, 100, 1_000],
      ["c3", 100, 100, 1_000],
      ["c4", 500, 400, 3_000],
    ]);
    scene
      .when(spawns("c5", { id: "c6" }))
      .thenRefused("invalid_argument", /chain of owners would pass 6/);
    scene.when(spawns("c5", { id: "c6", owner: "self" })).thenAnswered({ owner: "c6" });
  });
});

describe("a spawning", () => {
  const fields = (more: object) => (command: ReturnType<typeof spawns>) => ({
    ...command,
    fields: { ...command.fields, ...more },
  });

  it("is checked from the request down to the disk", () => {
    const scene = given(
      agent("alice", { scrip: 50, micros: 500, disk: 300, quotas: { actions: 10 } }),
      note("taken", "alice"),
      note("half_memory", "alice"),
      note("third_working_memory", "alice"),
    );
    const worst = spawns("alice", {
      id: "a b",
      config: 5,
      owner: "bob",
      scrip: 51,
      llm_budget_micros: 501,
      disk_bytes: 5,
      quotas: { actions: 11, cpu_gas: -1, luck: 1 },
      wings: 2,
    });
    const { wings: _w, ...wingless } = worst.fields;
    refusesInOrder(scene, worst, [
      [
        "invalid_argument",
        /"wings" is unknown; a child takes id, .*, as in {"id": "kid", .*"actions": 20/,
        { fields: wingless },
      ],
      ["invalid_argument", /"luck" is unknown/, fields({ quotas: { actions: 11, cpu_gas: -1 } })],
      ["invalid_argument", /id: an id has/, fields({ id: "Genesis_kid" })],
      ["invalid_argument", /cpu_gas must be 0 or an amount/, fields({ quotas: { actions: 11 } })],
      ["invalid_argument", /owner must be "self"/, fields({ owner: "parent" })],
      ["invalid_argument", /config must be an object/, fields({ config: "{}" })],
      ["not_authorized", /reserved word/, fields({ id: "taken" })],
      ["already_exists", /"taken" exists/, fields({ id: "half" })],
      ["already_exists", /"half_memory"/, fields({ id: "third" })],
      ["already_exists", /"third_working_mem/, fields({ id: "kid" })],
      [
        "invalid_argument",
        /at least 2 actions and 100 disk_bytes, not 11 and 5/,
        fields({ disk_bytes: 301 }),
      ],
      ["insufficient_funds", /takes 51 scrip/, fields({ scrip: 50 })],
      [
        "insufficient_funds",
        /has 500 micro-dollars of llm_budget, not 501/,
        fields({ llm_budget_micros: 500 }),
      ],
      ["quota_exceeded", /has 10 of actions unused, not 11/, fields({ quotas: { actions: 10 } })],
      ["insufficient_disk", /of disk unused, not 301/, fields({ disk_bytes: 100 })],
    ]).thenAnswered({ id: "kid" });
    expect(balances(scene.state)).toEqual({ alice: 0, kid: 50 });
  });

  it("takes window quotas beside the other fields or together, in both ways of asking", () => {
    const flat = { actions: 7, cpu_gas: 30, disk_bytes: 200 };
    const nested = { quotas: { actions: 7, cpu_gas: 30 }, disk_bytes: 200 };
    const config = { mind: "script" };
    const scene = given(ALICE);
    scene.when(spawn(["k1", config, flat])).thenAnswered({ id: "k1" });
    scene.when(spawn(["k2", config, nested])).thenAnswered({ id: "k2" });
    scene.when(spawns("alice", { id: "k3", config, ...flat })).thenAnswered({ id: "k3" });
    scene.when(spawns("alice", { id: "k4", config, ...nested })).thenAnswered({ id: "k4" });
    for (const kid of ["k1", "k2", "k3", "k4"]) {
      expect(accountOf(scene.state, kid)).toMatchObject({
        diskQuota: 200,
        quotas: { actions: 7, cpu_gas: 30, llm_calls: 0, llm_tokens: 0, bytes_written: 0 },
      });
    }
    scene
      .when(spawns("alice", { id: "k5", config, actions: 7, quotas: { actions: 7 } }))
      .thenRefused("invalid_argument", /actions is given twice, in quotas and outside/);
  });

  it.each([
    [{ wings: 1 }, /"wings" is not an option; the options are .*, as in \["kid", .*"actions": 20/],
    [{ scrip: 5 }, /"scrip" is not an option; .*attach the scrip/],
  ])("is refused the options %j with an example of right ones", (options, words) => {
    given(ALICE)
      .when(spawn(["kid", { mind: "script" }, options]))
      .thenRefused("interface_mismatch", words);
  });

  it("takes no quota that its parent has used up", () => {
    const scene = given(
      agent("alice", { disk: 10_000 }),
      note("poem", "alice", { content: "x".repeat(9_800) }),
    );
    scene.when(spawns("alice", { id: "kid", disk_bytes: 196 })).thenRefused("insufficient_disk");
    // 10,000 - 9,804 = 196 are free, and 7 are for the child's own artifact.
    scene.when(spawns("alice", { id: "kid", disk_bytes: 189 })).thenAnswered({ id: "kid" });
  });

  it("needs the named disk to hold what the child begins with", () => {
    const scene = given(ALICE);
    const config = { text: "x".repeat(200) };
    scene
      .when(spawns("alice", { id: "kid", config, owner: "self" }))
      .thenRefused("insufficient_disk", /starts with 224 bytes, more than its disk_bytes 100/);
    scene.when(spawns("alice", { id: "kid", config, owner: "self", disk_bytes: 224 }));
    expect(accountOf(scene.state, "kid")).toMatchObject({ diskUsed: 224, diskQuota: 224 });
  });

  it("counts what asking costs among what is needed", () => {
    const physics = physicsWith({ genesis: { costs: { genesis_ledger: { spawn_principal: 5 } } } });
    const scene = givenIn(physics, ALICE);
    scene.when(spawn(["kid"], { scrip: 96 })).thenRefused("insufficient_funds", /takes 101/);
    scene.when(spawn(["kid"], { scrip: 95 }));
    expect(balances(scene.state)).toEqual({ alice: 0, kid: 95 });
  });

  it("is not for programs without an account, whatever they hold", () => {
    const scene = given(ALICE, program("hand", "alice"));
    scene
      .when(spawns(inside("alice", "hand"), { config: {} }))
      .thenRefused("not_authorized", /has no standing/);
  });

  it("does not happen inside an access contract", () => {
    const scene = given(ALICE);
    const looking = { ...by("alice"), readOnly: true };
    scene
      .when(spawns(looking))
      .thenRefused("not_authorized", /may only read; it cannot pay or change/);
    const native = { ...spawn(["kid"]), by: looking };
    scene.when(native).thenRefused("not_authorized", /may only read; it cannot pay or change/);
  });

  it("finds room in the world, or not", () => {
    const physics = physicsWith({ agents: { principals_max: 3 } });
    const scene = givenIn(physics, ALICE, spawns("alice"), spawns("alice"));
    scene.when(spawns("alice")).thenRefused("quota_exceeded", /maximum of 3 principals/);
    expect(scene.state.accounts.size).toBe(3);
  });

  it("cannot take a name that is kept for another", () => {
    const scene = given(ALICE, agent("bob"), standing("bank", "bob"));
    for (const id of ["bob_memory", "bob_working_memory", "bank_memory"]) {
      const { decision } = scene.when(spawns("alice", { id }));
      expect(decision.kind).toBe("refused");
    }
    scene
      .when(spawns("alice", { id: "bob_working_memory" }))
      .thenRefused("not_authorized", /reserved/);
    scene.when(spawns("alice", { id: "bank_memory" })).thenRefused("not_authorized", /for bank/);
  });

  it("cannot make of a child's memory what another keeps in mind", () => {
    const scene = given(ALICE, agent("bob"), note("plan", "bob"));
    for (const id of ["bob", "plan"]) {
      const kept = new RegExp(`^"${id}_working_memory" is reserved for bob$`);
      scene.when(spawns("alice", { id: `${id}_working` })).thenRefused("not_authorized", kept);
      scene.when(spawn([`${id}_working`])).thenRefused("not_authorized", kept);
    }
    scene.when(spawns("alice", { id: "carol_working" })).thenAnswered({ id: "carol_working" });
  });

  it("has a name that leaves room for those of its memories", () => {
    const long = (chars: number) => spawns("alice", { id: "x".repeat(chars) });
    given(ALICE)
      .when(long(114))
      .thenRefused("invalid_argument", /an id has 1 to 128/);
    given(ALICE)
      .when(long(113))
      .thenAnswered({ id: "x".repeat(113) });
  });

  it("leaves the memory of the child to the child", () => {
    const scene = given(ALICE, spawns("alice", { id: "kid" }));
    scene
      .when(writes("alice", "kid_working_memory", { content: "x" }))
      .thenRefused("not_authorized", /reserved for kid/);
    scene.when(writes("kid", "kid_memory", { code: "x" })).thenRefused("invalid_argument");
  });

  it.each<readonly [string, readonly Json[]]>([
    ["a fraction", ["kid", {}, { actions: 2.5 }]],
    ["less than nothing", ["kid", {}, { disk_bytes: -1 }]],
    ["an unknown option", ["kid", {}, { wings: 2 }]],
    ["scrip that is not attached", ["kid", {}, { scrip: 5 }]],
    ["another owner", ["kid", {}, { owner: "bob" }]],
    ["a configuration that is a number", ["kid", 5]],
    ["options that are a list", ["kid", {}, []]],
    ["too many arguments", ["kid", {}, {}, {}]],
  ])("of the ledger refuses %s", (_, args) => {
    given(ALICE).when(spawn(args)).thenRefused("interface_mismatch");
  });

  it("refuses a configuration that is no plain data, or too deep", () => {
    let config: Json = {};
    for (let depth = 0; depth < 40; depth++) config = { config };
    given(ALICE)
      .when(spawns("alice", { config }))
      .thenRefused("invalid_argument", /not plain data: it is nested too deeply/);
  });

  it("gives what it says, and the least where it says nothing", () => {
    const scene = given(ALICE);
    scene.when(spawns("alice", { id: "kid" }));
    expect(accountOf(scene.state, "kid")).toMatchObject({
      quotas: { actions: LEAST.actions, cpu_gas: 0, bytes_written: 0 },
      diskQuota: LEAST.disk_bytes,
    });
    scene
      .when(spawns("alice", { id: "kid2", quotas: { actions: 1 } }))
      .thenRefused("invalid_argument", /at least 2 actions and 100 disk_bytes, not 1 and 100/);
  });
});
