import type { State } from "../kernel/index.ts";
import type { AlarmLine } from "./alarms.ts";
import type { CountedFrom } from "./counted-from.ts";
import { type AgentLine, agentLine, agentsIn, type Economy, economyOf } from "./economy.ts";
import type { Income } from "./income.ts";
import type { ModelCallReport } from "./model-call-report.ts";
import type { RunReading } from "./run-reading.ts";
import type { Tally } from "./tally.ts";

/** The economy of a run in figures, in the shape of `sim report --json`. */
export type EconomyReport = {
  /** From where on things are counted that happen. */
  readonly counted_from: CountedFrom;
  readonly last_seq: number;
  readonly at_ms: number;
  readonly economy: Economy;
  readonly trades_by_kind: Tally["trades"];
  readonly lives: Tally["lives"];
  /** `reason`: why each is in the state that it is in. */
  readonly agents: readonly (AgentLine & { readonly reason: string; readonly income: Income })[];
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
  agents: agentsIn(state).map((agent) => ({
    ...agentLine(state, agent, reading),
    reason: agent.reason,
    income: reading.incomeOf(agent.id),
  })),
  alarms: reading.alarms,
  ...(modelCalls === null ? {} : { model_calls: modelCalls }),
});
