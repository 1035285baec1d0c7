import { describe, expect, it } from "vitest";
import {
  asId,
  type Evidence,
  type Interface,
  liveArtifact,
  type Permit,
} from "../../../src/kernel/index.ts";

import { calls, inside, offers, permit, writes } from "../../support/commands.ts";
import {
  agent,
  balances,
  climb,
  contract,
  given,
  givenIn,
  note,
  type Past,
  program,
  standing,
  used,
} from "../../support/given-when-then.ts";
import { physicsWith } from "../../support/physics.ts";

const ALICE = agent("alice");
const BOB = agent("bob");

const DESCRIBED: Interface = {
  description: "d",
  methods: [{ name: "run", description: "d", input_schema: {} }],
};

type Writes = ReturnType<typeof writes>;

/** Other fields in a write. */
const asking = (fields: object) => (command: Writes) => ({
  ...command,
  request: { ...command.request, ...fields },
});
const without = (field: string) => (command: Writes) => {
  const { [field]: _, ...request } = { ...command.request } as Record<string, unknown>;
  return { ...command, request: request as Writes["request"] };
};

describe("writing something new", () => {
  it("makes it the writer's, of the default type and access, in version 1", () => {
    const { state } = given(ALICE)
      .when(writes("alice", "poem", { content: "roses" }))
      .thenHappened({
        kind: "artifact_written",
        artifact_id: "poem",
        by: "alice",
        owner: "alice",
        created: true,
        version: 1,
        size_bytes: 9,
        fields: { type: "data", content: "roses" },
      })
      .thenAnswered({ answer: { artifact_id: "poem", version: 1, size_bytes: 9, owner: "alice" } });
    expect(state.artifacts.get(asId("poem"))).toMatchObject({
      createdBy: "alice",
      createdAt: 1_000,
      access: "genesis_contract_freeware",
      price: 0,
      code: null,
      state: "{}",
    });
  });

  it("calls it a program when it has code", () => {
    given(ALICE)
      .when(writes("alice", "tool", { code: "function go() {}", evidence: offers("go") }))
      .thenHappened({ kind: "artifact_written", fields: { type: "program", methods: ["go"] } });
  });

  it("asks what its code defines before anything is decided", () => {
    given(ALICE)
      .when(writes("alice", "Genesis-thing", { code: "function go() {}", evidence: null }))
      .thenAsks({ kind: "code_check", code: "function go() {}" });
  });

  it("is checked from the id down to the disk", () => {
    const scene = givenIn(
      physicsWith({ agents: { principals_max: 3 } }),
      ALICE,
      BOB,
      standing("bank", "alice"),
      note("last", "bob"),
      note("mid", "bob", { depends_on: ["last"] }),
      note("first", "bob", { depends_on: ["mid"] }),
      note("top", "bob", { depends_on: ["first"] }),
      used("alice", { bytes: 98_000 }),
    );
    const worst = writes("alice", "Genesis-thing", {
      artifact_type: "x".repeat(17),
      content: "c".repeat(10_500),
      code: "oops(",
      metadata: { long: "x".repeat(200) },
      interface: { description: "d", methods: "none" } as unknown as Interface,
      access: "nowhere",
      has_standing: true,
      depends_on: ["top", "top", "top", "top", "gone"],
      evidence: {
        code_check: { refusal: { code: "syntax_error", message: "no", retriable: false } },
        agent_check: { problem: "not an agent" },
      },
    });
    const found = (evidence: Evidence) => (command: Writes) => ({ ...command, ...evidence });
    climb(scene, worst, [
      {
        refused: "not_authorized",
        words: /reserved/,
        mend: asking({ artifact_id: "bob_memory_x" }),
      },
      { refused: "syntax_error", mend: found({ code_check: { methods: [], print: "" } }) },
      {
        refused: "invalid_argument",
        words: /valid agent/,
        mend: found({ agent_check: { problem: null } }),
      },
      {
        refused: "invalid_argument",
        words: /1 to 16 characters/,
        mend: asking({ artifact_type: "" }),
      },
      { refused: "invalid_argument", words: /1 to 16/, mend: asking({ artifact_type: "t" }) },
      { refused: "invalid_argument", words: /metadata must be/, mend: asking({ metadata: {} }) },
      {
        refused: "invalid_argument",
        words: /^interface: an interface is/,
        mend: asking({ interface: { ...DESCRIBED, description: "x".repeat(2_000) } }),
      },
      {
        refused: "invalid_argument",
        words: /interface must be at most 2000/,
        mend: asking({ interface: DESCRIBED }),
      },
      { refused: "not_found", words: /is not a contract/, mend: asking({ access: "bank" }) },
      {
        refused: "not_found",
        words: /defines check_permission/,
        mend: asking({ access: "genesis_contract_private" }),
      },
      { refused: "quota_exceeded", words: /3 principals/, mend: without("has_standing") },
      {
        refused: "invalid_argument",
        words: /may name 4/,
        mend: asking({ depends_on: ["gone"] }),
      },
      { refused: "not_found", words: /there is no "gone"/, mend: asking({ depends_on: ["top"] }) },
      {
        refused: "invalid_argument",
        words: /longer than 3/,
        mend: asking({ depends_on: ["mid"] }),
      },
      {
        refused: "rate_limited",
        words: /can write 2000 more/,
        mend: asking({ content: "c".repeat(1_500) }),
      },
    ]).thenHappened({ kind: "artifact_written", artifact_id: "bob_memory_x" });
  });

  it("needs room on the owner's disk, to the byte", () => {
    const scene = given(agent("alice", { disk: 100 }));
    scene
      .when(writes("alice", "a", { artifact_type: "t", content: "x".repeat(100) }))
      .thenRefused("insufficient_disk", /needs 101 more bytes and alice has 100 of/);
    scene
      .when(writes("alice", "a", { artifact_type: "t", content: "x".repeat(99) }))
      .thenHappened({ kind: "artifact_written", size_bytes: 100 });
    scene.when(writes("alice", "b", { content: "" })).thenRefused("insufficient_disk");
  });

  it("counts every field that an agent can set, as UTF-8", () => {
    given(ALICE, note("other", "alice"))
      .when(
        writes("alice", "a", {
          artifact_type: "ty",
          content: "é",
          code: "€",
          interface: DESCRIBED,
          metadata: { k: 1 },
          depends_on: ["other"],
          price: 999_999,
        }),
      )
      .thenHappened({
        kind: "artifact_written",
        size_bytes: 2 + 2 + 3 + JSON.stringify(DESCRIBED).length + 7 + 5,
      });
  });

  it("is refused for good where the window could never hold it", () => {
    given(agent("alice", { disk: 900_000 }))
      .when(writes("alice", "a", { content: "x".repeat(100_000) }))
      .thenRefused("quota_exceeded", /can write 100000 more/);
  });

  it("takes into account what the same action has written already", () => {
    const write = writes("alice", "a", { content: "x" });
    const bytes = JSON.stringify(write.request).length;
    given(ALICE)
      .when({ ...write, bytesSpent: 100_000 - bytes })
      .thenHappened({ kind: "artifact_written" });
    given(ALICE)
      .when({ ...write, bytesSpent: 100_001 - bytes })
      .thenRefused("rate_limited");
  });

  it.each(["alice_memory_", "x", "ALICE_memory", "alice-memory", "my_memory"])(
    "lets a stranger use the id %s",
    (id) => {
      given(ALICE, BOB)
        .when(writes("bob", id, {}))
        .thenHappened({ kind: "artifact_written" });
    },
  );

  it.each(["shop_memory", "shop_working_memory"])(
    "gives no standing to what has a name for which a stranger has %s",
    (id) => {
      const standing = { code: "function run() {}", has_standing: true } as const;
      const scene = given(ALICE, BOB, note(id, "bob"), program("shop", "alice"));
      const taken = new RegExp(`"${id}" belongs to bob, but a principal "shop" needs.* another id`);
      scene.when(writes("alice", "shop", standing)).thenRefused("already_exists", taken);
      given(ALICE, BOB, note(id, "bob"))
        .when(writes("alice", "shop", standing))
        .thenRefused("already_exists", taken);
      // One's own is in nobody's way, nor is what is gone.
      given(ALICE, note(id, "alice"))
        .when(writes("alice", "shop", standing))
        .thenHappened({ kind: "artifact_written" }, { kind: "principal_created", id: "shop" });
      scene.when(calls("bob", "genesis_store.delete", { args: [id] }));
      scene
        .when(writes("alice", "shop", standing))
        .thenHappened({ kind: "artifact_written" }, { kind: "principal_created", id: "shop" });
    },
  );

  it("keeps the names that would be kept for a program for its owner", () => {
    const scene = given(ALICE, BOB, program("shop", "alice"), program("bot", "alice"));
    for (const id of ["shop_memory", "shop_working_memory"]) {
      scene
        .when(writes("bob", id, {}))
        .thenRefused("not_authorized", /reserved for alice, who owns/);
      scene.when(writes(inside("bob", "bot"), id, {})).thenHappened({ kind: "artifact_written" });
    }
    const child = { args: ["bot_memory", {}, { disk_bytes: 1_000, actions: 10 }] };
    scene
      .when(calls("bob", "genesis_ledger.spawn_principal", child))
      .thenRefused("not_authorized", /"bot_memory" is reserved for alice/);
    const standing = { code: "function run() {}", has_standing: true } as const;
    scene
      .when(writes("alice", "shop", standing))
      .thenHappened({ kind: "artifact_written" }, { kind: "principal_created", id: "shop" });
  });

  it("keeps the ids of a principal's memories for it alone", () => {
    const scene = given(ALICE, BOB, standing("bank", "alice"));
    const kept = /is reserved for/;
    scene.when(writes("bob", "alice_working_memory", {})).thenRefused("not_authorized", kept);
    scene.when(writes("alice", "bank_memory", {})).thenRefused("not_authorized", kept);
    scene
      .when(writes("alice", "alice_working_memory", {}))
      .thenHappened({ kind: "artifact_written" });
  });
});

