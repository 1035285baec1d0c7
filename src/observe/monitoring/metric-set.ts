import type { Counter, Gauge, Histogram } from "prom-client";
import { must } from "../../kernel/index.ts";

/** One metric, as Prometheus and docs/scale.md show it. */
export type Metric = {
  readonly name: `catallaxy_${string}`;
  readonly type: "counter" | "gauge" | "histogram";
  readonly says: string;
  /** A label has few values: words of ours, or names that the operator has written. */
  readonly labels?: readonly string[];
  /** The upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
};

export type MetricTable = { readonly [key: string]: Metric };

type Labels = { readonly [label: string]: string };

type Kept =
  | { readonly type: "counter"; readonly metric: Counter }
  | { readonly type: "gauge"; readonly metric: Gauge }
  | { readonly type: "histogram"; readonly metric: Histogram };

/** The values of the metrics of a table. Use `openMetricSet`. */
export type MetricSet<Key> = {
  /** Sets a gauge, or the count so far of a counter. */
  readonly set: (key: Key, value: number, labels?: Labels) => void;
  /** Adds one to a counter. */
  readonly add: (key: Key, labels?: Labels) => void;
  /** Takes one value of a histogram. */
  readonly observe: (key: Key, value: number) => void;
  /** The values in the text format of Prometheus. */
  readonly text: () => Promise<string>;
};

/**
 * Makes a metric of each row of `table`. With `ofProcess`, the text also has the standard metrics
 * of the process and its thread: memory, CPU time, delay of the event loop, garbage collection. The
 * library is loaded here, because most commands do not need it.
 */
export const openMetricSet = async <Table extends MetricTable>(
  table: Table,
  { ofProcess }: { readonly ofProcess: boolean },
): Promise<MetricSet<keyof Table & string>> => {
  const library = (await import("prom-client")).default;
  const registry = new library.Registry();
  const kept = new Map<string, Kept>();
  for (const [key, { name, type, says, labels = [], buckets = [] }] of Object.entries(table)) {
    const about = { name, help: says, labelNames: [...labels], registers: [registry] };
    if (type === "counter") kept.set(key, { type, metric: new library.Counter(about) });
    else if (type === "gauge") kept.set(key, { type, metric: new library.Gauge(about) });
    else {
      const metric = new library.Histogram({ ...about, buckets: [...buckets] });
      kept.set(key, { type, metric });
    }
  }
  if (ofProcess) library.collectDefaultMetrics({ register: registry });
  const of = (key: string): Kept => must(kept.get(key), "the metrics of a table have keys");
  return {
    set: (key, value, labels = {}) => {
      const { type, metric } = of(key);
      if (type === "gauge") metric.set(labels, value);
      if (type !== "counter") return;
      metric.remove(labels);
      metric.inc(labels, value);
    },
    add: (key, labels = {}) => {
      const { type, metric } = of(key);
      if (type === "counter") metric.inc(labels);
    },
    observe: (key, value) => {
      const { type, metric } = of(key);
      if (type === "histogram") metric.observe(value);
    },
    text: () => registry.metrics(),
  };
};
