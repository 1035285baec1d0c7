import { describe, expect, it } from "vitest";
import { asId, type Command } from "../../../src/kernel/index.ts";

import {
  type Actor,
  accepts,
  calls,
  deletes,
  inside,
  offersOwnership,
  opens,
  pays,
  permit,
  reads,
  setsAccess,
  setsPrice,
  transfers,
  writes,
} from "../../support/commands.ts";
import {
  agent,
  balances,
  contract,
  given,
  givenIn,
  note,
  type Past,
  program,
  standing,
} from "../../support/given-when-then.ts";
import { physicsWith } from "../../support/physics.ts";

const ALICE = agent("alice");
const BOB = agent("bob");

type Verb = "read" | "write" | "invoke" | "delete";
const VERBS: readonly Verb[] = ["read", "write", "invoke", "delete"];

/** How each verb asks for the artifact `it`. */
const ask = (verb: Verb, who: Actor): Command => {
  if (verb === "read") return reads(who, "it");
  if (verb === "write") return writes(who, "it", { content: "new" });
  if (verb === "invoke") return opens(who, "it");
  return deletes(who, "it");
};

/** Which verbs each caller has under each built-in contract. */
const MEANING: readonly (readonly [contract: string, caller: string, allowed: string])[] = [
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
  ["genesis_contract_public", "itself", "read write"],
  ["genesis_contract_public", "stranger", "read write invoke delete"],
];

const callerOf = { owner: "alice", stranger: "bob", itself: inside("bob", "it") } as const;

describe("the built-in contracts", () => {
  const cases = MEANING.flatMap(([access, caller, allowed]) =>
    VERBS.map((verb) => [access, caller, verb, allowed.split(" ").includes(verb)] as const),
  );

  it.each(cases)("%s: the %s may %s: %s", (access, caller, verb, allowed) => {
    const scene = given(ALICE, BOB, program("it", "alice", { access }));
    const who = callerOf[caller as keyof typeof callerOf];
    const { decision } = scene.when(ask(verb, who));
    // A running program may neither call nor delete itself, whatever the contract says.
    expect(decision.kind === "accepted").toBe(allowed);
    if (!allowed && caller === "stranger") {
      expect(decision).toMatchObject({ refusal: { code: "not_authorized" } });
    }
  });

  it("judge the immediate caller, not the one it acts for", () => {
    const scene = given(ALICE, BOB, program("it", "alice", { access: "genesis_contract_private" }));
    scene
      .when(reads(inside("alice", "tool"), "it"))
      .thenRefused("not_authorized", /tool may not read/);
  });
});

const DOOR = contract("door", "carol");
const CAROL = agent("carol");
const GUARDED: readonly Past[] = [
  ALICE,
  BOB,
  CAROL,
  DOOR,
  program("it", "alice", { access: "door", price: 3, read_price: 2 }),
];

describe("a contract of one's own making", () => {
  it.each(VERBS)("is asked who wants to %s what, and of whom", (verb) => {
    const scene = given(...GUARDED);
    const judged = scene.when(ask(verb, "bob")).thenAsksContract("door");
    expect(judged.decision).toMatchObject({
      question: { request: { caller: "bob", verb, target: "it", owner: "alice" } },
    });
  });

  it("is asked about the owner too, but for deleting", () => {
    const scene = given(...GUARDED);
    for (const verb of ["read", "write", "invoke"] as const) {
      scene.when(ask(verb, "alice")).thenAsksContract("door");
    }
    scene.when(ask("delete", "alice")).thenHappened("artifact_deleted");
  });

  it("is asked about deleting too where access is locked", () => {
    given(...GUARDED, writes("alice", "it", { access_locked: true, permit: permit("door") }))
      .when(ask("delete", "alice"))
      .thenAsksContract("door");
  });

  it("is asked about the arguments that the code will get", () => {
    const schema = { properties: { n: { type: "integer" } } };
    const scene = given(
      ...GUARDED,
      writes("alice", "it", {
        interface: {
          description: "",
          methods: [{ name: "run", description: "", input_schema: schema }],
        },
        permit: permit("door"),
      }),
    );
    const judged = scene.when(opens("bob", "it", { args: ["13"] })).thenAsksContract("door");
    expect(judged.decision).toMatchObject({ question: { request: { method: "run", args: [13] } } });
  });

  it("says no with its reason", () => {
    given(...GUARDED)
      .when(reads("bob", "it", { permit: permit("door", { allowed: false, reason: "closed" }) }))
      .thenRefused("not_authorized", /door says: closed/);
  });

  it("is not outdone by the permit of another contract", () => {
    given(...GUARDED)
      .when(reads("bob", "it", { permit: permit("window", { cost: 0 }) }))
      .thenAsksContract("door");
  });
});

