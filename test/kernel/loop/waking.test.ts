import { describe, expect, it } from "vitest";
import {
  asId,
  type Call,
  type Command,
  type Event,
  evolve,
  type Sleep,
  type Wake,
  wakeEvents,
} from "../../../src/kernel/index.ts";
import {
  accepts,
  inside,
  offersOwnership,
  opens,
  pays,
  reads,
  spawns,
  transfers,
  transfersBudget,
  writes,
} from "../../support/commands.ts";
import { changesState, ends, freezes, NO, thinks } from "../../support/iterations.ts";
import { NOW, physicsWith } from "../../support/physics.ts";
import {
  agent,
  consumed,
  execute,
  given,
  givenIn,
  note,
  type Past,
  program,
  type Scenario,
  standing,
} from "../../support/scenario.ts";

const ALICE = agent("alice");
const BOB = agent("bob");
const POEM = note("poem", "alice");

const asks = (sleep: Sleep | null, who = "alice") => thinks(who, { sleep });
const asksFor = (for_ms: number, ...until: readonly Wake[]) => asks({ for_ms, until });

/** An agent falls asleep, until one of these happens or for ten seconds. */
const asleep = (who: string, ...until: readonly Wake[]): readonly Command[] => [
  asks({ for_ms: 10_000, until }, who),
  ends(who),
];

/** The agents that a command wakes, as `id: reason`. They run afterwards. */
const wokenBy = (scene: Scenario, command: Command): readonly string[] => {
  const { decision, happened } = scene.when(command);
  if (decision.kind !== "accepted") throw new Error(JSON.stringify(decision));
  const woken = wakeEvents(scene.state, happened);
  for (const event of woken) evolve(scene.state, event);
  return woken.map(({ agent: id, reason }) => `${id}: ${reason}`);
};

describe("falling asleep", () => {
  const slept = (due_at_ms: number) =>
    ({ kind: "agent_state_changed", from: "running", to: "sleeping", due_at_ms }) as const;

  it("follows the action, for the requested time", () => {
    const sleep = { for_ms: 4_000, until: [{ scrip_at_least: 500 }] };
    const scene = given(ALICE, asks(sleep));
    scene.when(ends("alice")).thenHappened([
      { kind: "action_completed", next_at_ms: NOW + 100 },
      { ...slept(NOW + 4_000), sleep },
    ]);
    const reason = "it sleeps for 4 s or until it is woken";
    const due = { step: "think", atMs: NOW + 4_000 };
    const sleeping = { state: "sleeping", reason, due, sleep: null, pending: null };
    expect(scene.agent("alice")).toMatchObject(sleeping);
    expect(scene.state.sleepers.get(asId("alice"))).toMatchObject({ earliestMs: NOW + 100 });
  });

  it.each([
    ["longer than the maximum", 1e9, NOW + 10_000],
    ["shorter than the delay after an action", 5, NOW + 100],
    ["negative", -5, NOW + 100],
  ])("is limited if the time is %s", (_, for_ms, due_at_ms) => {
    const scene = given(ALICE, asksFor(for_ms));
    scene.when(ends("alice")).thenHappened("action_completed", slept(due_at_ms));
  });

  it.each([
    [500_000, "done; the sleep is limited to 10 s, less than the 500 s requested"],
    [10_000, "done"],
  ])("for %d ms is answered with: %s", (for_ms, message) => {
    const scene = given(ALICE, asksFor(for_ms));
    const answered = { kind: "action_completed", message } as const;
    scene.when(ends("alice")).thenHappened(answered, slept(NOW + 10_000));
  });

  it("can end on at most eight conditions", () => {
    const until = Array.from({ length: 20 }, (_, n) => ({ scrip_at_least: 1_000 + n }));
    const scene = given(ALICE, asksFor(1_000, ...until), ends("alice"));
    expect(scene.state.sleepers.get(asId("alice"))?.until).toHaveLength(8);
  });

  it("without conditions ends only with its time", () => {
    const scene = given(ALICE, ...asleep("alice"));
    expect(scene.agent("alice").state).toBe("sleeping");
    expect(scene.state.sleepers.size).toBe(0);
  });

  it("follows a failed action too, and lasts at least for the back-off", () => {
    const scene = given(ALICE, asksFor(150));
    scene.when(ends("alice", { refusal: NO })).thenHappened("action_refused", slept(NOW + 200));
  });

  it("does not follow a failure that pauses the agent", () => {
    const eager = physicsWith({ agents: { max_consecutive_errors: 1 } });
    const scene = givenIn(eager, ALICE, asksFor(4_000));
    const paused = { kind: "agent_state_changed", to: "paused", cause: "failures" } as const;
    scene.when(ends("alice", { refusal: NO })).thenHappened("action_refused", paused);
    expect(scene.agent("alice")).toMatchObject({ state: "paused", sleep: null });
  });

  it("happens only on request", () => {
    given(ALICE, asks(null)).when(ends("alice")).thenHappened("action_completed");
  });

  // 300 gas are used already, and the action uses more. 9,999,500 must be free.
  it.each([
    ["the longest sleep", 10_000, 400, NOW + 10_000],
    ["the end of the window", 1e9, 400, NOW + 60_000],
    ["the delay after an action, if there is room already", 1e9, 100, NOW + 100],
  ])("until a window has room ends after %s", (_, sleep_max_ms, gas, due_at_ms) => {
    const physics = physicsWith({ agents: { sleep_max_ms } });
    const sleep = asksFor(9e8, { resource: "cpu_gas", available: 9_999_500 });
    const scene = givenIn(physics, ALICE, consumed("alice", { gas: 300 }), sleep);
    scene.when(ends("alice", { gas })).thenHappened("action_completed", slept(due_at_ms));
  });

  it("until a window has more room than its quota ends with its time", () => {
    const scene = given(ALICE, asksFor(3_000, { resource: "actions", available: 1_001 }));
    scene.when(ends("alice")).thenHappened("action_completed", slept(NOW + 3_000));
  });
});

