import { type EconomyReport, mostFrequent, type RunReport } from "../../figures/index.ts";
import { mayBeFree, type ReplayCounts } from "../../model/index.ts";
import { counted } from "../../text/index.ts";
import type { Output } from "../core/output.ts";
import { printEconomy, unpricedModels } from "./economy-summary.ts";

type Ending = {
  readonly figures: EconomyReport;
  readonly replayed: ReplayCounts | null;
  readonly canResume: boolean;
};

export const printRun = (
  output: Output,
  report: RunReport,
  { figures, replayed, canResume }: Ending,
): void => {
  const { actions, thinking } = report;
  const how = `${report.clock} clock, seed ${report.seed}, stopped by ${report.stopped_by}`;
  output.line(output.paint("bold", `${spanOf(report)} in ${report.wall_s} s (${how})`));
  output.line(
    `actions   ${actions.total}: ${actions.succeeded} succeeded, ${actions.failed} refused` +
      reasonsText(actions.by_error),
  );
  output.line(thoughtsLine(thinking));
  if (replayed !== null) output.line(`replayed  ${replayLine(replayed)}`);
  printEconomy(output, figures);
  output.line(`state hash ${report.state_hash}`);
  output.note(
    `next: ${canResume ? `sim resume ${report.run_id}\n      ` : ""}sim verify ${report.run_id}`,
  );
  output.note(`      sim events ${report.run_id} --kind artifact_invoked --limit 10`);
  output.note(`      sim report ${report.run_id}`);
};

/** The counts in parentheses, the most frequent first. Empty without counts. */
const reasonsText = (counts: { readonly [reason: string]: number }): string => {
  const parts = mostFrequent(counts).map(({ code, times }) => `${code} ${times}`);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
};

type Thinking = Pick<RunReport["thinking"], "calls" | "failed" | "failed_by" | "cost_usd">;

/** A line that says what the thoughts really cost. Model budgets are simulated. */
export const thoughtsLine = ({ calls, failed, failed_by, cost_usd }: Thinking): string => {
  const reasons = reasonsText(failed_by);
  return `thoughts  ${calls}, ${failed} failed${reasons}, ${cost_usd} USD to model providers`;
};

const spanOf = ({ from_s, duration_s }: RunReport): string => {
  if (from_s === 0) return counted(duration_s, "simulated second");
  const elapsed = Math.round((duration_s - from_s) * 1_000) / 1_000;
  return `${counted(elapsed, "simulated second")}, from ${from_s} s to ${duration_s} s,`;
};

/** A line that says how many recorded model calls a run used. */
export const replayLine = ({ hits, changed, misses, left }: ReplayCounts): string => {
  const differing = changed === 0 ? "" : ` (${changed} to requests that differ from it)`;
  const answered = `${counted(hits, "model call")} answered from the recording${differing}`;
  return `${answered}, ${misses} not found in it, ${counted(left, "record")} not used`;
};

export const noteAssumedPrice = (
  output: Output,
  { stopped_by }: RunReport,
  { model_calls }: EconomyReport,
): void => {
  if (stopped_by !== "max_cost" || model_calls.unpriced === 0) return;
  const many = `${counted(model_calls.unpriced, "call")} of ${model_calls.calls}`;
  output.note(`note: llm.default_pricing, an assumed price, was used for ${many}`);
  const local = unpricedModels(model_calls).filter(mayBeFree);
  const free = local.map((model) => [model, { input: 0, output: 0 }] as const);
  const prices = JSON.stringify(Object.fromEntries(free));
  if (free.length === 0) output.note("      set the real price in llm.pricing");
  else output.note(`      if they cost nothing: --set 'llm.pricing=${prices}'`);
};
