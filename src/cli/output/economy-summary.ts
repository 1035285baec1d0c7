import {
  agentStatus,
  type CountedFrom,
  type EconomyReport,
  type GainsFromTrade,
  type GroupFigures,
  gainsText,
} from "../../figures/index.ts";
import { counted, listed } from "../../text/index.ts";
import type { Output } from "../core/output.ts";
import type { TableRow } from "../core/table.ts";

type Income = EconomyReport["agents"][number]["income"];

const mainSource = (income: Income): string => {
  const [most] = Object.entries(income).sort(([, a], [, b]) => b - a);
  return most === undefined || most[1] === 0 ? "" : most[0];
};

const HEAD =
  "agent,state,wealth,in programs,began with,earned,paid," +
  "main income,actions,succeeded,model budget (USD)";

const GROUP_HEAD = "group,agents,wealth,mean,Gini,earned,paid,actions,succeeded,thoughts";

const LEFT_OUT =
  "earned and paid exclude founding capital, mint prices and burned scrip; " +
  "`sim report RUN --csv DIR` writes all figures";

export const printEconomy = (output: Output, report: EconomyReport): void => {
  const { economy, lives, proceeds, compute, trades_by_kind, messages, counted_from } = report;
  const origin = originLine(counted_from);
  if (origin !== null) output.line(`origin    ${origin}`);
  output.line(
    `economy   ${economy.scrip_total} scrip (${economy.scrip_minted} minted, ` +
      `${economy.scrip_burned} burned), Gini ${economy.gini}`,
  );
  const { collected, undistributed_at_start: before, shared, burned, undistributed } = proceeds;
  const sum = before === 0 ? "" : ` + ${before} that waited at the start`;
  output.line(
    `proceeds  ${collected} scrip${sum}: ` +
      `shared ${shared}, burned ${burned}, waiting ${undistributed}`,
  );
  if (compute.sales > 0) output.line(`compute   ${salesText(compute)}`);
  const kinds = Object.entries(trades_by_kind).filter(([, count]) => count > 0);
  const each = kinds.map(([kind, count]) => `${kind} ${count}`).join(", ");
  output.line(`trades    ${economy.trades}${each === "" ? "" : `: ${each}`}`);
  if (messages.delivered + messages.refused > 0) {
    output.line(`messages  ${messages.delivered} delivered, ${messages.refused} refused`);
  }
  const { artifacts, principals } = economy;
  const { spawned, freezes, rescues, thaws, bankruptcies } = lives;
  const ends = `${thaws} bought free, ${rescues} rescued, ${bankruptcies} bankrupt`;
  output.line(`lives     ${spawned} spawned, ${freezes} frozen, ${ends}`);
  output.line(`world     ${counted(artifacts, "artifact")}, ${counted(principals, "principal")}`);
  printSchedule(output, report.schedule);
  for (const { alarm, on_s, share, cause } of report.alarms) {
    const active = `active for ${on_s} s, ${Math.round(share * 100)} % of the run`;
    output.line(output.paint("yellow", `alarm     ${alarm} ${active}; last cause: ${cause}`));
  }
  output.line("");
  output.table(
    HEAD.split(","),
    report.agents.map((agent) => {
      const { id, wealth, in_own_programs, began_with, earned, paid, actions, succeeded } = agent;
      const scrip = [wealth, in_own_programs, began_with, earned, paid];
      const budget = (agent.llm_budget_micros / 1e6).toFixed(3);
      const source = mainSource(agent.income);
      return [id, agentStatus(agent), ...scrip, source, actions, succeeded, budget];
    }),
  );
  printReasons(output, report.agents);
  output.line(LEFT_OUT);
  output.line("");
  if (report.model_calls.calls > 0) printModelCalls(output, report.model_calls);
};

const ENTRIES_SHOWN = 20;

/** Prints what the schedule did, one line for each entry, up to `ENTRIES_SHOWN` entries. */
const printSchedule = (output: Output, entries: EconomyReport["schedule"]): void => {
  for (const { at_ms, change, problem } of entries.slice(0, ENTRIES_SHOWN)) {
    const failed = problem === null ? "" : `; not done: ${problem}`;
    output.line(`schedule  ${change} at ${at_ms / 1_000} s${failed}`);
  }
  const more = entries.length - ENTRIES_SHOWN;
  if (more <= 0) return;
  const failed = entries.slice(ENTRIES_SHOWN).filter(({ problem }) => problem !== null).length;
  const notDone = failed === 0 ? "" : ` (${failed.toLocaleString("en")} not done)`;
  const all = "`sim events RUN --kind schedule_executed` lists all";
  output.line(`schedule  … and ${more.toLocaleString("en")} more${notDone}; ${all}`);
};

