import type { RunReport } from "../observe/index.ts";
import type { Output } from "./output.ts";

/** The end of a run in plain words, and what to try next. */
export const sayRun = (output: Output, report: RunReport): void => {
  const { actions, economy, thinking } = report;
  const how = `${report.clock} clock, seed ${report.seed}, stopped by ${report.stopped_by}`;
  output.line(
    output.paint("bold", `${report.duration_s} simulated seconds in ${report.wall_s} s (${how})`),
  );
  const refused = Object.entries(actions.by_error)
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${code} ${count}`);
  output.line(
    `actions   ${actions.total}: ${actions.succeeded} succeeded, ${actions.failed} refused` +
      (refused.length > 0 ? ` (${refused.join(", ")})` : ""),
  );
  output.line(`thoughts  ${thinking.calls}, ${thinking.failed} failed, ${thinking.cost_usd} USD`);
  output.line(
    `economy   ${economy.scrip_total} scrip (${economy.scrip_burned} burned), Gini ` +
      `${economy.gini}; ${economy.trades} trades, ${economy.invocations_paid} paid calls`,
  );
  output.line(`world     ${economy.artifacts} artifacts, ${economy.principals} principals`);
  output.line("");
  output.table(
    ["agent", "state", "scrip", "actions", "succeeded", "budget left"],
    report.agents.map((agent) => [
      agent.id,
      agent.state,
      String(agent.scrip),
      String(agent.actions),
      String(agent.succeeded),
      `${(agent.llm_budget_micros / 1e6).toFixed(3)} USD`,
    ]),
  );
  output.line("");
  output.line(`state hash ${report.state_hash}`);
  output.note(`next: sim verify ${report.run_id}`);
  output.note(`      sim events ${report.run_id} --kind artifact_invoked --limit 10`);
  output.note(`      sim state ${report.run_id}`);
};
