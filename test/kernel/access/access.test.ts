import { describe, expect, it } from "vitest";
import { asId, type Command } from "../../../src/kernel/index.ts";
import {
  type Actor,
  calls,
  deletes,
  inside,
  opens,
  pays,
  permit,
  reads,
  sells,
  setsAccess,
  setsPrice,
  transfers,
  writes,
} from "../../support/commands.ts";
import { physicsWith } from "../../support/physics.ts";
import {
  agent,
  contract,
  given,
  givenIn,
  note,
  type Past,
  program,
  standing,
} from "../../support/scenario.ts";

const ALICE = agent("alice");
const BOB = agent("bob");

/** How each verb is asked of the artifact `it`. */
const ASK = {
  read: (who: Actor): Command => reads(who, "it"),
  write: (who: Actor): Command => writes(who, "it", { content: "new" }),
  invoke: (who: Actor): Command => opens(who, "it"),
  delete: (who: Actor): Command => deletes(who, "it"),
};
const VERBS = ["read", "write", "invoke", "delete"] as const;

/** The verbs that each built-in contract allows to each caller. */
const ALLOWED: readonly (readonly [contract: string, caller: string, verbs: string])[] = [
  ["genesis_contract_freeware", "owner", "read write invoke delete"],
  ["genesis_contract_freeware", "itself", "read"],
  ["genesis_contract_freeware", "stranger", "read invoke"],
  ["genesis_contract_self_owned", "owner", "read write invoke delete"],
  ["genesis_contract_self_owned", "itself", "read write"],
  ["genesis_contract_self_owned", "stranger", ""],
  ["genesis_contract_private", "owner", "read write invoke delete"],
  ["genesis_contract_private", "itself", ""],
  ["genesis_contract_private", "stranger", ""],
  ["genesis_contract_public", "owner", "read write invoke delete"],
  // A running program can neither call nor delete itself, whatever the contract says.
  ["genesis_contract_public", "itself", "read write"],
  ["genesis_contract_public", "stranger", "read write invoke delete"],
];

const CALLERS = { owner: "alice", stranger: "bob", itself: inside("bob", "it") } as const;

describe("a built-in contract", () => {
  const cases = ALLOWED.flatMap(([access, caller, verbs]) =>
    VERBS.map((verb) => [access, caller, verb, verbs.split(" ").includes(verb)] as const),
  );

  it.each(cases)("%s: the %s may %s: %s", (access, caller, verb, allowed) => {
    const scene = given(ALICE, BOB, program("it", "alice", { access }));
    const { decision } = scene.when(ASK[verb](CALLERS[caller as keyof typeof CALLERS]));
    expect(decision.kind === "accepted").toBe(allowed);
    if (!allowed && caller === "stranger") {
      const message = expect.stringContaining(`bob may not ${verb} it (owner alice)`);
      expect(decision).toMatchObject({ refusal: { code: "not_authorized", message } });
    }
  });

  it("judges the immediate caller, not the principal behind it", () => {
    const scene = given(ALICE, program("it", "alice", { access: "genesis_contract_private" }));
    const read = reads(inside("alice", "tool"), "it");
    scene.when(read).thenRefused("not_authorized", /tool may not read/);
  });
});

const GUARDED: readonly Past[] = [
  ALICE,
  BOB,
  agent("carol"),
  contract("door", "carol"),
  program("it", "alice", { access: "door", price: 3, read_price: 2 }),
];

type Choice = Parameters<typeof permit>[1];

/** Bob reads `it` with this answer of the door. */
const readWith = (choice: Choice, max_price: number | null = null) =>
  reads("bob", "it", { max_price, permit: permit("door", choice) });

