import type { State } from "../kernel/index.ts";
import type { AlarmLine } from "./alarms.ts";
import { type AgentLine, agentLines, type Economy, economyOf } from "./economy.ts";
import type { Income } from "./income.ts";
import type { RunReading } from "./run-reading.ts";
import type { Tally } from "./tally.ts";

/** The economy of a run in figures, in the shape of `sim report --json`. */
export type EconomyReport = {
  readonly last_seq: number;
  readonly at_ms: number;
  readonly economy: Economy;
  readonly trades_by_kind: Tally["trades"];
  readonly lives: Tally["lives"];
  readonly agents: readonly (AgentLine & { readonly income: Income })[];
  readonly alarms: readonly AlarmLine[];
};

export const economyReport = (reading: RunReading, state: State): EconomyReport => ({
  last_seq: reading.lastSeq,
  at_ms: reading.atMs,
  economy: economyOf(state, reading.tally),
  trades_by_kind: reading.tally.trades,
  lives: reading.tally.lives,
  agents: agentLines(state).map((line) => ({ ...line, income: reading.incomeOf(line.id) })),
  alarms: reading.alarms,
});
