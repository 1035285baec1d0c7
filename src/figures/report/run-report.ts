import type { State } from "../../kernel/index.ts";
import type { ChangedSetting } from "../../run/index.ts";
import type { JournalReader } from "../../world/index.ts";
import { type CountedFrom, readLog } from "../log/log.ts";
import { agentLine, agentsIn, economyOf } from "../metrics/economy.ts";
import { ModelCallCounter, type ModelCallReport } from "../metrics/model-calls.ts";
import { statusCounts } from "../metrics/roster.ts";
import { newMeter, type RunFigures, UNCOUNTED } from "../metrics/run-meter.ts";
import { groupsOf, type KeyFigures } from "../metrics/run-metrics.ts";
import type { LorenzPoint } from "../metrics/statistics.ts";
import type { Timeline } from "../metrics/timeline.ts";
import { bestSellers, earnedIn } from "../metrics/trade.ts";
import { narrativeOf } from "./narrative.ts";

type Ending = {
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

/** The shape of `sim run --json`. */
export type RunReport = ReturnType<typeof runReport>;

export const runReport = (
  ending: Ending,
  figures: RunFigures,
  state: State,
  modelCalls: ModelCallReport,
) => {
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

/** Reads the journal once, up to event `upTo`. `state` is the state after that event. */
export const fullReport = (journal: JournalReader, state: State, upTo: number) => {
  const meter = newMeter(journal);
  const calls = new ModelCallCounter();
  readLog(journal, [meter, calls], { withoutBodies: UNCOUNTED, upTo });
  const modelCalls = calls.report();
  const figures = meter.figures();
  const metrics = meter.metrics();
  return {
    ...economyReport(figures, state, modelCalls),
    groups: groupsOf(metrics.principals),
    narrative: narrativeOf(metrics, figures.alarms, figures.base, modelCalls.cost_usd),
    metrics,
  };
};

export type ReportHeader = {
  readonly seed: number;
  readonly clock: string;
  /** The version of this program. */
  readonly version: string;
  /** Settings that differ from the defaults, or null if the settings are unknown. */
  readonly settings: readonly ChangedSetting[] | null;
};

const LIST_MAX = 15;
/** A chart of a Lorenz curve does not show more points. */
const LORENZ_POINTS_MAX = 200;

/** The figures at the top of the report page and of the dashboard, all as of the same event. */
export type RunOverview = ReturnType<typeof overviewOf>;

export const overviewOf = (figures: KeyFigures, timeline: Timeline, base: CountedFrom) => ({
  ...momentOf(figures, base),
  timeline,
});

/** What the overview shows of one moment. */
export type MomentFigures = ReturnType<typeof momentOf>;

/** Returns figures of bounded size, because dashboards request them repeatedly. */
export const momentOf = (figures: KeyFigures, base: CountedFrom) => {
  const { principals, services, from_seq: _, last_seq: __, events: ___, ...bounded } = figures;
  const agents = principals.filter(({ agent }) => agent);
  return {
    ...bounded,
    wealth: { ...figures.wealth, lorenz: thinned(figures.wealth.lorenz) },
    counted_from: base,
    statuses: statusCounts(agents.map(({ state }) => state ?? "")),
    sellers: bestSellers(services).slice(0, LIST_MAX),
    richest: agents
      .toSorted((a, b) => b.wealth - a.wealth)
      .slice(0, LIST_MAX)
      .map(({ id, wealth }) => ({ id, wealth })),
  };
};

const thinned = (points: readonly LorenzPoint[]): readonly LorenzPoint[] => {
  const step = Math.ceil(points.length / LORENZ_POINTS_MAX);
  return points.filter((_, at) => at % step === 0 || at === points.length - 1);
};
