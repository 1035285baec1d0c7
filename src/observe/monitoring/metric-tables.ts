import type { MetricTable } from "./metric-set.ts";

/** What `sim run --metrics` says of the run. The figures are those of `sim report`. */
export const RUN_METRICS = {
  about: {
    name: "catallaxy_run_info",
    type: "gauge",
    says: "always 1; the labels describe the run",
    labels: ["run", "seed", "clock", "version"],
  },
  time: {
    name: "catallaxy_run_time_seconds",
    type: "gauge",
    says: "the run time of the last event",
  },
  events: { name: "catallaxy_events_total", type: "counter", says: "events of the run" },
  actions: {
    name: "catallaxy_actions_total",
    type: "counter",
    says: "actions that succeeded and that were refused",
    labels: ["result"],
  },
  actionKinds: {
    name: "catallaxy_actions_by_type_total",
    type: "counter",
    says: "actions by type, also those that were refused",
    labels: ["type"],
  },
  refusals: {
    name: "catallaxy_actions_refused_total",
    type: "counter",
    says: "refused actions by refusal code",
    labels: ["code"],
  },
  thoughts: {
    name: "catallaxy_thoughts_total",
    type: "counter",
    says: "thoughts that were completed, that failed, and that were dropped because they were late",
    labels: ["result"],
  },
  trades: {
    name: "catallaxy_trades_total",
    type: "counter",
    says: "trades by kind",
    labels: ["kind"],
  },
  calls: {
    name: "catallaxy_model_calls_total",
    type: "counter",
    says: "model calls that were answered and that failed",
    labels: ["provider", "model", "result"],
  },
  faults: {
    name: "catallaxy_model_faults_total",
    type: "counter",
    says: "failed model calls by fault",
    labels: ["fault"],
  },
  inputTokens: {
    name: "catallaxy_model_input_tokens_total",
    type: "counter",
    says: "tokens of prompts",
    labels: ["provider", "model"],
  },
  outputTokens: {
    name: "catallaxy_model_output_tokens_total",
    type: "counter",
    says: "tokens of replies",
    labels: ["provider", "model"],
  },
  cost: {
    name: "catallaxy_model_cost_usd_total",
    type: "counter",
    says: "the cost of model calls in US dollars",
    labels: ["provider", "model"],
  },
  supply: { name: "catallaxy_scrip_supply", type: "gauge", says: "all scrip of the world" },
  minted: { name: "catallaxy_scrip_minted_total", type: "counter", says: "minted scrip" },
  burned: { name: "catallaxy_scrip_burned_total", type: "counter", says: "burned scrip" },
  agents: {
    name: "catallaxy_agents",
    type: "gauge",
    says: "agents by state; running and sleeping agents are active",
    labels: ["state"],
  },
  journal: {
    name: "catallaxy_journal_bytes",
    type: "gauge",
    says: "the size of the journal with its log of changes",
  },
} as const satisfies MetricTable;

/** What `sim run --metrics` says of the process that makes the run. */
export const RUN_PROCESS_METRICS = {
  thinking: {
    name: "catallaxy_thoughts_in_progress",
    type: "gauge",
    says: "thoughts in progress, also those that wait",
  },
  waiting: {
    name: "catallaxy_thoughts_waiting",
    type: "gauge",
    says: "thoughts that wait for the model budget of the run",
  },
  factor: {
    name: "catallaxy_real_time_factor",
    type: "gauge",
    says: "run time by real time, since this process began",
  },
  stop: {
    name: "catallaxy_run_stop_seconds",
    type: "gauge",
    says: "the run time at which this process stops the run",
  },
} as const satisfies MetricTable;

const RUN_SECONDS = [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000];

/** What `sim worker --metrics` says. */
export const WORKER_METRICS = {
  about: {
    name: "catallaxy_worker_info",
    type: "gauge",
    says: "always 1; the labels describe the worker",
    labels: ["worker", "version"],
  },
  slots: {
    name: "catallaxy_worker_slots",
    type: "gauge",
    says: "the runs that it makes at a time",
  },
  running: {
    name: "catallaxy_worker_runs_in_progress",
    type: "gauge",
    says: "the runs that it makes now",
  },
  runs: {
    name: "catallaxy_worker_runs_total",
    type: "counter",
    says: "the runs that have ended here, by the `result` of `sim worker --json`",
    labels: ["result"],
  },
  takenOver: {
    name: "catallaxy_worker_runs_taken_over_total",
    type: "counter",
    says: "the runs that it began after their earlier worker was lost",
  },
  seconds: {
    name: "catallaxy_worker_run_seconds",
    type: "histogram",
    says: "the real time that its runs took which are `done`",
    buckets: RUN_SECONDS,
  },
  connected: {
    name: "catallaxy_worker_redis_connected",
    type: "gauge",
    says: "1 if it is connected to Redis, else 0",
  },
  draining: {
    name: "catallaxy_worker_draining",
    type: "gauge",
    says: "1 if it takes no more runs, because it was told to stop, else 0",
  },
} as const satisfies MetricTable;
