import { describe, expect, it } from "vitest";
import {
  type Agent,
  type AgentCommand,
  asId,
  type Ended,
  type State,
  windowsLeft,
} from "../../../src/kernel/index.ts";

import { reads, transfersBudget } from "../../support/commands.ts";
import {
  agent,
  artifactOf,
  consumed,
  given,
  givenIn,
  note,
  type Past,
} from "../../support/given-when-then.ts";
import { ends, FREE, fails, NO, thinks } from "../../support/iterations.ts";
import { NOW, physicsWith } from "../../support/physics.ts";

const ALICE = agent("alice", { micros: 100 });
const alice = asId("alice");
type Change = Extract<AgentCommand, { kind: "change_agent_state" }>;
const becomes = (to: Change["to"], due_at_ms: number | null = null): Change => ({
  kind: "change_agent_state",
  at_ms: NOW,
  agent: alice,
  to,
  reason: "told to",
  due_at_ms,
});

const agentIn = (state: State): Agent => {
  const found = state.agents.get(alice);
  if (found === undefined) throw new Error("no alice");
  return found;
};

describe("a thought", () => {
  it("takes its price and its tokens, and leads to an action at its time", () => {
    const usage = { ...FREE, input_tokens: 30, output_tokens: 12, cost_micros: 60 };
    const { state } = given(ALICE)
      .when(thinks("alice", { usage }))
      .thenHappened({ kind: "thought_completed", act_at_ms: NOW + 250 });
    expect(agentIn(state)).toMatchObject({
      due: { step: "act", atMs: NOW + 250 },
      pending: { noop: {} },
      mind: { turn: 1 },
      counters: { thoughts: 1 },
    });
    expect(state.accounts.get(alice)?.llmBudgetMicros).toBe(40);
    const left = windowsLeft(state, alice, NOW);
    expect([left.llm_calls.available, left.llm_tokens.available]).toEqual([99, 9_958]);
  });

  it("takes all there is where it turns out to cost more", () => {
    const { state } = given(ALICE).when(thinks("alice", { usage: { ...FREE, cost_micros: 101 } }));
    expect(state.accounts.get(alice)?.llmBudgetMicros).toBe(0);
  });

  it.each<readonly [string, Past | readonly Past[]]>([
    ["is to act first", thinks("alice")],
    ["is frozen", { kind: "freeze_agent", at_ms: NOW, agent: alice, needs_micros: 500 }],
    ["has been stopped", becomes("stopped")],
    ["has been paused", becomes("paused", 9_000)],
    ["has been paused and goes on", [becomes("paused", 9_000), becomes("running", NOW)]],
  ])("comes too late for an agent that %s: it is paid, and nothing else", (_, past) => {
    const scene = given(ALICE, ...[past].flat());
    const { mind, pending, due, counters, actions } = agentIn(scene.state);
    const usage = { ...FREE, input_tokens: 40, cost_micros: 30 };
    const reason = /was not waiting|has changed since/;
    for (const late of [
      thinks("alice", { usage, mind: { to: "late" } }),
      fails("alice", { usage }),
    ]) {
      scene.when(late).thenHappened({
        kind: "thought_dropped",
        usage,
        reason: expect.stringMatching(reason),
      });
    }
    const spent = { ...counters, spentMicros: counters.spentMicros + 60 };
    expect(agentIn(scene.state)).toMatchObject({ mind, pending, due, counters: spent, actions });
    expect(scene.state.accounts.get(alice)?.llmBudgetMicros).toBe(40);
    expect(windowsLeft(scene.state, alice, NOW).llm_tokens.available).toBe(9_920);
  });

  it("of another epoch than the agent's comes too late, though a thought is awaited", () => {
    const scene = given(ALICE, becomes("paused"), becomes("running", NOW));
    expect(agentIn(scene.state)).toMatchObject({ epoch: 2, due: { step: "think" } });
    scene.when(thinks("alice", { epoch: 1 })).thenHappened({
      kind: "thought_dropped",
      reason: "the agent has changed since: told to",
    });
    scene.when(thinks("alice", { epoch: 2 })).thenHappened("thought_completed");
  });

  it("is nothing a program has", () => {
    given(ALICE)
      .when(thinks("nobody"))
      .thenRefused("not_found", /is not an agent/);
  });

  it("that fails is remembered, and counted against the agent", () => {
    const { state } = given(ALICE)
      .when(fails("alice", { usage: { ...FREE, cost_micros: 30 } }))
      .thenHappened({ kind: "thought_failed", next_at_ms: NOW + 200, paused: false });
    expect(agentIn(state)).toMatchObject({
      counters: { thoughtsFailed: 1, errors: 1, thoughts: 0 },
      last: { ok: false, message: "llm_error: overloaded" },
      failures: [{ action: "think" }],
    });
    expect(state.accounts.get(alice)?.llmBudgetMicros).toBe(70);
  });

  it("that fails keeps what its mind kept, where that says something", () => {
    const scene = given(ALICE, fails("alice", { mind: { to: { turn: 1 } } }), (state) =>
      state.undo.forget(),
    );
    expect(agentIn(scene.state).mind).toEqual({ turn: 1 });
    scene.when(fails("alice"));
    expect(agentIn(scene.state).mind).toEqual({ turn: 1 });
  });
});

