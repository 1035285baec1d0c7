import { describe, expect, it } from "vitest";
import type { Interface } from "../../../src/kernel/index.ts";
import { deletes, inside, permit, sells, spawns, writes } from "../../support/commands.ts";
import { physicsWith } from "../../support/physics.ts";
import {
  agent,
  artifactOf,
  consumed,
  contract,
  given,
  givenIn,
  note,
  program,
  refusesInOrder,
  standing,
} from "../../support/scenario.ts";

const ALICE = agent("alice");
const BOB = agent("bob");

const DESCRIBED: Interface = {
  description: "d",
  methods: [{ name: "run", description: "d", input_schema: {} }],
};
const STANDING = { code: "function run() {}", has_standing: true } as const;

type Writes = ReturnType<typeof writes>;

const asking = (fields: object) => (command: Writes) => ({
  ...command,
  request: { ...command.request, ...fields },
});

describe("writing a new artifact", () => {
  it("makes the writer its owner, with the default type and access, in version 1", () => {
    const poem = { artifact_id: "poem", version: 1, size_bytes: 9, owner: "alice" };
    const fields = { type: "data", content: "roses" };
    const { state } = given(ALICE)
      .when(writes("alice", "poem", { content: "roses" }))
      .thenHappened({ kind: "artifact_written", ...poem, by: "alice", created: true, fields })
      .thenAnswered({ answer: poem });
    const empty = { price: 0, code: null, state: "{}", access: "genesis_contract_freeware" };
    const created = { createdBy: "alice", createdAt: 1_000 };
    expect(artifactOf(state, "poem")).toMatchObject({ ...created, ...empty });
  });

  it("with code makes a program, after a question about what the code defines", () => {
    const code = "function go() {}";
    const scene = given(ALICE);
    const unchecked = writes("alice", "Genesis-thing", { code, evidence: null });
    scene.when(unchecked).thenAsks({ kind: "code_check", code });
    scene
      .when(
        writes("alice", "tool", { code, evidence: { code_check: { methods: ["go"], print: "" } } }),
      )
      .thenHappened({ kind: "artifact_written", fields: { type: "program", methods: ["go"] } });
  });

  it("is checked in order, from the id to the window of bytes", () => {
    const scene = givenIn(
      physicsWith({ agents: { principals_max: 3 } }),
      ALICE,
      BOB,
      standing("bank", "alice"),
      note("last", "bob"),
      note("mid", "bob", { depends_on: ["last"] }),
      note("first", "bob", { depends_on: ["mid"] }),
      note("top", "bob", { depends_on: ["first"] }),
      consumed("alice", { bytes: 98_000 }),
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
    const withoutStanding = (command: Writes) => {
      const { has_standing: _, ...request } = command.request;
      return { ...command, request };
    };
    const tooLong = { ...DESCRIBED, description: "x".repeat(2_000) };
    refusesInOrder(scene, worst, [
      [
        "not_authorized",
        /starts with genesis or handbook/,
        asking({ artifact_id: "bob_memory_x" }),
      ],
      ["syntax_error", null, { code_check: { methods: [], print: "" } }],
      ["invalid_argument", /valid agent/, { agent_check: { problem: null } }],
      ["invalid_argument", /1 to 16 characters/, asking({ artifact_type: "" })],
      ["invalid_argument", /1 to 16/, asking({ artifact_type: "t" })],
      ["invalid_argument", /metadata must be/, asking({ metadata: {} })],
      ["invalid_argument", /^interface: an interface must be/, asking({ interface: tooLong })],
      ["invalid_argument", /interface must be at most 2000/, asking({ interface: DESCRIBED })],
      ["not_found", /is not a contract/, asking({ access: "bank" })],
      ["not_found", /defines check_permission/, asking({ access: "genesis_contract_private" })],
      ["quota_exceeded", /3 principals/, withoutStanding],
      ["invalid_argument", /at most 4 artifacts/, asking({ depends_on: ["gone"] })],
      ["not_found", /there is no "gone"/, asking({ depends_on: ["top"] })],
      ["invalid_argument", /more than 3 links/, asking({ depends_on: ["mid"] })],
      ["rate_limited", /has 2000 left/, asking({ content: "c".repeat(1_500) })],
    ]).thenHappened({ kind: "artifact_written", artifact_id: "bob_memory_x" });
  });

  it("needs room on the owner's disk, to the byte", () => {
    const scene = given(agent("alice", { disk: 100 }));
    const sized = (bytes: number) =>
      writes("alice", "a", { artifact_type: "t", content: "x".repeat(bytes - 1) });
    const noRoom = /needs 101 more bytes, but alice has 100 of/;
    scene.when(sized(101)).thenRefused("insufficient_disk", noRoom);
    scene.when(sized(100)).thenHappened({ kind: "artifact_written", size_bytes: 100 });
    scene.when(writes("alice", "b", { content: "" })).thenRefused("insufficient_disk");
    // A write that makes an artifact smaller needs no room.
    scene.when(sized(2)).thenHappened({ kind: "artifact_written", size_bytes: 2 });
  });

  it("counts the UTF-8 bytes of every field that an agent can set", () => {
    const fields = {
      artifact_type: "ty",
      content: "é",
      code: "€",
      interface: DESCRIBED,
      metadata: { k: 1 },
      depends_on: ["other"],
      price: 999_999,
    };
    const size_bytes = 2 + 2 + 3 + JSON.stringify(DESCRIBED).length + 7 + 5;
    const scene = given(ALICE, note("other", "alice"));
    const written = { kind: "artifact_written", size_bytes } as const;
    scene.when(writes("alice", "a", fields)).thenHappened(written);
  });

  it("is refused for good if it exceeds the quota of bytes", () => {
    const scene = given(agent("alice", { disk: 900_000 }));
    const tooLarge = writes("alice", "a", { content: "x".repeat(100_000) });
    scene
      .when(tooLarge)
      .thenRefused("quota_exceeded", /writes 100032 bytes, but alice may write 100000 in 60 s/);
  });

  it("counts what the same action has already written", () => {
    const write = writes("alice", "a", { content: "x" });
    const bytesSpent = 100_000 - JSON.stringify(write.request).length;
    const scene = given(ALICE);
    scene.when({ ...write, bytesSpent: bytesSpent + 1 }).thenRefused("rate_limited");
    scene.when({ ...write, bytesSpent }).thenHappened("artifact_written");
  });
});

describe("the ids of memories", () => {
  it.each(["alice_memory_", "x", "ALICE_memory", "alice-memory", "my_memory"])(
    "do not include %s, which anyone can use",
    (id) => {
      const scene = given(ALICE, BOB);
      scene.when(writes("bob", id, {})).thenHappened("artifact_written");
    },
  );

  it.each(["shop_memory", "shop_working_memory"])(
    "must be free before a program gets an account: %s",
    (id) => {
      const opensAccount = writes("alice", "shop", STANDING);
      const opened = { kind: "principal_created", id: "shop" } as const;
      const taken = new RegExp(
        `principal "shop" needs the name "${id}", which belongs to bob; choose another id`,
      );
      const scene = given(ALICE, BOB, note(id, "bob"), program("shop", "alice"));
      scene.when(opensAccount).thenRefused("already_exists", taken);
      given(ALICE, BOB, note(id, "bob")).when(opensAccount).thenRefused("already_exists", taken);
      given(ALICE, note(id, "alice")).when(opensAccount).thenHappened("artifact_written", opened);
      scene.when(deletes("bob", id));
      scene.when(opensAccount).thenHappened("artifact_written", opened);
    },
  );

  it("are reserved for the owner of a program that has no account yet", () => {
    const scene = given(ALICE, BOB, program("shop", "alice"), program("bot", "alice"));
    for (const id of ["shop_memory", "shop_working_memory"]) {
      const reserved = /is the memory id of an artifact that alice owns; choose/;
      scene.when(writes("bob", id, {})).thenRefused("not_authorized", reserved);
      scene.when(writes(inside("bob", "bot"), id, {})).thenHappened("artifact_written");
    }
    const reserved = /"bot_memory" is reserved for alice/;
    scene.when(spawns("bob", { id: "bot_memory" })).thenRefused("not_authorized", reserved);
    const opened = { kind: "principal_created", id: "shop" } as const;
    scene.when(writes("alice", "shop", STANDING)).thenHappened("artifact_written", opened);
  });

  it("are reserved for their principal", () => {
    const scene = given(ALICE, BOB, standing("bank", "alice"));
    const reserved = /is reserved for/;
    scene.when(writes("bob", "alice_working_memory", {})).thenRefused("not_authorized", reserved);
    scene.when(writes("alice", "bank_memory", {})).thenRefused("not_authorized", reserved);
    scene.when(writes("alice", "alice_working_memory", {})).thenHappened("artifact_written");
  });
});

describe("writing an existing artifact", () => {
  const FIELDS = {
    content: "doc",
    price: 5,
    read_price: 2,
    access: "genesis_contract_public",
    interface: DESCRIBED,
    metadata: { k: 1 },
    depends_on: ["alice"],
  };
  const TOOL = program("tool", "alice", FIELDS);

  it("keeps every field that the request does not name", () => {
    const changes = { created: false, version: 2, fields: { content: "new" } };
    const { state } = given(ALICE, TOOL)
      .when(writes("alice", "tool", { content: "new" }))
      .thenHappened({ kind: "artifact_written", ...changes });
    const { read_price, depends_on, ...kept } = FIELDS;
    const program = { type: "program", code: "function run() {}", methods: ["run"] };
    const renamed = { readPrice: read_price, dependsOn: depends_on };
    const after = { ...kept, ...program, ...renamed, content: "new" };
    expect(artifactOf(state, "tool")).toMatchObject(after);
  });

  it("can remove code and interface, and removes the methods with the code", () => {
    const emptied = { code: null, interface: null, metadata: {} };
    const scene = given(ALICE, TOOL, writes("alice", "tool", { ...emptied, depends_on: [] }));
    const expected = { ...emptied, methods: [], dependsOn: [], type: "program" };
    expect(scene.artifact("tool")).toMatchObject(expected);
  });

  it("lets others change the content of a public artifact, but not its terms", () => {
    const scene = given(ALICE, BOB, TOOL);
    for (const [field, value] of Object.entries({
      price: 5,
      read_price: 2,
      access: "genesis_contract_public",
      access_locked: true,
      has_standing: true,
    })) {
      const write = writes("bob", "tool", { [field]: value });
      scene.when(write).thenRefused("not_owner", new RegExp(`can set ${field}$`));
    }
    scene
      .when(writes("bob", "tool", { content: "vandal", artifact_type: "art" }))
      .thenHappened({ kind: "artifact_written", by: "bob", owner: "alice" });
  });

  it("takes the owner's disk if another principal writes", () => {
    const wall = note("wall", "alice", { access: "genesis_contract_public" });
    const scene = given(agent("alice", { disk: 150 }), BOB, wall);
    const long = writes("bob", "wall", { content: "x".repeat(200) });
    scene.when(long).thenRefused("insufficient_disk", /alice has/);
  });

  it("cannot change locked access, even for the owner", () => {
    const locked = { access: "genesis_contract_public", access_locked: true } as const;
    const scene = given(ALICE, note("a", "alice", locked));
    const changes = writes("alice", "a", { access: "genesis_contract_private" });
    scene.when(changes).thenRefused("not_authorized", /locked permanently/);
    const keeps = writes("alice", "a", { access: "genesis_contract_public", price: 3 });
    scene.when(keeps).thenHappened("artifact_written");
  });

  it.each(["alice", "bob"])("is refused to %s after the artifact was deleted", (who) => {
    const scene = given(ALICE, BOB, note("a", "alice"), deletes("alice", "a"));
    const write = writes(who, "a", { content: "x" });
    scene.when(write).thenRefused("deleted", /deleted by alice at 1 s;/);
  });

  it("checks new content of an agent, and only that", () => {
    const scene = given(ALICE, note("diary", "alice"));
    const evidence = { agent_check: { problem: "mind: unknown" } };
    const invalid = /alice must stay a valid agent: mind: unknown/;
    const write = (id: string, fields: object) =>
      writes("alice", id, { evidence: null, ...fields });
    scene.when(write("alice", { content: "?" })).thenAsks({ kind: "agent_check", content: "?" });
    scene.when(write("alice", { content: "?", evidence })).thenRefused("invalid_argument", invalid);
    scene.when(write("diary", { content: "?" })).thenHappened("artifact_written");
    scene.when(write("alice", { price: 3 })).thenHappened("artifact_written");
  });

  it("cannot give code or an account to a memory, even if it was sold", () => {
    const scene = given(ALICE, BOB, ...sells("alice", "alice_memory", "bob"));
    const memory = /the memory of alice; a memory can have neither code nor standing/;
    for (const fields of [{ code: "function run() {}" }, { has_standing: true }] as const) {
      scene.when(writes("bob", "alice_memory", fields)).thenRefused("invalid_argument", memory);
    }
    const content = writes("bob", "alice_memory", { content: "new", code: null });
    scene.when(content).thenHappened("artifact_written");
  });
});

describe("a write under an agent's access contract", () => {
  const guarded = [contract("door", "alice"), note("wall", "alice", { access: "door" })];
  const write = writes("bob", "wall", { content: "hi" });
  const pays = (cost: number) => ({ ...write, permit: permit("door", { cost }) });

  it("asks the contract and pays its toll", () => {
    const scene = given(ALICE, BOB, ...guarded);
    scene.when(write).thenAsksContract("door");
    scene.when(pays(101)).thenRefused("insufficient_funds", /takes 101 scrip, but bob has 100/);
    scene.when(pays(7)).thenHappened([
      { kind: "scrip_transferred", from: "bob", to: "alice", amount: 7, reason: "access" },
      { kind: "artifact_written", by: "bob" },
    ]);
    expect(scene.balances()).toEqual({ alice: 107, bob: 93 });
  });
});

describe("standing", () => {
  it("opens an empty account, once and permanently", () => {
    const scene = given(ALICE, program("bank", "alice"));
    const account = { id: "bank", scrip: 0, disk_quota: 0, parent: "alice" };
    const write = writes("alice", "bank", { has_standing: true });
    scene.when(write).thenHappened("artifact_written", { kind: "principal_created", ...account });
    const again = writes("alice", "bank", { has_standing: true, content: "again" });
    scene.when(again).thenHappened("artifact_written");
    expect(scene.artifact("bank").hasStanding).toBe(true);
  });

  it("is limited for each family, whether agents or programs open the accounts", () => {
    const few = physicsWith({ agents: { standing_max: 2 } });
    const scene = givenIn(few, ALICE, BOB, standing("one", "alice"), program("hand", "alice"));
    const opens = (actor: Parameters<typeof writes>[0], id: string) => writes(actor, id, STANDING);
    const openedBy = (parent: string) => ({ kind: "principal_created", parent }) as const;
    const call = opens(inside("alice", "hand"), "two");
    scene.when(call).thenHappened("artifact_written", openedBy("alice"));
    const full = /the family of alice already has the maximum of 2 accounts/;
    scene.when(opens("alice", "three")).thenRefused("quota_exceeded", full);
    scene.when(opens(inside("alice", "one"), "three")).thenRefused("quota_exceeded", full);
    scene.when(opens("bob", "three")).thenHappened("artifact_written", openedBy("bob"));
    scene.when(deletes("alice", "two"));
    scene.when(opens("alice", "four")).thenHappened("artifact_written", openedBy("alice"));
  });

  it("makes a program the owner of what it creates, on its own disk", () => {
    const scene = given(ALICE, standing("bank", "alice", { disk: 50 }), program("hand", "alice"));
    const [bank, hand] = [inside("alice", "bank"), inside("alice", "hand")];
    const written = (owner: string, by: string) =>
      ({ kind: "artifact_written", owner, by }) as const;
    scene.when(writes(bank, "slip", { content: "x" })).thenHappened(written("bank", "bank"));
    const long = writes(bank, "book", { content: "x".repeat(60) });
    scene.when(long).thenRefused("insufficient_disk", /bank has/);
    scene.when(writes(hand, "leaf", { content: "x" })).thenHappened(written("alice", "hand"));
  });

  it("lets creations extend a chain of owners up to its limit", () => {
    const two = standing("two", inside("alice", "one"));
    const scene = given(ALICE, standing("one", "alice", { disk: 900 }), two);
    const create = (owner: string, id: string, fields: object = { content: "x" }) =>
      writes(inside("alice", owner), id, fields);
    const byTwo = { kind: "artifact_written", owner: "two" } as const;
    scene.when(create("two", "three")).thenHappened(byTwo);
    scene.when(create("two", "four", { code: "", has_standing: true }));
    const tooLong = /chain of owners would have more than 3 links/;
    scene.when(create("four", "five")).thenRefused("invalid_argument", tooLong);
  });
});
