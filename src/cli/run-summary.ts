import type { EconomyReport, RunReport } from "../observe/index.ts";
import { sayEconomy } from "./economy-summary.ts";
import type { Output } from "./output.ts";

/** The end of a run in plain words, and what to try next. */
export const sayRun = (output: Output, report: RunReport, figures: EconomyReport): void => {
  const { actions, thinking } = report;
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
  sayEconomy(output, figures);
  output.line(`state hash ${report.state_hash}`);
  output.note(`next: sim verify ${report.run_id}`);
  output.note(`      sim events ${report.run_id} --kind artifact_invoked --limit 10`);
  output.note(`      sim report ${report.run_id}`);
};
