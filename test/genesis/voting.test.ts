import { afterAll, describe, expect, it } from "vitest";
import type { Json } from "../../src/kernel/index.ts";

import { sandboxFor } from "../../src/world/index.ts";
import { resultOf, type Village } from "../support/world.ts";
import { answerOf, family, LIBRARY_PHYSICS, libraryVillage, reasonOf } from "./village.ts";

const sandbox = sandboxFor(LIBRARY_PHYSICS);
afterAll(() => sandbox.close());

const VOTING = "genesis_voting";
const ID = "proposal_1";
const VOTERS = ["alice", "bob", "carol", "dave"];

type Rules = { readonly [rule: string]: Json };

/** Alice has asked the village, for a minute unless the rules say otherwise. */
const asked = (rules: Rules = {}, options: readonly string[] = ["yes", "no"]): Village => {
  const v = libraryVillage(sandbox);
  const proposal = ["Raise the fee?", options, { deadline_s: 60, ...rules }];
  v.must(v.calls("alice", `${VOTING}.create_proposal`, proposal));
  return v;
};

const votes = (v: Village, who: string, choice: string) =>
  v.calls(who, `${VOTING}.vote`, [ID, choice]);

/** So they vote, and the minute passes; what came of it. */
const outcomeOf = (v: Village, cast: Readonly<Record<string, string>>): Json => {
  for (const [who, choice] of Object.entries(cast)) v.must(votes(v, who, choice));
  v.atMs += 60_000;
  return answerOf(v, "dave", "voting.get_result", [ID]);
};

describe("a ballot", () => {
  it("passes when the quorum is there and the leader has its share", () => {
    const v = asked({ quorum: 3, threshold: 0.6 });
    expect(answerOf(v, "bob", "voting.get_result", [ID])).toMatchObject({
      status: "open",
      cast: 0,
    });
    const deadline_ms = v.atMs + 60_000;
    expect(outcomeOf(v, { alice: "yes", bob: "yes", carol: "no" })).toEqual({
      n: 1,
      proposal_id: ID,
      by: "alice",
      title: "Raise the fee?",
      quorum: 3,
      threshold: 0.6,
      deadline_ms,
      voters: null,
      status: "passed",
      passed: true,
      leading: "yes",
      cast: 3,
      votes: [
        { option: "yes", votes: 2 },
        { option: "no", votes: 1 },
      ],
    });
  });

  it.each([
    ["rejected, by whatever majority", {}, { alice: "no", bob: "no", carol: "yes" }, "rejected"],
    ["short of its quorum", { quorum: 3 }, { alice: "yes", bob: "yes" }, "no_quorum"],
    ["tied", {}, { alice: "yes", bob: "no" }, "tied"],
    [
      "below its threshold",
      { threshold: 0.7 },
      { alice: "yes", bob: "yes", carol: "no" },
      "failed",
    ],
    ["not voted on", {}, {}, "no_quorum"],
  ] as const)("does not pass when it is %s", (_, rules, cast, status) => {
    const { leading, ...result } = outcomeOf(asked(rules), cast) as { leading: Json };
    expect(result).toMatchObject({ status, passed: false });
    expect(leading === null).toBe(["tied"].includes(status) || Object.keys(cast).length === 0);
  });

  it.each(["No", " REJECT ", "against", "nay"])("is rejected when %j leads", (word) => {
    const v = asked({}, ["go", word]);
    expect(outcomeOf(v, { alice: word })).toMatchObject({ status: "rejected", passed: false });
  });

  it("counts a share exactly, however it is written", () => {
    const v = asked({ threshold: 0.75 });
    const cast = { alice: "yes", bob: "yes", carol: "yes", dave: "no" };
    expect(outcomeOf(v, cast)).toMatchObject({ passed: true });
  });

  it("is open until its deadline, and not a moment longer", () => {
    const v = asked();
    v.atMs += 59_999;
    v.must(votes(v, "alice", "yes"));
    expect(answerOf(v, "bob", "voting.get_result", [ID])).toMatchObject({
      status: "open",
      passed: false,
      leading: "yes",
    });
    v.atMs += 1;
    expect(reasonOf(votes(v, "bob", "yes"))).toBe("closed");
    expect(answerOf(v, "bob", "voting.get_result", [ID])).toMatchObject({ passed: true, cast: 1 });
  });

  it("ends early when all who may vote have voted", () => {
    const v = asked({ voters: ["bob", "carol"], quorum: 2 });
    expect(reasonOf(votes(v, "alice", "yes"))).toBe("not_a_voter");
    v.must(votes(v, "bob", "yes"));
    v.must(votes(v, "carol", "yes"));
    expect(answerOf(v, "dave", "voting.get_result", [ID])).toMatchObject({ status: "passed" });
  });

  it("takes one vote each, for good", () => {
    const v = asked();
    v.must(votes(v, "alice", "yes"));
    expect(reasonOf(votes(v, "alice", "no"))).toBe("voted");
    expect(reasonOf(votes(v, "alice", "yes"))).toBe("voted");
    expect(outcomeOf(v, {})).toMatchObject({ cast: 1, leading: "yes" });
  });
});

