import { type Environment, modelFor, readCalls } from "../../model/index.ts";
import type { Journal } from "../../world/index.ts";
import { type Config, microsOf } from "../config/index.ts";
import { modelUsageIn } from "../core/model-usage.ts";

type Asked = {
  readonly config: Config;
  /** Recorded calls up to this event answer equal requests. */
  readonly upTo: number;
  /** Other requests go to providers with these keys, within the budget. Null: they fail. */
  readonly env: Environment | null;
};

/** Opens a model that answers requests with the recorded replies of a run. */
export const recordedModel = (journal: Journal, { config, upTo, env }: Asked) => {
  const { llm, run, budget, memory } = config;
  const read = memory.infer ? [...readCalls(journal.modelCalls({ upTo }))] : [];
  const calls = read.flatMap((each) => (each.ok ? [each.call] : []));
  const isMock = memory.embedder.startsWith("mock/");
  const usage = env === null ? { spentMicros: 0, attempts: [] } : modelUsageIn(journal, Date.now());
  return modelFor({
    settings: llm,
    env: env ?? {},
    ...(env === null ? { fetch: () => Promise.reject(new Error("no provider is called")) } : {}),
    seed: run.seed,
    budgetMicros: env === null ? Number.MAX_SAFE_INTEGER : microsOf(budget.max_api_cost_usd),
    ...usage,
    resumed: [],
    now: () => 0,
    sink: () => {},
    replay: { calls, otherwise: env === null && !isMock ? "fail" : "ask" },
    durable: async () => true,
    clock: { held: false, turn: async () => {} },
  });
};
