import { describe, expect, it } from "vitest";
import { asId, canonical, type Json, viewOf } from "../../../src/kernel/index.ts";
import { by, calls, inside } from "../../support/commands.ts";
import { ADDITION, childOf, freeAndHeld, opensTask, posts, solves } from "../../support/mint.ts";
import { NOW, physicsWith } from "../../support/physics.ts";
import { agent, given, givenIn, note, program, refusesInOrder } from "../../support/scenario.ts";
import { WIDE_VIEW } from "../../support/view.ts";

const ANN = agent("ann");
const BOB = agent("bob");
const ADDER = program("adder", "bob");
const RIGHT = [5, 6, 0];
const LARGE_BOARD = physicsWith({ mint: { tasks_max: 300 } });

const withdraws = (who: string, task: string) =>
  calls(who, "genesis_mint.withdraw_task", { args: [task] });

describe("a task", () => {
  it("holds its reward and does not show its hidden tests", () => {
    const scene = given(ANN, BOB);
    scene
      .when(posts("ann", { scrip: 20 }))
      .thenHappened([
        { kind: "scrip_held", hold: "task:1", from: "ann", amount: 20 },
        { kind: "task_posted", task: "task:1", poster: "ann", reward: 20, ...ADDITION },
      ])
      .thenAnswered({ task: "task:1", reward: 20 });
    expect(freeAndHeld(scene.state, "ann")).toEqual([80, 20]);
    const { description, public_tests } = ADDITION;
    const task = { id: "task:1", poster: "ann", reward: 20, posted_at_ms: NOW };
    const shown = { ...task, description, public_tests, hidden_tests: 2 };
    const { answer } = scene.when(calls("bob", "genesis_mint.tasks"));
    expect(answer).toEqual([shown]);
    const view = viewOf(scene.state, asId("bob"), { now: NOW, bounds: WIDE_VIEW });
    expect(view.tasks).toEqual([shown]);
  });

  it.each<readonly [string, readonly Json[], RegExp]>([
    ["no description", [" ", ADDITION.public_tests], /1 to 2000 characters/],
    ["a long description", ["x".repeat(2_001), ADDITION.public_tests], /1 to 2000 characters/],
    ["malformed text", ["a\ud800", ADDITION.public_tests], /well-formed Unicode/],
    ["no public test", ["Adds.", []], /at least one public test/],
    ["large tests", ["Adds.", [echo("x".repeat(4_900)), echo("y".repeat(4_900))]], /maximum/],
  ])("is not posted with %s", (_, task, words) => {
    const wide = physicsWith({ artifacts: { args_bytes_max: 50_000 } });
    givenIn(wide, ANN).when(posts("ann", { task })).thenRefused("invalid_argument", words);
  });

  it("has at most as many tests as one action has gas for", () => {
    const tight = physicsWith({ sandbox: { gas_max: 3_050 } });
    const tests = (n: number) => Array.from({ length: n }, () => echo(1));
    const scene = givenIn(tight, ANN);
    const four = posts("ann", { task: ["x", tests(2), tests(2)] });
    scene.when(four).thenRefused("invalid_argument", /at most 3 tests/);
    scene.when(posts("ann", { task: ["x", tests(2), tests(1)] })).thenAnswered({ reward: 20 });
  });

  it.each<readonly [Json]>([[[{ args: [1] }]], [[{ args: 1, result: 1 }]], [[1]], ["x"]])(
    "is refused with %j as its tests",
    (tests) => {
      const post = posts("ann", { task: ["Adds.", tests] });
      given(ANN).when(post).thenRefused("interface_mismatch");
    },
  );

  it("needs a reward and a poster with an account", () => {
    const scene = given(ANN, program("shell", "ann"));
    scene.when(posts("ann", { scrip: 0 })).thenRefused("missing_argument", /attach the reward/);
    const byShell = { ...posts("ann", { scrip: 0 }), by: inside("ann", "shell") };
    scene.when(byShell).thenRefused("not_authorized", /no account/);
  });

  it("is one of a limited number, of which each family may have a tenth", () => {
    const board = physicsWith({ mint: { tasks_max: 12 } });
    const posters = ["p0", "p1", "p2", "p3", "p4", "p5", "p6"];
    const scene = givenIn(board, ...posters.map((id) => agent(id)));
    scene.when(opensTask());
    for (const id of posters.slice(0, 6)) {
      scene.when(posts(id));
      scene.when(posts(id)).thenAnswered({ reward: 20 });
    }
    scene.when(posts("p6")).thenRefused("quota_exceeded", /12 posted tasks are open/);
    scene.when(withdraws("p0", "task:2"));
    scene.when(posts("p1")).thenRefused("quota_exceeded", /the family of p1 has 2 tasks open/);
    scene.when(posts("p6")).thenAnswered({ task: "task:14" });
  });

  it("can be withdrawn by its poster, who gets the reward back", () => {
    const scene = given(ANN, BOB, posts("ann"));
    scene.when(withdraws("bob", "task:1")).thenRefused("not_owner", /posted by ann/);
    scene
      .when(withdraws("ann", "task:1"))
      .thenHappened({ kind: "task_withdrawn", task: "task:1" }, "hold_released")
      .thenAnswered({ refunded: 20 });
    expect(freeAndHeld(scene.state, "ann")).toEqual([100, 0]);
    scene.when(withdraws("ann", "task:1")).thenRefused("not_found");
  });

  it("counts for the whole family of its poster", () => {
    const board = physicsWith({ mint: { tasks_max: 12 } });
    const scene = givenIn(board, ANN, BOB, agent("kid"), childOf("kid", "ann"));
    scene.when(posts("ann"));
    scene.when(posts("kid"));
    for (const who of ["ann", "kid"]) {
      scene.when(posts(who)).thenRefused("quota_exceeded", /the family of ann has 2 tasks open/);
    }
    scene.when(posts("bob")).thenAnswered({ task: "task:3" });
  });

  it("is listed after the world's own and before older ones that pay less", () => {
    const scene = givenIn(LARGE_BOARD, ANN, BOB);
    for (const scrip of [1, 3, 1, 7]) scene.when(posts("ann", { scrip }));
    scene.when(opensTask("cheap", 2));
    scene.when(opensTask("dear", 30));
    const order = ["dear", "cheap", "task:4", "task:2", "task:1", "task:3"];
    const shown = scene.when(calls("bob", "genesis_mint.tasks")).answer as { id: string }[];
    expect(shown.map(({ id }) => id)).toEqual(order);
    const view = viewOf(scene.state, asId("bob"), { now: NOW, bounds: { ...WIDE_VIEW, tasks: 3 } });
    expect(view.tasks.map(({ id }) => id)).toEqual(order.slice(0, 3));
  });

  it("is listed in pages", () => {
    const posted = Array.from({ length: 25 }, () => posts("ann", { scrip: 1 }));
    const scene = givenIn(LARGE_BOARD, ANN, BOB, ...posted);
    const page = (...args: readonly Json[]) =>
      scene.when(calls("bob", "genesis_mint.tasks", { args })).answer as { id: string }[];
    const first = page();
    expect(first).toHaveLength(20);
    const second = page(first.at(-1)?.id ?? "");
    expect(second).toHaveLength(5);
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(25);
  });
});