describe("the pause between two iterations", () => {
  /** The delays after so many actions, each failed or not. */
  const delays = (...failed: readonly boolean[]) => {
    const scene = given(ALICE);
    return failed.map((failure) => {
      const { decision } = scene.when(ends("alice", { refusal: failure ? NO : null }));
      const [event] = decision.kind === "accepted" ? decision.events : [];
      const end = event as { next_at_ms: number | null; paused?: boolean };
      return end.paused === true ? "rests" : (end.next_at_ms ?? 0) - NOW;
    });
  };

  it("doubles with each failure in a row, and is as before after a success", () => {
    expect(delays(true, true, false, true)).toEqual([200, 400, 100, 200]);
  });

  it("ends in a rest when failures in a row have reached the bound", () => {
    expect(delays(true, true, true)).toEqual([200, 400, "rests"]);
    expect(delays(true, true, false, true, true, true)).toEqual([200, 400, 100, 200, 400, "rests"]);
  });

  it("grows to its bound and no further", () => {
    const patient = physicsWith({ agents: { max_consecutive_errors: 20 } });
    const scene = givenIn(patient, ALICE);
    for (let n = 0; n < 8; n++) scene.when(ends("alice", { refusal: NO }));
    expect(agentIn(scene.state).due).toEqual({ step: "think", atMs: NOW + 1_600 });
  });

  it("never grows for a script, which does what it is told", () => {
    const scene = given(agent("alice", { content: '{"mind":"script"}' }));
    for (let n = 0; n < 5; n++) scene.when(ends("alice", { refusal: NO }));
    expect(agentIn(scene.state)).toMatchObject({
      state: "running",
      due: { atMs: NOW + 100 },
      counters: { errors: 5 },
    });
  });

  it("counts failed thoughts and failed actions alike", () => {
    const scene = given(ALICE, fails("alice"), (state) => state.undo.forget());
    scene.when(ends("alice", { refusal: NO }));
    scene
      .when(fails("alice"))
      .thenHappened({ kind: "thought_failed", paused: true, next_at_ms: 6_000 });
    expect(agentIn(scene.state)).toMatchObject({
      state: "paused",
      reason: "too many failures in a row",
      due: { atMs: 6_000 },
    });
  });

  it("lasts until an operator ends it where that is the rule", () => {
    const rule = physicsWith({ agents: { resume_after_ms: null, max_consecutive_errors: 1 } });
    const scene = givenIn(rule, ALICE);
    scene
      .when(ends("alice", { refusal: NO }))
      .thenHappened({ kind: "action_refused", paused: true, next_at_ms: null });
    expect(agentIn(scene.state).due).toBeNull();
    scene.when(becomes("running", NOW + 1));
    expect(agentIn(scene.state)).toMatchObject({ state: "running", counters: { errors: 0 } });
  });

  it.each<readonly [string, Past, object | null]>([
    ["stopped", becomes("stopped"), null],
    [
      "frozen",
      { kind: "freeze_agent", at_ms: NOW, agent: alice, needs_micros: 500 },
      { atMs: NOW + 20_000 },
    ],
    ["sleeping", becomes("sleeping", NOW + 7_000), { atMs: NOW + 7_000 }],
  ])("does not set an agent going that is %s, whatever is done in its name", (state, past, due) => {
    const scene = given(ALICE, past);
    for (let n = 0; n < 4; n++) {
      scene.when(ends("alice", { refusal: n % 2 === 0 ? NO : null }));
      expect(agentIn(scene.state)).toMatchObject({ state, due });
    }
  });
});

