import { describe, expect, it } from "vitest";
import {
  asId,
  type Command,
  type Physics,
  type ScheduledChange,
  scheduledText,
  worldRow,
} from "../../../src/kernel/index.ts";
import { freezes, sellingBy } from "../../support/compute.ts";
import { changesState } from "../../support/iterations.ts";
import { NOW, PHYSICS } from "../../support/physics.ts";
import {
  agent,
  given,
  givenIn,
  type Past,
  reloaded,
  type Scenario,
} from "../../support/scenario.ts";

const ADA = asId("ada");
const SETS = { kind: "set", settings: { "mint.slots": 4 } } as const;

const plans = (...changes: readonly ScheduledChange[]) => {
  const entries = changes.map((change) => ({ at_ms: NOW, change }));
  return { kind: "plan_schedule", at_ms: 0, entries, settings: {} } as const;
};

const executes = (more: object = {}): Command => ({
  kind: "execute_scheduled",
  at_ms: NOW,
  ...more,
});

/** A world that has planned one change, after these steps. */
const planned = (change: ScheduledChange, ...past: readonly Past[]): Scenario =>
  given(plans(change), ...past);

const amounts = (scrip: number, llm_budget_micros = 0) => ({ scrip, llm_budget_micros });

const budgetOf = (scene: Scenario, id: string): number => scene.account(id).llmBudgetMicros;

describe("a plan", () => {
  it("is part of the world until its entries are executed", () => {
    const scene = planned({ kind: "mint", to: [ADA], ...amounts(5) }, agent("ada"));
    expect(worldRow(reloaded(scene.state)).schedule.entries).toHaveLength(1);
    scene.when(executes());
    expect(worldRow(scene.state).schedule).toEqual({ entries: [], settings: {} });
    scene.when(executes()).thenRefused("not_found");
  });

  it("must be sorted by time", () => {
    const entry = (at_ms: number) => ({ at_ms, change: SETS });
    const plan = { kind: "plan_schedule", at_ms: NOW, settings: {} } as const;
    const scene = given();
    const unsorted = [NOW + 2, NOW + 1].map(entry);
    scene.when({ ...plan, entries: unsorted }).thenRefused("invalid_argument");
    // A run that was interrupted can have entries whose time is over.
    const entries = [NOW - 1, NOW, NOW].map(entry);
    scene.when({ ...plan, entries }).thenHappened("schedule_planned");
  });

  it("does not execute an entry before its time", () => {
    const early = { kind: "execute_scheduled", at_ms: NOW - 1 } as const;
    planned(SETS).when(early).thenRefused("invalid_argument");
  });
});

describe("a scheduled setting", () => {
  const physics: Physics = { ...PHYSICS, mint: { ...PHYSICS.mint, slots: 4 } };

  it("amends the physics, and is remembered for a resumed run", () => {
    const scene = planned(SETS);
    scene
      .when(executes({ physics }))
      .thenHappened(
        { kind: "schedule_executed", due_at_ms: NOW, change: "set mint.slots=4", problem: null },
        { kind: "physics_amended", physics, principal: null },
      );
    expect(worldRow(scene.state).schedule.settings).toEqual(SETS.settings);
  });

  it("that does not fit is recorded with the problem and changes nothing", () => {
    const scene = planned(SETS);
    scene
      .when(executes({ problem: "it does not fit" }))
      .thenHappened({ kind: "schedule_executed", problem: "it does not fit" });
    expect(worldRow(scene.state).schedule).toEqual({ entries: [], settings: {} });
  });
});

