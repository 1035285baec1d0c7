import { describe, expect, it } from "vitest";
import {
  asId,
  type Command,
  type Json,
  needsReview,
  type OwnReviewTerms,
  proposalCost,
  type ReviewDecision,
  type ReviewRule,
  reviewTermsOf,
  waitingProposals,
} from "../../../src/kernel/index.ts";
import { gives, inside, sells, spawns, writes } from "../../support/commands.ts";
import { changesState, ends, NO, thinks } from "../../support/iterations.ts";
import { NOW } from "../../support/physics.ts";
import {
  agent,
  contract,
  given,
  note,
  type Past,
  program,
  reloaded,
  type Scenario,
  standing,
} from "../../support/scenario.ts";

const [ALICE, BOB] = [agent("alice"), agent("bob", { scrip: 100 })];

const reviews = (review: ReviewRule | null, more: Partial<OwnReviewTerms> = {}): Command => ({
  kind: "set_review",
  at_ms: NOW,
  agent: asId("alice"),
  review,
  review_default: null,
  ...more,
});

const calling = (artifact_id: string, more: object = {}): Json =>
  JSON.parse(JSON.stringify({ invoke_artifact: { artifact_id, ...more } }));

const TRANSFER = calling("genesis_ledger", { method: "transfer", args: ["bob", 30] });
const WRITE: Json = { write_artifact: { artifact_id: "poem", content: "roses" } };
const SLEEP = { for_ms: 5_000, until: [] };

const proposes = (agent = "alice", answer_after_ms = 0): Command => ({
  kind: "propose_action",
  at_ms: NOW,
  agent: asId(agent),
  answer_after_ms,
});

const decides = (decision: ReviewDecision, proposal = 1): Command => ({
  kind: "decide_proposal",
  at_ms: NOW,
  proposal,
  decided_by: "reviewer",
  decision,
});
const accepts: ReviewDecision = { kind: "accept" };
/** Lists in lists. JSON.stringify cannot write so many. */
const nested = (depth: number): Json => {
  let value: Json = [];
  for (let level = 1; level < depth; level += 1) value = [value];
  return value;
};
const edits = (action: Json): ReviewDecision => ({ kind: "edit", action });
const feedback = (text: string): ReviewDecision => ({ kind: "feedback", text });

/** Alice, whose actions are reviewed, has decided to transfer scrip, and then to sleep. */
const DECIDED: readonly Past[] = [
  ...[ALICE, BOB, reviews("actions")],
  thinks("alice", { action: TRANSFER, reasoning: "Bob helped.", sleep: SLEEP }),
];
const WAITING: readonly Past[] = [...DECIDED, proposes()];

describe("an action that must be reviewed", () => {
  it("waits as a proposal with its reasoning and its cost", () => {
    given(...DECIDED)
      .when(proposes())
      .thenHappened(
        {
          kind: "action_proposed",
          principal: "alice",
          proposal: 1,
          action: TRANSFER,
          reasoning: "Bob helped.",
          cost: 30,
        },
        { kind: "agent_state_changed", from: "running", to: "in_review", due_at_ms: null },
      );
  });

  it("costs nothing while it waits, and the agent has no next step", () => {
    const before = given(...DECIDED);
    const scene = given(...WAITING);
    const { state, due, pending, counters } = scene.agent("alice");
    expect({ state, due, pending }).toEqual({ state: "in_review", due: null, pending: null });
    expect(counters).toEqual(before.agent("alice").counters);
    expect(scene.account("alice")).toEqual(before.account("alice"));
    expect(scene.state.usages.get(asId("alice"))).toEqual(before.state.usages.get(asId("alice")));
  });

  it("is numbered for the whole world", () => {
    const scene = given(
      ...WAITING,
      { ...reviews("actions"), agent: asId("bob") } as Command,
      thinks("bob", { action: WRITE }),
    );
    scene.when(proposes("bob")).thenHappened({ kind: "action_proposed", proposal: 2 }, STATE);
    expect(waitingProposals(scene.state).map(({ agent }) => agent)).toEqual(["alice", "bob"]);
  });

  it("is private, also for its owner and others", () => {
    const scene = given(...WAITING, decides(accepts));
    expect([...scene.state.inboxes.rows()].flatMap(({ recent }) => recent)).toEqual([]);
  });

  it("is proposed only once, and only when it is due", () => {
    given(...WAITING)
      .when(proposes())
      .thenRefused("invalid_argument", /no action to propose/);
    given(ALICE, reviews("actions")).when(proposes()).thenRefused("invalid_argument");
    given(ALICE, thinks("alice", { action: WRITE }))
      .when(proposes())
      .thenRefused("invalid_argument", /needs no review/);
    given().when(proposes()).thenRefused("not_found");
  });

  it("is answered by the default after a time, unless it waits", () => {
    const scene = given(...DECIDED, reviews("actions", { review_default: "refuse" }));
    scene
      .when(proposes("alice", 7_000))
      .thenHappened("action_proposed", { kind: "agent_state_changed", due_at_ms: NOW + 7_000 });
  });
});

