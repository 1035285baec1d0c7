import { describe, expect, it } from "vitest";
import {
  asId,
  type Command,
  type Event,
  evolve,
  type Sleep,
  type State,
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
} from "../../support/commands.ts";
import {
  agent,
  consumed,
  execute,
  given,
  givenIn,
  note,
  type Past,
  program,
  standing,
} from "../../support/given-when-then.ts";
import { ends, NO, thinks } from "../../support/iterations.ts";
import { NOW, physicsWith } from "../../support/physics.ts";

const ALICE = agent("alice");
const BOB = agent("bob");
const asks = (sleep: Sleep | null, who = "alice") => thinks(who, { sleep });

/** An agent that sleeps, until one of these or for ten seconds. */
const asleep = (who: string, ...until: readonly Wake[]): readonly Past[] => [
  asks({ for_ms: 10_000, until }, who),
  ends(who),
];

const agentIn = (state: State, id: string) => state.agents.get(asId(id));

/** Those who wake of what a command causes, as `id: why`. They are up afterwards. */
const wokenBy = (scene: ReturnType<typeof given>, command: Command): readonly string[] => {
  const { decision } = scene.when(command);
  if (decision.kind !== "accepted") throw new Error(JSON.stringify(decision));
  const woken = wakeEvents(scene.state, decision.events);
  for (const event of woken) evolve(scene.state, event);
  return woken.map(({ agent: id, reason }) => `${id}: ${reason}`);
};

const give = (who: string, to: string, scrip: number): Command => transfers(who, to, scrip);
const fund = (who: string, to: string, micros: number): Command => transfersBudget(who, to, micros);

describe("falling asleep", () => {
  it("comes after the action, for as long as was asked", () => {
    const scene = given(ALICE, asks({ for_ms: 4_000, until: [{ scrip_at_least: 500 }] }));
    scene.when(ends("alice")).thenHappened(
      { kind: "action_completed", next_at_ms: NOW + 100 },
      {
        kind: "agent_slept",
        sleep: { for_ms: 4_000, until: [{ scrip_at_least: 500 }] },
        due_at_ms: NOW + 4_000,
      },
    );
    expect(agentIn(scene.state, "alice")).toMatchObject({
      state: "sleeping",
      reason: "it sleeps for 4000 ms or until it is woken",
      due: { step: "think", atMs: NOW + 4_000 },
      sleep: null,
      pending: null,
    });
    expect(scene.state.sleepers.get(asId("alice"))).toMatchObject({ earliestMs: NOW + 100 });
  });

  it.each([
    ["longer than is allowed", 1e9, NOW + 10_000],
    ["shorter than the rest after an action", 5, NOW + 100],
    ["less than nothing", -5, NOW + 100],
  ])("for %s is bounded", (_, for_ms, due_at_ms) => {
    given(ALICE, asks({ for_ms, until: [] }))
      .when(ends("alice"))
      .thenHappened("action_completed", { kind: "agent_slept", due_at_ms });
  });

  it("says so in the answer to the action when it is for less than was asked", () => {
    given(ALICE, asks({ for_ms: 500_000, until: [] }))
      .when(ends("alice"))
      .thenHappened(
        {
          kind: "action_completed",
          message: "done; the sleep is limited to 10 s, less than the 500 s requested",
        },
        { kind: "agent_slept", sleep: { for_ms: 10_000 } },
      );
    given(ALICE, asks({ for_ms: 10_000, until: [] }))
      .when(ends("alice"))
      .thenHappened({ kind: "action_completed", message: "done" }, "agent_slept");
  });

  it("waits for so many things and no more", () => {
    const until = Array.from({ length: 20 }, (_, n) => ({ scrip_at_least: 1_000 + n }));
    const scene = given(ALICE, asks({ for_ms: 1_000, until }), ends("alice"));
    expect(scene.state.sleepers.get(asId("alice"))?.until).toHaveLength(8);
  });

  it("for a time only is nothing that anybody could end", () => {
    const scene = given(ALICE, ...asleep("alice"));
    expect(agentIn(scene.state, "alice")?.state).toBe("sleeping");
    expect(scene.state.sleepers.size).toBe(0);
  });

  it("comes after a failure too, and not before the back-off is over", () => {
    const scene = given(ALICE, asks({ for_ms: 150, until: [] }));
    scene
      .when(ends("alice", { refusal: NO }))
      .thenHappened("action_refused", { kind: "agent_slept", due_at_ms: NOW + 200 });
  });

  it("does not come where the failure pauses the agent", () => {
    const eager = physicsWith({ agents: { max_consecutive_errors: 1 } });
    const scene = givenIn(eager, ALICE, asks({ for_ms: 4_000, until: [] }));
    scene
      .when(ends("alice", { refusal: NO }))
      .thenHappened({ kind: "action_refused", paused: true });
    expect(agentIn(scene.state, "alice")).toMatchObject({ state: "paused", sleep: null });
  });

  it("does not come where nobody asked for it", () => {
    given(ALICE, asks(null)).when(ends("alice")).thenHappened("action_completed");
  });

  it("until there is room in a window ends at a time that is known", () => {
    const until: readonly Wake[] = [{ resource: "cpu_gas", available: 9_999_500 }];
    const scene = given(ALICE, consumed("alice", { gas: 300 }), asks({ for_ms: 9e9, until }));
    const far = physicsWith({ agents: { sleep_max_ms: 1e9 } });
    // 300 are used, and 400 more by this action: not 500 at once until the window has passed.
    scene
      .when(ends("alice", { gas: 400 }))
      .thenHappened("action_completed", { kind: "agent_slept", due_at_ms: NOW + 10_000 });
    givenIn(far, ALICE, consumed("alice", { gas: 300 }), asks({ for_ms: 9e8, until }))
      .when(ends("alice", { gas: 400 }))
      .thenHappened("action_completed", { kind: "agent_slept", due_at_ms: NOW + 60_000 });
    givenIn(far, ALICE, consumed("alice", { gas: 300 }), asks({ for_ms: 9e8, until }))
      .when(ends("alice", { gas: 100 }))
      .thenHappened("action_completed", { kind: "agent_slept", due_at_ms: NOW + 100 });
  });

  it("until there is more room than there can be ends with its time", () => {
    given(ALICE, asks({ for_ms: 3_000, until: [{ resource: "actions", available: 1_001 }] }))
      .when(ends("alice"))
      .thenHappened("action_completed", { kind: "agent_slept", due_at_ms: NOW + 3_000 });
  });
});