describe("a scheduled payment", () => {
  it("mints scrip and model budget for each principal that it names", () => {
    const mint = { kind: "mint", to: [ADA, ADA], ...amounts(30, 70) } as const;
    const scene = planned(mint, agent("ada", { scrip: 5 }), agent("bob", { scrip: 5 }));
    scene
      .when(executes())
      .thenHappened(
        { kind: "schedule_executed", change: scheduledText(mint) },
        { kind: "scrip_minted", to: "ada", amount: 30, reason: "schedule", principal: null },
        { kind: "budget_issued", to: "ada", micros: 70, principal: null },
      );
    expect(scene.balances()).toMatchObject({ ada: 35, bob: 5 });
    expect(worldRow(scene.state)).toMatchObject({ supply: { minted: 30 }, budget: { issued: 70 } });
  });

  it("to all reaches every agent that has not stopped, and unfreezes one that it helps", () => {
    const scene = givenIn(
      sellingBy(),
      plans(
        { kind: "remove", agent: asId("cyd") },
        { kind: "mint", to: "all", ...amounts(0, 9_000) },
      ),
      ...["ada", "bob", "cyd"].map((id) => agent(id, { micros: 0 })),
      freezes("bob", 2_500),
    );
    scene.when(executes());
    scene
      .when(executes())
      .thenHappened(
        "schedule_executed",
        { kind: "budget_issued", to: "ada" },
        { kind: "budget_issued", to: "bob" },
        { kind: "agent_unfrozen", agent: "bob", principal: null },
        { kind: "agent_state_changed", agent: "bob", to: "running" },
      );
    expect(budgetOf(scene, "cyd")).toBe(0);
  });

  it("takes at most what is free, and burns it", () => {
    const take = { kind: "take", from: "all", ...amounts(20, 50) } as const;
    const scene = planned(
      take,
      agent("ada", { scrip: 8, micros: 30 }),
      agent("bob", { scrip: 60 }),
    );
    scene.when(executes());
    expect(scene.balances()).toMatchObject({ ada: 0, bob: 40 });
    expect(budgetOf(scene, "ada")).toBe(0);
    expect(worldRow(scene.state).supply.burned).toBe(28);
  });

  it("to an unknown principal, or past the largest supply, is recorded as not done", () => {
    const unknown = { kind: "mint", to: [asId("zoe")], ...amounts(1) } as const;
    planned(unknown, agent("ada"))
      .when(executes())
      .thenHappened({ kind: "schedule_executed", problem: '"zoe" is not a principal' });
    const most = { kind: "mint", to: "all", ...amounts(Number.MAX_SAFE_INTEGER) } as const;
    planned(most, agent("ada", { scrip: 1 }))
      .when(executes())
      .thenHappened({ kind: "schedule_executed", problem: expect.stringMatching(/too large/) });
  });
});

describe("a scheduled artifact", () => {
  const installs = (id: string, owner: string | null): ScheduledChange => ({
    kind: "install",
    id: asId(id),
    owner: owner === null ? null : asId(owner),
    fields: { type: "program", code: "function run() {}", price: owner === null ? 0 : 2 },
  });
  const code_check = { methods: ["run"], print: "1" };

  it("belongs to its owner, who pays for the disk", () => {
    const scene = planned(installs("bonus", "ada"), agent("ada"));
    const before = scene.account("ada").diskUsed;
    scene
      .when(executes({ code_check }))
      .thenHappened("schedule_executed", {
        kind: "artifact_written",
        artifact_id: "bonus",
        owner: "ada",
        principal: null,
      });
    expect(scene.artifact("bonus")).toMatchObject({ methods: ["run"], price: 2, codePrint: "1" });
    expect(scene.account("ada").diskUsed).toBeGreaterThan(before);
  });

  it("without an owner belongs to zoe", () => {
    const scene = planned(installs("bonus", null));
    scene.when(executes({ code_check }));
    expect(scene.artifact("bonus").owner).toBe("bonus");
  });

  it.each<readonly [string, ScheduledChange, object]>([
    ["an id that exists", installs("ada", null), { code_check }],
    ["an unknown owner", installs("bonus", "zoe"), { code_check }],
    ["the memory of another agent", installs("ada_working_memory", null), { code_check }],
    ["code that is wrong", installs("bonus", null), { code_check: { refusal: { message: "no" } } }],
  ])("is not installed with %s", (_what, change, more) => {
    planned(change, agent("ada"))
      .when(executes(more))
      .thenHappened({ kind: "schedule_executed", problem: expect.any(String) });
  });

  it("is not installed if its owner has too little disk", () => {
    const poor = agent("ada", { disk: 0 });
    planned(installs("bonus", "ada"), poor)
      .when(executes({ code_check }))
      .thenHappened({ kind: "schedule_executed", problem: expect.stringMatching(/more bytes/) });
  });
});

