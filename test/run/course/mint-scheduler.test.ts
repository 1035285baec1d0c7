import { afterAll, describe, expect, it } from "vitest";
import { asId, type Event, emptyState, type Json } from "../../../src/kernel/index.ts";
import { type MintParts, runMint } from "../../../src/run/course/world-tasks.ts";
import {
  type Clock,
  openingRequests,
  type Scored,
  sandboxFor,
  VirtualClock,
  World,
} from "../../../src/world/index.ts";
import { createsAgent } from "../../support/commands.ts";
import { ADDITION, closing, opening } from "../../support/mint.ts";
import { PHYSICS, physicsWith } from "../../support/physics.ts";

const sandbox = sandboxFor(PHYSICS);
afterAll(() => sandbox.close());

type Hours = Partial<Pick<MintParts, "scorer" | "tasks">> & {
  readonly physics?: typeof PHYSICS;
  readonly untilMs: number;
  /** What agents do, each at its time. */
  readonly acts?: readonly (readonly [atMs: number, who: string, action: Json])[];
  readonly scorerOf?: (clock: Clock) => MintParts["scorer"];
};

const FINE: Scored = { ok: true, score: 40, reason: "fine", memo: null };

/** What happens while the keeper keeps the mint until some moment, after the opening. */
const keep = async (hours: Hours): Promise<readonly Event[]> => {
  const { physics = PHYSICS, untilMs, tasks = [], acts = [] } = hours;
  const clock = new VirtualClock(0);
  const events: Event[] = [];
  const over = new AbortController();
  const { signal } = over;
  const world = new World({
    state: emptyState(),
    journal: { append: () => null },
    sandbox,
    agentProblem: () => null,
    checkEvery: 1,
    happened: (caused) => events.push(...caused),
  });
  for (const request of openingRequests(physics)) world.submit(request);
  for (const id of ["ann", "bob"]) world.submit({ ...createsAgent(id), at_ms: 0 });
  events.length = 0;
  const scorer = hours.scorerOf?.(clock) ?? hours.scorer ?? { score: () => Promise.resolve(FINE) };
  runMint({ world, clock, scorer, tasks, signal });
  clock.spawn(async () => {
    for (const [atMs, who, action] of acts) {
      await clock.until(atMs, 0);
      const done = { kind: "take_action", at_ms: atMs, principal: asId(who), action } as const;
      expect(world.submit(done)).toMatchObject({ success: true });
    }
    await clock.until(untilMs, 0);
    over.abort();
  });
  await clock.run();
  return events;
};

const write = (artifact_id: string): Json => ({
  write_artifact: { artifact_id, code: "function run(a, b) { return a + b }" },
});
const bid = (artifact: string, scrip: number): Json => {
  const call = { artifact_id: "genesis_mint", method: "bid", args: [artifact] };
  return { invoke_artifact: { ...call, attach: { scrip } } };
};

const MINT = /^(auction|artifact_scored|scoring|task_posted|scrip_minted)/;
const told = (events: readonly Event[]) =>
  events.filter(({ kind }) => MINT.test(kind)).map(({ at_ms, kind }) => [at_ms, kind]);

const BIDS: Hours["acts"] = [
  [500, "ann", write("anns")],
  [opening(0), "ann", bid("anns", 9)],
];

/** A scorer that takes so long, and what it was asked. */
const slowScorer = (slowMs: number) => {
  const asked: unknown[] = [];
  const scorerOf = (clock: Clock): MintParts["scorer"] => ({
    score: async (candidate, signal) => {
      asked.push(candidate);
      await clock.until(clock.now() + slowMs, 0, signal);
      return FINE;
    },
  });
  return { asked, scorerOf };
};

describe("the schedule of the mint", () => {
  it("resolves each auction when it closes and scores the winner", async () => {
    expect(told(await keep({ untilMs: closing(1) + 1, acts: BIDS }))).toEqual([
      [closing(0), "auction_resolved"],
      [closing(0), "artifact_scored"],
      [closing(0), "scrip_minted"],
      [closing(1), "auction_resolved"],
    ]);
  });

  it("is not delayed by a slow scorer", async () => {
    const { scorerOf } = slowScorer(2 * PHYSICS.mint.period_ms);
    expect(told(await keep({ untilMs: closing(2) + 1, acts: BIDS, scorerOf }))).toEqual([
      [closing(0), "auction_resolved"],
      [closing(1), "auction_resolved"],
      [closing(2), "auction_resolved"],
      [closing(2), "artifact_scored"],
      [closing(2), "scrip_minted"],
    ]);
  });

  it("scores each winner once, however long that takes", async () => {
    const { scorerOf, asked } = slowScorer(3 * PHYSICS.mint.period_ms);
    await keep({ untilMs: closing(4), acts: BIDS, scorerOf });
    expect(asked).toHaveLength(1);
  });

  it.each<readonly [string, Scored, RegExp]>([
    ["cannot say", { ok: false, reason: "the judge is away" }, /the judge is away/],
    ["gives an invalid score", { ...FINE, score: 101 }, /from 0 to 100, not 101/],
  ])("refunds the price if the scorer %s", async (_, said, why) => {
    const scorer = { score: () => Promise.resolve(said) };
    const events = await keep({ untilMs: closing(0) + 1, acts: BIDS, scorer });
    const failed = events.find(({ kind }) => kind === "scoring_failed");
    expect(failed).toMatchObject({ reason: expect.stringMatching(why) });
    expect(told(events)).toEqual([
      [closing(0), "auction_resolved"],
      [closing(0), "scoring_failed"],
    ]);
  });

  it("leaves a winner unscored if the run ends first", async () => {
    const { scorerOf } = slowScorer(closing(9));
    const events = await keep({ untilMs: closing(0) + 1, acts: BIDS, scorerOf });
    expect(told(events)).toEqual([[closing(0), "auction_resolved"]]);
  });

  it("opens the configured tasks at their times", async () => {
    const tasks = [
      { ...ADDITION, task: "later", reward: 5, atMs: 3_000 },
      { ...ADDITION, task: "first", reward: 5, atMs: 0 },
      { ...ADDITION, task: "never", reward: 5, atMs: 9_000 },
    ];
    expect(await keep({ untilMs: 4_000, tasks })).toMatchObject([
      { kind: "task_posted", at_ms: 0, task: "first", poster: null, reward: 5 },
      { kind: "task_posted", at_ms: 3_000, task: "later" },
    ]);
  });

  it("does nothing in a world without a mint", async () => {
    const physics = physicsWith({ genesis: { enabled: ["ledger"] } });
    const tasks = [{ ...ADDITION, task: "adding", reward: 5, atMs: 0 }];
    expect(await keep({ physics, untilMs: closing(2), tasks })).toEqual([]);
  });
});
