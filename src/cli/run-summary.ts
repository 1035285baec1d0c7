import type { ReplayCounts } from "../mind/index.ts";
import type { EconomyReport, RunReport } from "../observe/index.ts";
import { sayEconomy } from "./economy-summary.ts";
import { unpricedModels } from "./model-call-summary.ts";
import type { Output } from "./output.ts";
import { printable } from "./printable.ts";
import { replayLine } from "./replay-notes.ts";

type Telling = {
  readonly figures: EconomyReport;
  readonly replayed: ReplayCounts | null;
  /** Whether it could be resumed and go on. */
  readonly goesOn: boolean;
};

/** The end of a run in plain words, and what to try next. */
export const sayRun = (
  output: Output,
  report: RunReport,
  { figures, replayed, goesOn }: Telling,
): void => {
  const { actions, thinking } = report;
  const how = `${report.clock} clock, seed ${report.seed}, stopped by ${report.stopped_by}`;
  output.line(output.paint("bold", `${livedLine(report)} in ${report.wall_s} s (${how})`));
  const refused = Object.entries(actions.by_error)
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${code} ${count}`);
  output.line(
    `actions   ${actions.total}: ${actions.succeeded} succeeded, ${actions.failed} refused` +
      (refused.length > 0 ? ` (${refused.join(", ")})` : ""),
  );
  const owed = `${thinking.cost_usd} USD to model providers`;
  output.line(`thoughts  ${thinking.calls}, ${thinking.failed} failed, ${owed}`);
  if (replayed !== null) output.line(`replayed  ${replayLine(replayed)}`);
  sayEconomy(output, figures);
  output.line(`state hash ${report.state_hash}`);
  output.note(
    `next: ${goesOn ? `sim resume ${report.run_id}\n      ` : ""}sim verify ${report.run_id}`,
  );
  output.note(`      sim events ${report.run_id} --kind artifact_invoked --limit 10`);
  output.note(`      sim report ${report.run_id}`);
};

/** What this process has lived of the run, and where that lies. */
const livedLine = ({ from_s, duration_s }: RunReport): string => {
  if (from_s === 0) return `${duration_s} simulated seconds`;
  const lived = Math.round((duration_s - from_s) * 1_000) / 1_000;
  return `${lived} simulated seconds, from ${from_s} s to ${duration_s} s,`;
};

/** Where a run has spent all its money at a price that nobody has asked for, that is told. */
export const noteAssumedPrice = (
  output: Output,
  { stopped_by }: RunReport,
  { model_calls }: EconomyReport,
): void => {
  if (stopped_by !== "max_cost" || model_calls === undefined || model_calls.unpriced === 0) return;
  const many = `${model_calls.unpriced} of ${model_calls.calls} calls`;
  output.note(`note: the money went to an assumed price, llm.default_pricing, for ${many}`);
  const own = unpricedModels(model_calls).filter((model) => model.startsWith(OWN));
  const free = own.map((model) => [model, { input: 0, output: 0 }] as const);
  const prices = JSON.stringify(Object.fromEntries(free));
  if (free.length === 0) output.note("      name the real one in llm.pricing");
  else output.note(`      where it costs nothing: --set 'llm.pricing=${printable(prices)}'`);
};

/** What may well run on a machine of one's own. */
const OWN = "openai-compatible/";
