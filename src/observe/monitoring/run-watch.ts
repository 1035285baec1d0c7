import { statSync } from "node:fs";
import { AGENT_STATES } from "../../kernel/index.ts";
import { CallReader, type CostRow, parseModelId } from "../../mind/index.ts";
import type { Journal } from "../../world/index.ts";
import { countedFrom, newMeter } from "../metrics/measure-run.ts";
import { ModelCallCounter } from "../metrics/model-call-counter.ts";
import { BANKRUPT } from "../metrics/roster.ts";
import type { RunMeter } from "../metrics/run-meter.ts";
import { sumOf } from "../metrics/statistics.ts";
import { inSlices } from "../serving/index.ts";
import { type MetricSet, openMetricSet } from "./metric-set.ts";
import { RUN_METRICS } from "./metric-tables.ts";

/** What the journal does not say of a run. */
export type WatchedRun = {
  readonly run: string;
  readonly seed: number;
  readonly clock: string;
  readonly version: string;
  /** The models that may be labels. Agents can name other models, which count as `other`. */
  readonly models: readonly string[];
};

/**
 * The metrics of a run in progress, from its journal, by the counters of `sim report`. So they are
 * those of the whole run since its start or its fork, also after a resume.
 */
export class RunWatch {
  readonly #journal: Journal;
  readonly #models: ReadonlySet<string>;
  readonly #metrics: MetricSet<keyof typeof RUN_METRICS>;
  readonly #meter: RunMeter;
  readonly #calls = new ModelCallCounter();
  readonly #reader: CallReader;
  #lastSeq: number;
  #lastCall = 0;
  #reading: Promise<void> | null = null;

  /** `journal` is open for reading. The caller closes it. */
  static async open(journal: Journal, run: WatchedRun): Promise<RunWatch> {
    const metrics = await openMetricSet(RUN_METRICS, { ofProcess: false });
    return new RunWatch(journal, run, metrics);
  }

  constructor(journal: Journal, run: WatchedRun, metrics: MetricSet<keyof typeof RUN_METRICS>) {
    const { models, seed, ...about } = run;
    const base = countedFrom(journal);
    this.#journal = journal;
    this.#models = new Set(models);
    this.#metrics = metrics;
    this.#meter = newMeter(journal, base);
    this.#lastSeq = base.seq;
    this.#reader = new CallReader((id) => {
      const [row] = journal.modelCalls({ after: id - 1, limit: 1 });
      return row?.id === id ? row : null;
    });
    metrics.set("about", 1, { ...about, seed: String(seed) });
  }

  /** Counts what was committed since the last call. Lets the event loop do other things. */
  catchUp(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** The metrics up to the last committed event. */
  async text(): Promise<string> {
    await this.catchUp();
    this.#setFigures();
    this.#setCalls();
    this.#metrics.set("journal", bytesOf(this.#journal.path));
    return await this.#metrics.text();
  }

  async #read(): Promise<void> {
    await inSlices(this.#journal.events({ after: this.#lastSeq }), (row) => {
      this.#lastSeq = row.seq;
      this.#meter.count(row);
    });
    await inSlices(this.#journal.modelCalls({ after: this.#lastCall }), (row) => {
      this.#lastCall = row.id;
      this.#calls.count(this.#reader.read(row));
    });
  }

  #setFigures(): void {
    const { events, atMs, activity, supply, statuses } = this.#meter.figures();
    const { actions, thinking } = activity;
    const { set } = this.#metrics;
    set("time", atMs / 1_000);
    set("events", events);
    set("actions", actions.succeeded, { result: "succeeded" });
    set("actions", actions.failed, { result: "refused" });
    for (const [type, count] of Object.entries(actions.by_type)) {
      set("actionKinds", count, { type });
    }
    for (const [code, count] of Object.entries(actions.by_error)) set("refusals", count, { code });
    const { calls, failed, dropped } = thinking;
    set("thoughts", calls - failed - dropped, { result: "completed" });
    set("thoughts", failed, { result: "failed" });
    set("thoughts", dropped, { result: "dropped" });
    for (const [kind, count] of Object.entries(activity.trades)) set("trades", count, { kind });
    set("supply", supply);
    set("minted", activity.supply.minted);
    set("burned", activity.supply.burned);
    for (const state of [...AGENT_STATES, BANKRUPT]) {
      set("agents", statuses.get(state) ?? 0, { state });
    }
  }

  #setCalls(): void {
    const { set } = this.#metrics;
    for (const [fault, count] of this.#calls.faults) set("faults", count, { fault });
    for (const { provider, model, ...row } of this.#byLabel()) {
      const of = { provider, model };
      set("calls", row.calls - row.failures, { ...of, result: "answered" });
      set("calls", row.failures, { ...of, result: "failed" });
      set("inputTokens", row.input, of);
      set("outputTokens", row.output, of);
      set("cost", row.costMicros / 1e6, of);
    }
  }

  /** The sums of the model calls by the labels that are allowed. */
  #byLabel() {
    const rows = [...this.#calls.costs.byModel].map(([id, row]) => ({ ...row, ...this.#of(id) }));
    const groups = Map.groupBy(rows, ({ provider, model }) => `${provider} ${model}`);
    return [...groups.values()].flatMap((group) => {
      const sum = (count: (row: CostRow) => number): number => sumOf(group.map(count));
      return group
        .slice(0, 1)
        .map(({ provider, model }) => ({
          provider,
          model,
          calls: sum((row) => row.calls),
          failures: sum((row) => row.failures),
          input: sum((row) => row.input),
          output: sum((row) => row.output),
          costMicros: sum((row) => row.costMicros),
        }));
    });
  }

  #of(id: string) {
    const parsed = parseModelId(id);
    if (!parsed.ok) return { provider: OTHER, model: OTHER };
    const { provider, model } = parsed;
    const isKnown = [id, parsed.id, model].some((name) => this.#models.has(name));
    return { provider, model: isKnown ? model : OTHER };
  }
}

const OTHER = "other";

const bytesOf = (path: string): number =>
  [path, `${path}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
