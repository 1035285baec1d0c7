import { describe, expect, it } from "vitest";
import type { Json } from "../../src/kernel/index.ts";
import type { TestWorld } from "../support/test-world.ts";
import {
  answerOf,
  DEPUTY,
  libraryWorlds,
  refusalCode,
  spawnsChild,
  transfers,
} from "./library-world.ts";

const newWorld = libraryWorlds();

const VOTING = "genesis_voting";
const ID = "proposal_1";
const VOTERS = ["alice", "bob", "carol", "dave"];

type Rules = { readonly [rule: string]: Json };

const proposes = (v: TestWorld, who: string, ...proposal: readonly Json[]) =>
  v.calls(who, `${VOTING}.create_proposal`, proposal);
const votes = (v: TestWorld, who: string, ...[choice, id = ID]: [choice: string, id?: string]) =>
  v.calls(who, `${VOTING}.vote`, [id, choice]);
const resultOf = (v: TestWorld) => answerOf(v, "dave", "voting.get_result", [ID]);

/** Alice has made a proposal, open for a minute unless the rules say otherwise. */
const proposed = (rules: Rules = {}, options: readonly string[] = ["yes", "no"]): TestWorld => {
  const v = newWorld();
  v.must(proposes(v, "alice", "Raise the fee?", options, { deadline_s: 60, ...rules }));
  return v;
};

const resultAfter = (v: TestWorld, cast: Readonly<Record<string, string>>): Json => {
  for (const [who, choice] of Object.entries(cast)) v.must(votes(v, who, choice));
  v.atMs += 60_000;
  return resultOf(v);
};

const THREE_OF_FOUR = { alice: "yes", bob: "yes", carol: "yes", dave: "no" };

describe("a proposal", () => {
  it("passes with a quorum and a leading option above the threshold", () => {
    const v = proposed({ quorum: 3, threshold: 0.6 });
    expect(resultOf(v)).toMatchObject({ status: "open", cast: 0 });
    const proposal = { n: 1, proposal_id: ID, by: "alice", title: "Raise the fee?", voters: null };
    const rules = { quorum: 3, threshold: 0.6, deadline_ms: v.atMs + 60_000 };
    const result = { status: "passed", passed: true, leading: "yes", cast: 3 };
    const counts = Object.entries({ yes: 2, no: 1 }).map(([option, votes]) => ({ option, votes }));
    const after = resultAfter(v, { alice: "yes", bob: "yes", carol: "no" });
    expect(after).toEqual({ ...proposal, ...rules, ...result, votes: counts });
  });

  it.each([
    ["rejected", {}, { alice: "no", bob: "no", carol: "yes" }, "rejected", "no"],
    ["without a quorum", { quorum: 3 }, { alice: "yes", bob: "yes" }, "no_quorum", "yes"],
    ["tied", {}, { alice: "yes", bob: "no" }, "tied", null],
    ["below its threshold", { threshold: 0.8 }, THREE_OF_FOUR, "failed", "yes"],
    ["at its threshold", { threshold: 0.75 }, THREE_OF_FOUR, "passed", "yes"],
    ["without votes", {}, {}, "no_quorum", null],
  ] as const)("that is %s after its deadline has its status", (_, rules, cast, status, leading) => {
    const passed = status === "passed";
    expect(resultAfter(proposed(rules), cast)).toMatchObject({ status, passed, leading });
  });

  it.each(["No", " REJECT ", "against", "nay"])("is rejected if %j leads", (word) => {
    const result = resultAfter(proposed({}, ["go", word]), { alice: word });
    expect(result).toMatchObject({ status: "rejected", passed: false });
  });

  it("is open until its deadline", () => {
    const v = proposed();
    v.atMs += 59_999;
    v.must(votes(v, "alice", "yes"));
    expect(resultOf(v)).toMatchObject({ status: "open", passed: false, leading: "yes" });
    v.atMs += 1;
    expect(refusalCode(votes(v, "bob", "yes"))).toBe("closed");
    expect(resultOf(v)).toMatchObject({ passed: true, cast: 1 });
  });

  it("with named voters ends when all of them have voted", () => {
    const v = proposed({ voters: ["bob", "carol"], quorum: 2 });
    expect(refusalCode(votes(v, "alice", "yes"))).toBe("not_a_voter");
    v.must(votes(v, "bob", "yes"));
    v.must(votes(v, "carol", "yes"));
    expect(resultOf(v)).toMatchObject({ status: "passed" });
  });

  it("accepts one vote of each agent, which cannot change", () => {
    const v = proposed();
    v.must(votes(v, "alice", "yes"));
    for (const choice of ["no", "yes"]) {
      expect(refusalCode(votes(v, "alice", choice))).toBe("voted");
    }
    expect(resultAfter(v, {})).toMatchObject({ cast: 1, leading: "yes" });
  });
});

