import type { RunEstimate } from "../runner/index.ts";
import type { Output } from "./output.ts";

const usd = (micros: number): number => Math.round(micros) / 1_000_000;
const shown = (micros: number): string => `$${usd(micros).toFixed(4)}`;

/** An estimate as other programs read it. */
export const estimateJson = ({ agents, costMicros, budgetMicros }: RunEstimate) => ({
  agents: agents.map((each) => ({
    id: each.id,
    model: each.model,
    price_known: each.priced,
    prompt_tokens: each.promptTokens,
    reply_tokens: each.replyTokens,
    cost_per_call_usd: usd(each.callMicros),
    calls: each.calls,
    cost_usd: usd(each.costMicros),
  })),
  cost_usd: usd(costMicros),
  max_api_cost_usd: usd(budgetMicros),
});

export const sayEstimate = (output: Output, estimate: RunEstimate): void => {
  const { agents, costMicros, budgetMicros } = estimate;
  if (agents.length === 0) {
    output.line("no agent asks a language model; the run costs nothing");
    return;
  }
  output.table(
    ["AGENT", "MODEL", "PROMPT", "REPLY", "A CALL", "CALLS", "TOGETHER"],
    agents.map((each) => [
      each.id,
      each.priced ? each.model : `${each.model} (price unknown: the default is taken)`,
      `${each.promptTokens} tokens`,
      `${each.replyTokens} tokens`,
      shown(each.callMicros),
      String(each.calls),
      shown(each.costMicros),
    ]),
  );
  const stop =
    costMicros > budgetMicros ? `; the run stops at ${shown(budgetMicros)} (--max-cost)` : "";
  output.line(`about ${shown(costMicros)} in all, guessed from the first prompts${stop}`);
};
