import type { LoadedConfig, RunEstimate } from "../../run/index.ts";
import { listed } from "../../text/index.ts";
import type { Output } from "../core/output.ts";

const usd = (micros: number): number => Math.round(micros) / 1_000_000;
const fixed = (micros: number): string => usd(micros).toFixed(4);
const shown = (micros: number): string => `$${fixed(micros)}`;

export const estimateJson = ({ agents, ...all }: RunEstimate) => ({
  agents: agents.map((each) => ({
    id: each.id,
    model: each.model,
    price_known: each.priced,
    prompt_tokens: each.promptTokens,
    prompt_tokens_max: each.promptTokensMax,
    reply_tokens: each.replyTokens,
    reasoning_tokens: each.reasoningTokens,
    cost_per_call_usd: usd(each.callMicros),
    reserved_per_call_usd: usd(each.reservedMicros),
    calls: each.calls,
    cost_usd: usd(each.costMicros),
    cost_max_usd: usd(each.costMaxMicros),
  })),
  cost_usd: usd(all.costMicros),
  cost_max_usd: usd(all.costMaxMicros),
  max_api_cost_usd: usd(all.budgetMicros),
  not_estimated: all.notEstimated,
});

/** Prints the cost estimate as text, with the origin of the horizon and of the cost limit. */
export const printEstimate = (
  output: Output,
  estimate: RunEstimate,
  { config, origins }: LoadedConfig,
): void => {
  const { agents, notEstimated, costMicros, costMaxMicros, budgetMicros } = estimate;
  if (notEstimated.length > 0) {
    const names = listed(notEstimated, NAMES_MAX);
    output.line(`not estimated: ${names}, whose program says the cost of a turn when it ends`);
  }
  if (agents.length === 0) {
    if (notEstimated.length > 0) return;
    output.line("no agent calls a language model; the run costs nothing");
    return;
  }
  output.table(
    [
      ...["agent", "model", "prompt (tokens)", "reply (tokens)", "reasoning (tokens)"],
      ...["per call (USD)", "calls", "total (USD)", "with full prompts (USD)"],
    ],
    agents.map((each) => [
      each.id,
      each.priced ? each.model : `${each.model} (price unknown, default used)`,
      ...[each.promptTokens, each.replyTokens, each.reasoningTokens],
      fixed(each.callMicros),
      each.calls,
      fixed(each.costMicros),
      fixed(each.costMaxMicros),
    ]),
  );
  const setBy = (key: string): string => originOf(key, origins.get(key) ?? DEFAULT);
  const limit = `${shown(budgetMicros)} (${setBy("budget.max_api_cost_usd")})`;
  const stop = costMaxMicros > budgetMicros ? `; the run stops at ${limit}` : "";
  const horizon = `${config.run.duration_s} s (${setBy("run.duration_s")})`;
  const range = `from ${shown(costMicros)} to ${shown(costMaxMicros)} in total for ${horizon}`;
  const basis = "from the first prompts up to prompts that fill agent.prompt.budget_tokens";
  output.line(`${range}, ${basis}${stop}`);
};

const DEFAULT = "default";

/** Says where a value is set: by its own flag, by `--set`, in a file, or by the shipped default. */
const originOf = (key: string, origin: string): string => {
  if (origin === DEFAULT) return `${key}, shipped default`;
  if (origin === "--set") return `--set ${key}`;
  return origin.startsWith("--") ? origin : `${key} in ${origin}`;
};

/** Warns of agents whose calls are all refused, because each reserves more than the cost limit. */
export const noteRefusedCalls = (
  output: Output,
  { agents, budgetMicros }: RunEstimate,
  origins: LoadedConfig["origins"],
): void => {
  const refused = agents.filter(({ reservedMicros }) => reservedMicros > budgetMicros);
  if (refused.length === 0) return;
  const names = refused.map(({ id }) => id);
  const key = "budget.max_api_cost_usd";
  const limit = `${shown(budgetMicros)} (${originOf(key, origins.get(key) ?? DEFAULT)})`;
  const highest = Math.max(...refused.map(({ reservedMicros }) => reservedMicros));
  const least = (Math.ceil(highest / 100) / 10_000).toFixed(4);
  output.note(
    `note: the run stops at the first call of ${listed(names, NAMES_MAX)}: a call may cost ` +
      `$${least}, more than the limit of ${limit}; raise --max-cost to at least ${least} ` +
      "(for one call), or lower llm.max_tokens or agent.prompt.budget_tokens",
  );
};

const NAMES_MAX = 5;