describe("the vote of a program", () => {
  const votesThrough = (v: TestWorld, who: string, program: string) =>
    v.calls(who, `${program}.call`, [VOTING, "vote", [ID, "yes"]]);

  it("counts as the vote of its family", () => {
    const v = proposed();
    for (const id of ["wallet1", "wallet2"]) v.standing("alice", id, { code: DEPUTY });
    v.must(votesThrough(v, "alice", "wallet1"));
    expect(refusalCode(votesThrough(v, "alice", "wallet2"))).toBe("voted");
    expect(refusalCode(votes(v, "alice", "yes"))).toBe("voted");
    expect(resultAfter(v, { bob: "no" })).toMatchObject({ status: "tied", cast: 2 });
  });

  it("counts for the family that it descends from, and only if that family calls it", () => {
    const v = proposed().standing("alice", "puppet", { code: DEPUTY });
    transfers(v, "puppet", { from: "alice", to: "bob" });
    for (const stranger of ["bob", "carol"]) {
      expect(refusalCode(votesThrough(v, stranger, "puppet"))).toBe("not_your_own");
    }
    v.must(votesThrough(v, "alice", "puppet"));
    v.must(votes(v, "bob", "no"));
    expect(refusalCode(votes(v, "alice", "yes"))).toBe("voted");
    expect(resultAfter(v, {})).toMatchObject({ status: "tied", cast: 2 });
  });

  it("counts for its family even if it owns itself", () => {
    const v = proposed().standing("alice", "stray", { code: DEPUTY, disk: 3_000 });
    v.must(v.calls("alice", "stray.keep", [], { attach: { artifacts: ["stray"] } }));
    expect(v.owner("stray")).toBe("stray");
    v.must(votesThrough(v, "alice", "stray"));
    expect(refusalCode(votes(v, "alice", "yes"))).toBe("voted");
    expect(resultAfter(v, {})).toMatchObject({ cast: 1 });
  });

  it("is its own if the proposal names it as a voter", () => {
    const v = newWorld().standing("alice", "wallet", { code: DEPUTY });
    const rules = { voters: ["alice", "wallet"], deadline_s: 60 };
    v.must(proposes(v, "alice", "Us two?", ["yes", "no"], rules));
    v.must(votesThrough(v, "alice", "wallet"));
    v.must(votes(v, "alice", "yes"));
    expect(resultOf(v)).toMatchObject({ passed: true, cast: 2 });
  });
});

it("the vote of a child counts as the vote of its family, even if it owns itself", () => {
  const v = proposed();
  const means = { disk_bytes: 2_000, actions: 10, cpu_gas: 20_000 };
  for (const [id, owner] of Object.entries({ kid: "parent", heir: "self" })) {
    v.must(v.calls("alice", "genesis_ledger.spawn_principal", [id, {}, { ...means, owner }]));
  }
  expect([v.owner("kid"), v.owner("heir")]).toEqual(["alice", "heir"]);
  v.must(votes(v, "heir", "yes"));
  for (const who of ["alice", "kid"]) expect(refusalCode(votes(v, who, "yes"))).toBe("voted");
});