describe("writing again", () => {
  const TOOL = program("tool", "alice", {
    content: "doc",
    price: 5,
    read_price: 2,
    access: "genesis_contract_public",
    interface: DESCRIBED,
    metadata: { k: 1 },
    depends_on: ["alice"],
  });

  it("keeps every field that it does not name", () => {
    const { state } = given(ALICE, TOOL)
      .when(writes("alice", "tool", { content: "new" }))
      .thenHappened({
        kind: "artifact_written",
        created: false,
        version: 2,
        fields: { content: "new" },
      });
    expect(state.artifacts.get(asId("tool"))).toMatchObject({
      content: "new",
      code: "function run() {}",
      methods: ["run"],
      type: "program",
      price: 5,
      readPrice: 2,
      access: "genesis_contract_public",
      interface: DESCRIBED,
      metadata: { k: 1 },
      dependsOn: ["alice"],
    });
  });

  it("can take code and interface away, and the methods with the code", () => {
    const { state } = given(ALICE, TOOL).when(
      writes("alice", "tool", { code: null, interface: null, metadata: {}, depends_on: [] }),
    );
    expect(state.artifacts.get(asId("tool"))).toMatchObject({
      code: null,
      methods: [],
      interface: null,
      metadata: {},
      dependsOn: [],
      type: "program",
    });
  });

  it("by a stranger changes the goods of what is public, and no terms", () => {
    const scene = given(ALICE, BOB, TOOL);
    for (const field of ["price", "read_price", "access", "access_locked", "has_standing"]) {
      const value = { price: 5, read_price: 2, access: "genesis_contract_public" }[field] ?? true;
      const write = writes("bob", "tool", { [field]: value });
      scene.when(write).thenRefused("not_owner", new RegExp(`can set ${field}$`));
    }
    scene
      .when(writes("bob", "tool", { content: "vandal", artifact_type: "art" }))
      .thenHappened({ kind: "artifact_written", by: "bob", owner: "alice" });
  });

  it("by a stranger takes the owner's disk and the stranger's window", () => {
    const scene = given(
      agent("alice", { disk: 150 }),
      BOB,
      note("wall", "alice", {
        access: "genesis_contract_public",
      }),
    );
    scene
      .when(writes("bob", "wall", { content: "x".repeat(200) }))
      .thenRefused("insufficient_disk", /alice has/);
  });

  it.each([
    ["the default contract", {}],
    ["a private one", { access: "genesis_contract_private" }],
  ])("is refused to a stranger under %s", (_, fields) => {
    given(ALICE, BOB, note("a", "alice", fields))
      .when(writes("bob", "a", { content: "x" }))
      .thenRefused("not_authorized", /bob may not write a \(owner alice\)/);
  });

  it("never changes access that is locked, not even for the owner", () => {
    const scene = given(
      ALICE,
      note("a", "alice", { access: "genesis_contract_public", access_locked: true }),
    );
    scene
      .when(writes("alice", "a", { access: "genesis_contract_private" }))
      .thenRefused("not_authorized", /locked permanently/);
    scene
      .when(writes("alice", "a", { access: "genesis_contract_public", price: 3 }))
      .thenHappened({ kind: "artifact_written" });
  });

  it("of a tombstone is refused, whoever asks", () => {
    const dead = { kind: "artifact_deleted", at_ms: 1_000, principal: asId("alice") } as const;
    const scene = given(ALICE, BOB, note("a", "alice"), {
      ...dead,
      artifact_id: asId("a"),
      by: asId("alice"),
    });
    for (const who of ["alice", "bob"]) {
      scene
        .when(writes(who, "a", { content: "x" }))
        .thenRefused("deleted", /deleted by alice at 1000/);
    }
  });

  it("may shrink what is on a disk that is full", () => {
    given(
      agent("alice", { disk: 100 }),
      note("a", "alice", { artifact_type: "t", content: "x".repeat(99) }),
    )
      .when(writes("alice", "a", { content: "y" }))
      .thenHappened({ kind: "artifact_written", size_bytes: 2 });
  });

  it("of an agent's own artifact must leave it a valid agent", () => {
    const evidence = { agent_check: { problem: "mind: unknown" } };
    given(ALICE)
      .when(writes("alice", "alice", { content: "?", evidence }))
      .thenRefused("invalid_argument", /alice must stay a valid agent: mind: unknown/);
  });

  it("asks whether new content of an agent's leaves it one, but of nothing else's", () => {
    const scene = given(ALICE, note("diary", "alice"));
    scene
      .when(writes("alice", "alice", { content: "?", evidence: null }))
      .thenAsks({ kind: "agent_check", content: "?" });
    scene
      .when(writes("alice", "diary", { content: "?", evidence: null }))
      .thenHappened({ kind: "artifact_written" });
    scene
      .when(writes("alice", "alice", { price: 3, evidence: null }))
      .thenHappened({ kind: "artifact_written" });
  });

  it("makes nothing else of a memory, for its agent or for whoever bought it", () => {
    const scene = given(
      ALICE,
      BOB,
      calls("alice", "genesis_ledger.transfer_ownership", { args: ["alice_memory", "bob"] }),
      calls("bob", "genesis_ledger.accept", { args: ["alice_memory"] }),
    );
    const memory = /the memory of alice, which can have neither code nor standing/;
    for (const fields of [{ code: "function run() {}" }, { has_standing: true }] as const) {
      scene.when(writes("bob", "alice_memory", fields)).thenRefused("invalid_argument", memory);
    }
    scene
      .when(writes("bob", "alice_memory", { content: "new", code: null }))
      .thenHappened({ kind: "artifact_written" });
  });

  it("of the world's own artifacts is nobody's", () => {
    const scene = given(ALICE);
    scene.when(writes("alice", "genesis_ledger", { content: "x" })).thenRefused("not_authorized");
  });
});