function echo(arg: Json): Json {
  return { args: [arg], result: arg };
}

describe("a task posted by the world", () => {
  it("must be valid and new, and cannot be withdrawn", () => {
    const scene = given(ANN, opensTask("adding", 30));
    scene.when(opensTask("adding")).thenRefused("already_exists");
    scene.when(opensTask("a b")).thenRefused("invalid_argument", /an id has/);
    scene.when(opensTask("other", 0)).thenRefused("invalid_argument", /the reward/);
    const noTests = { ...opensTask("other"), ...{ public_tests: [] } };
    scene.when(noTests).thenRefused("invalid_argument", /one public test/);
    scene.when(withdraws("ann", "adding")).thenRefused("not_owner", /posted by the world/);
    const bare = givenIn(physicsWith({ genesis: { enabled: ["ledger"] } }));
    bare.when(opensTask()).thenRefused("not_found", /no mint/);
  });

  it("is paid in minted scrip", () => {
    const scene = given(BOB, ADDER, opensTask("adding", 30));
    scene.when(solves("bob", ["adding", "adder"], RIGHT)).thenHappened([
      { kind: "task_solved", task: "adding", artifact_id: "adder", solver: "bob", reward: 30 },
      { kind: "scrip_minted", to: "bob", amount: 30, reason: "task" },
    ]);
    expect(scene.balances()).toEqual({ bob: 130 });
    scene.when(solves("bob", ["adding", "adder"], RIGHT)).thenRefused("not_found", /no task/);
  });

  it("is not paid if the supply of scrip would be too large", () => {
    const rich = agent("rex", { scrip: Number.MAX_SAFE_INTEGER - 110 });
    given(rich, BOB, ADDER, opensTask("adding", 30))
      .when(solves("bob", ["adding", "adder"]))
      .thenRefused("quota_exceeded", /scrip supply too large/);
  });
});

