import { metricNumbers } from "../csv-files.ts";
import { type ExportTable, integer, orNull, type RowOf, real, text } from "./export-table.ts";

const FIGURE_COLUMNS = {
  figure: text("name of the figure: its path in the output of `sim report --json`"),
  value: real("value of the figure"),
};

export const FIGURES: ExportTable<typeof FIGURE_COLUMNS> = {
  name: "figures",
  says: "a figure of the whole run ([what each figure means](report.md#the-figures))",
  columns: FIGURE_COLUMNS,
  open: ({ metrics }) => ({
    end: () => metricNumbers(metrics).map(([figure, value]) => ({ figure, value })),
  }),
};

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
};

type TimelineRow = RowOf<typeof TIMELINE_COLUMNS>;

/** The timeline of the report: at most 241 moments. */
export const TIMELINE: ExportTable<typeof TIMELINE_COLUMNS> = {
  name: "timeline",
  says: "a moment of the run, with the figures of the timeline ([report](report.md#the-figures))",
  columns: TIMELINE_COLUMNS,
  open: ({ metrics: { timeline } }) => ({
    end: () =>
      timeline.at_ms.map((at_ms, at): TimelineRow => {
        const valueIn = (values: readonly number[]): number => values[at] ?? 0;
        return {
          at_ms,
          supply: valueIn(timeline.supply),
          price_index: valueIn(timeline.price_index),
          gini: valueIn(timeline.gini),
          agents: valueIn(timeline.agents),
          minted: valueIn(timeline.minted),
          burned: valueIn(timeline.burned),
          turnover: valueIn(timeline.turnover),
          velocity_per_min: timeline.velocity_per_min[at] ?? null,
          trades: valueIn(timeline.trades),
          mean_price: timeline.mean_price[at] ?? null,
          actions: valueIn(timeline.actions),
          refused: valueIn(timeline.refused),
          thoughts: valueIn(timeline.thoughts),
          cost_micros: valueIn(timeline.cost_micros),
          api_cost_micros: valueIn(timeline.api_cost_micros),
          compute_lots: valueIn(timeline.compute_lots),
          compute_price: timeline.compute_price[at] ?? null,
          wealth_p10: timeline.wealth_p10[at] ?? null,
          wealth_p90: timeline.wealth_p90[at] ?? null,
          frozen_share: valueIn(timeline.frozen_share),
        };
      }),
  }),
};
