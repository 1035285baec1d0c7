import type { IncomeSource, TradeKind } from "../../run/index.ts";
import { counted, whole } from "../../text/index.ts";
import type { CountedFrom } from "../log/log.ts";
import type { AlarmLine } from "../metrics/alarms.ts";
import { isBankrupt } from "../metrics/roster.ts";
import type { RunMetrics } from "../metrics/run-metrics.ts";
import { bestSellers } from "../metrics/trade.ts";

/**
 * Describes the figures of a run in plain words, with one paragraph per subject. `costUsd` is the
 * cost of all model calls.
 */
export const narrativeOf = (
  metrics: RunMetrics,
  alarms: readonly AlarmLine[],
  { run, seq, at_ms }: CountedFrom,
  costUsd: number,
): readonly string[] =>
  [
    run === null
      ? ""
      : `This run was forked from ${run} at event ${whole(seq)}, after ${time(at_ms)}; its ` +
        "figures count from there.",
    activityIn(metrics),
    scheduleIn(metrics),
    trendIn(metrics),
    moneyIn(metrics),
    computeIn(metrics),
    wealthIn(metrics),
    salesIn(metrics),
    tradeIn(metrics),
    gainsIn(metrics),
    capitalIn(metrics),
    failuresIn(metrics, costUsd),
    alarmsIn(alarms),
  ].filter((paragraph) => paragraph !== "");

const activityIn = ({ at_ms, from_ms, wealth, work, trades }: RunMetrics): string => {
  const span = time(at_ms - from_ms);
  if (wealth.agents === 0) return `No agent existed in ${span}.`;
  if (work.actions === 0) return `In ${span}, ${many(wealth.agents, "agent")} took no action.`;
  const acted =
    `In ${span}, ${many(wealth.agents, "agent")} took ${many(work.actions, "action")}; ` +
    `${partOf(work.succeeded, work.actions)} succeeded.`;
  if (trades.total === 0) return `${acted} They did not trade.`;
  const minutes = (at_ms - from_ms) / 60_000;
  const pace = minutes === 0 ? "" : `, ${round(trades.total / minutes)} a minute`;
  const [kind, count] = greatest(trades.by_kind);
  const most = `${KINDS[kind] ?? kind} (${whole(count)})`;
  return `${acted} They traded ${many(trades.total, "time")}${pace}, most often ${most}.`;
};

const trendIn = ({ timeline, trades, from_ms, at_ms }: RunMetrics): string => {
  const quarterMs = (at_ms - from_ms) / 4;
  const between = (fromMs: number, toMs: number): number =>
    timeline.trades.reduce((sum, count, at) => {
      const when = timeline.at_ms[at] ?? 0;
      return when > fromMs && when <= toMs ? sum + count : sum;
    }, 0);
  if (trades.total === 0 || quarterMs === 0) return "";
  const first = between(from_ms - 1, from_ms + quarterMs);
  const last = between(at_ms - quarterMs, at_ms);
  return `The first quarter of that time had ${many(first, "trade")}, the last ${whole(last)}.`;
};

const KINDS: Readonly<Record<string, string> & Record<TradeKind, string>> = {
  service: "paid calls of programs",
  read: "paid reading",
  sale: "sales of artifacts",
  loan: "loans",
  task: "rewards for tasks",
};

const moneyIn = ({ money }: RunMetrics): string => {
  const { supply, minted, burned, velocity_per_min: velocity } = money;
  const [source] = greatest(money.minted_by);
  const mostly = minted === 0 ? "" : `, mostly ${ISSUES.get(source) ?? "for auctions"}`;
  return (
    `The world has ${whole(supply)} scrip. ${whole(minted)} scrip was minted${mostly}, ` +
    `and ${whole(burned)} burned. Each scrip changed hands ${round(velocity)} times a minute ` +
    "on average."
  );
};

const ISSUES: ReadonlyMap<string, string> = new Map([
  ["task", "for tasks"],
  ["schedule", "by the schedule"],
]);

const scheduleIn = ({ schedule }: RunMetrics): string => {
  const failed = schedule.filter(({ problem }) => problem !== null).length;
  if (schedule.length === 0) return "";
  const done = `The schedule made ${many(schedule.length - failed, "change")}.`;
  return failed === 0 ? done : `${done} ${many(failed, "other")} could not be made.`;
};