const STATE = "agent_state_changed";

describe("an action whose price rises while it waits", () => {
  const CALL = calling("tool");
  /** Bob publishes the tool, for 40 scrip, after alice has proposed to call it. */
  const APPEARED: readonly Past[] = [
    ...[ALICE, BOB, reviews("actions"), thinks("alice", { action: CALL }), proposes()],
    program("tool", "bob", { price: 40 }),
  ];

  it("shows what it can cost now", () => {
    const scene = given(...APPEARED);
    const [proposal] = waitingProposals(scene.state);
    expect(proposal?.cost).toBe(0);
    expect(proposal && proposalCost(scene.state, proposal)).toBe(40);
  });

  it("is accepted only for what the reviewer agrees to", () => {
    const scene = given(...APPEARED);
    scene
      .when(decides({ kind: "accept", most: 39 }))
      .thenRefused("price_exceeded", /can now cost 40 scrip, more than 39; look at it again/);
    scene
      .when(decides({ kind: "accept", most: 40 }))
      .thenHappened({ kind: "proposal_decided", cost: 40 }, STATE);
  });

  it("is proposed again if it can cost more when it is due", () => {
    const early = APPEARED.slice(0, -1);
    const scene = given(...early, decides(accepts), ...APPEARED.slice(-1));
    expect(needsReview(scene.state, asId("alice"))).toBe(true);
    scene.when(proposes()).thenHappened({ kind: "action_proposed", proposal: 2, cost: 40 }, STATE);
  });
});