describe("what an action uses up", () => {
  it("is one of its actions, its gas and its bytes", () => {
    const { state } = given(ALICE)
      .when(ends("alice", { gas: 700, bytes: 60, scrip: 5 }))
      .thenHappened({
        kind: "action_completed",
        charged: { gas: 700, bytes: 60, scrip: 5 },
      });
    const left = windowsLeft(state, alice, NOW);
    expect([left.actions.available, left.cpu_gas.available, left.bytes_written.available]).toEqual([
      999, 9_999_300, 99_940,
    ]);
  });

  it("is the same where it is refused", () => {
    const { state } = given(ALICE).when(ends("alice", { refusal: NO, gas: 700 }));
    expect(windowsLeft(state, alice, NOW)).toMatchObject({
      actions: { available: 999 },
      cpu_gas: { available: 9_999_300 },
    });
  });

  it("is no action where there was none left to begin it with", () => {
    const scene = given(
      agent("alice", { quotas: { actions: 2 } }),
      consumed("alice", { actions: 2 }),
    );
    scene.when(ends("alice", { refusal: { ...NO, code: "rate_limited" } }));
    expect(scene.state.usages.get(alice)?.actions.total).toBe(2);
  });

  it("is an action where only the bytes ran out, so that trying is not free", () => {
    const scene = given(ALICE);
    scene.when(ends("alice", { refusal: { ...NO, code: "rate_limited" } }));
    expect(windowsLeft(scene.state, alice, NOW).actions.available).toBe(999);
  });
});

describe("what an agent remembers", () => {
  it("is its last deeds and failures, up to a bound", () => {
    const scene = given(ALICE);
    for (let n = 1; n <= 6; n++) {
      scene.when(
        ends("alice", { message: `m${n}`, refusal: n % 2 === 0 ? NO : null, target: `t${n}` }),
      );
    }
    const { actions, failures, counters } = agentIn(scene.state);
    expect(actions.map(({ message }) => message)).toEqual(["m3", "m4", "m5", "m6"]);
    expect(failures.map(({ target }) => target)).toEqual(["t2", "t4", "t6"]);
    expect(counters).toMatchObject({ actions: 6, succeeded: 3, errors: 1 });
  });

  it("is nothing where the bound is none", () => {
    const forgetful = physicsWith({ agents: { action_history_max: 0, failure_history_max: 0 } });
    const scene = givenIn(forgetful, ALICE);
    for (let n = 1; n <= 6; n++) scene.when(ends("alice", { refusal: NO }));
    expect(agentIn(scene.state)).toMatchObject({ actions: [], failures: [] });
  });

  it.each<readonly [string, Partial<Ended>]>([
    ["an answer", {}],
    ["what a refusal adds", { refusal: NO }],
  ])("of %s is a beginning, without half a character", (_, more) => {
    const scene = given(ALICE);
    scene.when(ends("alice", { result: `${"x".repeat(199)}😀 and so on`, ...more }));
    expect(agentIn(scene.state).last).toMatchObject({ result: "x".repeat(199), cut: true });
    scene.when(ends("alice", { result: "short", ...more }));
    expect(agentIn(scene.state).last).toMatchObject({ result: "short", cut: false });
  });

  it("of a read is what was read, taken from the artifact", () => {
    const text = `${"x".repeat(199)}😀`;
    const scene = given(ALICE, note("poem", "alice", { content: text }), reads("alice", "poem"));
    scene.when(ends("alice", { action: "read_artifact", target: "poem" }));
    expect(agentIn(scene.state).last).toMatchObject({
      result: "x".repeat(199),
      cut: true,
      ok: true,
    });
  });
});

