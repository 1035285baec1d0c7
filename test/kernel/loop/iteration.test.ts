import { describe, expect, it } from "vitest";
import {
  type ActionOutcome,
  asId,
  type Json,
  type State,
  windowsLeft,
} from "../../../src/kernel/index.ts";
import { calls, reads, transfersBudget } from "../../support/commands.ts";
import { changesState, ends, FREE, fails, freezes, NO, thinks } from "../../support/iterations.ts";
import { NOW, physicsWith } from "../../support/physics.ts";
import {
  accountOf,
  agent,
  agentOf,
  consumed,
  given,
  givenIn,
  note,
  type Past,
} from "../../support/scenario.ts";

const ALICE = agent("alice", { micros: 100 });
const alice = asId("alice");
const FROZEN = freezes("alice", 500);
const changed = (agent: string) => ({ kind: "agent_state_changed", agent }) as const;
const RESUMED = [changesState("alice", "paused", 9_000), changesState("alice", "running", NOW)];
const refused = (more: Partial<ActionOutcome> = {}) => ends("alice", { refusal: NO, ...more });

const aliceIn = (state: State) => agentOf(state, "alice");
const budgetIn = (state: State) => accountOf(state, "alice").llmBudgetMicros;

describe("a thought", () => {
  it("takes its price and tokens, and decides an action that is due later", () => {
    const usage = { ...FREE, input_tokens: 30, output_tokens: 12, cost_micros: 60 };
    const { state } = given(ALICE)
      .when(thinks("alice", { usage }))
      .thenHappened({ kind: "thought_completed", act_at_ms: NOW + 250 });
    expect(aliceIn(state)).toMatchObject({
      due: { step: "act", atMs: NOW + 250 },
      pending: { noop: {} },
      mind: { turn: 1 },
      counters: { thoughts: 1 },
    });
    expect(budgetIn(state)).toBe(40);
    const left = windowsLeft(state, alice, NOW);
    expect([left.llm_calls.available, left.llm_tokens.available]).toEqual([99, 9_958]);
  });

  it("takes the whole budget if it costs more", () => {
    const { state } = given(ALICE).when(thinks("alice", { usage: { ...FREE, cost_micros: 101 } }));
    expect(budgetIn(state)).toBe(0);
  });

  it.each<readonly [string, readonly Past[]]>([
    ["has a decision to execute", [thinks("alice")]],
    ["is frozen", [FROZEN]],
    ["was stopped", [changesState("alice", "stopped")]],
    ["was paused", [changesState("alice", "paused", 9_000)]],
    ["was paused and resumed", RESUMED],
  ])("that arrives when the agent %s is paid and dropped", (_, past) => {
    const scene = given(ALICE, ...past);
    const { mind, pending, due, counters, actions } = aliceIn(scene.state);
    const usage = { ...FREE, input_tokens: 40, cost_micros: 30 };
    const reason = expect.stringMatching(/was not waiting|changed while it thought/);
    const late = [thinks("alice", { usage, mind: { to: "late" } }), fails("alice", { usage })];
    for (const thought of late) {
      scene.when(thought).thenHappened({ kind: "thought_dropped", usage, reason });
    }
    const spent = { ...counters, spentMicros: counters.spentMicros + 60 };
    expect(aliceIn(scene.state)).toMatchObject({ mind, pending, due, counters: spent, actions });
    expect(budgetIn(scene.state)).toBe(40);
    expect(windowsLeft(scene.state, alice, NOW).llm_tokens.available).toBe(9_920);
  });

  it("of an earlier epoch is dropped, even if the agent waits for a thought", () => {
    const scene = given(ALICE, ...RESUMED);
    expect(aliceIn(scene.state)).toMatchObject({ epoch: 2, due: { step: "think" } });
    const reason = "the agent changed while it thought: told to";
    scene.when(thinks("alice", { epoch: 1 })).thenHappened({ kind: "thought_dropped", reason });
    scene.when(thinks("alice", { epoch: 2 })).thenHappened("thought_completed");
  });

  it("is refused to principals that are not agents", () => {
    const scene = given(ALICE);
    scene.when(thinks("unknown")).thenRefused("not_found", /is not an agent/);
  });

  it("that fails is recorded and counted against the agent", () => {
    const { state } = given(ALICE)
      .when(fails("alice", { usage: { ...FREE, cost_micros: 30 } }))
      .thenHappened({ kind: "thought_failed", next_at_ms: NOW + 200 });
    expect(aliceIn(state)).toMatchObject({
      counters: { thoughtsFailed: 1, errors: 1, thoughts: 0 },
      last: { ok: false, message: "llm_error: overloaded" },
      failures: [{ action: "think" }],
    });
    expect(budgetIn(state)).toBe(70);
  });

  it("that fails changes the mind only if it says how", () => {
    const scene = given(ALICE, fails("alice", { mind: { to: { turn: 1 } } }));
    expect(aliceIn(scene.state).mind).toEqual({ turn: 1 });
    scene.when(fails("alice"));
    expect(aliceIn(scene.state).mind).toEqual({ turn: 1 });
  });
});