const salesText = ({ sold, offered, paid, last_price, issued_micros }: EconomyReport["compute"]) =>
  last_price === null
    ? `${issued_micros / 1e6} USD of model budget divided equally`
    : `${sold} of ${counted(offered, "lot")} sold for ${paid} scrip, last price ${last_price}`;

/** Prints why agents are frozen, paused or in review, one line for each agent. */
export const printReasons = (
  output: Output,
  agents: readonly Pick<EconomyReport["agents"][number], "id" | "state" | "reason">[],
): void => {
  for (const { id, state, reason } of agents) {
    if (!["frozen", "paused", "in_review"].includes(state)) continue;
    output.line(output.paint("yellow", `${id} is ${state}: ${reason}`));
  }
};

/** A line that says from which run and event this run was forked. Null for a new world. */
export const originLine = ({ run, seq, at_ms }: CountedFrom): string | null =>
  run === null
    ? null
    : `forked from ${run} at event ${seq}, ${at_ms / 1_000} s; figures count from there`;

/** Prints the figures by group, unless no agent has a group. */
export const printGroups = (output: Output, groups: readonly GroupFigures[]): void => {
  if (groups.every(({ group }) => group === null)) return;
  output.table(
    GROUP_HEAD.split(","),
    groups.map(({ group, agents, wealth, mean_wealth, gini, ...row }) => [
      group ?? "none",
      ...[agents, wealth, mean_wealth.toFixed(1), gini.toFixed(4)],
      ...[row.earned, row.paid, row.actions, row.succeeded, row.thoughts],
    ]),
  );
  output.line("");
};

const GAINS_HEAD = "artifact,made by,owned by,price,gains,realised,possible,efficiency";

/** Prints the gains from trade, unless no agent has private values. */
export const printGains = (output: Output, { artifacts, ...total }: GainsFromTrade): void => {
  if (artifacts.length === 0) return;
  output.line("gains from trade, by the private values of the agents:");
  output.table(GAINS_HEAD.split(","), [
    ...artifacts.map((row) => [
      ...[row.artifact, row.maker ?? "no one", row.owner ?? "no one", row.price ?? "-"],
      ...[gainsText(row), ...surplusCells(row)],
    ]),
    ["total", "", "", "", "", ...surplusCells(total)],
  ]);
  output.line("");
};

type Surplus = Pick<GainsFromTrade, "realised" | "possible" | "efficiency">;

const surplusCells = ({ realised, possible, efficiency }: Surplus): readonly TableRow[number][] => [
  realised,
  possible,
  efficiency === null ? "-" : `${Math.round(efficiency * 1_000) / 10} %`,
];

type Report = EconomyReport["model_calls"];
type Line = Report["by_agent"][number] | Report["by_purpose"][number] | Report["by_model"][number];

const printModelCalls = (output: Output, report: Report): void => {
  const { calls, failures, input_tokens, cached_input_tokens, output_tokens } = report;
  const tokens = `${input_tokens} tokens in (${cached_input_tokens} cached), ${output_tokens} out`;
  const cost = `${report.cost_usd.toFixed(4)} USD`;
  const faults = report.by_fault.map(({ fault, calls: failed }) => `${fault} ${failed}`).join(", ");
  const failed = faults === "" ? `${failures} failed` : `${failures} failed: ${faults}`;
  output.line(`models    ${counted(calls, "call")} (${failed}), ${tokens}, ${cost}`);
  if (report.unpriced > 0) output.line(`          ${assumedPrices(report)}`);
  if (report.estimated > 0) {
    output.line(`          ${counted(report.estimated, "call")} with estimated token counts`);
  }
  output.line("");
  output.table(
    ["calls", "of", "number", "failed", "tokens in", "cached", "tokens out", "USD"],
    [
      ...report.by_agent.map((line) => cells("by", line.agent ?? "the run itself", line)),
      ...report.by_purpose.map((line) => cells("for", line.purpose, line)),
      ...report.by_model.map((line) => cells("to", line.model, line)),
    ],
  );
  output.line("");
};

const cells = (word: string, name: string, line: Line): readonly (string | number)[] => {
  const { calls, failures, input_tokens, cached_input_tokens, output_tokens, cost_usd } = line;
  const tokens = [input_tokens, cached_input_tokens, output_tokens];
  return [word, name, calls, failures, ...tokens, cost_usd.toFixed(4)];
};

const NAMES_SHOWN = 5;

const assumedPrices = (report: Report): string => {
  const names = unpricedModels(report);
  const priced = `${counted(report.unpriced, "call")} at llm.default_pricing`;
  const has = names.length === 1 ? "has" : "have";
  return `${priced}, because ${listed(names, NAMES_SHOWN)} ${has} no price`;
};

/** The names of the models whose calls are charged at `llm.default_pricing`. */
export const unpricedModels = ({ by_model }: Report): readonly string[] =>
  by_model.filter(({ unpriced }) => unpriced > 0).map(({ model }) => model);