describe("a reviewer", () => {
  it("accepts an action, which is then due and is not reviewed again", () => {
    const scene = given(...WAITING);
    expect(scene.agent("alice").sleep).toBeNull();
    scene
      .when(decides(accepts))
      .thenHappened(
        {
          kind: "proposal_decided",
          principal: null,
          proposal: 1,
          agent: "alice",
          decided_by: "reviewer",
          decision: accepts,
        },
        { kind: STATE, from: "in_review", to: "running", due_at_ms: NOW },
      );
    const { due, pending, sleep } = scene.agent("alice");
    expect({ due, pending, sleep }).toEqual({
      due: { step: "act", atMs: NOW },
      pending: TRANSFER,
      sleep: SLEEP,
    });
    expect(needsReview(scene.state, asId("alice"))).toBe(false);
    scene.when(ends("alice"));
    expect([...scene.state.proposals.rows()]).toEqual([]);
  });

  it("edits an action. Both versions are events, and the agent learns of it", () => {
    const scene = given(...WAITING);
    const action = calling("genesis_ledger", { method: "transfer", args: ["bob", 3] });
    scene
      .when(decides(edits(action)))
      .thenHappened({ kind: "proposal_decided", decision: { kind: "edit", action } }, STATE);
    expect(scene.agent("alice").pending).toEqual(action);
    expect(needsReview(scene.state, asId("alice"))).toBe(false);
    scene.when(ends("alice", { action: "invoke_artifact" }));
    expect(scene.agent("alice").last?.message).toMatch(/; a reviewer edited the action/);
  });

  it.each([
    ["an unknown action", { dance: {} }, "invalid_type", /"dance" is not an action/],
    ["a field with a wrong value", calling("no such id"), "invalid_argument", /an id has/],
    ["no artifact", { read_artifact: {} }, "missing_argument", /artifact_id is missing/],
    ["an action nested too deeply", { noop: { x: nested(100_000) } }, "invalid_argument", /deeply/],
    ["too long an action", { noop: { x: "x".repeat(200_000) } }, "invalid_argument", /at most/],
  ] as const)("cannot edit it into %s, and it waits on", (_, action, code, words) => {
    const scene = given(...WAITING);
    scene.when(decides(edits(action))).thenRefused(code, words);
    expect(scene.agent("alice").state).toBe("in_review");
  });

  it("gives feedback instead of the action, and the agent thinks again at once", () => {
    const scene = given(...WAITING);
    const before = scene.agent("alice").counters;
    scene
      .when(decides(feedback("Ask Bob first.")))
      .thenHappened("proposal_decided", { kind: STATE, to: "running", due_at_ms: NOW });
    const { due, pending, sleep, last, counters, failures, actions } = scene.agent("alice");
    expect({ due, pending, sleep }).toMatchObject({ due: { step: "think" }, pending: null });
    expect(last).toMatchObject({
      action: "invoke_artifact",
      target: "genesis_ledger",
      method: "transfer",
      ok: false,
      code: null,
      message: "not done: a reviewer answered: Ask Bob first.",
      isFeedback: true,
    });
    expect({ counters, failures, actions }).toEqual({
      counters: before,
      failures: [],
      actions: [],
    });
    expect(scene.balances()).toMatchObject({ alice: 100, bob: 100 });
  });

  it("gives feedback that is gone after the next thought", () => {
    const scene = given(...WAITING, decides(feedback("no")));
    scene.when(thinks("alice", { epoch: scene.agent("alice").epoch }));
    expect(scene.agent("alice").last).toBeNull();
  });

  it("is not what an agent remembers of an action that the world refused", () => {
    const scene = given(ALICE, thinks("alice"), ends("alice", { refusal: NO }));
    expect(scene.agent("alice").last).toMatchObject({ ok: false, isFeedback: false });
  });

  it("does not forgive earlier failures", () => {
    const failed = [thinks("alice"), ends("alice", { refusal: NO })];
    const scene = given(ALICE, BOB, ...failed, reviews("actions"));
    scene.when(thinks("alice", { action: WRITE }));
    scene.when(proposes());
    scene.when(decides(feedback("no")));
    expect(scene.agent("alice").counters.errors).toBe(1);
  });

  it.each([
    ["an empty text", feedback("  "), "missing_argument", /needs a text/],
    ["a text that is too long", feedback("x".repeat(4_001)), "invalid_argument", /at most 4000/],
    ["a text that cannot be stored", feedback("\u0000"), "invalid_argument", /NUL/],
  ] as const)("cannot give feedback with %s", (_, decision, code, words) => {
    given(...WAITING)
      .when(decides(decision))
      .thenRefused(code, words);
  });

  it("decides only once, and only about proposals that exist", () => {
    const scene = given(...WAITING);
    scene.when(decides(accepts, 2)).thenRefused("not_found", /the last one is 1/);
    scene.when(decides(accepts));
    scene.when(decides(accepts)).thenRefused("invalid_argument", /was decided/);
    given()
      .when(decides(accepts))
      .thenRefused("not_found", /there are none yet/);
  });
});

