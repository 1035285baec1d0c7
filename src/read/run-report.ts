import type { State } from "../kernel/index.ts";
import { type CostRow, readCalls } from "../model/index.ts";
import type { ChangedSetting } from "../run/index.ts";
import type { JournalReader } from "../world/index.ts";
import { agentLine, agentsIn, economyOf } from "./economy.ts";
import { groupsOf } from "./metrics/groups.ts";
import { ModelCallCounter } from "./metrics/model-call-counter.ts";
import { earnedIn } from "./metrics/money/income.ts";
import type { RunFigures, RunMeter } from "./metrics/run-meter.ts";
import { narrativeOf } from "./narrative.ts";

export type Ending = {
  readonly run_id: string;
  readonly run_dir: string;
  readonly stopped_by: string;
  readonly seed: number;
  readonly clock: "wall" | "virtual";
  readonly duration_s: number;
  /** The run time at which this process started or resumed the run. */
  readonly from_s: number;
  readonly wall_s: number;
  readonly journal_hash: string;
  readonly state_hash: string;
  readonly checkpoint: string | null;
};

type RunSums = {
  readonly figures: RunFigures;
  readonly state: State;
  /** Null if no model was called. */
  readonly modelCalls: ModelCallReport;
};

/** The shape of `sim run --json`. */
export type RunReport = ReturnType<typeof runReport>;

export const runReport = (ending: Ending, { figures, state, modelCalls }: RunSums) => {
  const { activity } = figures;
  const { journal_hash, state_hash, checkpoint, ...about } = ending;
  return {
    ...about,
    counted_from: figures.base,
    events: figures.events,
    last_seq: figures.lastSeq,
    journal_hash,
    state_hash,
    actions: activity.actions,
    /** The cost is that of all model calls, also those of the judge and of memories. */
    thinking: { ...activity.thinking, cost_usd: modelCalls.cost_usd },
    economy: economyOf(state, activity),
    agents: agentsIn(state).map((agent) => agentLine(state, agent, figures)),
    alarms: figures.alarms,
    checkpoint,
  };
};

export type EconomyReport = ReturnType<typeof economyReport>;

export const economyReport = (figures: RunFigures, state: State, modelCalls: ModelCallReport) => ({
  counted_from: figures.base,
  last_seq: figures.lastSeq,
  at_ms: figures.atMs,
  economy: economyOf(state, figures.activity),
  trades_by_kind: figures.activity.trades,
  messages: figures.activity.messages,
  lives: figures.activity.lives,
  proceeds: figures.proceeds,
  compute: figures.compute,
  schedule: figures.schedule,
  agents: agentsIn(state).map((agent) => {
    const income = figures.incomeOf(agent.id);
    return {
      ...agentLine(state, agent, figures),
      ...figures.accountOf(agent.id),
      earned: earnedIn(income),
      income,
    };
  }),
  alarms: figures.alarms,
  model_calls: modelCalls,
});

/** All figures of a run, in the shape of `sim report --json`. */
export type Report = ReturnType<typeof fullReport>;

export const fullReport = (meter: RunMeter, state: State, modelCalls: ModelCallReport) => {
  const figures = meter.figures();
  const metrics = meter.metrics();
  return {
    ...economyReport(figures, state, modelCalls),
    groups: groupsOf(metrics.principals),
    narrative: narrativeOf(metrics, {
      alarms: figures.alarms,
      base: figures.base,
      costUsd: modelCalls.cost_usd,
    }),
    metrics,
  };
};

/** The model calls of a run by agent, purpose and model, each sorted by cost, highest first. */
type ModelCallReport = ReturnType<typeof modelCallReport>;

/** Sums up the model calls in the journal. Skips damaged records. */
export const modelCallReport = (journal: JournalReader, upTo?: number) => {
  const counter = new ModelCallCounter();
  for (const read of readCalls(journal.modelCalls({ upTo }))) counter.count(read);
  const { costs, faults } = counter;
  return {
    ...callLine(costs.total),
    /** `agent` is null for calls that the run itself made. */
    by_agent: byCost(costs.byAgent).map(([agent, row]) => ({ agent, ...callLine(row) })),
    by_purpose: byCost(costs.byPurpose).map(([purpose, row]) => ({ purpose, ...callLine(row) })),
    /** Grouped by the model that answered, or the last model called if no model answered. */
    by_model: byCost(costs.byModel).map(([model, row]) => ({ model, ...callLine(row) })),
    by_fault: [...faults]
      .map(([fault, calls]) => ({ fault, calls }))
      .toSorted((a, b) => b.calls - a.calls || (a.fault < b.fault ? -1 : 1)),
  };
};

const byCost = <Key extends string | null>(rows: ReadonlyMap<Key, CostRow>) =>
  [...rows].sort(
    ([one, a], [other, b]) =>
      b.costMicros - a.costMicros || b.calls - a.calls || (String(one) < String(other) ? -1 : 1),
  );

const callLine = (row: CostRow) => ({
  calls: row.calls,
  failures: row.failures,
  input_tokens: row.input,
  cached_input_tokens: row.cachedInput,
  cache_write_tokens: row.cacheWrite,
  output_tokens: row.output,
  reasoning_tokens: row.reasoning,
  cost_usd: row.costMicros / 1e6,
  estimated: row.estimated,
  /** The number of calls to models of unknown price. The default price is used. */
  unpriced: row.unpriced,
});

export type ReportHeader = {
  readonly seed: number;
  readonly clock: string;
  /** The version of this program. */
  readonly version: string;
  /** Settings that differ from the defaults, or null if the settings are unknown. */
  readonly settings: readonly ChangedSetting[] | null;
};