describe("a balance wakes a sleeper", () => {
  it("when it is high enough, once", () => {
    const scene = given(ALICE, BOB, ...asleep("alice", { scrip_at_least: 110 }));
    expect(wokenBy(scene, transfers("bob", "alice", 9))).toEqual([]);
    expect(wokenBy(scene, transfers("bob", "alice", 1))).toEqual(["alice: it has 110 scrip"]);
    expect(scene.agent("alice")).toMatchObject({
      state: "running",
      reason: "it has 110 scrip",
      // Not before the delay after its action.
      due: { step: "think", atMs: NOW + 100 },
    });
    expect(scene.state.sleepers.size).toBe(0);
    expect(wokenBy(scene, transfers("bob", "alice", 5))).toEqual([]);
  });

  it("when it is a balance of model budget", () => {
    const scene = given(ALICE, BOB, ...asleep("alice", { llm_budget_at_least: 1_200 }));
    expect(wokenBy(scene, transfers("bob", "alice", 50))).toEqual([]);
    const woken = wokenBy(scene, transfersBudget("bob", "alice", 300));
    expect(woken).toEqual(["alice: it has 1300 micro-dollars"]);
  });

  it("when it was high enough before the sleep", () => {
    const scene = given(ALICE, asksFor(10_000, { scrip_at_least: 100 }));
    expect(wokenBy(scene, ends("alice"))).toEqual(["alice: it has 100 scrip"]);
    expect(scene.agent("alice").due).toEqual({ step: "think", atMs: NOW + 100 });
  });

  const till = standing("till", "bob", { scrip: 2 });
  it.each<readonly [string, Past, Command, number]>([
    ["price", program("shop", "alice", { price: 7 }), opens("bob", "shop"), 107],
    ["payment by a program", till, pays(inside("bob", "till"), "alice", 2), 102],
  ])("when it grows by a %s", (_, past, command, scrip) => {
    const scene = given(ALICE, BOB, past, ...asleep("alice", { scrip_at_least: 101 }));
    expect(wokenBy(scene, command)).toEqual([`alice: it has ${scrip} scrip`]);
  });

  it("when it grows by minted scrip", () => {
    const scene = given(ALICE, ...asleep("alice", { scrip_at_least: 101 }));
    const minted = { at_ms: NOW, principal: null, kind: "scrip_minted", reason: "score" } as const;
    const event: Event = { ...minted, to: asId("alice"), amount: 3 };
    expect(wakeEvents(scene.state, [scene.happens(event)])).toMatchObject([
      { agent: "alice", reason: "it has 103 scrip", principal: null, due_at_ms: NOW + 100 },
    ]);
  });

  it("when held scrip is released", () => {
    const scene = given(ALICE, BOB, program("hand", "bob"));
    const call = execute(scene.state, opens("alice", "hand", { scrip: 60 })) as Call;
    for (const command of asleep("alice", { scrip_at_least: 100 })) execute(scene.state, command);
    const ran = { state: null, gas: 1, log: "", notified: [] };
    const woken = wokenBy(scene, { kind: "close_invocation", call, ran });
    expect(woken).toEqual(["alice: it has 100 scrip"]);
  });
});