describe("a balance wakes", () => {
  it("as soon as it is high enough, and not before", () => {
    const scene = given(ALICE, BOB, ...asleep("alice", { scrip_at_least: 110 }));
    expect(wokenBy(scene, give("bob", "alice", 9))).toEqual([]);
    expect(wokenBy(scene, give("bob", "alice", 1))).toEqual(["alice: it has 110 scrip"]);
    expect(agentIn(scene.state, "alice")).toMatchObject({
      state: "running",
      reason: "it has 110 scrip",
      // Not before the rest after its action.
      due: { step: "think", atMs: NOW + 100 },
    });
    expect(scene.state.sleepers.size).toBe(0);
    expect(wokenBy(scene, give("bob", "alice", 5))).toEqual([]);
  });

  it("of model budget alike", () => {
    const scene = given(ALICE, BOB, ...asleep("alice", { llm_budget_at_least: 1_200 }));
    expect(wokenBy(scene, give("bob", "alice", 50))).toEqual([]);
    expect(wokenBy(scene, fund("bob", "alice", 300))).toEqual(["alice: it has 1300 micro-dollars"]);
  });

  it("at once where it was high enough before", () => {
    const scene = given(ALICE, asks({ for_ms: 10_000, until: [{ scrip_at_least: 100 }] }));
    expect(wokenBy(scene, ends("alice"))).toEqual(["alice: it has 100 scrip"]);
    expect(agentIn(scene.state, "alice")?.due).toEqual({ step: "think", atMs: NOW + 100 });
  });

  it("whichever way the scrip has come", () => {
    const shop = program("shop", "alice", { price: 7 });
    const rich: Wake = { scrip_at_least: 101 };
    const paying = (command: Command, ...past: readonly Past[]) =>
      wokenBy(given(ALICE, BOB, shop, ...past, ...asleep("alice", rich)), command);
    expect(paying(opens("bob", "shop"))).toEqual(["alice: it has 107 scrip"]);
    expect(
      paying(pays(inside("bob", "till"), "alice", 2), standing("till", "bob", { scrip: 2 })),
    ).toEqual(["alice: it has 102 scrip"]);
    const minted = { at_ms: NOW, principal: null, kind: "scrip_minted", reason: "score" } as const;
    const scene = given(ALICE, ...asleep("alice", rich));
    const event: Event = { ...minted, to: asId("alice"), amount: 3 };
    evolve(scene.state, event);
    expect(wakeEvents(scene.state, [event])).toMatchObject([
      { agent: "alice", reason: "it has 103 scrip", principal: null, due_at_ms: NOW + 100 },
    ]);
  });

  it("when what was held of it is free again", () => {
    const scene = given(ALICE, BOB, program("hand", "bob"));
    const called = execute(scene.state, opens("alice", "hand", { scrip: 60 }));
    for (const past of asleep("alice", { scrip_at_least: 100 })) {
      if (typeof past !== "function") execute(scene.state, past as Command);
    }
    const close = {
      kind: "close_invocation",
      call: called,
      ran: { state: null, gas: 1, log: "" },
    } as Command;
    expect(wokenBy(scene, close)).toEqual(["alice: it has 100 scrip"]);
  });
});

