import { beforeAll, describe, expect, it } from "vitest";
import { sim } from "../support/sim.ts";
import {
  type ArenaRun,
  answerOf,
  call,
  endings,
  expectError,
  folderOf,
  PLENTY,
  RUN,
  runScripts,
  scripOf,
  wait,
  write,
} from "./arena.ts";

const MINT = "genesis_mint";
const mint = (method: string, args: readonly unknown[] = [], scrip = 0) =>
  call(MINT, args, { method, ...(scrip > 0 ? { attach: { scrip } } : {}) });

const SUM = "function run(list) { let sum = 0; for (const n of list) sum += n; return sum }";
const SHOWN = {
  description: "Adds up a list.",
  methods: [
    {
      name: "run",
      description: "Adds up a list.",
      input_schema: { type: "object", properties: { list: { type: "array" } } },
      examples: [{ args: [[1, 2]], result: 3 }],
    },
  ],
};

const ECHO = {
  id: "echo",
  description: "Gives back what it gets.",
  reward: 7,
  from_s: 5,
  public_tests: [{ args: [1], result: 1 }],
  hidden_tests: [{ args: ["two"], result: "two" }],
};

const HOURS = [
  `mint.tasks=${JSON.stringify([ECHO])}`,
  "mint.first_auction_s=30",
  "mint.bidding_window_s=30",
  "mint.slots=1",
  "mint.mint_ratio=10",
  "scrip.starting_amount=100",
].flatMap((value) => ["--set", value]);

/** Bidding is open from 30 s to 60 s. */
const ann = [
  mint("bid", ["tool"], 5),
  write("tool", SUM, { price: 25, interface: SHOWN }),
  wait(20),
  mint("bid", ["tool"], 5),
  wait(15),
  mint("bid", ["tool"], 2),
  mint("cancel", ["tool:2"]),
  mint("bid", ["tool"], 5),
  mint("status"),
  wait(40),
  mint("check", ["tool"]),
  wait(30),
];
const bob = [
  wait(5),
  call("tool", [[1, 2]]),
  write("junk", "function run() { return 1 }"),
  wait(27),
  mint("bid", ["junk"], 3),
  mint("post_task", ["Doubles.", [{ args: [2], result: 4 }]], 4),
  mint("withdraw_task", ["task:2"]),
  call("genesis_ledger", ["ann"], { method: "balance" }),
  wait(60),
];
const cyd = [
  wait(6),
  call("tool", [[3]]),
  write("parrot", "function run(what) { return what === 'two' ? 2 : what }"),
  mint("solve", ["echo", "parrot"]),
  write("parrot", "function run(what) { return what }"),
  mint("solve", ["echo", "parrot"]),
  mint("solve", ["echo", "parrot"]),
  wait(80),
];

describe("a run with a mint and a task", () => {
  let run: ArenaRun;
  beforeAll(() => {
    run = runScripts({ ann, bob, cyd }, ...PLENTY, ...HOURS);
  });

  it("ends every action with the expected code", () => {
    expect(endings(run, "ann").join(" ")).toBe("not_found ok not_open ok ok ok ok ok");
    expect(endings(run, "bob").join(" ")).toBe("ok ok ok ok ok ok");
    expect(endings(run, "cyd").join(" ")).toBe("ok ok tests_failed ok ok not_found");
  });

  it("sells one slot, scores what won and mints for it", () => {
    const kinds = ["auction_resolved", "artifact_scored", "proceeds_shared", "scrip_minted"];
    const atEnd = run.events.filter(({ at_ms }) => at_ms === 60_000);
    expect(atEnd.filter(({ kind }) => kinds.includes(kind))).toMatchObject([
      { kind: "auction_resolved", price: 3, won: ["tool:3"], lost: ["junk:1"] },
      { kind: "artifact_scored", artifact_id: "tool", score: 50, minted: 5 },
      { kind: "proceeds_shared", to: "bob", amount: 1 },
      { kind: "proceeds_shared", to: "cyd", amount: 1 },
      { kind: "scrip_minted", to: "ann", amount: 5 },
    ]);
    expect(answerOf(run, "ann", MINT)).toMatchObject({
      artifact: "tool",
      submission: null,
      score: { score: 50, minted: 5, price: 3 },
    });
  });

  it("leaves the exact balances", () => {
    // Each began with 100. Ann sold twice for 25, paid 3 and was minted 5; of her 3 the others got
    // 1 each; bob burned 1 for posting a task; cyd earned 7.
    expect(scripOf(run, "ann", "bob", "cyd")).toEqual([152, 75, 83]);
    const economy = { scrip_minted: 12, scrip_burned: 1 };
    expect(JSON.parse(run.output.out)).toMatchObject({ economy });
  });

  it("does not reveal bids", () => {
    expect(answerOf(run, "bob", "genesis_ledger")).toEqual({ id: "ann", scrip: 150 });
  });

  it("shows the mint in `sim state`", () => {
    const { mint } = JSON.parse(sim(run.folder, "state", "arena", "--json").out);
    expect(mint).toMatchObject({
      enabled: true,
      auctions_resolved: 1,
      submissions: [],
      tasks: [],
      scores: [{ artifact: "tool", bidder: "ann", score: 50, minted: 5 }],
      results: [{ auction: 0, price: 3, bids: 2, won: [{ artifact: "tool", score: 50 }] }],
    });
  });
});