describe("the delay between two iterations", () => {
  /** The delays after actions that fail or succeed, as in `failed`. */
  const delays = (...failed: readonly boolean[]) => {
    const scene = given(ALICE);
    return failed.map((failure) => {
      const { decision } = scene.when(failure ? refused() : ends("alice"));
      const [event, change] = decision.kind === "accepted" ? decision.events : [];
      if (change?.kind === "agent_state_changed") return change.to;
      return ((event as { next_at_ms: number | null }).next_at_ms ?? 0) - NOW;
    });
  };

  it("doubles with each failure in a row, until the agent pauses; a success resets it", () => {
    expect(delays(true, true, true)).toEqual([200, 400, "paused"]);
    expect(delays(true, true, false, true, true, true)).toEqual([
      200,
      400,
      100,
      200,
      400,
      "paused",
    ]);
  });

  it("grows up to its maximum", () => {
    const scene = givenIn(physicsWith({ agents: { max_consecutive_errors: 20 } }), ALICE);
    for (let n = 0; n < 8; n++) scene.when(refused());
    expect(aliceIn(scene.state).due).toEqual({ step: "think", atMs: NOW + 1_600 });
  });

  it("never grows for a mind that does not back off", () => {
    const scene = given(ALICE);
    for (let n = 0; n < 5; n++) scene.when({ ...refused(), backs_off: false });
    const after = { state: "running", due: { atMs: NOW + 100 }, counters: { errors: 5 } };
    expect(aliceIn(scene.state)).toMatchObject(after);
  });

  it("counts failed thoughts and failed actions together", () => {
    const scene = given(ALICE, fails("alice"), refused());
    const failure = fails("alice");
    const reason = "too many failures in a row";
    const failed = { kind: "thought_failed", next_at_ms: null } as const;
    const change = { from: "running", to: "paused", reason, cause: "failures", due_at_ms: 6_000 };
    scene.when(failure).thenHappened(failed, { ...changed("alice"), ...change });
    expect(aliceIn(scene.state)).toMatchObject({ state: "paused", reason, due: { atMs: 6_000 } });
  });

  it("is the shortest again after a pause", () => {
    const scene = given(ALICE, refused(), refused(), refused());
    scene.when(changesState("alice", "running", 6_000));
    scene.when(refused()).thenHappened({ kind: "action_refused", next_at_ms: NOW + 200 });
  });

  it("can last until an operator resumes the agent", () => {
    const rule = physicsWith({ agents: { resume_after_ms: null, max_consecutive_errors: 1 } });
    const scene = givenIn(rule, ALICE);
    const ended = { kind: "action_refused", next_at_ms: null } as const;
    const paused = { ...changed("alice"), to: "paused", due_at_ms: null } as const;
    scene.when(refused()).thenHappened(ended, paused);
    expect(aliceIn(scene.state).due).toBeNull();
    scene.when(changesState("alice", "running", NOW + 1));
    expect(aliceIn(scene.state)).toMatchObject({ state: "running", counters: { errors: 0 } });
  });

  it.each<readonly [string, Past, object | null]>([
    ["stopped", changesState("alice", "stopped"), null],
    ["frozen", FROZEN, { atMs: NOW + 20_000 }],
    ["sleeping", changesState("alice", "sleeping", NOW + 7_000), { atMs: NOW + 7_000 }],
  ])("does not start an agent that is %s when an action in its name ends", (state, past, due) => {
    const scene = given(ALICE, past);
    for (let n = 0; n < 4; n++) {
      scene.when(n % 2 === 0 ? refused() : ends("alice"));
      expect(aliceIn(scene.state)).toMatchObject({ state, due });
    }
  });
});