/** Who pays whom when the door asks for 10, bob reads `it`, and alice asks 2 for that. */
const TOLLS: readonly (readonly [
  words: string,
  choice: Parameters<typeof permit>[1],
  books: Readonly<Record<string, number>>,
])[] = [
  ["the caller pays the owner", {}, { bob: 88, alice: 112 }],
  ["the caller named as payer pays", { payer: "bob" }, { bob: 88, alice: 112 }],
  ["a third is paid", { recipient: "carol" }, { bob: 88, alice: 102, carol: 110 }],
  ["the contract is paid", { recipient: "door" }, { bob: 88, alice: 102, door: 60 }],
  [
    "the owner pays a third",
    { payer: "alice", recipient: "carol" },
    { bob: 98, alice: 92, carol: 110 },
  ],
  ["the contract pays the owner", { payer: "door" }, { bob: 98, alice: 112, door: 40 }],
  [
    "the contract pays the caller",
    { payer: "door", recipient: "bob" },
    { bob: 108, alice: 102, door: 40 },
  ],
  ["the caller pays itself", { recipient: "bob" }, { bob: 98, alice: 102 }],
];

describe("what a contract costs", () => {
  const past: readonly Past[] = [
    ...GUARDED,
    writes("carol", "door", { has_standing: true }),
    agent("dave", { scrip: 50 }),
    pays("dave", "door", 50),
  ];

  it.each(TOLLS)("%s", (_, choice, books) => {
    const scene = given(...past);
    scene.when(reads("bob", "it", { permit: permit("door", { cost: 10, ...choice }) }));
    expect(balances(scene.state)).toEqual({
      alice: 100,
      bob: 100,
      carol: 100,
      dave: 0,
      door: 50,
      ...books,
    });
  });

  it.each([
    ["a stranger as payer", { payer: "carol" }, /names carol as payer: carol has not agreed/],
    ["nobody as payer", { payer: "nobody" }, /names nobody as payer/],
    [
      "nobody to be paid",
      { recipient: "nobody" },
      /names nobody as recipient, which has no account/,
    ],
    ["a thing to be paid", { recipient: "it" }, /names it as recipient, which has no account/],
    ["the owner, who would pay itself", { payer: "alice" }, /alice as both payer and recipient/],
    ["itself twice", { payer: "door", recipient: "door" }, /door as both payer and recipient/],
  ])("is refused when it names %s", (_, choice, words) => {
    const scene = given(...past);
    scene
      .when(reads("bob", "it", { permit: permit("door", { cost: 10, ...choice }) }))
      .thenRefused("not_authorized", words);
  });

  it("tells nobody what its owner has free", () => {
    const scene = given(...past);
    const probe = (cost: number) =>
      reads("bob", "it", { permit: permit("door", { cost, payer: "alice", recipient: "alice" }) });
    for (const cost of [99, 101]) {
      scene.when(probe(cost)).thenRefused("not_authorized", /name another recipient or payer/);
    }
  });

  it("is refused when it names an owner who did not choose the contract", () => {
    const scene = given(...past, offersOwnership("alice", "it", "dave"), accepts("dave", "it"));
    const read = (payer: string) =>
      reads("bob", "it", { permit: permit("door", { cost: 10, payer, recipient: "carol" }) });
    scene.when(read("dave")).thenRefused("not_authorized", /names dave as payer/);
    scene.when(read("alice")).thenRefused("not_authorized", /names alice as payer/);
    scene.when(setsAccess("dave", "it", "door"));
    scene.when(pays("alice", "dave", 20));
    scene
      .when(read("dave"))
      .thenHappened(
        { kind: "scrip_transferred", from: "dave", to: "carol", amount: 10 },
        { kind: "scrip_transferred", from: "bob", to: "dave", amount: 2 },
        "artifact_read",
      );
  });

  it("is refused when it names a contract without an account as payer", () => {
    given(...GUARDED)
      .when(reads("bob", "it", { permit: permit("door", { cost: 10, payer: "door" }) }))
      .thenRefused("not_authorized", /names itself as payer but has no account/);
  });

  it("counts with the price against max_price", () => {
    const scene = given(...GUARDED);
    const read = (max_price: number) =>
      reads("bob", "it", { max_price, permit: permit("door", { cost: 10 }) });
    scene.when(read(11)).thenRefused("price_exceeded", /costs 12 scrip now/);
    scene
      .when(read(12))
      .thenHappened(
        { kind: "scrip_transferred", reason: "access", amount: 10 },
        { kind: "scrip_transferred", reason: "read_price", amount: 2 },
        { kind: "artifact_read", price: 2 },
      );
  });

  it("must be affordable together with the price", () => {
    const scene = given(...GUARDED);
    const read = (cost: number) => reads("bob", "it", { permit: permit("door", { cost }) });
    scene.when(read(99)).thenRefused("insufficient_funds", /takes 101 scrip and bob has 100/);
    scene.when(read(98)).thenHappened("scrip_transferred", "scrip_transferred", "artifact_read");
    expect(balances(scene.state)).toMatchObject({ bob: 0, alice: 200 });
  });

  it("cannot be more than can be counted", () => {
    given(...GUARDED)
      .when(reads("bob", "it", { permit: permit("door", { cost: Number.MAX_SAFE_INTEGER }) }))
      .thenRefused("insufficient_funds");
  });

  it("is not to be had by a contract that only looks", () => {
    const looking = { ...inside("bob", "other"), readOnly: true };
    given(...GUARDED, note("free", "alice", { access: "door" }))
      .when(reads(looking, "free", { permit: permit("door", { cost: 1 }) }))
      .thenRefused("not_authorized", /may only read; it cannot pay or change/);
  });
});