const computeIn = ({ compute }: RunMetrics): string => {
  const { sales, offered, sold, paid, mean_price, last_price, buyers, issued_micros } = compute;
  if (sales === 0) return "";
  if (last_price === null) {
    return `The world divided ${round(issued_micros / 1e6)} USD of model budget among the agents.`;
  }
  if (mean_price === null) return "The world offered model budget, but no one bought any.";
  return (
    `The world sold ${whole(sold)} of ${many(offered, "lot")} of model budget to ` +
    `${many(buyers, "buyer")} for ${whole(paid)} scrip: ${round(mean_price)} per lot on average, ` +
    `${whole(last_price)} at the last sale.`
  );
};

const wealthIn = ({ wealth, principals }: RunMetrics): string => {
  const { richest, richest_share, gini, agents, median } = wealth;
  const first = principals.find(({ id }) => id === richest);
  if (first === undefined || agents < 2 || wealth.total === 0) return "";
  const all = principals.filter(({ agent }) => agent);
  if (all.every((each) => each.wealth === first.wealth)) {
    return `Each of the ${whole(agents)} agents has ${whole(first.wealth)} scrip.`;
  }
  const spread = agents < SPREAD_AGENTS_MIN ? "" : ` Wealth is ${spreadOf(gini)}`;
  const index = spread === "" ? "" : ` (Gini ${round(gini)}).`;
  return (
    `${first.id} is the richest agent: it has ${whole(first.wealth)} scrip, ` +
    `${percent(richest_share)} of what all agents have. ${earningsOf(first)} ` +
    `The median agent has ${round(median)}.${spread}${index}`
  );
};

const earningsOf = ({ earned, income }: RunMetrics["principals"][number]): string => {
  if (earned === 0) return "It has earned nothing.";
  const [source, amount] = greatest(income);
  const part = amount === earned ? "all" : `${percent(amount / earned)} of it`;
  return `It earned ${whole(earned)} scrip, ${part} from ${SOURCES[source] ?? source}.`;
};

/** The Gini coefficient of n agents is at most 1 - 1/n, so it says little about a few agents. */
const SPREAD_AGENTS_MIN = 5;

const SOURCES: Readonly<Record<string, string> & Record<IncomeSource, string>> = {
  services: "its programs",
  reads: "readers",
  fees: "fees for access",
  mint: "the mint's auctions",
  proceeds: "shares of proceeds",
  tasks: "tasks",
  sales: "selling artifacts",
  credit: "lending",
  other: "transfers",
};

const spreadOf = (gini: number): string => {
  if (gini < 0.2) return "nearly even";
  if (gini < 0.4) return "moderately unequal";
  return gini < 0.6 ? "unequal" : "very unequal";
};

const salesIn = ({ revenue, principals, services, money }: RunMetrics): string => {
  if (revenue.total === 0) return "Nothing was sold.";
  const sellers = principals.filter((each) => each.revenue > 0);
  const [first] = [...sellers].sort((a, b) => b.revenue - a.revenue);
  const lead =
    first === undefined ? "" : ` ${first.id} sold the most, for ${whole(first.revenue)}.`;
  const [best] = bestSellers(services);
  const top =
    best === undefined
      ? ""
      : ` The best seller is ${best.artifact}: ${many(best.sales, "call")}, ` +
        `${whole(best.revenue)} scrip.`;
  const moved = money.price_index - 1;
  const prices =
    Math.abs(moved) < 0.005
      ? "are the same as at the start"
      : `have ${moved < 0 ? "fallen" : "risen"} by ${percent(Math.abs(moved))}`;
  return (
    `${many(sellers.length, "principal")} sold for ${whole(revenue.total)} scrip.${lead}` +
    `${concentration(sellers.length, revenue.hhi)}${top} ` +
    `Prices of services ${services.length === 0 ? "are unknown" : prices}.`
  );
};

const concentration = (sellers: number, hhi: number): string => {
  const equal = round(1 / hhi);
  if (sellers < 2) return "";
  const like = equal === "1" ? "if one seller had nearly all of it" : `with ${equal} equal sellers`;
  return ` Revenue is as concentrated as ${like} (HHI ${round(hhi)}).`;
};

const tradeIn = ({ network }: RunMetrics): string => {
  const { nodes, edge_count, density, reciprocity, components, largest_component } = network;
  if (edge_count === 0) return "";
  const parts =
    components === 1
      ? "All principals are connected"
      : `They form ${components} separate networks; the largest has ${whole(largest_component)}`;
  return (
    `${many(nodes.length, "principal")} ${nodes.length === 1 ? "has" : "have"} ` +
    `${many(edge_count, "flow")} of payments, ` +
    `${percent(density)} of all possible flows. ${parts}. ${percent(reciprocity)} of the flows ` +
    "have a flow in the opposite direction."
  );
};