describe("an event wakes", () => {
  const TOOL = program("tool", "alice", { price: 5 });
  const hears = (kind: Extract<Wake, { event: unknown }>["event"]): readonly Past[] =>
    asleep("alice", { event: kind });

  it("whose artifact it is about", () => {
    const scene = given(ALICE, BOB, note("poem", "alice"), ...hears("artifact_read"));
    expect(wokenBy(scene, reads("bob", "poem"))).toEqual(["alice: artifact_read happened"]);
  });

  it("nobody whom it does not concern", () => {
    const scene = given(ALICE, BOB, note("prose", "bob"), ...hears("artifact_read"));
    expect(wokenBy(scene, reads("bob", "prose"))).toEqual([]);
  });

  it("nobody who waits for another one", () => {
    const scene = given(ALICE, BOB, note("poem", "alice"), ...hears("artifact_invoked"));
    expect(wokenBy(scene, reads("bob", "poem"))).toEqual([]);
  });

  it("whom it names as the other party, and who gave it away", () => {
    const offer = offersOwnership("bob", "poem", "alice");
    const scene = given(ALICE, BOB, note("poem", "bob"), ...hears("ownership_offered"));
    expect(wokenBy(scene, offer)).toEqual(["alice: ownership_offered happened"]);
    const sold = given(ALICE, BOB, note("poem", "bob"), offer);
    for (const past of asleep("bob", { event: "ownership_transferred" })) {
      execute(sold.state, past as Command);
    }
    const take = accepts("alice", "poem");
    expect(wokenBy(sold, take)).toEqual(["bob: ownership_transferred happened"]);
  });

  it("all who wait for it where it concerns all, in the order of their ids", () => {
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
    const kind: Wake = { event: "auction_resolved" };
    const scene = given(
      BOB,
      ALICE,
      agent("carol"),
      ...asleep("bob", kind),
      ...asleep("alice", kind),
    );
    for (const past of asleep("carol", { event: "task_posted" })) {
      execute(scene.state, past as Command);
    }
    const woken = wakeEvents(scene.state, [resolved]);
    expect(woken.map(({ agent: id }) => id)).toEqual(["alice", "bob"]);
  });

  it("the owner of the agent that it happens to", () => {
    const scene = given(ALICE, spawns("alice", { id: "kid" }), ...hears("agent_frozen"));
    const freeze = {
      kind: "freeze_agent",
      at_ms: NOW,
      agent: asId("kid"),
      needs_micros: 5,
    } as const;
    expect(wokenBy(scene, freeze)).toEqual(["alice: agent_frozen happened"]);
  });

  it("is never one's own, before one lay down", () => {
    const scene = given(ALICE, TOOL, asks({ for_ms: 10_000, until: [{ event: "artifact_read" }] }));
    const { decision } = scene.when(ends("alice"));
    const events = decision.kind === "accepted" ? decision.events : [];
    const read: Event = {
      at_ms: NOW,
      principal: asId("alice"),
      kind: "artifact_read",
      artifact_id: asId("tool"),
      by: asId("alice"),
      version: 1,
      price: 0,
    };
    expect(wakeEvents(scene.state, [read, ...events])).toEqual([]);
    expect(wakeEvents(scene.state, [read])).toHaveLength(1);
  });

  it("is never one that is nobody's business", () => {
    const scene = given(ALICE, BOB, TOOL, ...hears("hold_released" as "artifact_read"));
    const held: Event = {
      at_ms: NOW,
      principal: asId("bob"),
      kind: "hold_released",
      hold: "purse:9" as Extract<Event, { kind: "hold_released" }>["hold"],
      into: null,
    };
    expect(wakeEvents(scene.state, [held])).toEqual([]);
  });

  it("wakes each one once, for the first reason", () => {
    const scene = given(
      ALICE,
      BOB,
      TOOL,
      ...asleep("alice", { event: "artifact_invoked" }, { scrip_at_least: 105 }),
    );
    expect(wokenBy(scene, opens("bob", "tool"))).toEqual(["alice: it has 105 scrip"]);
  });
});

describe("one who is up again", () => {
  it("because its time has come is woken by nothing more, and forgiven nothing", () => {
    const scene = given(ALICE, BOB, ends("alice", { refusal: NO }));
    for (const past of asleep("alice", { scrip_at_least: 110 })) {
      execute(scene.state, past as Command);
    }
    execute(scene.state, ends("alice", { refusal: NO }));
    const errors = agentIn(scene.state, "alice")?.counters.errors;
    execute(scene.state, {
      kind: "change_agent_state",
      at_ms: NOW,
      agent: asId("alice"),
      to: "running",
      reason: "it has slept",
      due_at_ms: NOW,
    });
    expect(scene.state.sleepers.size).toBe(0);
    expect(agentIn(scene.state, "alice")?.counters.errors).toBe(errors);
    expect(wokenBy(scene, give("bob", "alice", 50))).toEqual([]);
  });
});