describe("the windows after an action", () => {
  it.each(["action_completed", "action_refused"] as const)("count it: %s", (kind) => {
    const refusal = kind === "action_refused" ? NO : null;
    const charged = { gas: 700, bytes: 60, scrip: 5 };
    const { state } = given(ALICE)
      .when(ends("alice", { ...charged, refusal }))
      .thenHappened({ kind, charged });
    expect(windowsLeft(state, alice, NOW)).toMatchObject({
      actions: { available: 999 },
      cpu_gas: { available: 9_999_300 },
      bytes_written: { available: 99_940 },
    });
  });

  it("do not count an action that began without quota", () => {
    const past = [agent("alice", { quotas: { actions: 2 } }), consumed("alice", { actions: 2 })];
    const scene = given(...past, refused({ refusal: { ...NO, code: "rate_limited" } }));
    expect(scene.state.usages.get(alice)?.actions.total).toBe(2);
  });

  it("count an action that only lacked bytes, so that attempts are not free", () => {
    const scene = given(ALICE, refused({ refusal: { ...NO, code: "rate_limited" } }));
    expect(windowsLeft(scene.state, alice, NOW).actions.available).toBe(999);
  });
});

describe("the history of an agent", () => {
  const acts = (n: number) =>
    ends("alice", { message: `m${n}`, refusal: n % 2 === 0 ? NO : null, target: `t${n}` });

  it("keeps the latest actions and failures, up to a limit", () => {
    const scene = given(ALICE, ...[1, 2, 3, 4, 5, 6].map(acts));
    const { actions, failures, counters } = aliceIn(scene.state);
    expect(actions.map(({ message }) => message)).toEqual(["m3", "m4", "m5", "m6"]);
    expect(failures.map(({ target }) => target)).toEqual(["t2", "t4", "t6"]);
    expect(counters).toMatchObject({ actions: 6, succeeded: 3, errors: 1 });
  });

  it("is empty if the limit is 0", () => {
    const forgetful = physicsWith({ agents: { action_history_max: 0, failure_history_max: 0 } });
    const scene = givenIn(forgetful, ALICE, ...[1, 2, 3, 4, 5, 6].map(acts));
    expect(aliceIn(scene.state)).toMatchObject({ actions: [], failures: [] });
  });

  it.each<readonly [string, Partial<ActionOutcome>]>([
    ["a result", {}],
    ["the result of a refusal", { refusal: NO }],
  ])("keeps the beginning of %s, without half a character", (_, more) => {
    const scene = given(ALICE);
    scene.when(ends("alice", { result: `${"x".repeat(199)}😀 and so on`, ...more }));
    expect(aliceIn(scene.state).last).toMatchObject({ result: "x".repeat(199), cut: true });
    scene.when(ends("alice", { result: "short", ...more }));
    expect(aliceIn(scene.state).last).toMatchObject({ result: "short", cut: false });
  });

  it("keeps the beginning of an artifact that was read", () => {
    const poem = note("poem", "alice", { content: `${"x".repeat(199)}😀` });
    const scene = given(ALICE, poem, reads("alice", "poem"));
    scene.when(ends("alice", { action: "read_artifact", target: "poem" }));
    const last = { result: "x".repeat(199), cut: true, ok: true };
    expect(aliceIn(scene.state).last).toMatchObject(last);
  });
});