const gainsIn = ({ gains_from_trade }: RunMetrics): string => {
  const { artifacts, realised, possible, efficiency } = gains_from_trade;
  if (artifacts.length === 0) return "";
  const about = `in ${many(artifacts.length, "artifact")} with private values`;
  if (efficiency === null) return `No gains from trade were possible ${about}.`;
  return (
    `Agents gained ${whole(realised)} of the ${whole(possible)} scrip that trade ${about} could ` +
    `give (${percent(efficiency)}).`
  );
};

const capitalIn = ({ capital, from_seq }: RunMetrics): string => {
  const { programs, written, deleted, reused, reuse_share, depth, longest_chain } = capital;
  if (programs === 0) return "Agents have written no programs.";
  const since = from_seq === 0 ? "" : `, ${whole(written)} of them since the fork`;
  const exist = deleted === 1 ? "exists" : "exist";
  const gone = deleted === 0 ? "" : ` ${whole(deleted)} of them no longer ${exist}.`;
  const others = "Principals other than the owner";
  const use =
    reused === 0
      ? `${others} called none of the programs`
      : `${others} called ${whole(reused)} of the programs (${percent(reuse_share)})`;
  const chain =
    depth < 2
      ? "No program of an agent calls another"
      : `The longest chain of calls has ${depth} programs: ${longest_chain.join(" → ")}`;
  return `Agents wrote ${many(programs, "program")}${since}.${gone} ${use}. ${chain}.`;
};

const bankruptIn = ({ principals }: RunMetrics): string => {
  const bankrupt = principals
    .filter(({ state }) => isBankrupt(state))
    .sort((a, b) => b.wealth - a.wealth);
  const [richest] = bankrupt;
  if (richest === undefined) return "";
  const holds =
    richest.wealth === 0 ? "" : ` ${richest.id} still holds ${whole(richest.wealth)} scrip.`;
  const stopped = many(bankrupt.length, "agent");
  return ` ${stopped} stopped, out of model budget and unable to buy.${holds}`;
};

const failuresIn = (metrics: RunMetrics, costUsd: number): string => {
  const { lives, work } = metrics;
  const { freezes, rescues, thaws, bankruptcies, frozen_share } = lives;
  const frozen =
    freezes === 0
      ? "No agent froze."
      : `Agents froze ${many(freezes, "time")}, for ${percent(frozen_share)} of their time. ` +
        `They bought themselves free ${many(thaws, "time")}, and others rescued them ` +
        `${many(rescues, "time")}; ${whole(bankruptcies)} went bankrupt.`;
  const [error] = work.top_errors;
  const most =
    error === undefined
      ? ""
      : ` The most frequent error was ${error.code} (${whole(error.times)}).`;
  const paid = costUsd === 0 ? "" : ` Model calls cost ${round(costUsd)} USD.`;
  return `${frozen}${bankruptIn(metrics)}${most}${paid}`;
};

const alarmsIn = (alarms: readonly AlarmLine[]): string => {
  if (alarms.length === 0) return "No alarm was raised.";
  const lines = alarms.map(({ alarm, on_s }) => `${alarm} (${round(on_s)} s)`);
  return `Alarms: ${lines.join(", ")}.`;
};

const greatest = (amounts: { readonly [name: string]: number }): readonly [string, number] =>
  Object.entries(amounts).reduce<readonly [string, number]>(
    (most, each) => (each[1] > most[1] ? each : most),
    ["", 0],
  );

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const rounded = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });
const round = (value: number): string =>
  Math.abs(value) >= 100 ? whole(value) : rounded.format(value);
const tenths = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
/** Formats a percentage, with one decimal place below 10 % and above 90 %. */
const percent = (share: number): string =>
  `${(share < 0.1 || share > 0.9 ? tenths : grouped).format(100 * share)} %`;
/** Returns `all`, `none`, or the share of `all` as a percentage `of them`. */
const partOf = (part: number, all: number): string => {
  if (part === 0) return "none";
  return part === all ? "all" : `${percent(part / all)} of them`;
};

const many = (count: number, noun: string): string => counted(count, noun, whole(count));

const time = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return many(seconds, "second");
  const minutes = ms / 60_000;
  return minutes < 120 ? `${round(minutes)} minutes` : `${round(minutes / 60)} hours`;
};