describe("solving a task", () => {
  it("runs every test with the same gas", () => {
    const tests = [ADDITION.public_tests, ADDITION.hidden_tests].flat();
    const [artifact, runs] = [asId("adder"), tests.map(({ args }) => args)];
    given(ANN, BOB, ADDER, posts("ann"))
      .when(solves("bob", ["task:1", "adder"]))
      .thenAsks({ kind: "trial", artifact, method: "run", runs, gas_each: 1_000 });
  });

  it("pays the reward from its poster", () => {
    const scene = given(ANN, BOB, ADDER, posts("ann", { scrip: 20 }));
    scene
      .when(solves("bob", ["task:1", "adder"], RIGHT))
      .thenHappened([
        { kind: "task_solved", task: "task:1", solver: "bob" },
        { kind: "hold_spent", hold: "task:1", to: "bob", amount: 20, reason: "task" },
        { kind: "hold_released", hold: "task:1", into: null },
      ])
      .thenAnswered({ task: "task:1", reward: 20 });
    expect(scene.balances()).toEqual({ ann: 80, bob: 120 });
    expect(scene.state.flows.get("ann bob")).toMatchObject({ amount: 20 });
    scene.when(solves("bob", ["task:1", "adder"], RIGHT)).thenRefused("not_found");
  });

  it("says which public test failed, and how", () => {
    const scene = given(ANN, BOB, ADDER, posts("ann"));
    const solving = (results: readonly (number | string)[]) =>
      scene.when(solves("bob", ["task:1", "adder"], results));
    const wrong = /public test 1: run\(\.\.\.\[2,3\]\) must return 5 and returned 6/;
    solving([6, 6, 0]).thenRefused("tests_failed", wrong);
    solving(["a is not defined", 6, 0]).thenRefused("tests_failed", /and failed: a is not defined/);
    expect(freeAndHeld(scene.state, "ann")).toEqual([80, 20]);
  });

  it("says only that a hidden test failed, not which and how", () => {
    const scene = given(ANN, BOB, ADDER, posts("ann"));
    const refusals = [
      [5, 7, 0],
      [5, 6, 1],
      [5, 9, 9],
      [5, "secret", 0],
      [5, "secret", "secret"],
    ].map((results) => canonical(scene.when(solves("bob", ["task:1", "adder"], results)).decision));
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toMatch(/all public tests passed, but at least one hidden test failed/);
    expect(refusals[0]).not.toMatch(/secret|10|-4/);
  });

  it("compares results as values, whatever the order of keys", () => {
    const task = ["A point.", [{ args: [], result: { x: 1, y: 2 } }]];
    const scene = given(ANN, BOB, ADDER, posts("ann", { task }));
    const trial = [{ ok: true, result: { y: 2, x: 1 } }] as const;
    const solution = { ...solves("bob", ["task:1", "adder"]), trial };
    scene.when(solution).thenAnswered({ task: "task:1", reward: 20 });
  });

  it("is checked in order, from the caller to the program", () => {
    const scene = given(
      ANN,
      BOB,
      program("shell", "bob"),
      program("theirs", "ann"),
      note("poem", "bob"),
      ADDER,
      posts("ann"),
      posts("bob", { task: ["Of bob.", ADDITION.public_tests] }),
    );
    const of =
      (...args: readonly [string, string]) =>
      (command: ReturnType<typeof solves>) => ({ ...command, args });
    const worst = { ...solves("bob", ["nothing", "nothing"]), by: inside("bob", "shell") };
    const { decision } = refusesInOrder(scene, worst, [
      ["not_authorized", /programs cannot call it/, { by: { ...by("shell"), stack: [] } }],
      ["not_authorized", /shell has no account/, { by: by("bob") }],
      ["not_found", /no task "nothing" is open/, of("task:2", "nothing")],
      ["not_authorized", /bob posted task:2/, of("task:1", "nothing")],
      ["not_found", /no artifact "nothing"/, of("task:1", "theirs")],
      ["not_owner", /write a program of your own/, of("task:1", "poem")],
      ["invalid_type", /no method "run"/, of("task:1", "adder")],
    ]);
    expect(decision.kind).toBe("asks");
  });
});