describe("a contract that is gone", () => {
  const gone: readonly Past[] = [...GUARDED, deletes("carol", "door")];

  it.each(VERBS)("leaves the artifact to its owner alone: %s", (verb) => {
    given(...gone)
      .when(ask(verb, "bob"))
      .thenRefused("not_authorized", /contract door of it does not exist, so only its owner alice/);
    const { decision } = given(...gone).when(ask(verb, "alice"));
    expect(decision.kind).toBe("accepted");
    const kinds = decision.kind === "accepted" ? decision.events.map(({ kind }) => kind) : [];
    expect(kinds.includes("dangling_contract")).toBe(verb !== "delete");
  });

  it("means what the configuration says", () => {
    const open = physicsWith({ access: { default_on_missing: "genesis_contract_freeware" } });
    givenIn(open, ...gone)
      .when(reads("bob", "it"))
      .thenHappened(
        { kind: "dangling_contract", contract: "door" },
        "scrip_transferred",
        "artifact_read",
      );
  });

  it("does not keep the owner from naming another", () => {
    const scene = given(...gone);
    const args = ["it", "genesis_contract_freeware"];
    scene
      .when(calls("alice", "genesis_store.set_access", { args }))
      .thenHappened({ kind: "artifact_written", fields: { access: "genesis_contract_freeware" } });
    scene.when(reads("bob", "it")).thenHappened("scrip_transferred", "artifact_read");
  });
});

describe("inside a contract", () => {
  const looking = { ...inside("bob", "door"), readOnly: true };
  const scene = () => given(...GUARDED, note("free", "alice"), standing("bank", "bob"));

  it.each<readonly [string, Command]>([
    ["write", writes(looking, "new", { content: "x" })],
    ["pay", { kind: "pay", by: looking, to: asId("alice"), scrip: 1 }],
    ["give", { kind: "give", by: looking, artifact: asId("free"), to: asId("bob"), askers: [] }],
    ["transfer", transfers(looking, "alice", 1)],
    ["set a price", setsPrice(looking, "free", 1)],
    ["delete", deletes(looking, "free")],
  ])("one may not %s", (_, command) => {
    scene()
      .when(command)
      .thenRefused("not_authorized", /may only read; it cannot pay or change/);
  });

  it("one may read what is free, and look things up", () => {
    scene().when(reads(looking, "free")).thenHappened("artifact_read");
    scene()
      .when(calls(looking, "genesis_ledger.balance", { args: ["alice"] }))
      .thenAnswered({ id: "alice", scrip: 100 });
  });

  it("one may not read or call what has a price, nor attach anything", () => {
    const past = [
      ...GUARDED,
      program("dear", "alice", { price: 1, read_price: 1 }),
      program("free", "alice"),
    ];
    given(...past)
      .when(reads(looking, "dear"))
      .thenRefused("not_authorized", /may only read; it cannot pay or change/);
    given(...past)
      .when(opens(looking, "dear"))
      .thenRefused("not_authorized", /may only read; it cannot pay or change/);
    given(...past)
      .when(opens(looking, "free", { scrip: 1 }))
      .thenRefused("not_authorized", /may only read; it cannot pay or change/);
    given(...past)
      .when(opens(looking, "free"))
      .thenHappened();
  });
});
