import type { State } from "../kernel/index.ts";
import {
  type AgentLine,
  agentLine,
  agentsIn,
  type Economy,
  economyOf,
  wealthIn,
} from "./economy.ts";
import {
  type AccountReading,
  type AlarmLine,
  type CountedFrom,
  earnedIn,
  type Income,
  type RunMeter,
  type RunMetrics,
  type RunReading,
  type Tally,
} from "./metrics/index.ts";
import type { ModelCallReport } from "./model-call-report.ts";
import { storyOf } from "./run-story.ts";

/** An agent with what it lives on. */
export type AgentAccount = AgentLine &
  AccountReading & {
    /** Why it is in the state that it is in. */
    readonly reason: string;
    /** Free and held. */
    readonly wealth: number;
    readonly earned: number;
    readonly income: Income;
  };

/** The economy of a run in a few figures, as it is shown after a run. */
export type EconomyReport = {
  /** From where on things are counted that happen. */
  readonly counted_from: CountedFrom;
  readonly last_seq: number;
  readonly at_ms: number;
  readonly economy: Economy;
  readonly trades_by_kind: Tally["trades"];
  readonly lives: Tally["lives"];
  readonly agents: readonly AgentAccount[];
  readonly alarms: readonly AlarmLine[];
  /** Only where language models were asked. */
  readonly model_calls?: ModelCallReport;
};

export const economyReport = (
  reading: RunReading,
  state: State,
  modelCalls: ModelCallReport | null,
): EconomyReport => ({
  counted_from: reading.base,
  last_seq: reading.lastSeq,
  at_ms: reading.atMs,
  economy: economyOf(state, reading.tally),
  trades_by_kind: reading.tally.trades,
  lives: reading.tally.lives,
  agents: agentsIn(state).map((agent) => {
    const income = reading.incomeOf(agent.id);
    return {
      ...agentLine(state, agent, reading),
      reason: agent.reason,
      wealth: wealthIn(state, agent.id),
      ...reading.accountOf(agent.id),
      earned: earnedIn(income),
      income,
    };
  }),
  alarms: reading.alarms,
  ...(modelCalls === null ? {} : { model_calls: modelCalls }),
});

/** Everything that is known of a run in figures, in the shape of `sim report --json`. */
export type Report = EconomyReport & {
  /** The run in plain words. */
  readonly reading: readonly string[];
  readonly metrics: RunMetrics;
};

export const fullReport = (
  meter: RunMeter,
  state: State,
  modelCalls: ModelCallReport | null,
): Report => {
  const reading = meter.reading();
  const metrics = meter.metrics();
  return {
    ...economyReport(reading, state, modelCalls),
    reading: storyOf(metrics, reading.alarms, reading.base),
    metrics,
  };
};