describe("an agent's access contract", () => {
  it.each(VERBS)("is asked who wants to %s which artifact of which owner", (verb) => {
    const { decision } = given(...GUARDED)
      .when(ASK[verb]("bob"))
      .thenAsksContract("door");
    const request = { caller: "bob", verb, target: "it", owner: "alice" };
    expect(decision).toMatchObject({ question: { request } });
  });

  it("is asked about the owner too, except for a deletion", () => {
    const scene = given(...GUARDED);
    for (const verb of ["read", "write", "invoke"] as const) {
      scene.when(ASK[verb]("alice")).thenAsksContract("door");
    }
    scene.when(deletes("alice", "it")).thenHappened("artifact_deleted");
  });

  it("is asked about a deletion by the owner if access is locked", () => {
    const locks = writes("alice", "it", { access_locked: true, permit: permit("door") });
    const scene = given(...GUARDED, locks);
    scene.when(deletes("alice", "it")).thenAsksContract("door");
  });

  it("is asked about the arguments that the code will get", () => {
    const input_schema = { properties: { n: { type: "integer" } } };
    const methods = [{ name: "run", description: "", input_schema }];
    const described = { interface: { description: "", methods }, permit: permit("door") };
    const { decision } = given(...GUARDED, writes("alice", "it", described))
      .when(opens("bob", "it", { args: ["13"] }))
      .thenAsksContract("door");
    expect(decision).toMatchObject({ question: { request: { method: "run", args: [13] } } });
  });

  it("refuses with its reason", () => {
    const scene = given(...GUARDED);
    const closed = readWith({ allowed: false, reason: "closed" });
    scene.when(closed).thenRefused("not_authorized", /door says: closed/);
  });

  it("is asked even if the command has the permit of another contract", () => {
    const scene = given(...GUARDED);
    scene.when(reads("bob", "it", { permit: permit("window") })).thenAsksContract("door");
  });
});

/** Balances after bob reads `it`: the door charges 10, and alice's read price is 2. */
const TOLLS: readonly (readonly [words: string, choice: Choice, after: object])[] = [
  ["the caller pays the owner", {}, { bob: 88, alice: 112 }],
  ["the caller named as payer pays", { payer: "bob" }, { bob: 88, alice: 112 }],
  ["carol is paid", { recipient: "carol" }, { bob: 88, alice: 102, carol: 110 }],
  ["the door is paid", { recipient: "door" }, { bob: 88, alice: 102, door: 60 }],
  ["the owner pays", { payer: "alice", recipient: "carol" }, { bob: 98, alice: 92, carol: 110 }],
  ["the door pays the owner", { payer: "door" }, { bob: 98, alice: 112, door: 40 }],
  ["the door pays bob", { payer: "door", recipient: "bob" }, { bob: 108, alice: 102, door: 40 }],
  ["the caller pays itself", { recipient: "bob" }, { bob: 98, alice: 102 }],
];

describe("the toll of a contract", () => {
  const past: readonly Past[] = [
    ...GUARDED,
    writes("carol", "door", { has_standing: true }),
    agent("dave", { scrip: 50 }),
    pays("dave", "door", 50),
  ];
  const BEFORE = { alice: 100, bob: 100, carol: 100, dave: 0, door: 50 };

  it.each(TOLLS)("is paid: %s", (_, choice, after) => {
    const scene = given(...past, readWith({ cost: 10, ...choice }));
    expect(scene.balances()).toEqual({ ...BEFORE, ...after });
  });

  it.each([
    ["a stranger as payer", { payer: "carol" }, /names carol as payer: carol has not agreed/],
    ["an unknown payer", { payer: "ghost" }, /names ghost as payer/],
    ["an unknown recipient", { recipient: "ghost" }, /ghost as recipient, which has no account/],
    ["a recipient without account", { recipient: "it" }, /it as recipient, which has no account/],
    ["the owner as both", { payer: "alice" }, /alice as both payer and recipient/],
    ["itself as both", { payer: "door", recipient: "door" }, /door as both payer and recipient/],
  ])("is refused if the contract names %s", (_, choice, words) => {
    const scene = given(...past);
    scene.when(readWith({ cost: 10, ...choice })).thenRefused("not_authorized", words);
  });

  it("does not reveal what the owner has", () => {
    const scene = given(...past);
    for (const cost of [99, 101]) {
      const probe = readWith({ cost, payer: "alice", recipient: "alice" });
      scene.when(probe).thenRefused("not_authorized", /name another recipient or payer/);
    }
  });

  it("is refused if the payer owns the artifact but did not choose the contract", () => {
    const scene = given(...past, ...sells("alice", "it", "dave"));
    const read = (payer: string) => readWith({ cost: 10, payer, recipient: "carol" });
    scene.when(read("dave")).thenRefused("not_authorized", /names dave as payer/);
    scene.when(read("alice")).thenRefused("not_authorized", /names alice as payer/);
    scene.when(setsAccess("dave", "it", "door"));
    scene.when(pays("alice", "dave", 20));
    scene.when(read("dave")).thenHappened([
      { kind: "scrip_transferred", from: "dave", to: "carol", amount: 10 },
      { kind: "scrip_transferred", from: "bob", to: "dave", amount: 2 },
      { kind: "artifact_read", by: "bob" },
    ]);
  });

  it("cannot be paid by a contract without an account", () => {
    const noAccount = /names itself as payer but has no account/;
    const scene = given(...GUARDED);
    scene.when(readWith({ cost: 10, payer: "door" })).thenRefused("not_authorized", noAccount);
  });

  it("counts against max_price together with the price", () => {
    const scene = given(...GUARDED);
    scene.when(readWith({ cost: 10 }, 11)).thenRefused("price_exceeded", /costs 12 scrip now/);
    scene.when(readWith({ cost: 10 }, 12)).thenHappened([
      { kind: "scrip_transferred", reason: "access", amount: 10 },
      { kind: "scrip_transferred", reason: "read_price", amount: 2 },
      { kind: "artifact_read", price: 2 },
    ]);
  });

  it("must be affordable together with the price, and countable", () => {
    const scene = given(...GUARDED);
    scene.when(readWith({ cost: Number.MAX_SAFE_INTEGER })).thenRefused("insufficient_funds");
    const tooDear = /takes 101 scrip, but bob has 100/;
    scene.when(readWith({ cost: 99 })).thenRefused("insufficient_funds", tooDear);
    scene
      .when(readWith({ cost: 98 }))
      .thenHappened("scrip_transferred", "scrip_transferred", "artifact_read");
    expect(scene.balances()).toMatchObject({ bob: 0, alice: 200 });
  });
});

