import { join } from "node:path";
import type { Dice } from "../../../src/kernel/core/dice.ts";

/** The same in every world: all checks, no network, no waiting. */
const FIXED = [
  "run.clock=virtual",
  "journal.sync=normal",
  "checks.invariants_every=1",
  "llm.default_model=openai-compatible/tiny",
  "llm.failover.cooldown_initial_s=0.001",
  "llm.failover.cooldown_max_s=0.002",
  "llm.providers.openai-compatible.base_url=http://127.0.0.1:9999/v1",
  "memory.embedder=hashed",
  "timeouts.shutdown_s=2",
  "sandbox.gas_max=20000",
  "mint.test_gas=2000",
  "sandbox.memory_bytes=1048576",
];

/** Tasks that generated agents can solve. */
const TASKS = JSON.stringify([
  {
    id: "task_double",
    description: "Twice as much.",
    reward: 9,
    from_s: 1,
    public_tests: [{ args: [2], result: 4 }],
    hidden_tests: [{ args: [3], result: 6 }],
  },
  {
    id: "task_echo",
    description: "The same again.",
    reward: 3,
    from_s: 4,
    public_tests: [{ args: ["x"], result: "x" }],
    hidden_tests: [{ args: [[1, {}]], result: [1, {}] }],
  },
]);

/**
 * The configuration of a world, as `--set` takes it. In a `repeatable` world each answer of a model
 * depends only on the request, and real time has no effect.
 */
export const drawSettings = (dice: Dice, repeatable: boolean): readonly string[] => {
  const of = (...choices: readonly (string | number | boolean)[]): string =>
    String(dice.choose(choices));
  const bidding = 1 + dice.pick(5);
  return [
    ...FIXED,
    `run.seed=${dice.pick(1_000_000)}`,
    `run.duration_s=${10 + dice.pick(16)}`,
    `journal.group_ms=${of(0, 0, 1000)}`,
    `scrip.starting_amount=${of(0, 20, 100, 400)}`,
    `resources.stock.llm_budget_usd=${of(0.05, 1, 5, 5)}`,
    `resources.stock.disk_bytes=${of(12_000, 60_000, 250_000)}`,
    `resources.window_s=${of(2, 5, 20)}`,
    `resources.windows.actions=${of(10, 60, 200)}`,
    `resources.windows.llm_calls=${of(6, 60, 200)}`,
    `resources.windows.llm_tokens=${of(30_000, 900_000)}`,
    `resources.windows.cpu_gas=${of(60_000, 2_000_000)}`,
    `resources.windows.bytes_written=${of(3_000, 100_000)}`,
    `resources.on_exhausted=${of("block", "skip")}`,
    `access.default_on_missing=${of("owner_only", "genesis_contract_freeware")}`,
    `spawn.principals_max=${of(12, 40, 1000)}`,
    `mint.first_auction_s=${of(1, 3)}`,
    `mint.period_s=${bidding + dice.pick(5)}`,
    `mint.bidding_window_s=${bidding}`,
    `mint.slots=${of(0, 1, 2, 5)}`,
    `mint.mint_ratio=${of(1, 2, 10)}`,
    `mint.proceeds=${of("redistribute", "burn")}`,
    `mint.scorer=${of("usage", "usage", "llm")}`,
    `mint.newcomer_s=${of(1, 120)}`,
    `mint.tasks=${TASKS}`,
    `agent.loop.min_delay_s=${of(0.05, 0.1, 1)}`,
    `agent.loop.max_delay_s=${of(1, 4)}`,
    `agent.loop.max_consecutive_errors=${of(1, 3, 5)}`,
    `agent.loop.sleep_max_s=${of(2, 10)}`,
    `agent.loop.bankrupt_after_s=${of(2, 60, "null")}`,
    `agent.loop.resume_after_s=${of(0.5, 3)}`,
    `agent.rag.limit=${of(0, 2, 5)}`,
    `agent.working_memory.enabled=${of(true, false)}`,
    `agent.working_memory.include_in_rag=${of(true, false)}`,
    `agent.action_history_max=${of(0, 3, 15)}`,
    `agent.failure_history_max=${of(0, 2, 5)}`,
    `memory.backend=${of("index", "index", "artifact", "none")}`,
    `memory.artifact_bytes_max=${of(300, 2_000)}`,
    `checkpoint.every_s=${of("null", 1, 4, 9)}`,
    `checkpoint.on_end=${of(true, false)}`,
    `health.every_s=${of(2, 10)}`,
    `health.window_s=${of(4, 10)}`,
    `health.actions_min=${of(3, 20)}`,
    `virtual.think_ms.policy=[${of("20,200", "200,800", "0,0")}]`,
    `virtual.think_ms.script=${of(0, 50, 400)}`,
    `llm.max_tokens=${of(200, 1000)}`,
    `llm.repair_attempts=${of(0, 1, 2)}`,
    `llm.max_model_calls=${of(1, 3, 6)}`,
    `llm.failover.attempts_max=${of(1, 2, 4)}`,
    `llm.providers.openai-compatible.structured_outputs=${of(true, false)}`,
    `genesis.event_log_max=${of(5, 1000)}`,
    ...(repeatable ? repeatableSettings(dice) : timingDependentSettings(dice)),
    `schedule=${JSON.stringify(drawSchedule(dice))}`,
  ];
};