describe("without an answer", () => {
  it("an action that is refused by default says so, and the agent does not think at once", () => {
    const decision = feedback("no reviewer has accepted this action");
    const scene = given(...DECIDED, reviews("actions", { review_default: "refuse" }), proposes());
    const command = { ...decides(decision), decided_by: "default" } as Command;
    scene
      .when(command)
      .thenHappened(
        { kind: "proposal_decided", decided_by: "default" },
        { kind: STATE, due_at_ms: NOW + 100, reason: "its action was refused without a reviewer" },
      );
    expect(scene.agent("alice").last?.message).toBe(
      "not done: no reviewer has accepted this action",
    );
  });
});

describe("a proposal ends without a decision", () => {
  const CASES: readonly (readonly [words: string, state: string, past: readonly Past[]])[] = [
    ["is paused", "paused", [changesState("alice", "paused")]],
    ["is stopped", "stopped", [changesState("alice", "stopped")]],
    ["is frozen", "frozen", [changesState("alice", "frozen")]],
    ["is sold", "running", sells("alice", "alice", "bob")],
    ["is given away", "running", [gives("alice", "alice", { to: "bob", callers: ["bob"] })]],
  ];

  it.each(CASES)("if its agent %s", (_, state, past) => {
    const scene = given(...WAITING, ...past);
    expect(scene.agent("alice")).toMatchObject({ state, pending: null });
    expect([...scene.state.proposals.rows()]).toEqual([]);
    scene.when(decides(accepts)).thenRefused("invalid_argument", /paused, stopped or handed over/);
  });

  it.each(CASES)("also after it was accepted, if its agent %s", (_, state, past) => {
    const scene = given(...WAITING, decides(accepts), ...past);
    expect(scene.agent("alice")).toMatchObject({ state, pending: null });
    expect([...scene.state.proposals.rows()]).toEqual([]);
  });

  it("but not if its agent is rewritten or gets other terms", () => {
    const rewrites: Command = {
      kind: "rewrite_agent",
      at_ms: NOW,
      id: asId("alice"),
      content: '{"mind":"policy/worker"}',
    };
    const scene = given(...WAITING, rewrites, reviews("off"));
    expect(waitingProposals(scene.state)).toMatchObject([{ number: 1, action: TRANSFER }]);
    scene.when(decides(accepts)).thenHappened("proposal_decided", STATE);
  });
});

const SHOP = [
  ALICE,
  BOB,
  program("tool", "bob", { price: 5 }),
  note("book", "bob", { read_price: 4 }),
  note("free", "bob"),
  contract("guard", "bob"),
  program("guarded", "bob", { price: 1, access: "guard" }),
];

/** Whether the action of alice is reviewed under a rule. */
const isReviewed = (review: ReviewRule, action: Json): boolean => {
  const { state } = given(...SHOP, reviews(review), thinks("alice", { action }));
  return needsReview(state, asId("alice"));
};

describe("the rule `actions`", () => {
  it.each([
    ["a noop", { noop: {} }, false],
    ["a free read", { read_artifact: { artifact_id: "free", max_price: 9 } }, false],
    ["a paid read", { read_artifact: { artifact_id: "book" } }, true],
    ["a search", calling("genesis_store", { method: "search", args: ["x"] }), false],
    ["a transfer", TRANSFER, true],
    ["a write", WRITE, true],
    ["a call of a program", calling("tool"), true],
    ["an action that cannot be read", { invoke_artifact: {} }, false],
  ] as const)("has %s: %s", (_, action, is) => {
    expect(isReviewed("actions", action)).toBe(is);
  });
});

