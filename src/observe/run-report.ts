import { decodeEvent, type State } from "../kernel/index.ts";
import { isBookkeeping, type Journal } from "../world/index.ts";
import { type AgentLine, agentLines, type Economy, economyOf } from "./economy.ts";
import { type Tally, TallySheet } from "./tally.ts";

/** How a run ended; the figures that only whoever ran it knows. */
export type Ending = {
  readonly run_id: string;
  readonly run_dir: string;
  readonly stopped_by: string;
  readonly seed: number;
  readonly clock: "wall" | "virtual";
  readonly duration_s: number;
  readonly wall_s: number;
  readonly journal_hash: string;
  readonly state_hash: string;
};

/** What `sim run --json` prints. Other programs rely on its shape. */
export type RunReport = Ending & {
  readonly events: number;
  readonly last_seq: number;
  readonly actions: Tally["actions"];
  readonly thinking: Tally["thinking"];
  readonly economy: Economy;
  readonly agents: readonly AgentLine[];
  readonly checkpoint: string | null;
};

/** Counts the whole journal, so that a run made in parts is reported as one. */
export const runReport = (ending: Ending, journal: Journal, state: State): RunReport => {
  const sheet = new TallySheet();
  let events = 0;
  let lastSeq = 0;
  for (const row of journal.events()) {
    events += 1;
    lastSeq = row.seq;
    if (!isBookkeeping(row.kind)) sheet.count(decodeEvent(row));
  }
  const tally = sheet.total();
  const { journal_hash, state_hash, ...about } = ending;
  return {
    ...about,
    events,
    last_seq: lastSeq,
    journal_hash,
    state_hash,
    actions: tally.actions,
    thinking: tally.thinking,
    economy: economyOf(state, tally),
    agents: agentLines(state),
    checkpoint: null,
  };
};