describe("a write under a contract of one's own making", () => {
  const toll = (choice: Parameters<typeof permit>[1]): Permit => permit("door", choice);
  const PAST: readonly Past[] = [
    ALICE,
    BOB,
    agent("carol", { scrip: 0 }),
    contract("door", "alice"),
    note("wall", "alice", { access: "door" }),
  ];

  it("asks the contract, and pays what it asks", () => {
    const scene = given(...PAST);
    const write = writes("bob", "wall", { content: "hi" });
    scene.when(write).thenAsked("door");
    scene
      .when({ ...write, permit: toll({ cost: 7 }) })
      .thenHappened(
        { kind: "scrip_transferred", from: "bob", to: "alice", amount: 7, reason: "access" },
        { kind: "artifact_written" },
      );
    expect(balances(scene.state)).toMatchObject({ alice: 107, bob: 93 });
  });

  it("is refused, and nothing paid, when the toll is more than the writer has", () => {
    given(...PAST)
      .when(writes("bob", "wall", { content: "hi", permit: toll({ cost: 101 }) }))
      .thenRefused("insufficient_funds", /takes 101 scrip and bob has 100/);
  });
});

describe("standing", () => {
  it("opens an empty account when an owner asks for it, once and for good", () => {
    const scene = given(ALICE, program("bank", "alice"));
    scene
      .when(writes("alice", "bank", { has_standing: true }))
      .thenHappened(
        { kind: "artifact_written" },
        { kind: "principal_created", id: "bank", scrip: 0, disk_quota: 0, parent: "alice" },
      );
    scene
      .when(writes("alice", "bank", { has_standing: true, content: "again" }))
      .thenHappened({ kind: "artifact_written" });
    expect(liveArtifact(scene.state, asId("bank"))?.hasStanding).toBe(true);
  });

  it("is opened so often by one principal, itself or through programs, and no more", () => {
    const few = physicsWith({ agents: { standing_max: 2 } });
    const scene = givenIn(few, ALICE, BOB, standing("one", "alice"), program("hand", "alice"));
    const opening = { code: "", has_standing: true } as const;
    scene
      .when(writes(inside("alice", "hand"), "two", opening))
      .thenHappened({ kind: "artifact_written" }, { kind: "principal_created", parent: "alice" });
    const full = /the family of alice already has the maximum of 2 accounts/;
    scene.when(writes("alice", "three", opening)).thenRefused("quota_exceeded", full);
    scene
      .when(writes(inside("alice", "one"), "three", opening))
      .thenRefused("quota_exceeded", full);
    scene
      .when(writes("bob", "three", opening))
      .thenHappened({ kind: "artifact_written" }, { kind: "principal_created", parent: "bob" });
    scene.when(calls("alice", "genesis_store.delete", { args: ["two"] }));
    scene
      .when(writes("alice", "four", opening))
      .thenHappened({ kind: "artifact_written" }, { kind: "principal_created" });
  });

  it("makes a program the owner of what it creates, on its own disk", () => {
    const scene = given(ALICE, standing("bank", "alice", { disk: 50 }), program("hand", "alice"));
    scene.when(writes(inside("alice", "bank"), "slip", { content: "x" })).thenHappened({
      kind: "artifact_written",
      owner: "bank",
      by: "bank",
    });
    scene
      .when(writes(inside("alice", "bank"), "book", { content: "x".repeat(60) }))
      .thenRefused("insufficient_disk", /bank has/);
    scene.when(writes(inside("alice", "hand"), "leaf", { content: "x" })).thenHappened({
      kind: "artifact_written",
      owner: "alice",
      by: "hand",
    });
  });

  it("lets chains of owners grow to their bound by creation too, and no further", () => {
    const one = inside("alice", "one");
    const scene = given(ALICE, standing("one", "alice", { disk: 900 }), standing("two", one));
    scene.when(writes(inside("alice", "two"), "three", { content: "x" })).thenHappened({
      kind: "artifact_written",
      owner: "two",
    });
    scene.when(writes(inside("alice", "two"), "four", { code: "", has_standing: true }));
    scene
      .when(writes(inside("alice", "four"), "five", { content: "x" }))
      .thenRefused("invalid_argument", /chain of owners would pass 3 links/);
  });
});
