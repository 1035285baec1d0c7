import {
  type ComputePhysics,
  invariant,
  type Json,
  type MintPhysics,
  type NewTask,
  type Physics,
  readTaskTests,
} from "../../kernel/index.ts";
import type { Config } from "./config-schema.ts";
import { isPlain } from "./plain-json.ts";

export const physicsFor = (config: Config): Physics => {
  const { resources, access, agent } = config;
  const { review, review_default, review_timeout_s } = config.agents.defaults;
  return {
    seed: config.run.seed,
    horizon_ms: msOf(config.run.duration_s),
    resources: {
      window_ms: msOf(resources.window_s),
      windows: resources.windows,
      disk_bytes: resources.stock.disk_bytes,
      llm_budget_micros: microsOf(resources.stock.llm_budget_usd),
      on_exhausted: resources.on_exhausted,
    },
    access: {
      default: access.default,
      default_on_missing: access.default_on_missing,
      depth_max: access.max_depth,
    },
    sandbox: config.sandbox,
    artifacts: config.artifacts,
    agents: {
      principals_max: config.spawn.principals_max,
      standing_max: config.spawn.standing_max,
      spawn_minimum: config.spawn.minimum,
      min_delay_ms: msOf(agent.loop.min_delay_s),
      max_delay_ms: msOf(agent.loop.max_delay_s),
      max_consecutive_errors: agent.loop.max_consecutive_errors,
      resume_after_ms: agent.loop.resume_after_s === null ? null : msOf(agent.loop.resume_after_s),
      sleep_max_ms: msOf(agent.loop.sleep_max_s),
      bankrupt_after_ms:
        agent.loop.bankrupt_after_s === null ? null : msOf(agent.loop.bankrupt_after_s),
      failure_history_max: agent.failure_history_max,
      action_history_max: agent.action_history_max,
      result_kept_chars: agent.result_kept_chars,
      inbox_events_max: agent.inbox_events_max,
      review,
      review_default,
      review_timeout_ms: msOf(review_timeout_s),
    },
    messages: config.messages,
    genesis: config.genesis,
    mint: mintFor(config.mint),
    compute: computeFor(config.compute),
  };
};

const mintFor = (mint: Config["mint"]): MintPhysics => ({
  first_auction_ms: msOf(mint.first_auction_s),
  period_ms: msOf(mint.period_s),
  bidding_window_ms: msOf(mint.bidding_window_s),
  slots: mint.slots,
  minimum_bid: mint.minimum_bid,
  mint_ratio: mint.mint_ratio,
  proceeds: mint.proceeds,
  newcomer_ms: msOf(mint.newcomer_s),
  test_gas: mint.test_gas,
  tasks_max: mint.tasks_max,
});

const computeFor = ({
  period_s,
  supply_micros_per_period: supply_micros,
  ...compute
}: Config["compute"]): ComputePhysics => ({ ...compute, supply_micros, period_ms: msOf(period_s) });

export const msOf = (seconds: number): number => Math.round(seconds * 1_000);

export const microsOf = (usd: number): number => Math.round(usd * 1_000_000);

export type WorldTask = NewTask & { readonly atMs: number };

export const tasksFor = ({ mint }: Config): readonly WorldTask[] =>
  mint.tasks.map(({ id: task, from_s, reward, description, public_tests, hidden_tests }) => ({
    task,
    atMs: msOf(from_s),
    reward,
    description,
    public_tests: asJson(public_tests),
    hidden_tests: asJson(hidden_tests),
  }));

const asJson = (given: unknown): Json => {
  invariant(isPlain(given), "a configuration must be plain data");
  return given;
};

export const taskProblems = (
  config: Config,
): readonly { readonly index: number; readonly message: string }[] => {
  const physics = physicsFor(config);
  const tasks = tasksFor(config);
  return tasks.flatMap((task, index) => {
    const tests = readTaskTests(physics, task);
    const twice = tasks.findIndex((other) => other.task === task.task) < index;
    if (twice) return [{ index, message: `there is already a task "${task.task}"` }];
    return typeof tests === "string" ? [{ index, message: tests }] : [];
  });
};
