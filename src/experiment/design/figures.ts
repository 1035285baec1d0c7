import { didYouMean } from "../../text/index.ts";

/** Names, separated by spaces, by their unit. */
type NamesByUnit = { readonly [unit: string]: string };

const unitsOf = (byUnit: NamesByUnit): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(byUnit).flatMap(([unit, names]) => names.split(" ").map((name) => [name, unit])),
  );

/** The figures of a run at its end. `docs/report.md` describes each figure. */
const RUN_FIGURES = unitsOf({
  count:
    "events money.payments wealth.agents trades.total trades.by_kind.service " +
    "trades.by_kind.read trades.by_kind.sale trades.by_kind.loan trades.by_kind.task " +
    "network.edge_count network.components network.largest_component capital.programs " +
    "capital.written capital.deleted capital.reused capital.calls capital.calls_by_others " +
    "capital.calls_by_programs capital.depth compute.sales compute.buyers work.actions " +
    "work.succeeded work.thoughts work.thoughts_failed work.messages work.messages_refused " +
    "lives.spawned lives.freezes lives.rescues lives.thaws lives.bankruptcies",
  scrip:
    "money.supply money.minted money.burned money.proceeds.collected " +
    "money.proceeds.collected_by.mint money.proceeds.collected_by.compute " +
    "money.proceeds.shared money.proceeds.burned money.proceeds.undistributed " +
    "money.proceeds.undistributed_at_start money.turnover wealth.total wealth.mean " +
    "wealth.median revenue.total revenue.by_source.services revenue.by_source.reads " +
    "revenue.by_source.fees revenue.by_source.mint revenue.by_source.proceeds " +
    "revenue.by_source.tasks revenue.by_source.sales revenue.by_source.credit " +
    "revenue.by_source.other compute.paid gains_from_trade.realised " +
    "gains_from_trade.possible",
  "1/min": "money.velocity_per_min work.actions_per_min work.thoughts_per_min",
  "start = 1": "money.price_index",
  "0 to 1": "wealth.gini revenue.hhi revenue.division_of_labour",
  share:
    "wealth.richest_share network.density network.reciprocity capital.reuse_share " +
    "work.success_rate lives.frozen_share",
  lots: "compute.offered compute.asked compute.sold",
  "scrip per lot": "compute.mean_price compute.last_price",
  "micro-dollars": "compute.issued_micros work.cost_micros work.api_cost_micros",
  "share, at most 1": "gains_from_trade.efficiency",
});

/** The figures over time that are added up over a period. */
const FLOWS = unitsOf({
  scrip: "minted burned turnover",
  count: "trades actions refused thoughts",
  "micro-dollars": "cost_micros api_cost_micros",
  lots: "compute_lots",
});

/** The figures over time that have their mean over a period. */
const STOCKS = unitsOf({
  scrip: "supply mean_price",
  "start = 1": "price_index",
  "0 to 1": "gini",
  count: "agents",
  "1/min": "velocity_per_min",
  "scrip per lot": "compute_price",
  share: "frozen_share",
});

/** The figures of a group of agents at the end of a run. */
const GROUP_FIGURES = unitsOf({
  count: "agents actions succeeded thoughts",
  scrip: "wealth mean_wealth began_with earned paid",
  "0 to 1": "gini",
  "micro-dollars": "cost_micros",
});

/** The figures of one agent at the end of a run. */
const AGENT_FIGURES = unitsOf({
  scrip: "wealth began_with received given earned revenue paid burned in_own_programs",
  "0 to 1": "specialisation",
  count: "actions succeeded thoughts",
  "micro-dollars": "cost_micros api_cost_micros",
  share: "frozen_share",
});

const TIMELINE = { ...STOCKS, ...FLOWS };

const PARTS = {
  run: RUN_FIGURES,
  timeline: TIMELINE,
  group: GROUP_FIGURES,
  agent: AGENT_FIGURES,
} as const;

/** Where a figure is looked up: the whole run, a moment or period of it, a group, or an agent. */
type FigureScope = keyof typeof PARTS;

/** A short name is the last part of a path. If several paths end so, these are meant. */
const PREFERRED: { readonly [short: string]: string } = {
  gini: "wealth.gini",
  trades: "trades.total",
  sales: "compute.sales",
};

/** The names of all figures of a scope. */
export const figureNames = (scope: FigureScope): readonly string[] => Object.keys(PARTS[scope]);

export const isFlow = (figure: string): boolean => Object.hasOwn(FLOWS, figure);

/**
 * The figure over time that belongs to a figure of a run: its last value is the figure, or its sum
 * if it is a flow. `path` is the path in the report. Null if there is none.
 */
export const figureOverTime = (path: string): string | null => {
  const short = Object.keys(PREFERRED).find((name) => PREFERRED[name] === path);
  const name = short ?? path.split(".").at(-1) ?? path;
  return Object.hasOwn(TIMELINE, name) ? name : null;
};

/** Finds a figure by its path in the report, or by the end of a path that no other path has. */
export const figureNamed = (
  name: string,
  scope: FigureScope,
):
  | { readonly found: { readonly path: string; readonly unit: string } }
  | { readonly problem: string } => {
  const all = figureNames(scope);
  const wanted = scope === "run" ? (PREFERRED[name] ?? name) : name;
  const matching = all.filter((path) => path === wanted);
  const ending = matching.length > 0 ? matching : all.filter((path) => path.endsWith(`.${wanted}`));
  const [path, ...others] = ending;
  if (path === undefined) {
    const short = all.flatMap((each) => [each, each.split(".").at(-1) ?? each]);
    const cure = didYouMean(name, short) ?? `the figures are ${all.join(", ")}`;
    return { problem: `${NO_SUCH[scope]} \`${name}\`; ${cure}` };
  }
  if (others.length > 0) {
    return { problem: `\`${name}\` can be ${ending.join(" or ")}; write the whole name` };
  }
  return { found: { path, unit: PARTS[scope][path] ?? "" } };
};

const NO_SUCH: { readonly [scope in FigureScope]: string } = {
  run: "the report has no figure",
  timeline: "the report has no figure over time",
  group: "a group has no figure",
  agent: "an agent has no figure",
};
