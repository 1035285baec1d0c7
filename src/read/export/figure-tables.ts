import type { RunMetrics } from "../../figures/index.ts";
import { integer, orNull, type RowOf, real, tableOf, text } from "./export-table.ts";

export const FIGURES = tableOf(
  "figures",
  "a figure of the whole run ([what each figure means](report.md#the-figures))",
  {
    figure: text("name of the figure: its path in the output of `sim report --json`"),
    value: real("value of the figure"),
  },
  ({ metrics }) => ({
    end: () => metricNumbers(metrics).map(([figure, value]) => ({ figure, value })),
  }),
);

type Figure = readonly [name: string, value: number];

/** The single-number figures of a run. Their names are paths in `sim report --json`. */
export const metricNumbers = (metrics: RunMetrics): readonly Figure[] =>
  Object.entries(metrics)
    .filter(([part, value]) => part !== "timeline" && typeof value === "object")
    .flatMap(([part, value]) => numbersIn(`metrics.${part}`, value));

const numbersIn = (place: string, value: unknown): readonly Figure[] => {
  if (typeof value === "number") return [[place, value]];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => numbersIn(`${place}.${key}`, inner));
};

type Timeline = RunMetrics["timeline"];

const perMoment = "since the previous moment";

const TIMELINE_COLUMNS = {
  at_ms: integer("run time", "ms"),
  supply: integer("all scrip", "scrip"),
  price_index: real("prices of services, 1 at the start"),
  gini: real("inequality of the agents' wealth, 0 to 1"),
  agents: integer("agents, also those that stopped", "agents"),
  minted: integer(`new scrip ${perMoment}`, "scrip"),
  burned: integer(`burned scrip ${perMoment}`, "scrip"),
  turnover: integer(`payments ${perMoment}`, "scrip"),
  velocity_per_min: orNull(real("how often a unit of scrip changed hands", "1 / min")),
  trades: integer(`trades ${perMoment}`, "trades"),
  mean_price: orNull(real("mean price of a paid call; null without one", "scrip")),
  actions: integer(`actions ${perMoment}`, "actions"),
  refused: integer(`refused actions ${perMoment}`, "actions"),
  thoughts: integer(`thoughts ${perMoment}`, "thoughts"),
  cost_micros: integer(`cost of thoughts ${perMoment}`, "micro-dollars"),
  api_cost_micros: integer("the part owed to model providers", "micro-dollars"),
  compute_lots: integer(`lots of model budget sold ${perMoment}`, "lots"),
  compute_price: orNull(integer("price of a lot at the last sale", "scrip")),
  wealth_p10: orNull(real("wealth below which a tenth of the agents are", "scrip")),
  wealth_p90: orNull(real("wealth above which a tenth of the agents are", "scrip")),
  frozen_share: real("time that agents were frozen, as a share of the time not stopped", "share"),
} satisfies {
  readonly [name in Exclude<keyof Timeline, "width_ms" | "errors" | "wealth">]: unknown;
};

type TimelineRow = RowOf<typeof TIMELINE_COLUMNS>;

/** The timeline of the report: at most 241 moments. */
export const TIMELINE = tableOf(
  "timeline",
  "a moment of the run, with the figures of the timeline ([report](report.md#the-figures))",
  TIMELINE_COLUMNS,
  ({ metrics }) => ({ end: () => timelineRows(metrics.timeline) }),
);

/** One row for each moment. */
export const timelineRows = (timeline: Timeline): readonly TimelineRow[] => {
  const { width_ms: _width, errors: _errors, wealth: _wealth, ...columns } = timeline;
  const lists = Object.entries(columns);
  return timeline.at_ms.map(
    (_, at) => Object.fromEntries(lists.map(([name, values]) => [name, values[at]])) as TimelineRow,
  );
};
