import { newMeter, type RunMetrics, readLogInSlices } from "../../figures/index.ts";
import type { JournalReader } from "../../world/index.ts";

/** The figures of a run for the list of runs, as `sim report` has them. */
export type RunSummary = ReturnType<typeof summaryOf>;

const POINTS_MAX = 48;

const summaryOf = ({ wealth, trades, timeline }: RunMetrics) => {
  const { gini } = timeline;
  const step = Math.max(1, Math.ceil(gini.length / POINTS_MAX));
  const kept = gini.filter((_, at) => at % step === 0 || at === gini.length - 1);
  return {
    agents: wealth.agents,
    gini: wealth.gini,
    trades: trades.total,
    /** The Gini coefficient over run time, at up to about 48 moments. */
    gini_over_time: kept.map((value) => Math.round(value * 1_000) / 1_000),
  };
};

/** Measures a whole run. Lets others work in between, since a run can have many events. */
export const runSummary = async (journal: JournalReader): Promise<RunSummary> => {
  const meter = newMeter(journal);
  await readLogInSlices(journal, [meter]);
  return summaryOf(meter.metrics());
};