describe("an agent without model budget", () => {
  const bankrupts = (at_ms: number) => ({ kind: "declare_bankrupt", at_ms, agent: alice }) as const;

  it("freezes if it cannot pay for a thought", () => {
    const scene = given(ALICE);
    scene.when(freezes("alice", 100)).thenRefused("invalid_argument", /can afford/);
    const due = { step: "think", atMs: NOW + 20_000 };
    const frozen = { from: "running", to: "frozen", due_at_ms: NOW + 20_000 };
    const reason = "it has 100 micro-dollars; a thought costs 101";
    scene
      .when(freezes("alice", 101))
      .thenHappened({ kind: "agent_frozen", has: 100 }, { ...changed("alice"), ...frozen, reason });
    const needs = { lacks: "llm_budget", amount: 101 };
    expect(aliceIn(scene.state)).toMatchObject({ state: "frozen", due, needs });
  });

  it("is bankrupt if it stays frozen too long; it keeps what it has", () => {
    const scene = given(ALICE, note("poem", "alice"), FROZEN);
    const early = bankrupts(NOW + 19_999);
    scene.when(early).thenRefused("invalid_argument", /can be funded until 21 s/);
    scene
      .when(bankrupts(NOW + 20_500))
      .thenHappened(
        { kind: "agent_bankrupt", principal: "alice", frozen_ms: 20_500 },
        { ...changed("alice"), from: "frozen", to: "stopped", cause: "bankrupt" },
      );
    expect(aliceIn(scene.state)).toMatchObject({ state: "stopped", due: null, cause: "bankrupt" });
    expect(scene.account("alice")).toMatchObject({ scrip: 100, llmBudgetMicros: 100 });
    expect(scene.artifact("poem").owner).toBe("alice");
    const again = bankrupts(NOW + 40_000);
    scene.when(again).thenRefused("invalid_argument", /is stopped; only a frozen/);
  });

  it("can stay frozen forever if the configuration allows it", () => {
    const scene = givenIn(physicsWith({ agents: { bankrupt_after_ms: null } }), ALICE, FROZEN);
    expect(aliceIn(scene.state)).toMatchObject({ state: "frozen", due: null });
    scene.when(bankrupts(NOW + 1e9)).thenRefused("invalid_argument");
  });

  it("is not bankrupt while it runs, or after it got new budget", () => {
    const scene = given(ALICE, agent("bob"));
    scene.when(bankrupts(NOW + 1e9)).thenRefused("invalid_argument", /is running/);
    scene.when(FROZEN);
    scene.when(transfersBudget("bob", "alice", 400));
    expect(aliceIn(scene.state)).toMatchObject({ state: "running", due: { atMs: NOW } });
    scene.when(bankrupts(NOW + 20_000)).thenRefused("invalid_argument", /is running/);
    scene.when(thinks("alice", { epoch: 2 })).thenHappened("thought_completed");
  });
});

