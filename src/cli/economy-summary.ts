import { type EconomyReport, standingOf } from "../observe/index.ts";
import { sayModelCalls } from "./model-call-summary.ts";
import { originLine } from "./origin-line.ts";
import type { Output } from "./output.ts";

type Income = EconomyReport["agents"][number]["income"];

const mainSource = (income: Income): string => {
  const [most] = Object.entries(income).sort(([, a], [, b]) => b - a);
  return most === undefined || most[1] === 0 ? "" : most[0];
};

const HEAD = [
  "agent",
  "state",
  "wealth",
  "in programs",
  "began with",
  "earned",
  "paid",
  "most by",
  "actions",
  "succeeded",
  "budget left",
] as const;

/** Why what stands beside wealth does not add up to it. */
const LEFT_OUT =
  "earned and paid leave out founding capital, mint prices and burned scrip; " +
  "`sim report RUN --csv DIR` has all";

/** The economy in a few lines and a table of the agents, after a run or long after. */
export const sayEconomy = (output: Output, report: EconomyReport): void => {
  const { economy, lives, trades_by_kind, counted_from } = report;
  const origin = originLine(counted_from);
  if (origin !== null) output.line(`origin    ${origin}`);
  output.line(
    `economy   ${economy.scrip_total} scrip (${economy.scrip_minted} minted, ` +
      `${economy.scrip_burned} burned), Gini ${economy.gini}`,
  );
  const kinds = Object.entries(trades_by_kind).filter(([, count]) => count > 0);
  const each = kinds.map(([kind, count]) => `${kind} ${count}`).join(", ");
  output.line(`trades    ${economy.trades}${each === "" ? "" : `: ${each}`}`);
  const { spawned, freezes, rescues, bankruptcies } = lives;
  output.line(
    `lives     ${spawned} spawned, ${freezes} frozen, ${rescues} rescued, ${bankruptcies} bankrupt`,
  );
  output.line(`world     ${economy.artifacts} artifacts, ${economy.principals} principals`);
  for (const { alarm, on_s, share, cause } of report.alarms) {
    const rang = `rang for ${on_s} s, ${Math.round(share * 100)} % of the run`;
    output.line(output.paint("yellow", `alarm     ${alarm} ${rang}; at last ${cause}`));
  }
  output.line("");
  output.table(
    [...HEAD],
    report.agents.map((agent) => [
      agent.id,
      standingOf(agent),
      String(agent.wealth),
      String(agent.in_own_programs),
      String(agent.began_with),
      String(agent.earned),
      String(agent.paid),
      mainSource(agent.income),
      String(agent.actions),
      String(agent.succeeded),
      `${(agent.llm_budget_micros / 1e6).toFixed(3)} USD`,
    ]),
  );
  output.line(LEFT_OUT);
  output.line("");
  if (report.model_calls !== undefined) sayModelCalls(output, report.model_calls);
};