describe("an artifact whose contract was deleted", () => {
  const orphaned: readonly Past[] = [...GUARDED, deletes("carol", "door")];

  it.each(VERBS)("lets only its owner %s", (verb) => {
    const onlyOwner = /contract door of it does not exist, so only its owner alice/;
    const scene = given(...orphaned);
    scene.when(ASK[verb]("bob")).thenRefused("not_authorized", onlyOwner);
    const { decision } = scene.when(ASK[verb]("alice"));
    expect(decision.kind).toBe("accepted");
    const kinds = decision.kind === "accepted" ? decision.events.map(({ kind }) => kind) : [];
    expect(kinds.includes("dangling_contract")).toBe(verb !== "delete");
  });

  it("falls back to the contract that the configuration names", () => {
    const open = physicsWith({ access: { default_on_missing: "genesis_contract_freeware" } });
    const dangling = { kind: "dangling_contract", contract: "door" } as const;
    const scene = givenIn(open, ...orphaned);
    scene.when(reads("bob", "it")).thenHappened(dangling, "scrip_transferred", "artifact_read");
  });

  it("can get another contract from its owner", () => {
    const scene = given(...orphaned);
    const fields = { access: "genesis_contract_freeware" };
    const opened = setsAccess("alice", "it", fields.access);
    scene.when(opened).thenHappened({ kind: "artifact_written", fields });
    scene.when(reads("bob", "it")).thenHappened("scrip_transferred", "artifact_read");
  });
});

describe("a contract that is asked", () => {
  const readOnly = { ...inside("bob", "door"), readOnly: true };
  const scene = given(
    ...GUARDED,
    note("free_note", "alice"),
    note("guarded", "alice", { access: "door" }),
    standing("bank", "bob"),
    program("dear", "alice", { price: 1, read_price: 1 }),
    program("free", "alice"),
  );
  const give = { kind: "give", artifact: asId("free"), to: asId("bob"), callers: [] } as const;

  it.each<readonly [string, Command]>([
    ["write", writes(readOnly, "new", { content: "x" })],
    ["pay", pays(readOnly, "alice", 1)],
    ["give", { ...give, by: readOnly }],
    ["transfer", transfers(readOnly, "alice", 1)],
    ["set a price", setsPrice(readOnly, "free", 1)],
    ["delete", deletes(readOnly, "free")],
    ["read for a price", reads(readOnly, "dear")],
    ["read for a toll", reads(readOnly, "guarded", { permit: permit("door", { cost: 1 }) })],
    ["call for a price", opens(readOnly, "dear")],
    ["attach scrip", opens(readOnly, "free", { scrip: 1 })],
  ])("may not %s", (_, command) => {
    scene.when(command).thenRefused("not_authorized", /may only read; it cannot pay or change/);
  });

  it("may read, call and query what is free", () => {
    scene.when(reads(readOnly, "free_note")).thenHappened("artifact_read");
    scene.when(opens(readOnly, "free")).thenHappened();
    const balance = calls(readOnly, "genesis_ledger.balance", { args: ["alice"] });
    scene.when(balance).thenAnswered({ id: "alice", scrip: 100 });
  });
});