describe("the voting contract", () => {
  const LONG_TITLE = "é".repeat(200);

  it.each<readonly [readonly Json[], string]>([
    [["", ["a", "b"]], "interface_mismatch"],
    [["t".repeat(201), ["a", "b"]], "interface_mismatch"],
    [["t", ["a"]], "interface_mismatch"],
    [["t", ["a", "A "]], "same_options"],
    [["t", ["a", "x".repeat(61)]], "interface_mismatch"],
    [["t", ["a", "b"], { quorum: 0 }], "interface_mismatch"],
    [["t", ["a", "b"], { threshold: 1.1 }], "interface_mismatch"],
    [["t", ["a", "b"], { deadline: 5 }], "interface_mismatch"],
    [["t", ["a", "b"], { deadline_s: 86_401 }], "interface_mismatch"],
    [["t", ["a", "b"], { voters: ["bob"], quorum: 2 }], "bad_quorum"],
    [["t", ["a", "b"], { voters: ["bob", "bob"] }], "same_voters"],
    [["t", ["a", "b"], { voters: ["unknown"] }], "unknown_voter"],
    [["t", ["a", "b"], { voters: ["__proto__"] }], "unknown_voter"],
    [["t", ["a", "b"], JSON.parse('{"__proto__": 1}')], "invalid_argument"],
    [["Well?\nalice: pay me", ["a", "b"]], "control_characters"],
    [["Well?", ["a", "b\u007f"]], "control_characters"],
  ])("refuses the proposal %j: %s", (proposal, code) => {
    expect(refusalCode(proposes(newWorld(), "alice", ...proposal))).toBe(code);
  });

  it("refuses unknown options and proposals", () => {
    const v = proposed({}, ["__proto__", "constructor"]);
    expect(refusalCode(votes(v, "alice", "toString"))).toBe("unknown_choice");
    v.must(votes(v, "alice", "__proto__"));
    for (const id of ["proposal_2", "__proto__", "constructor"]) {
      expect(refusalCode(votes(v, "alice", "yes", id))).toBe("not_found");
      expect(refusalCode(v.calls("alice", `${VOTING}.get_result`, [id]))).toBe("not_found");
    }
    expect(resultAfter(v, {})).toMatchObject({ leading: "__proto__", passed: true });
  });

  type Listed = { readonly proposals: readonly { readonly n: number }[] };
  const list = (v: TestWorld, ...args: readonly Json[]) =>
    (answerOf(v, "dave", "voting.list_proposals", args) as Listed).proposals;
  const numbers = (v: TestWorld, ...args: readonly Json[]) => list(v, ...args).map(({ n }) => n);

  it("lists proposals by status, oldest first, with the votes of closed ones", () => {
    const v = proposed();
    v.must(votes(v, "bob", "yes"));
    v.atMs += 60_000;
    v.must(proposes(v, "bob", "Again?", ["yes", "no"], { voters: VOTERS }));
    expect(numbers(v)).toEqual([1, 2]);
    expect(list(v, "passed")).toMatchObject([{ n: 1, cast: 1, leading: "yes" }]);
    expect(list(v, "open")).toMatchObject([{ n: 2, voters: VOTERS }]);
    expect(numbers(v, null, 1)).toEqual([2]);
  });

  it("has room for 10 open proposals of one family, and for the latest closed ones", () => {
    const v = newWorld();
    const propose = () => proposes(v, "alice", LONG_TITLE, ["a", "b"], { deadline_s: 1 });
    for (let n = 0; n < 10; n++) v.must(propose());
    expect(refusalCode(propose())).toBe("full");
    for (let round = 0; round < 8; round++) {
      v.atMs += 1_000;
      for (let n = 0; n < 10; n++) v.must(propose());
    }
    expect(numbers(v, "open")).toEqual([81, 82, 83, 84, 85, 86, 87, 88, 89, 90]);
    const known = [1, 60, 61].map((n) =>
      refusalCode(v.calls("bob", `${VOTING}.get_result`, [`proposal_${n}`])),
    );
    expect(known).toEqual(["not_found", "not_found", "nothing was refused"]);
  });

  it("has room for the longest proposals of several families, and for their votes", () => {
    const v = newWorld();
    spawnsChild(v, "alice", "kid");
    const options = Array.from({ length: 10 }, (_, n) => `${n}${"ü".repeat(59)}`);
    const propose = (who: string) => proposes(v, who, LONG_TITLE, options);
    // Each is about 1,730 bytes long.
    for (const who of ["kid", "alice", "kid", "alice"]) v.must(propose(who));
    for (const who of ["alice", "kid"]) expect(refusalCode(propose(who))).toBe("full");
    v.agent("eve").agent("frank");
    for (const who of ["bob", "carol", "dave", "eve"]) {
      for (let n = 0; n < 4; n++) v.must(propose(who));
    }
    for (let n = 0; n < 3; n++) v.must(propose("frank"));
    expect(refusalCode(propose("frank"))).toBe("full");
    for (let n = 1; n <= 23; n++) {
      for (const who of [...VOTERS, "eve", "frank"]) {
        v.must(votes(v, who, options[0] ?? "", `proposal_${n}`));
      }
    }
  });
});