describe("an event wakes a sleeper", () => {
  const TOOL = program("tool", "alice", { price: 5 });
  const waitsFor = (event: Extract<Wake, { event: unknown }>["event"], who = "alice") =>
    asleep(who, { event });
  const READ: Event = {
    at_ms: NOW,
    principal: asId("alice"),
    kind: "artifact_read",
    artifact_id: asId("tool"),
    by: asId("alice"),
    version: 1,
    price: 0,
  };
  const offer = offersOwnership("bob", "prose", "alice");
  const KID = spawns("alice", { id: "kid" });

  it.each<readonly [string, readonly Past[], Command, string]>([
    ["about its own artifact", [], reads("bob", "poem"), "alice: artifact_read"],
    ["that names it as the recipient", [], offer, "alice: ownership_offered"],
    ["about what it gave away", [offer], accepts("alice", "prose"), "bob: ownership_transferred"],
    ["about an agent that it owns", [KID], freezes("kid", 5), "alice: agent_frozen"],
  ])("%s", (_, past, command, woken) => {
    const [who = "", event = ""] = woken.split(": ");
    const sleep = waitsFor(event as Parameters<typeof waitsFor>[0], who);
    const scene = given(ALICE, BOB, POEM, note("prose", "bob"), ...past, ...sleep);
    expect(wokenBy(scene, command)).toEqual([`${woken} happened`]);
  });

  it("once, with the first reason, if several conditions hold", () => {
    const sleep = asleep("alice", { event: "artifact_invoked" }, { scrip_at_least: 105 });
    const woken = wokenBy(given(ALICE, BOB, TOOL, ...sleep), opens("bob", "tool"));
    expect(woken).toEqual(["alice: it has 105 scrip"]);
  });

  it.each<readonly [string, readonly Past[], Command]>([
    ["about the artifact of another", waitsFor("artifact_read"), reads("bob", "prose")],
    ["of another kind", waitsFor("artifact_invoked"), reads("bob", "poem")],
  ])("but not %s", (_, past, command) => {
    expect(wokenBy(given(ALICE, BOB, POEM, note("prose", "bob"), ...past), command)).toEqual([]);
  });

  it("together with all others that wait for it, in order of their ids, if it is for all", () => {
    const resolved: Event = {
      at_ms: NOW,
      principal: null,
      kind: "auction_resolved",
      auction: 0,
      price: 1,
      won: [],
      lost: [],
      void: [],
    };
    const waiting = ["bob", "alice"].flatMap((who) => waitsFor("auction_resolved", who));
    const other = waitsFor("task_posted", "carol");
    const scene = given(BOB, ALICE, agent("carol"), ...waiting, ...other);
    const woken = wakeEvents(scene.state, [scene.happens(resolved)]);
    expect(woken.map(({ agent: id }) => id)).toEqual(["alice", "bob"]);
  });

  it("but not if it happened before the sleep", () => {
    const scene = given(ALICE, TOOL, asksFor(10_000, { event: "artifact_read" }));
    const read = scene.happens(READ);
    const { happened } = scene.when(ends("alice"));
    expect(wakeEvents(scene.state, [read, ...happened])).toEqual([]);
    expect(wakeEvents(scene.state, [read])).toHaveLength(1);
  });

  it("but not if it is private", () => {
    const scene = given(ALICE, BOB, ...waitsFor("artifact_written"));
    const id = asId("alice");
    const rewrites: Command = { kind: "rewrite_agent", at_ms: NOW, id, content: "{}" };
    expect(wokenBy(scene, rewrites)).toEqual([]);
    const wall = note("wall", "alice", { access: "genesis_contract_public" });
    execute(scene.state, wall);
    const written = writes("bob", "wall", { content: "hi" });
    expect(wokenBy(scene, written)).toEqual(["alice: artifact_written happened"]);
  });
});

describe("an agent whose sleep is over", () => {
  it("is not woken again and keeps its count of failures", () => {
    const failed = ends("alice", { refusal: NO });
    const wake: Wake = { scrip_at_least: 110 };
    const scene = given(ALICE, BOB, failed, ...asleep("alice", wake), failed);
    const { errors } = scene.agent("alice").counters;
    execute(scene.state, { ...changesState("alice", "running", NOW), reason: "it has slept" });
    expect(scene.state.sleepers.size).toBe(0);
    expect(scene.agent("alice").counters.errors).toBe(errors);
    expect(wokenBy(scene, transfers("bob", "alice", 50))).toEqual([]);
  });
});
