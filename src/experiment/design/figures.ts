import { didYouMean } from "../../text/index.ts";

const COUNT = "count";
const SHARE = "share";
const SCRIP = "scrip";
const MICROS = "micro-dollars";

/** The figures of a run at its end, with their units. `docs/report.md` describes each figure. */
const RUN_FIGURES: { readonly [path: string]: string } = {
  events: COUNT,
  "money.supply": SCRIP,
  "money.minted": SCRIP,
  "money.burned": SCRIP,
  "money.proceeds.collected": SCRIP,
  "money.proceeds.collected_by.mint": SCRIP,
  "money.proceeds.collected_by.compute": SCRIP,
  "money.proceeds.shared": SCRIP,
  "money.proceeds.burned": SCRIP,
  "money.proceeds.undistributed": SCRIP,
  "money.proceeds.undistributed_at_start": SCRIP,
  "money.turnover": SCRIP,
  "money.payments": COUNT,
  "money.velocity_per_min": "1/min",
  "money.price_index": "start = 1",
  "wealth.agents": COUNT,
  "wealth.total": SCRIP,
  "wealth.mean": SCRIP,
  "wealth.median": SCRIP,
  "wealth.gini": "0 to 1",
  "wealth.richest_share": SHARE,
  "revenue.total": SCRIP,
  "revenue.by_source.services": SCRIP,
  "revenue.by_source.reads": SCRIP,
  "revenue.by_source.fees": SCRIP,
  "revenue.by_source.mint": SCRIP,
  "revenue.by_source.proceeds": SCRIP,
  "revenue.by_source.tasks": SCRIP,
  "revenue.by_source.sales": SCRIP,
  "revenue.by_source.credit": SCRIP,
  "revenue.by_source.other": SCRIP,
  "revenue.hhi": "0 to 1",
  "revenue.division_of_labour": "0 to 1",
  "trades.total": COUNT,
  "trades.by_kind.service": COUNT,
  "trades.by_kind.read": COUNT,
  "trades.by_kind.sale": COUNT,
  "trades.by_kind.loan": COUNT,
  "trades.by_kind.task": COUNT,
  "network.edge_count": COUNT,
  "network.density": SHARE,
  "network.reciprocity": SHARE,
  "network.components": COUNT,
  "network.largest_component": COUNT,
  "capital.programs": COUNT,
  "capital.written": COUNT,
  "capital.deleted": COUNT,
  "capital.reused": COUNT,
  "capital.reuse_share": SHARE,
  "capital.calls": COUNT,
  "capital.calls_by_others": COUNT,
  "capital.calls_by_programs": COUNT,
  "capital.depth": COUNT,
  "compute.sales": COUNT,
  "compute.offered": "lots",
  "compute.asked": "lots",
  "compute.sold": "lots",
  "compute.paid": SCRIP,
  "compute.mean_price": "scrip per lot",
  "compute.last_price": "scrip per lot",
  "compute.buyers": COUNT,
  "compute.issued_micros": MICROS,
  "gains_from_trade.realised": SCRIP,
  "gains_from_trade.possible": SCRIP,
  "gains_from_trade.efficiency": "share, at most 1",
  "work.actions": COUNT,
  "work.succeeded": COUNT,
  "work.success_rate": SHARE,
  "work.thoughts": COUNT,
  "work.thoughts_failed": COUNT,
  "work.messages": COUNT,
  "work.messages_refused": COUNT,
  "work.actions_per_min": "1/min",
  "work.thoughts_per_min": "1/min",
  "work.cost_micros": MICROS,
  "work.api_cost_micros": MICROS,
  "lives.spawned": COUNT,
  "lives.freezes": COUNT,
  "lives.rescues": COUNT,
  "lives.thaws": COUNT,
  "lives.bankruptcies": COUNT,
  "lives.frozen_share": SHARE,
};

/** The figures over time. A flow is added up over a period. A stock has its mean over a period. */
const TIMELINE_FIGURES: { readonly [name: string]: readonly [unit: string, kind: Kind] } = {
  supply: [SCRIP, "stock"],
  price_index: ["start = 1", "stock"],
  gini: ["0 to 1", "stock"],
  agents: [COUNT, "stock"],
  minted: [SCRIP, "flow"],
  burned: [SCRIP, "flow"],
  turnover: [SCRIP, "flow"],
  velocity_per_min: ["1/min", "stock"],
  trades: [COUNT, "flow"],
  mean_price: [SCRIP, "stock"],
  actions: [COUNT, "flow"],
  refused: [COUNT, "flow"],
  thoughts: [COUNT, "flow"],
  cost_micros: [MICROS, "flow"],
  api_cost_micros: [MICROS, "flow"],
  compute_lots: ["lots", "flow"],
  compute_price: ["scrip per lot", "stock"],
  frozen_share: [SHARE, "stock"],
};

type Kind = "stock" | "flow";

/** The figures of a group of agents at the end of a run. */
const GROUP_FIGURES: { readonly [name: string]: string } = {
  agents: COUNT,
  wealth: SCRIP,
  mean_wealth: SCRIP,
  gini: "0 to 1",
  began_with: SCRIP,
  earned: SCRIP,
  paid: SCRIP,
  actions: COUNT,
  succeeded: COUNT,
  thoughts: COUNT,
  cost_micros: MICROS,
};

/** The figures of one agent at the end of a run. */
const AGENT_FIGURES: { readonly [name: string]: string } = {
  wealth: SCRIP,
  began_with: SCRIP,
  received: SCRIP,
  given: SCRIP,
  earned: SCRIP,
  specialisation: "0 to 1",
  revenue: SCRIP,
  paid: SCRIP,
  burned: SCRIP,
  actions: COUNT,
  succeeded: COUNT,
  thoughts: COUNT,
  cost_micros: MICROS,
  api_cost_micros: MICROS,
  frozen_share: SHARE,
  in_own_programs: SCRIP,
};

const PARTS = {
  run: RUN_FIGURES,
  timeline: Object.fromEntries(
    Object.entries(TIMELINE_FIGURES).map(([name, [unit]]) => [name, unit]),
  ),
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

export const isFlow = (figure: string): boolean => TIMELINE_FIGURES[figure]?.[1] === "flow";

/**
 * The figure over time that belongs to a figure of a run: its last value is the figure, or its sum
 * if it is a flow. `path` is the path in the report. Null if there is none.
 */
export const figureOverTime = (path: string): string | null => {
  const short = Object.keys(PREFERRED).find((name) => PREFERRED[name] === path);
  const name = short ?? path.split(".").at(-1) ?? path;
  return Object.hasOwn(TIMELINE_FIGURES, name) ? name : null;
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