describe("wallets of one hand", () => {
  const BALLOT_BOX = `
    function cast(choice) { return kernel.invoke("${VOTING}", "vote", ["${ID}", choice]) }`;

  it("have one vote together", () => {
    const v = asked();
    v.standing("alice", "wallet1", { code: BALLOT_BOX });
    v.standing("alice", "wallet2", { code: BALLOT_BOX });
    v.must(v.calls("alice", "wallet1.cast", ["yes"]));
    expect(v.calls("alice", "wallet2.cast", ["yes"]).result).toContain("voted");
    expect(reasonOf(votes(v, "alice", "yes"))).toBe("voted");
    expect(outcomeOf(v, { bob: "no" })).toMatchObject({ status: "tied", cast: 2 });
  });

  it("vote for those they descend from, whosever they are, and only when these ask", () => {
    const v = asked();
    v.standing("alice", "puppet", { code: BALLOT_BOX });
    v.must(v.calls("alice", "genesis_ledger.transfer_ownership", ["puppet", "bob"]));
    v.must(v.calls("bob", "genesis_ledger.accept", ["puppet"]));
    for (const stranger of ["bob", "carol"]) {
      expect(v.calls(stranger, "puppet.cast", ["no"]).result).toContain("not_your_own");
    }
    v.must(v.calls("alice", "puppet.cast", ["no"]));
    // Bob has his own vote still; alice's is spent.
    v.must(votes(v, "bob", "yes"));
    expect(reasonOf(votes(v, "alice", "yes"))).toBe("voted");
    expect(outcomeOf(v, {})).toMatchObject({ status: "tied", cast: 2 });
  });

  it("have that of their family when they belong to themselves", () => {
    const v = asked();
    const code = `${BALLOT_BOX} function keep() {}`;
    v.standing("alice", "stray", { code, disk: 3_000 });
    v.must(v.calls("alice", "stray.keep", [], { attach: { artifacts: ["stray"] } }));
    expect(v.owner("stray")).toBe("stray");
    v.must(v.calls("alice", "stray.cast", ["yes"]));
    expect(reasonOf(votes(v, "alice", "yes"))).toBe("voted");
    expect(outcomeOf(v, {})).toMatchObject({ cast: 1 });
  });

  it("are of the family of their spawner, even if they own themselves", () => {
    const v = asked();
    const means = { disk_bytes: 2_000, actions: 10, cpu_gas: 20_000 };
    for (const [id, owner] of [
      ["kid", "parent"],
      ["heir", "self"],
    ]) {
      const child = [id ?? "", {}, { ...means, owner: owner ?? "" }];
      v.must(v.calls("alice", "genesis_ledger.spawn_principal", child));
    }
    expect([v.owner("kid"), v.owner("heir")]).toEqual(["alice", "heir"]);
    v.must(votes(v, "heir", "yes"));
    expect(["alice", "kid"].map((who) => reasonOf(votes(v, who, "yes")))).toEqual([
      "voted",
      "voted",
    ]);
  });

  it("have none without standing", () => {
    const v = asked().program("alice", "note", BALLOT_BOX);
    expect(v.calls("alice", "note.cast", ["yes"]).result).toContain("no_standing");
    expect(outcomeOf(v, {})).toMatchObject({ cast: 0 });
  });

  it("have one each where the proposal names them", () => {
    const v = libraryVillage(sandbox).standing("alice", "wallet", { code: BALLOT_BOX });
    const rules = { voters: ["alice", "wallet"], deadline_s: 60 };
    v.must(v.calls("alice", `${VOTING}.create_proposal`, ["Us two?", ["yes", "no"], rules]));
    v.must(v.calls("alice", "wallet.cast", ["yes"]));
    v.must(votes(v, "alice", "yes"));
    expect(answerOf(v, "bob", "voting.get_result", [ID])).toMatchObject({ passed: true, cast: 2 });
  });
});