/** In a third of the worlds actions are reviewed, without a person who answers. */
export const reviewSettings = (dice: Dice): readonly string[] => {
  if (dice.chance(2 / 3)) return [];
  return [
    `agents.defaults.review=${dice.choose(["actions", "{ spending_above: 5 }"])}`,
    `agents.defaults.review_default=${dice.choose(["accept", "refuse"])}`,
  ];
};

const AGENTS = ["ada", "p1", "p2"];
const PROGRAM = join(import.meta.dirname, "../../../genesis/shared.js");

/** Changes at random times. Some cannot be made, because their agent does not exist. */
const drawSchedule = (dice: Dice): readonly object[] =>
  Array.from({ length: dice.pick(7) }, () => ({
    at: `${dice.pick(18_000)}ms`,
    ...dice.choose<object>([
      { set: { "mint.slots": dice.pick(4), "compute.posted_price": 1 + dice.pick(5) } },
      { set: { "compute.sale": dice.choose(["auction", "posted", "equal", "none"]) } },
      { mint: { to: "all", scrip: 1 + dice.pick(90) } },
      { mint: { to: "all", llm_budget_usd: 0.001 } },
      { take: { from: "all", scrip: 1 + dice.pick(90), llm_budget_usd: 0.001 } },
      { install: { id: "scheduled", file: PROGRAM } },
      { install: { id: "noted", file: import.meta.filename, owner: dice.choose(AGENTS) } },
      { pause: dice.choose(AGENTS), joins_later: true },
      { resume: dice.choose(AGENTS), joins_later: true },
      { remove: dice.choose(AGENTS), joins_later: true },
    ]),
  }));

const repeatableSettings = (dice: Dice): readonly string[] => [
  "llm.timeout_s=60",
  "sandbox.wall_timeout_ms=60000",
  "budget.max_api_cost_usd=1000",
  `virtual.think_ms.llm=[${dice.choose(["0,0", "50,500", "1000,1000"])}]`,
];

const timingDependentSettings = (dice: Dice): readonly string[] => [
  `llm.timeout_s=${dice.choose([0.003, 0.02])}`,
  `sandbox.wall_timeout_ms=${dice.choose([20, 500])}`,
  `budget.max_api_cost_usd=${dice.choose([0.05, 1, 1000])}`,
  `virtual.think_ms.llm=${dice.choose(["recorded", "[100,900]"])}`,
];