describe("an agent without window quota", () => {
  const limit = (amount: number) =>
    ({ kind: "limit_agent", at_ms: NOW + 10, agent: alice, resource: "cpu_gas", amount }) as const;
  const spent = consumed("alice", { gas: 9_999_990 });
  const limited = (until_ms: number) =>
    ({ kind: "agent_rate_limited", resource: "cpu_gas", until_ms }) as const;

  it("waits until its window has what it needs", () => {
    const scene = given(ALICE, spent);
    scene.when(limit(10)).thenRefused("invalid_argument", /has cpu_gas left/);
    scene.when(limit(11)).thenHappened(limited(NOW + 60_000));
  });

  it("says which window it waits for, until it thinks", () => {
    const scene = given(ALICE, spent, { ...limit(11), at_ms: NOW });
    expect(aliceIn(scene.state)).toMatchObject({
      ...{ state: "running", waitsFor: "cpu_gas", due: { step: "think", atMs: NOW + 60_000 } },
      reason: "its window of cpu_gas is used up; it waits until 61 s",
    });
    scene.when(thinks("alice", { at_ms: NOW + 60_000 }));
    const reason = "its window of cpu_gas had room again";
    expect(aliceIn(scene.state)).toMatchObject({ state: "running", waitsFor: null, reason });
  });

  it("does not say so if something else keeps it from thinking", () => {
    const { state } = given(
      ALICE,
      spent,
      { ...limit(11), at_ms: NOW },
      changesState("alice", "paused", 9_000),
    );
    expect(aliceIn(state)).toMatchObject({ waitsFor: null, reason: "told to" });
  });

  it.each(["block", "skip"] as const)(
    "freezes for good if its quota can never be enough, whatever the policy %s",
    (on_exhausted) => {
      const scene = givenIn(physicsWith({ resources: { on_exhausted } }), ALICE);
      const lack = { lacks: "cpu_gas", needs: 10_000_001, has: 10_000_000 } as const;
      const frozen = { ...changed("alice"), to: "frozen", due_at_ms: null } as const;
      scene.when(limit(10_000_001)).thenHappened({ kind: "agent_frozen", ...lack }, frozen);
      expect(aliceIn(scene.state)).toMatchObject({
        state: "frozen",
        due: null,
        reason:
          "its quota of cpu_gas (10000000) can never pay for a call (10000001); " +
          "it needs a transfer of quota",
      });
      const bankrupt = { kind: "declare_bankrupt", at_ms: NOW + 1e9, agent: alice } as const;
      scene.when(bankrupt).thenRefused("invalid_argument");
    },
  );

  it("continues when it gets enough of that quota, and not for anything else", () => {
    const scene = given(ALICE, agent("bob"), { ...limit(10_000_005), at_ms: NOW });
    const gives = (method: string, ...args: readonly Json[]) =>
      scene.when(calls("bob", method, { args }));
    const quota = "genesis_rights_registry.transfer_quota";
    gives("genesis_ledger.transfer_budget", "alice", 100).thenHappened("budget_transferred");
    gives(quota, "alice", "actions", 5).thenHappened("quota_transferred");
    gives(quota, "alice", "disk", 5).thenHappened("quota_transferred");
    gives(quota, "alice", "cpu_gas", 4).thenHappened("quota_transferred");
    expect(aliceIn(scene.state)).toMatchObject({ state: "frozen" });
    const woken = { kind: "agent_unfrozen", agent: "alice" } as const;
    const runs = { ...changed("alice"), from: "frozen", to: "running", due_at_ms: NOW } as const;
    gives(quota, "alice", "cpu_gas", 1).thenHappened("quota_transferred", woken, runs);
    const due = { step: "think", atMs: NOW };
    expect(aliceIn(scene.state)).toMatchObject({ state: "running", needs: null, due });
  });

  it("skips one iteration if the configuration says so", () => {
    const scene = givenIn(physicsWith({ resources: { on_exhausted: "skip" } }), ALICE, spent);
    scene.when(limit(11)).thenHappened(limited(NOW + 10 + 1_600));
  });

  it.each(["sleeping", "paused", "frozen", "stopped"] as const)(
    "is neither frozen nor limited while it is %s",
    (to) => {
      const scene = given(ALICE, changesState("alice", to, NOW + 9_000));
      for (const command of [FROZEN, limit(10_000_001)]) {
        scene.when(command).thenRefused("invalid_argument", /only a running agent thinks/);
      }
    },
  );
});
