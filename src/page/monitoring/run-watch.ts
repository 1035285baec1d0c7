import { statSync } from "node:fs";
import {
  BANKRUPT,
  countedFrom,
  LogFollower,
  ModelCallCounter,
  newMeter,
  type RunMeter,
  sumOf,
} from "../../figures/index.ts";
import { AGENT_STATES } from "../../kernel/index.ts";
import { type CostRow, parseModelId } from "../../model/index.ts";
import type { Journal } from "../../world/index.ts";
import { metricsText, RUN_METRICS } from "./metrics.ts";

/**
 * The metrics of a run in progress, from its journal, by the counters of `sim report`. So they are
 * those of the whole run since its start or its fork, also after a resume.
 */
export class RunWatch {
  readonly #journal: Journal;
  readonly #models: ReadonlySet<string>;
  readonly #meter: RunMeter;
  readonly #calls = new ModelCallCounter();
  readonly #follower: LogFollower;

  /**
   * `journal` is open for reading, and the caller closes it. `models` may be labels. Agents can name
   * other models, which count as `other`.
   */
  constructor(journal: Journal, models: readonly string[]) {
    const base = countedFrom(journal);
    this.#journal = journal;
    this.#models = new Set(models);
    this.#meter = newMeter(journal, base);
    this.#follower = new LogFollower(journal, [this.#meter, this.#calls], base.seq);
  }

  /** Counts what was committed since the last call. Lets the event loop do other things. */
  catchUp(): Promise<void> {
    return this.#follower.catchUp();
  }

  /** The metrics up to the last committed event. */
  async text(): Promise<string> {
    await this.catchUp();
    const { atMs, activity, statuses } = this.#meter.figures();
    const { succeeded, failed: refused } = activity.actions;
    const { calls, failed, dropped } = activity.thinking;
    const models = this.#callsByModel();
    return metricsText(RUN_METRICS, {
      time: atMs / 1_000,
      actions: [
        { value: succeeded, labels: { result: "succeeded" } },
        { value: refused, labels: { result: "refused" } },
      ],
      thoughts: [
        { value: calls - failed - dropped, labels: { result: "completed" } },
        { value: failed, labels: { result: "failed" } },
        { value: dropped, labels: { result: "dropped" } },
      ],
      calls: models.flatMap(({ labels, calls, failures }) => [
        { value: calls - failures, labels: { ...labels, result: "answered" } },
        { value: failures, labels: { ...labels, result: "failed" } },
      ]),
      cost: models.map(({ labels, costMicros }) => ({ value: costMicros / 1e6, labels })),
      agents: [...AGENT_STATES, BANKRUPT].map((state) => {
        return { value: statuses.get(state) ?? 0, labels: { state } };
      }),
      journal: bytesOf(this.#journal.path),
      memory: process.memoryUsage.rss(),
    });
  }

  /** The sums of the model calls by the labels that are allowed. */
  #callsByModel() {
    const rows = [...this.#calls.costs.byModel].map(([id, row]) => {
      return { row, labels: this.#labelsOf(id) };
    });
    const groups = Map.groupBy(rows, ({ labels }) => `${labels.provider} ${labels.model}`);
    return [...groups.values()].flatMap((group) => {
      const sum = (count: (row: CostRow) => number): number =>
        sumOf(group.map(({ row }) => count(row)));
      return group
        .slice(0, 1)
        .map(({ labels }) => ({
          labels,
          calls: sum((row) => row.calls),
          failures: sum((row) => row.failures),
          costMicros: sum((row) => row.costMicros),
        }));
    });
  }

  #labelsOf(id: string) {
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
