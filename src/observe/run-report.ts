import type { State } from "../kernel/index.ts";
import { type AgentLine, agentLines, type Economy, economyOf } from "./economy.ts";
import type { AlarmLine, CountedFrom, RunReading, Tally } from "./metrics/index.ts";

/** How a run ended; the figures that only whoever ran it knows. */
export type Ending = {
  readonly run_id: string;
  readonly run_dir: string;
  readonly stopped_by: string;
  readonly seed: number;
  readonly clock: "wall" | "virtual";
  /** Run time at the end. */
  readonly duration_s: number;
  /** Run time at which this process took it up. */
  readonly from_s: number;
  /** Of this process. */
  readonly wall_s: number;
  readonly journal_hash: string;
  readonly state_hash: string;
  /** The file with the last state, or null. */
  readonly checkpoint: string | null;
};

/** What `sim run --json` prints. Other programs rely on its shape. */
export type RunReport = Ending & {
  /** From where on things are counted that happen. */
  readonly counted_from: CountedFrom;
  readonly events: number;
  readonly last_seq: number;
  readonly actions: Tally["actions"];
  readonly thinking: Tally["thinking"];
  readonly economy: Economy;
  readonly agents: readonly AgentLine[];
  readonly alarms: readonly AlarmLine[];
};

export const runReport = (ending: Ending, reading: RunReading, state: State): RunReport => {
  const { tally } = reading;
  const { journal_hash, state_hash, checkpoint, ...about } = ending;
  return {
    ...about,
    counted_from: reading.base,
    events: reading.events,
    last_seq: reading.lastSeq,
    journal_hash,
    state_hash,
    actions: tally.actions,
    thinking: tally.thinking,
    economy: economyOf(state, tally),
    agents: agentLines(state, reading),
    alarms: reading.alarms,
    checkpoint,
  };
};