describe("a scheduled change of agents", () => {
  const changes = (kind: "pause" | "resume" | "remove") => ({ kind, agent: ADA });

  it("pauses and resumes an agent", () => {
    const scene = given(plans(changes("pause"), changes("resume")), agent("ada"));
    const changed = { kind: "agent_state_changed", agent: "ada", principal: null } as const;
    scene
      .when(executes())
      .thenHappened("schedule_executed", { ...changed, to: "paused", cause: "schedule" });
    expect(scene.state.agents.get(ADA)?.due).toBe(null);
    scene.when(executes()).thenHappened("schedule_executed", { ...changed, to: "running" });
    expect(scene.state.agents.get(ADA)?.due).toMatchObject({ atMs: NOW });
  });

  it("removes an agent for good, which keeps what it owns", () => {
    const scene = given(plans(changes("remove"), changes("resume")), agent("ada", { scrip: 9 }));
    scene.when(executes());
    expect(scene.state.agents.get(ADA)).toMatchObject({ state: "stopped", cause: "schedule" });
    expect(scene.balances()).toMatchObject({ ada: 9 });
    scene
      .when(executes())
      .thenHappened({ kind: "schedule_executed", problem: "ada has stopped for good" });
  });

  it.each<readonly [string, ScheduledChange]>([
    ['there is no agent "zoe"', { kind: "pause", agent: asId("zoe") }],
    ["ada is not paused but running", changes("resume")],
  ])("is recorded as not done: %s", (problem, change) => {
    planned(change, agent("ada"))
      .when(executes())
      .thenHappened({ kind: "schedule_executed", problem });
  });

  it("has no effect on an agent that is already paused for good", () => {
    const scene = given(plans(changes("pause"), changes("pause")), agent("ada"));
    scene.when(executes());
    const problem = "ada is already paused until someone resumes it";
    const { happened } = scene.when(executes());
    expect(happened.map(({ event }) => event)).toMatchObject([
      { kind: "schedule_executed", problem },
    ]);
  });

  it("makes a pause last that would have ended after some time", () => {
    const scene = given(plans(changes("pause")), agent("ada"), changesState("ada", "paused", NOW));
    scene.when(executes());
    expect(scene.state.agents.get(ADA)).toMatchObject({ state: "paused", cause: "schedule" });
  });

  it("adds an agent with the endowment of the world", () => {
    const newcomer = {
      id: asId("newt"),
      content: "{}",
      group: "late",
      values: { painting: 60 },
      scrip: 40,
      standing: { lots: 2, limit_price: null },
      starts_after_ms: 700,
    };
    const scene = planned({ kind: "add", agent: newcomer }, agent("ada"));
    const { happened } = scene.when(executes());
    expect(new Set(happened.map(({ event }) => event.principal))).toEqual(new Set([null]));
    expect(scene.account("newt")).toMatchObject({
      scrip: 40,
      parent: null,
      llmBudgetMicros: PHYSICS.resources.llm_budget_micros,
    });
    const added = {
      group: "late",
      values: { painting: 60 },
      due: { step: "think", atMs: NOW + 700 },
    };
    expect(scene.state.agents.get(newcomer.id)).toMatchObject(added);
    planned({ kind: "add", agent: { ...newcomer, id: ADA } }, agent("ada"))
      .when(executes())
      .thenHappened({ kind: "schedule_executed", problem: expect.stringMatching(/exists/) });
  });
});