/** The second auction takes bids from 90 s to 120 s. */
const PARSE =
  "function run(rows) { return rows.map((row) => row.split(',').map((part) => part.trim()))" +
  ".filter((parts) => parts.length > 2).sort((p, q) => p[0] < q[0] ? -1 : 1) }";
const BETTER =
  `${PARSE}\nfunction best(list) { let most = list[0]; for (const each of list) ` +
  "if (each.score > most.score) most = each; return most }";

describe("a run with an agent that always copies", () => {
  const author = [
    write("orig", PARSE, { price: 9 }),
    wait(68),
    write("orig", BETTER),
    wait(25),
    mint("bid", ["orig"], 2),
    wait(60),
  ];
  const thief = [
    wait(3),
    write("copy", PARSE.replaceAll("row", "line"), { price: 9 }),
    wait(30),
    mint("bid", ["copy"], 2),
    wait(38),
    write("copy", BETTER.replaceAll("row", "line")),
    wait(25),
    mint("bid", ["copy"], 2),
    wait(60),
  ];
  const both = [call("orig", [["a,b,c"]]), call("copy", [["a,b,c"]])];
  const customer = [wait(10), ...both, wait(70), ...both];

  it("scores the copies 0 and gives the author the full score", () => {
    const slots = ["--set", "mint.slots=2"];
    const { events } = runScripts({ author, thief, customer }, ...PLENTY, ...HOURS, ...slots);
    const scores = events.filter(({ kind }) => kind === "artifact_scored");
    // √18 of √18 + 10, halved without examples.
    const shown = scores.map(({ artifact_id, score }) => `${artifact_id} ${score}`);
    expect(shown).toEqual(["copy 0", "copy 0", "orig 15"]);
  });
});

describe("a run whose agents have finished with a bid still open", () => {
  it("ends when the bid is scored", () => {
    const eve = [write("tool", SUM, { interface: SHOWN }), wait(30), mint("bid", ["tool"], 5)];
    const { events, output, state } = runScripts({ eve }, ...PLENTY, ...HOURS);
    expect(JSON.parse(output.out)).toMatchObject({ stopped_by: "idle" });
    const ends = events.filter(({ kind }) => kind === "artifact_scored" || kind === "run_stopped");
    expect(ends.map(({ kind }) => kind)).toEqual(["artifact_scored", "run_stopped"]);
    expect(ends.map(({ at_ms }) => at_ms)).toEqual([60_000, 60_000]);
    expect(state.accounts.eve).toMatchObject({ held: 0 });
  });
});

describe("an invalid task in the configuration", () => {
  it.each<readonly [string, object, RegExp]>([
    ["without a public test", { public_tests: [] }, /tasks\[0\]`: a task needs at least one pub/],
    ["with a broken reward", { reward: 1.5 }, /mint\.tasks\[0\]`: the reward: /],
    ["with an invalid id", { id: "a b" }, /mint\.tasks\[0\]`: "a b": an id has 1 to 128/],
    ["with more tests than gas", { hidden_tests: Array(20).fill(ECHO.public_tests[0]) }, /9 tests/],
  ])("is refused before the run begins: %s", (_, change, pattern) => {
    const folder = folderOf({ ann: [wait(1)] });
    const tasks = `mint.tasks=${JSON.stringify([{ ...ECHO, ...change }])}`;
    expectError(sim(folder, ...RUN, "--set", tasks), 2, pattern);
  });
});