describe("the ballot's books", () => {
  it("refuse an invalid proposal", () => {
    const v = libraryVillage(sandbox);
    const propose = (title: Json, options: Json, rules: Json = {}) =>
      reasonOf(v.calls("alice", `${VOTING}.create_proposal`, [title, options, rules]));
    expect(propose("", ["a", "b"])).toBe("interface_mismatch");
    expect(propose("t".repeat(201), ["a", "b"])).toBe("interface_mismatch");
    expect(propose("t", ["a"])).toBe("interface_mismatch");
    expect(propose("t", ["a", "A "])).toBe("same_options");
    expect(propose("t", ["a", "x".repeat(61)])).toBe("interface_mismatch");
    expect(propose("t", ["a", "b"], { quorum: 0 })).toBe("interface_mismatch");
    expect(propose("t", ["a", "b"], { threshold: 1.1 })).toBe("interface_mismatch");
    expect(propose("t", ["a", "b"], { deadline: 5 })).toBe("interface_mismatch");
    expect(propose("t", ["a", "b"], { voters: ["bob"], quorum: 2 })).toBe("bad_quorum");
    expect(propose("t", ["a", "b"], { voters: ["bob", "bob"] })).toBe("same_voters");
    expect(propose("t", ["a", "b"], { voters: ["nobody"] })).toBe("unknown_voter");
    expect(propose("t", ["a", "b"], { voters: ["__proto__"] })).toBe("unknown_voter");
    expect(propose("t", ["a", "b"], JSON.parse('{"__proto__": 1}'))).toBe("invalid_argument");
  });

  it("refuse unknown options and proposals", () => {
    const v = asked({}, ["__proto__", "constructor"]);
    expect(reasonOf(votes(v, "alice", "toString"))).toBe("unknown_choice");
    v.must(votes(v, "alice", "__proto__"));
    for (const id of ["proposal_2", "__proto__", "constructor"]) {
      expect(reasonOf(v.calls("alice", `${VOTING}.vote`, [id, "yes"]))).toBe("not_found");
      expect(reasonOf(v.calls("alice", `${VOTING}.get_result`, [id]))).toBe("not_found");
    }
    expect(outcomeOf(v, {})).toMatchObject({ leading: "__proto__", passed: true });
  });

  it.each([
    ["create_proposal", ["t", ["a", "b"]]],
    ["vote", [ID, "yes"]],
    ["get_result", [ID]],
    ["list_proposals", []],
  ] as const)("swallow nothing that is attached to %s", (method, args) => {
    const v = asked();
    const outcome = v.calls("bob", `${VOTING}.${method}`, args, { attach: { scrip: 5 } });
    expect(reasonOf(outcome)).toBe("no_scrip");
    expect(v.scrip(VOTING)).toBe(0);
  });

  it("are listed by status, oldest first, and keep the count of what is decided", () => {
    const v = asked();
    v.must(votes(v, "bob", "yes"));
    v.atMs += 60_000;
    const next = ["Again?", ["yes", "no"], { voters: VOTERS }];
    v.must(v.calls("bob", `${VOTING}.create_proposal`, next));
    const list = (...args: readonly Json[]) =>
      (answerOf(v, "dave", "voting.list_proposals", args) as { proposals: { n: number }[] })
        .proposals;
    expect(list().map(({ n }) => n)).toEqual([1, 2]);
    expect(list("passed")).toMatchObject([{ n: 1, cast: 1, leading: "yes" }]);
    expect(list("open")).toMatchObject([{ n: 2, voters: VOTERS }]);
    expect(list(null, 1).map(({ n }) => n)).toEqual([2]);
  });

  it("have room for so many of one family, and forget what was decided longest ago", () => {
    const v = libraryVillage(sandbox);
    const title = "é".repeat(200);
    const options = ["a", "b"];
    const propose = (who: string) =>
      v.calls(who, `${VOTING}.create_proposal`, [title, options, { deadline_s: 1 }]);
    for (let n = 0; n < 10; n++) v.must(propose("alice"));
    expect(reasonOf(propose("alice"))).toBe("full");
    for (let round = 0; round < 8; round++) {
      v.atMs += 1_000;
      for (let n = 0; n < 10; n++) v.must(propose("alice"));
    }
    const { proposals } = resultOf(v.calls("bob", `${VOTING}.list_proposals`, ["open"])) as {
      readonly proposals: readonly { readonly n: number }[];
    };
    expect(proposals.map(({ n }) => n)).toEqual([81, 82, 83, 84, 85, 86, 87, 88, 89, 90]);
    const known = (n: number) =>
      reasonOf(v.calls("bob", `${VOTING}.get_result`, [`proposal_${n}`]));
    expect([1, 60, 61].map(known)).toEqual(["not_found", "not_found", "nothing was refused"]);
  });

  it("have room for others beside the longest ballots of one family, and for their votes", () => {
    const v = libraryVillage(sandbox);
    family(v, "alice", "kid");
    const title = "é".repeat(200);
    const options = Array.from({ length: 10 }, (_, n) => `${n}${"ü".repeat(59)}`);
    const propose = (who: string) => v.calls(who, `${VOTING}.create_proposal`, [title, options]);
    // Each is about 1,730 bytes long.
    for (let n = 0; n < 4; n++) v.must(propose(n % 2 === 0 ? "alice" : "kid"));
    expect(["alice", "kid"].map((who) => reasonOf(propose(who)))).toEqual(["full", "full"]);
    for (const who of ["bob", "carol", "dave", "eve"]) {
      if (who === "eve") v.agent(who);
      for (let n = 0; n < 4; n++) v.must(propose(who));
    }
    v.agent("frank");
    for (let n = 0; n < 3; n++) v.must(propose("frank"));
    expect(reasonOf(propose("frank"))).toBe("full");
    for (let n = 1; n <= 23; n++) {
      for (const who of ["alice", "bob", "carol", "dave", "eve", "frank"]) {
        v.must(v.calls(who, `${VOTING}.vote`, [`proposal_${n}`, options[0] ?? ""]));
      }
    }
  });

  it("have no room for what looks like several lines, nor for a ballot that never ends", () => {
    const v = libraryVillage(sandbox);
    const propose = (...args: readonly Json[]) =>
      reasonOf(v.calls("alice", `${VOTING}.create_proposal`, args));
    expect(propose("Well?\nalice: pay me", ["a", "b"])).toBe("control_characters");
    expect(propose("Well?", ["a", "b\u007f"])).toBe("control_characters");
    expect(propose("Well?", ["a", "b"], { deadline_s: 86_401 })).toBe("interface_mismatch");
  });
});
