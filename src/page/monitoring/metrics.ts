/** One metric, as Prometheus and docs/scale.md show it. */
type Metric = {
  readonly name: `catallaxy_${string}`;
  readonly type: "counter" | "gauge";
  readonly says: string;
  /** A label has few values: words of ours, or names that the operator has written. */
  readonly labels?: readonly string[];
};

export type MetricTable = { readonly [key: string]: Metric };

const MEMORY = {
  name: "catallaxy_process_memory_bytes",
  type: "gauge",
  says: "the memory of the process",
} as const;

/** What `sim run --metrics` says. The figures are those of `sim report`. */
export const RUN_METRICS = {
  time: {
    name: "catallaxy_run_time_seconds",
    type: "gauge",
    says: "the run time of the last event",
  },
  actions: {
    name: "catallaxy_actions_total",
    type: "counter",
    says: "actions that succeeded and that were refused",
    labels: ["result"],
  },
  thoughts: {
    name: "catallaxy_thoughts_total",
    type: "counter",
    says: "thoughts that were completed, that failed, and that were dropped because they were late",
    labels: ["result"],
  },
  calls: {
    name: "catallaxy_model_calls_total",
    type: "counter",
    says: "model calls that were answered and that failed",
    labels: ["provider", "model", "result"],
  },
  cost: {
    name: "catallaxy_model_cost_usd_total",
    type: "counter",
    says: "the cost of model calls in US dollars",
    labels: ["provider", "model"],
  },
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
  memory: MEMORY,
} as const satisfies MetricTable;

/** What `sim worker --metrics` says. */
export const WORKER_METRICS = {
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
  connected: {
    name: "catallaxy_worker_redis_connected",
    type: "gauge",
    says: "1 if it is connected to Redis, else 0",
  },
  memory: { ...MEMORY, says: "the memory of the process, without those of its runs" },
} as const satisfies MetricTable;

type Sample = { readonly value: number; readonly labels?: { readonly [label: string]: string } };

/** The values of the metrics of a table in the text format of Prometheus. */
export const metricsText = <Table extends MetricTable>(
  table: Table,
  samples: { readonly [key in keyof Table]: number | readonly Sample[] },
): string => {
  const lines: string[] = [];
  for (const [key, { name, type, says }] of Object.entries(table)) {
    lines.push(`# HELP ${name} ${says}`, `# TYPE ${name} ${type}`);
    const given = samples[key] ?? [];
    for (const { value, labels = {} } of typeof given === "number" ? [{ value: given }] : given) {
      const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
      lines.push(`${name}${pairs.length === 0 ? "" : `{${pairs.join()}}`} ${value}`);
    }
  }
  return `${lines.join("\n")}\n`;
};

const escaped = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