describe("freezing and limiting", () => {
  it("freezes only an agent that cannot pay for a thought", () => {
    const freeze = (needs_micros: number) =>
      ({ kind: "freeze_agent", at_ms: NOW, agent: alice, needs_micros }) as const;
    given(ALICE)
      .when(freeze(100))
      .thenRefused("invalid_argument", /can afford/);
    const { state } = given(ALICE)
      .when(freeze(101))
      .thenHappened({ kind: "agent_frozen", has_micros: 100 });
    expect(agentIn(state)).toMatchObject({
      state: "frozen",
      due: { step: "think", atMs: NOW + 20_000 },
      needsMicros: 101,
    });
  });

  const freezes = { kind: "freeze_agent", at_ms: NOW, agent: alice, needs_micros: 500 } as const;
  const goesBroke = (at_ms: number) => ({ kind: "declare_bankrupt", at_ms, agent: alice }) as const;

  it("lets a frozen agent be rescued for so long, and then it stops for good", () => {
    const scene = given(ALICE, note("poem", "alice"), freezes);
    scene
      .when(goesBroke(NOW + 19_999))
      .thenRefused("invalid_argument", /can be funded until 21000 ms/);
    scene
      .when(goesBroke(NOW + 20_500))
      .thenHappened({ kind: "agent_bankrupt", principal: "alice", frozen_ms: 20_500 });
    expect(agentIn(scene.state)).toMatchObject({
      state: "stopped",
      due: null,
      cause: "bankrupt",
    });
    expect(scene.state.accounts.get(alice)).toMatchObject({ scrip: 100, llmBudgetMicros: 100 });
    expect(artifactOf(scene.state, "poem").owner).toBe("alice");
    scene
      .when(goesBroke(NOW + 40_000))
      .thenRefused("invalid_argument", /is stopped; only a frozen/);
  });

  it("lets it wait for ever where that is the rule", () => {
    const patient = physicsWith({ agents: { bankrupt_after_ms: null } });
    const scene = givenIn(patient, ALICE, freezes);
    expect(agentIn(scene.state)).toMatchObject({ state: "frozen", due: null });
    scene.when(goesBroke(NOW + 1e9)).thenRefused("invalid_argument");
  });

  it("declares nobody bankrupt who is not frozen, or was helped", () => {
    given(ALICE)
      .when(goesBroke(NOW + 1e9))
      .thenRefused("invalid_argument", /is running/);
    const helps = transfersBudget("bob", "alice", 400);
    const scene = given(ALICE, agent("bob"), freezes, helps);
    expect(agentIn(scene.state)).toMatchObject({ state: "running", due: { atMs: NOW } });
    scene.when(goesBroke(NOW + 20_000)).thenRefused("invalid_argument", /is running/);
    scene.when(thinks("alice", { epoch: 0 })).thenHappened("thought_completed");
  });

  it.each(["sleeping", "paused", "frozen", "stopped"] as const)(
    "neither freezes nor limits an agent that is %s, and would not think",
    (to) => {
      const scene = given(ALICE, becomes(to, NOW + 9_000));
      scene.when(freezes).thenRefused("invalid_argument", /only a running agent thinks/);
      scene.when(limit(10_000_001)).thenRefused("invalid_argument", /only a running agent thinks/);
    },
  );

  const limit = (amount: number) =>
    ({ kind: "limit_agent", at_ms: NOW + 10, agent: alice, resource: "cpu_gas", amount }) as const;
  const spent = consumed("alice", { gas: 9_999_990 });

  it("lets an agent wait until its window frees what it needs", () => {
    given(ALICE, spent)
      .when(limit(10))
      .thenRefused("invalid_argument", /has cpu_gas left/);
    given(ALICE, spent)
      .when(limit(11))
      .thenHappened({
        kind: "agent_rate_limited",
        resource: "cpu_gas",
        until_ms: NOW + 60_000,
      });
  });

  it("lets it try again a window later where no wait would help now", () => {
    given(ALICE, spent)
      .when(limit(10_000_001))
      .thenHappened({ kind: "agent_rate_limited", until_ms: NOW + 10 + 60_000 });
  });

  it("lets it skip a turn where that is the rule", () => {
    givenIn(physicsWith({ resources: { on_exhausted: "skip" } }), ALICE, spent)
      .when(limit(11))
      .thenHappened({ kind: "agent_rate_limited", until_ms: NOW + 10 + 1_600 });
  });
});