describe("the most that an action can cost", () => {
  const bid = { method: "bid", args: [3, 7] };
  it.each([
    ["the price of a program", calling("tool"), 5],
    ["max_price if it is set", calling("tool", { max_price: 8 }), 8],
    ["the price and the attached scrip", calling("tool", { attach: { scrip: 20 } }), 25],
    ["the price of a read", { read_artifact: { artifact_id: "book" } }, 4],
    ["a transfer", TRANSFER, 30],
    [
      "the scrip attached to a message",
      calling("genesis_messenger", { method: "send", args: ["bob", "hi", { attach: 9 }] }),
      9,
    ],
    ["a bid for model budget", calling("genesis_compute", bid), 21],
    ["a grant", calling("genesis_ledger", { method: "grant", args: ["tool", 2, 12] }), 12],
    [
      "an order without a limit",
      calling("genesis_compute", { method: "standing", args: [1] }),
      100,
    ],
    ["all scrip if a contract decides", calling("guarded"), 100],
    ["nothing for a new artifact", WRITE, 0],
  ] as const)("is %s", (_, action, cost) => {
    const above = (n: number) => isReviewed({ spending_above: n }, action);
    expect([cost > 0 && above(cost - 1), above(cost)]).toEqual([cost > 0, false]);
    const all = reviews({ match: [{ action: "*" }] });
    given(...SHOP, all, thinks("alice", { action }))
      .when(proposes())
      .thenHappened({ kind: "action_proposed", cost }, STATE);
  });
});

describe("the rule `match`", () => {
  it.each([
    [{ action: "invoke_artifact" }, [true, false]],
    [{ artifact: "genesis_ledger", method: "transfer" }, [true, false]],
    [{ artifact: "genesis_ledger", method: "accept" }, [false, false]],
    [{ action: "write_artifact", method: "*" }, [false, true]],
    [{ artifact: "*" }, [true, true]],
  ] as const)("%o", (pattern, expected) => {
    const found = [TRANSFER, WRITE].map((action) => isReviewed({ match: [pattern] }, action));
    expect(found).toEqual(expected);
    expect(isReviewed({ match: [pattern] }, { noop: {} })).toBe(false);
  });
});

describe("the terms of review", () => {
  const termsOf = (scene: Scenario, id: string) => reviewTermsOf(scene.state, asId(id));

  it("are those of the world unless an agent has others", () => {
    const scene = given(ALICE, reviews(null, { review_default: "accept" }));
    expect(termsOf(scene, "alice")).toEqual({ review: "off", review_default: "accept" });
    scene.when(reviews(null));
    expect([...scene.state.reviewed.rows()]).toEqual([]);
    scene.when({ ...reviews("off"), agent: asId("ghost") } as Command).thenRefused("not_found");
  });

  it("can be given to a new agent", () => {
    const terms = { review: "actions", review_default: "refuse" } as const;
    const scene = given({ ...ALICE, review: terms });
    expect(termsOf(scene, "alice")).toEqual(terms);
  });

  it("stay when an agent writes its own configuration", () => {
    const scene = given(ALICE, reviews("actions"));
    scene.when(writes("alice", "alice", { content: '{"mind":"policy/worker"}' }));
    expect(termsOf(scene, "alice").review).toBe("actions");
  });

  it.each([
    ["the agent itself", "alice"],
    ["a program that it calls", inside("alice", "bank")],
    ["its program that another agent calls", inside("bob", "bank")],
  ] as const)("are inherited by an agent spawned by %s", (_, spawner) => {
    const bank = standing("bank", "alice", { scrip: 50, disk: 2_000 });
    const scene = given(ALICE, BOB, bank, reviews("actions"), grantQuota);
    scene.when(spawns(spawner, { id: "kid", config: {} }));
    expect(termsOf(scene, "kid").review).toBe("actions");
  });
});

/** The quota that a bank needs to spawn. */
const grantQuota: Past = {
  kind: "call_native",
  ...{ by: inside("alice"), artifact_id: asId("genesis_rights_registry") },
  ...{ method: "transfer_quota", args: ["bank", "actions", 10] },
  ...{ attach: { scrip: 0, artifacts: [] }, max_price: null },
};

it("proposals and terms are part of a stored state", () => {
  const { state } = given(...WAITING);
  const stored = reloaded(state);
  expect(waitingProposals(stored)).toEqual(waitingProposals(state));
  expect(reviewTermsOf(stored, asId("alice"))).toEqual(reviewTermsOf(state, asId("alice")));
});
